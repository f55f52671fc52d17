// Several writers on one match, straight on the store (L12): lock, fence, keys. Each guard is taken out once, and wrong
// rounds appear.
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <set>
#include <thread>

using namespace omnium;
using testing::road_bench;
using kind = road::batch_result::kind;

namespace {

int from_environment(const char* name, int usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::atoi(text);
}

// A writer with a head of its own, as a node has: it commits on what it knows and learns what it missed.
struct writer {
  const road_bench& bench;
  pg::store_pg& store;
  std::int64_t head = 0;

  // The seq its command got, or 0: no last word within the tries.
  std::int64_t write(const std::string& key, int tries = 10) {
    while (tries-- > 0) {
      auto result = road_bench::send(store, bench.batch(bench.fixture, head, {key})).get();
      if (result.what == kind::committed) return head = result.last_seq;
      if (result.what == kind::stale) head = result.newer.empty() ? result.last_seq : result.newer.back().seq;
    }
    return 0;
  }
};

// Rounds in which two nodes write one row each at the same moment. A round is wrong when the log does not hold exactly
// these two rows, under the numbers their writers were told.
int wrong_rounds(const road_bench& bench, int rounds) {
  auto one = bench.open_store(2), two = bench.open_store(2);
  std::vector<std::int64_t> first(static_cast<std::size_t>(rounds)), second(first.size());
  std::barrier gate(2);
  auto play = [&](pg::store_pg& store, const char* name, std::vector<std::int64_t>& told) {
    writer me{bench, store};
    for (std::size_t i = 0; i < told.size(); ++i) {
      gate.arrive_and_wait();
      told[i] = me.write(fmt::format("{}-{}", name, i));
    }
  };
  std::thread other([&] { play(*two, "two", second); });
  play(*one, "one", first);
  other.join();
  auto connection = bench.db.connect();
  pqxx::nontransaction tx(connection);
  int wrong = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    auto row = tx.exec(fmt::format("SELECT count(*), max(CASE WHEN key = 'one-{0}' THEN seq END), max(CASE WHEN key = "
                                   "'two-{0}' THEN seq END) FROM timeline_item WHERE key IN ('one-{0}', 'two-{0}')",
                                   i))[0];
    bool good = row[0].as<int>() == 2 && first[i] > 0 && second[i] > 0 && first[i] != second[i] &&
                row[1].as<std::int64_t>(0) == first[i] && row[2].as<std::int64_t>(0) == second[i];
    wrong += good ? 0 : 1;
  }
  return wrong;
}

std::int64_t log_faults(const road_bench& bench) {
  return bench.db.count(
      "SELECT count(*) FROM (SELECT f.last_seq, count(t.seq) n, count(DISTINCT t.seq) d, max(t.seq) m FROM "
      "fixture f JOIN timeline_item t ON t.stream_id = f.id GROUP BY f.id) x WHERE n <> d OR m <> n OR "
      "last_seq <> n");
}

// What stands between the look and the writes on a busy server.
void linger(const road_bench& bench) {
  bench.db.edit_commit("IF v_ok IS NOT NULL THEN", "PERFORM pg_sleep(0.002); IF v_ok IS NOT NULL THEN");
}

void take_out_lock(const road_bench& bench) {
  bench.db.edit_commit("FOR NO KEY UPDATE SKIP LOCKED", "");
  bench.db.edit_commit("FOR NO KEY UPDATE", "");
  linger(bench);
}

void take_out_fence(const road_bench& bench) {
  bench.db.edit_commit("v_seq = m_expected", "true");
  bench.db.edit_commit("coalesce(v_seq[array_position(v_id, m_id[k])] = m_expected[k], false)", "true");
}

void take_out_log_key(const road_bench& bench) {
  bench.db.run("ALTER TABLE timeline_item DROP CONSTRAINT timeline_item_pkey");
}

} // namespace

