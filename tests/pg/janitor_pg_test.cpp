// The janitor against a real Postgres: what is old goes, in bounded batches, while matches score; nothing young goes.
#include "runtime/upkeep/janitor.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <mutex>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using testing::road_bench;
using kind = road::batch_result::kind;
using testing::within;

namespace {

// Steps as ever, and hardly a rest between them: where a test is about what goes, and not about how fast.
constexpr upkeep::pace_options hurried{.rest = 1, .rest_least = 1};
// One step, and then a rest that no test waits for.
constexpr upkeep::pace_options resting{.rest = 1'000'000, .rest_enough = 1h, .rest_max = 1h};

struct worker {
  explicit worker(const testing::database& db, const upkeep::pace_options& pace = hurried) {
    upkeep::janitor_options options;
    options.where = pg::with_limits(db.app_url(), upkeep::janitor_limits, {});
    options.pass_every = 200ms;
    options.look_every = 50ms;
    options.pace = pace;
    auto raise = [this](const std::string& rule, const std::string& key, const std::string& detail) {
      std::lock_guard lock(guard);
      raised.push_back(rule + " " + key + ": " + detail);
    };
    self = std::make_unique<upkeep::janitor>(options, raise, nullptr);
  }
  std::vector<std::string> said() {
    std::lock_guard lock(guard);
    return raised;
  }
  std::mutex guard;
  std::vector<std::string> raised;
  std::unique_ptr<upkeep::janitor> self;
};

// Short rows: more of each table than one batch may take lie in what one batch looks at.
void fill(const testing::database& db, int count, const std::string& age) {
  db.run(fmt::format(
      "INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at) SELECT "
      "'{1}-' || n, 's', gen_random_uuid(), sha256('x'), 'accepted', repeat('a', 30), n, now() - interval '{1}' FROM "
      "generate_series(1, {0}) n; INSERT INTO command_failure SELECT '{1}-' || n, 1, 'e', now() - interval '{1}' FROM "
      "generate_series(1, {0} / 2) n",
      count, age));
  db.run(fmt::format("INSERT INTO domain_event (kind, seq, payload, created_at) SELECT 'k', n, repeat('e', 300), now() "
                     "- interval '{1}' FROM generate_series(1, {0}) n",
                     count, age));
}

const std::string left = "SELECT (SELECT count(*) FROM command) || ' ' || (SELECT count(*) FROM command_failure) || ' "
                         "' || (SELECT count(*) FROM domain_event)";

} // namespace

