// Writers that overtake each other, straight on the database: what commits late, and what comes out of the outbox in
// another order than it was numbered (O1, L9).
#include "tests/catch.hpp"
#include "tests/pg/outbox_support.hpp"
#include "tests/pg/road_support.hpp"

#include <barrier>
#include <fmt/format.h>
#include <random>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using testing::road_bench;
using testing::screens_node;
using kind = road::batch_result::kind;

namespace {

// What a ball writes that a screen sees: under the match's lock the next number, its log row and its event. A function,
// so that two sessions can take it in two steps: the transaction id first, the ball later.
void make_ball(const testing::database& db) {
  db.run("CREATE FUNCTION test_ball(p_fixture uuid) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE v bigint; BEGIN "
         "UPDATE fixture SET last_seq = last_seq + 1 WHERE id = p_fixture RETURNING last_seq INTO v; "
         "INSERT INTO domain_event (kind, fixture_id, competition_id, seq, payload) SELECT 'toy.add', p_fixture, "
         "competition_id, v, '{\"version\":' || v || ',\"prev\":' || v - 1 || '}' FROM fixture WHERE id = p_fixture; "
         "RETURN v; END $$");
}

// One pair of writers. The first takes its transaction id, the second commits meanwhile, and the first commits after a
// wait. On two matches the second's event has the higher id and is visible first; on one match the numbers come out
// the other way round: the first has the lower transaction id and the higher seq.
void overtake(const testing::database& db, const uuid& one, const uuid& two, int rounds, unsigned seed) {
  auto late = db.connect(), quick = db.connect();
  for (auto* c : {&late, &quick}) pqxx::nontransaction(*c).exec("SET synchronous_commit = off");
  std::minstd_rand random(seed);
  auto first = fmt::format("SELECT test_ball('{}')", to_string(one)),
       other = fmt::format("SELECT test_ball('{}')", to_string(two));
  for (int i = 0; i < rounds; ++i) {
    bool same_match = random() % 2 == 0;
    pqxx::work open(late);
    if (same_match) open.exec("SELECT pg_current_xact_id()");
    else open.exec(first);
    {
      pqxx::work tx(quick);
      tx.exec(same_match ? first : other);
      tx.commit();
    }
    if (same_match) open.exec(first);
    if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000)); // before COMMIT
    open.commit();
  }
}

} // namespace

TEST_CASE("ten thousand interleavings of two writers, one late to commit: every watcher sees every version") {
  road_bench bench;
  make_ball(bench.db);
  constexpr int pairs = 8, rounds = 1250;
  auto fixtures = bench.make_fixtures(2 * pairs);
  screens_node here(bench.db.app_url(), 10ms), there(bench.db.app_url(), 35ms);
  std::vector<testing::screen_ptr> screens;
  for (auto* node : {&here, &there})
    for (const auto& fixture : fixtures) screens.push_back(node->watch(fixture));
  auto asked = here.source.questions + there.source.questions;
  std::vector<std::thread> writers;
  for (int i = 0; i < pairs; ++i)
    writers.emplace_back([&, i] {
      overtake(bench.db, fixtures[static_cast<std::size_t>(2 * i)], fixtures[static_cast<std::size_t>(2 * i + 1)],
               rounds, static_cast<unsigned>(i) + 1);
    });
  for (auto& writer : writers) writer.join();
  std::int64_t written = 0;
  for (std::size_t i = 0; i < screens.size(); ++i) {
    auto last = bench.load(fixtures[i % fixtures.size()]).last_seq;
    if (i < fixtures.size()) written += last;
    INFO("match " << i);
    CHECK(screens[i]->reaches(last, 10s));
    CHECK(screens[i]->unbroken(last));
  }
  CHECK(written == 2 * pairs * rounds);
  CHECK(here.source.questions + there.source.questions == asked); // no repair: the readers lost nothing
}

TEST_CASE("eight writers on one match through the road: every watcher on every node sees n, n+1, and on") {
  road_bench bench;
  constexpr int writers = 8, balls = 40;
  screens_node here(bench.db.app_url(), 20ms), there(bench.db.app_url(), 30ms);
  std::vector<testing::screen_ptr> screens{here.watch(bench.fixture), here.watch(bench.fixture),
                                           there.watch(bench.fixture)};
  auto asked = here.source.questions + there.source.questions;
  std::vector<std::thread> nodes;
  std::barrier gate(writers);
  for (int w = 0; w < writers; ++w)
    nodes.emplace_back([&, w] {
      auto store = bench.open_store(1);
      std::int64_t head = 0;
      gate.arrive_and_wait();
      for (int i = 0; i < balls;) {
        auto result = road_bench::send(*store, bench.batch(bench.fixture, head, {fmt::format("w{}-{}", w, i)})).get();
        if (result.what == kind::committed) ++i;
        head = result.what == kind::stale && !result.newer.empty() ? result.newer.back().seq : result.last_seq;
      }
    });
  for (auto& node : nodes) node.join();
  auto last = bench.load(bench.fixture).last_seq;
  CHECK(last == writers * balls);
  for (const auto& screen : screens) {
    CHECK(screen->reaches(last, 5s));
    CHECK(screen->versions().size() == static_cast<std::size_t>(last) + 1);
  }
  CHECK(here.source.questions + there.source.questions == asked);
}

TEST_CASE("a watch at any moment while balls are committed is shown each version exactly once") {
  road_bench bench;
  screens_node here(bench.db.app_url(), 5ms);
  std::atomic<bool> done{false};
  std::atomic<std::int64_t> head{0};
  std::thread scorer([&] {
    for (int i = 0; !done; ++i) {
      auto result = bench.commit(bench.batch(bench.fixture, head, {fmt::format("s{}", i)}));
      if (result.what == kind::committed) head = result.last_seq;
      here.reader.ring();
    }
  });
  std::vector<testing::screen_ptr> screens;
  std::minstd_rand random(7);
  for (int i = 0; i < 300; ++i) {
    std::optional<std::int64_t> have;
    bool again = i % 7 == 2; // join, leave, join (O13)
    if (i % 3 == 1 && !again) have = std::max<std::int64_t>(0, head - static_cast<std::int64_t>(random() % 20));
    auto screen = std::make_shared<testing::screen>();
    here.hub.subscribe({wire::live_topic::kind::fixture, bench.fixture}, have, "1", screen);
    if (again) {
      here.hub.unsubscribe({wire::live_topic::kind::fixture, bench.fixture}, screen.get());
      here.hub.subscribe({wire::live_topic::kind::fixture, bench.fixture}, have, "2", screen);
    }
    screens.push_back(screen);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
  }
  done = true;
  scorer.join();
  for (std::size_t i = 0; i < screens.size(); ++i) {
    INFO("screen " << i);
    CHECK(screens[i]->reaches(head, 5s));
    auto seen = screens[i]->versions();
    int snapshots = 0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (seen[k] < 0) ++snapshots;
      else if (k > 0) CHECK(seen[k] == (seen[k - 1] < 0 ? -seen[k - 1] - 1 : seen[k - 1]) + 1);
    }
    CHECK(snapshots <= (i % 7 == 2 ? 2 : 1)); // one for each time it asked
  }
}