TEST_CASE("two nodes write one match for a thousand rounds, and none is wrong") {
  road_bench bench;
  REQUIRE(wrong_rounds(bench, 1000) == 0);
  REQUIRE(log_faults(bench) == 0);
  REQUIRE(bench.rows() == 2000);
}

TEST_CASE("without the row lock rounds go wrong") {
  road_bench bench;
  take_out_lock(bench);
  take_out_log_key(bench);
  REQUIRE(wrong_rounds(bench, 20) + log_faults(bench) > 0);
}

TEST_CASE("without the fence rounds go wrong") {
  road_bench bench;
  take_out_fence(bench);
  take_out_log_key(bench);
  REQUIRE(wrong_rounds(bench, 20) + log_faults(bench) > 0);
}

TEST_CASE("without lock or fence the log's key still lets no second row in") {
  road_bench bench;
  take_out_lock(bench);
  take_out_fence(bench);
  wrong_rounds(bench, 5);
  REQUIRE(bench.db.count("SELECT count(*) - count(DISTINCT seq) FROM timeline_item WHERE stream_id = '" +
                         to_string(bench.fixture) + "'") == 0);
}

namespace {

// Eight nodes send copies of one command at once; each goes on until it has a last word.
std::multiset<std::string> race_copies(const road_bench& bench, const std::string& key) {
  constexpr int copies = 8;
  std::vector<std::unique_ptr<pg::store_pg>> nodes;
  for (int i = 0; i < copies; ++i) nodes.push_back(bench.open_store(1));
  std::vector<std::string> words(copies);
  std::barrier gate(copies);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < copies; ++i)
    threads.emplace_back([&, i] {
      std::int64_t head = bench.db.count("SELECT last_seq FROM fixture WHERE id = '" + to_string(bench.fixture) + "'");
      gate.arrive_and_wait();
      for (int tries = 0; tries < 50 && words[i].empty(); ++tries) {
        auto result = road_bench::send(*nodes[i], bench.batch(bench.fixture, head, {key})).get();
        if (result.what == kind::committed) words[i] = "committed";
        else if (result.what == kind::seen) words[i] = result.seen.at(0).answer;
        else if (result.what == kind::stale) head = result.last_seq;
      }
    });
  for (auto& t : threads) t.join();
  return {words.begin(), words.end()};
}

} // namespace

TEST_CASE("eight copies at once make one row, and seven hear the first answer") {
  road_bench bench;
  for (int round = 0; round < 10; ++round) {
    auto key = fmt::format("copy-{}", round);
    auto words = race_copies(bench, key);
    REQUIRE(words.count("committed") == 1);
    REQUIRE(words.count("{\"first\": \"" + key + "\"}") == 7);
    REQUIRE(bench.db.count("SELECT count(*) FROM timeline_item WHERE key = '" + key + "'") == 1);
  }
  REQUIRE(log_faults(bench) == 0);
}

TEST_CASE("without the key re-check and the key's uniqueness a copy is written twice") {
  road_bench bench;
  bench.db.edit_commit("WHERE c.command_id = ANY (c_key)", "WHERE false");
  bench.db.run("ALTER TABLE command DROP CONSTRAINT command_pkey");
  race_copies(bench, "copy");
  REQUIRE(bench.db.count("SELECT count(*) FROM timeline_item WHERE key = 'copy'") > 1);
}

TEST_CASE("a copy that waited for the lock sees what was committed while it waited") {
  road_bench bench;
  auto other = bench.open_store(2);
  bench.db.wrap_commit("", "PERFORM pg_sleep(0.3);");
  // A refusal leaves last_seq as it is: only the key can tell that it was decided already.
  auto refusal = [&] {
    auto b = bench.batch(bench.fixture, 0, {});
    bench.add(*b, "no", false);
    return b;
  };
  auto first = bench.send(refusal());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto second = road_bench::send(*other, refusal()).get();
  REQUIRE(first.get().what == kind::committed);
  REQUIRE(second.what == kind::seen);
  REQUIRE(bench.db.count("SELECT count(*) FROM command WHERE command_id = 'no'") == 1);
  REQUIRE(bench.rows() == 0);
  REQUIRE(bench.db.count("SELECT count(*) FROM domain_event WHERE fixture_id IS NOT NULL") == 0);
  REQUIRE(bench.load(bench.fixture).last_seq == 0);
}