TEST_CASE("old answers, failures and events go in bounded batches while matches score, and nothing young goes") {
  road_bench bench;
  auto matches = bench.make_fixtures(4);
  auto standing = bench.db.ask(left); // of the matches just made
  fill(bench.db, 25'000, "40 days");
  fill(bench.db, 1'000, "29 days");
  worker sweeper(bench.db);
  std::int64_t scored = 0;
  while (sweeper.self->passes() == 0) {
    std::vector<road_bench::pending> sent;
    for (const auto& id : matches)
      sent.push_back(bench.send(bench.batch(id, scored, {fmt::format("{}-{}", to_string(id), scored)})));
    for (auto& answer : sent) REQUIRE(answer.get().what == kind::committed);
    REQUIRE(++scored < 100'000);
  }
  CHECK(scored > 0);
  CHECK(sweeper.self->batch_max() == 10'000);
  CHECK(sweeper.self->deleted() == 25'000 + 12'500 + 25'000);
  CHECK(bench.db.count("SELECT count(*) FROM command WHERE received_at < now() - interval '30 days'") == 0);
  CHECK(bench.db.count("SELECT count(*) FROM domain_event WHERE created_at < now() - interval '30 days'") == 0);
  CHECK(bench.db.count("SELECT count(*) FROM command WHERE command_id LIKE '29 days%'") == 1'000);
  CHECK(bench.db.count("SELECT count(*) FROM domain_event WHERE kind = 'k'") == 1'000);
  CHECK(bench.db.count("SELECT count(*) FROM command_failure") == 500);
  CHECK(bench.db.count("SELECT count(*) FROM timeline_item") == 4 * scored + 6);
  CHECK(bench.db.count("SELECT bytes FROM db_size_daily WHERE name = '*'") > 1'000'000);
  CHECK(sweeper.said().empty());
  CHECK(!standing.empty());
}

TEST_CASE("of two janitors one works, and the other takes over when its session is killed") {
  auto db = testing::migrated_database();
  worker one(*db);
  REQUIRE(within(5s, [&] { return one.self->passes() > 0; }));
  worker two(*db);
  std::this_thread::sleep_for(300ms);
  CHECK(one.self->leads());
  CHECK_FALSE(two.self->leads());
  CHECK(two.self->passes() == 0);
  fill(*db, 100, "40 days");
  // The leader goes as a killed node does: its session ends under it, and the lock is free.
  db->run(
      "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE l.locktype "
      "= 'advisory' AND d.datname = current_database()");
  one.self.reset();
  REQUIRE(within(5s, [&] { return two.self->passes() > 0; }));
  CHECK(two.self->leads());
  CHECK(db->count("SELECT count(*) FROM command") == 0);
}

TEST_CASE("a janitor whose session ended works on only after it has the lock again") {
  auto db = testing::migrated_database();
  worker one(*db);
  REQUIRE(within(5s, [&] { return one.self->passes() > 0; }));
  auto holder = db->connect();
  db->run(
      "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE l.locktype "
      "= 'advisory' AND d.datname = current_database()");
  // Whether we or the janitor are first, at no time two hold it.
  bool ours = pqxx::nontransaction(holder)
                  .exec(fmt::format("SELECT pg_try_advisory_lock({})", upkeep::janitor_lock))[0][0]
                  .as<bool>();
  std::this_thread::sleep_for(500ms);
  CHECK(one.self->leads() == !ours);
  CHECK(db->count("SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE l.locktype = "
                  "'advisory' AND l.granted AND d.datname = current_database()") == 1);
}

TEST_CASE("what a durable reader has not read is kept, however old, and the reader is named") {
  auto db = testing::migrated_database();
  fill(*db, 300, "40 days");
  fill(*db, 200, "35 days");
  db->run(
      "INSERT INTO outbox_cursor (name, follows, xid, id, cluster) SELECT 'feed', 'domain_event', xid, id, 'c' FROM "
      "domain_event ORDER BY xid, id OFFSET 299 LIMIT 1");
  worker sweeper(*db);
  REQUIRE(within(5s, [&] { return sweeper.self->passes() > 1; }));
  CHECK(db->count("SELECT count(*) FROM domain_event") == 200);
  auto said = sweeper.said();
  REQUIRE(!said.empty());
  CHECK_THAT(said[0], Catch::Matchers::StartsWith("cursor-stalled feed: "));
  db->run("UPDATE outbox_cursor SET (xid, id) = (SELECT xid, id FROM domain_event ORDER BY xid DESC, id DESC LIMIT 1)");
  REQUIRE(within(5s, [&] { return db->count("SELECT count(*) FROM domain_event") == 0; }));
}

TEST_CASE("months of events are made ahead, and dropped whole when the newest event is old, while matches score") {
  road_bench bench;
  auto month = [&](int back) {
    return bench.db.ask(fmt::format(
        "SELECT 'domain_event_' || to_char((now() AT TIME ZONE 'UTC') - interval '{} months', 'YYYY_MM')", back));
  };
  auto exists = [&](const std::string& name) {
    return bench.db.ask("SELECT to_regclass('" + name + "') IS NOT NULL") == "t";
  };
  CHECK(exists(month(0)));
  CHECK(exists(month(-2)));
  bench.db.run("SELECT ops.make_month(-3), ops.make_month(-4)");
  bench.db.run("INSERT INTO domain_event (kind, seq, payload, created_at) SELECT 'old', n, repeat('e', 300), "
               "date_trunc('month', "
               "now()) - interval '3 months' + interval '1 day' FROM generate_series(1, 100000) n");
  bench.db.run(fmt::format("DROP TABLE {}", month(-2))); // as in a database whose janitor was away
  REQUIRE(bench.db.count(fmt::format("SELECT count(*) FROM {}", month(3))) == 100'000);
  std::int64_t scored = 0;
  worker sweeper(bench.db);
  std::chrono::nanoseconds slowest{};
  while (sweeper.self->passes() == 0) {
    auto began = std::chrono::steady_clock::now();
    REQUIRE(bench.commit(bench.batch(bench.fixture, scored, {fmt::format("k-{}", scored)})).what == kind::committed);
    slowest = std::max<std::chrono::nanoseconds>(slowest, std::chrono::steady_clock::now() - began);
    ++scored;
  }
  CHECK(slowest < 2s);
  CHECK_FALSE(exists(month(3)));
  CHECK_FALSE(exists(month(4)));
  CHECK(exists(month(0)));
  CHECK(exists(month(-2)));
  CHECK(bench.db.count("SELECT count(*) FROM domain_event WHERE kind = 'toy.add' AND seq > 0") == scored + 2);
  CHECK(bench.db.count("SELECT count(*) FROM domain_event_other") == 0);
}

TEST_CASE("a month a durable reader has not read is kept, and dropped when it has") {
  auto db = testing::migrated_database();
  db->run("SELECT ops.make_month(-3)");
  db->run("INSERT INTO domain_event (kind, seq, payload, created_at) SELECT 'old', n, '', date_trunc('month', now()) - "
          "interval '3 "
          "months' + interval '1 day' FROM generate_series(1, 10) n");
  db->run(
      "INSERT INTO outbox_cursor (name, follows, xid, id, cluster) SELECT 'feed', 'domain_event', xid, id, 'c' FROM "
      "domain_event WHERE seq = 9");
  worker sweeper(*db);
  REQUIRE(within(5s, [&] { return sweeper.self->passes() > 1; }));
  CHECK(db->count("SELECT count(*) FROM domain_event") == 10);
  REQUIRE(!sweeper.said().empty());
  CHECK_THAT(sweeper.said()[0], Catch::Matchers::StartsWith("cursor-stalled feed: "));
  db->run("UPDATE outbox_cursor SET id = id + 1");
  REQUIRE(within(5s, [&] { return db->count("SELECT count(*) FROM domain_event") == 0; }));
}

TEST_CASE("the application cannot drop what is young, nor change the events' table itself") {
  auto db = testing::migrated_database();
  pqxx::connection app(db->app_url());
  CHECK_THROWS(pqxx::nontransaction(app).exec("SELECT ops.drop_month(0)"));
  CHECK_THROWS(pqxx::nontransaction(app).exec("DROP TABLE domain_event_other"));
  CHECK_THROWS(pqxx::nontransaction(app).exec("DELETE FROM timeline_item"));
}

TEST_CASE("behind ten thousand rows there is a pause, though the steps before it hardly rest") {
  auto db = testing::migrated_database();
  fill(*db, 25'000, "40 days");
  auto quick = hurried;
  quick.rest = 0;
  worker sweeper(*db, quick);
  using clock = std::chrono::steady_clock;
  clock::time_point full, next; // the batch's last row was gone; the first one of the next
  REQUIRE(within(20s, [&] {
    for (auto until = clock::now() + 10ms; clock::now() < until; std::this_thread::sleep_for(200us)) {
      auto gone = sweeper.self->deleted();
      if (gone >= 10'000 && full == clock::time_point{}) full = clock::now();
      if (gone > 10'000 && next == clock::time_point{}) next = clock::now();
    }
    return next != clock::time_point{};
  }));
  CHECK(next - full >= 90ms); // seen a little late
  CHECK(sweeper.self->batch_max() == 10'000);
}

TEST_CASE("no transaction of the janitor's is open while it rests, so that readers of the outbox never wait for it") {
  auto db = testing::migrated_database();
  fill(*db, 30'000, "40 days");
  auto its = [&](const std::string& what) {
    return db->count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = "
                     "'omnium-janitor'" +
                     what);
  };
  worker sweeper(*db, resting);
  REQUIRE(within(5s, [&] { return sweeper.self->deleted() > 0; }));
  REQUIRE(within(1s, [&] { return its(" AND state = 'idle'") == 1; }));
  CHECK(its(" AND backend_xid IS NULL AND backend_xmin IS NULL") == 1);
  CHECK(sweeper.self->deleted() == upkeep::pace_options{}.rows_min);
  CHECK(db->count("SELECT count(*) FROM command") == 30'000 - 100);
}

TEST_CASE("the janitor's commits do not wait for the disk, and a command's do") {
  auto db = testing::migrated_database();
  auto waits = [&](const pg::pool_limits& limits) {
    pqxx::connection one(pg::with_limits(db->app_url(), limits, {}).url);
    return std::string(pqxx::nontransaction(one).exec("SHOW synchronous_commit")[0][0].c_str());
  };
  CHECK(waits(upkeep::janitor_limits) == "off");
  CHECK(waits(pg::command_limits) == "on");
  CHECK(waits(pg::load_limits) == "on");
}

TEST_CASE("a janitor in the middle of a batch ends at once") {
  auto db = testing::migrated_database();
  fill(*db, 60'000, "40 days");
  for (const auto& pace : {upkeep::pace_options{}, resting}) {
    worker sweeper(*db, pace);
    REQUIRE(within(5s, [&] { return sweeper.self->deleted() > 0; }));
    auto began = std::chrono::steady_clock::now();
    sweeper.self.reset();
    CHECK(std::chrono::steady_clock::now() - began < 1s);
  }
  CHECK(db->count("SELECT count(*) FROM command") > 50'000);
}