TEST_CASE("sixteen writers whose rows refer to one competition's: no transaction waits for one that waits for it") {
  road_bench bench;
  constexpr int writers = 16;
  const auto length = std::chrono::seconds(from_environment("OMNIUM_TEST_DEADLOCK_S", 4));
  auto matches = bench.make_fixtures(5);
  auto before = bench.db.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  const auto until = std::chrono::steady_clock::now() + length;
  std::atomic<int> committed{0}, deadlocks{0}, others{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w)
    threads.emplace_back([&, w] {
      auto store = bench.open_store(2);
      std::minstd_rand random(static_cast<unsigned>(w) + 1);
      std::vector<std::int64_t> heads(matches.size(), 0);
      std::int64_t competition_head = bench.competition_seq;
      auto note = [&](const road::batch_result& result, std::int64_t& head) {
        if (result.what == kind::committed) ++committed, head = result.last_seq;
        else if (result.what == kind::stale) head = result.newer.empty() ? result.last_seq : result.newer.back().seq;
        else if (result.why.code == "deadlock") ++deadlocks;
        else ++others;
      };
      for (int n = 0; std::chrono::steady_clock::now() < until; ++n) {
        const auto key = fmt::format("{}-{}", w, n);
        const auto id = to_string(make_uuid7());
        if (w % 4 == 0) { // a team, or a match: both refer to the competition, whose row its writer holds
          const bool team = n % 2 == 0;
          const auto data =
              team ? fmt::format(R"({{"id":"{}","name":"N","type":"team"}})", id)
                   : fmt::format(R"({{"id":"{}","sport":"toy","release":"1","code_sha":"sha","settings":{{}},)"
                                 R"("home":{{"id":"{}","name":"H"}},"away":{{"id":"{}","name":"A"}}}})",
                                 id, to_string(make_uuid7()), to_string(make_uuid7()));
          note(road_bench::send(*store, bench.effect(bench.competition, competition_head, key,
                                                     team ? road::row_effect::kind::create_participant
                                                          : road::row_effect::kind::create_fixture,
                                                     data))
                   .get(),
               competition_head);
          continue;
        }
        // Several matches of one call are locked together, each writer's in an order of its own.
        std::vector<std::size_t> order(matches.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        std::vector<road_bench::pending> sent;
        for (auto m : order)
          sent.push_back(road_bench::send(*store, bench.batch(matches[m], heads[m], {fmt::format("{}-{}", key, m)})));
        for (std::size_t i = 0; i < order.size(); ++i) note(sent[i].get(), heads[order[i]]);
      }
    });
  for (auto& t : threads) t.join();
  CAPTURE(committed, others);
  CHECK(committed > 200);
  CHECK(deadlocks == 0);
  CHECK(bench.db.count("SELECT count(*) FROM participant") > 5);
  // What an idle session counted it tells when it ends.
  CHECK(bench.db.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == before);
}

TEST_CASE("the application's role can add to the log and do nothing else to it") {
  road_bench bench;
  REQUIRE(bench.commit(bench.batch(bench.fixture, 0, {"k"})).what == kind::committed);
  for (const auto* sql : {"UPDATE timeline_item SET code = 'x'", "DELETE FROM timeline_item", "TRUNCATE timeline_item",
                          "UPDATE command SET answer = 'x'", "UPDATE domain_event_row SET payload = 'x'"}) {
    pqxx::connection app(bench.db.app_url());
    REQUIRE_THROWS_AS(pqxx::nontransaction(app).exec(sql), pqxx::insufficient_privilege);
  }
}
