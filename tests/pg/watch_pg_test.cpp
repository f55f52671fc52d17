// A node's look at itself: what it finds is raised, written down and shown.
#include "runtime/upkeep/alerts.hpp"
#include "runtime/upkeep/signals.hpp"
#include "runtime/upkeep/watch.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using kind = ops::beat_board::kind;
using testing::within;

namespace {

struct node {
  explicit node(const testing::database& db) {
    upkeep::watch_options options;
    options.where = pg::with_limits(db.app_url(), upkeep::upkeep_limits, {});
    options.node = "test/1";
    options.data_dir = "/tmp";
    options.every = 50ms;
    options.silent_after = 500ms;
    auto raise = [this](const std::string& rule, const std::string& key, const std::string& detail) {
      std::lock_guard lock(guard);
      raised.insert(rule + " " + key);
      detail_of[rule] = detail;
    };
    self = std::make_unique<upkeep::watch>(options, metrics, raise);
  }
  bool said(const std::string& what) {
    std::lock_guard lock(guard);
    return raised.contains(what);
  }
  std::string state_of(const std::string& part) const {
    for (const auto& one : self->health())
      if (one.name == part) return one.state;
    return "";
  }
  ops::metrics metrics;
  std::mutex guard;
  std::set<std::string> raised;
  std::map<std::string, std::string> detail_of;
  std::unique_ptr<upkeep::watch> self;
};

} // namespace

TEST_CASE("workers that beat without progress while work waits raise worker-stuck, and an open breaker its own rule") {
  auto db = testing::migrated_database();
  node one(*db);
  auto workers = one.metrics.beats.add("sport/toy/1", kind::working, 200ms);
  auto breaker = one.metrics.beats.add("sport/toy/2", kind::working, 200ms);
  workers.turn();
  REQUIRE(within(5s, [&] { return one.state_of("sport/toy/1") == "ok"; }));
  workers.waiting(2);
  breaker.trouble("the breaker is open");
  bool stuck = within(5s, [&] {
    workers.turn(); // alive, and nothing gets done
    return one.said("worker-stuck sport/toy/1");
  });
  CHECK(stuck);
  CHECK(within(5s, [&] { return one.said("worker-breaker-open sport/toy/2"); }));
  CHECK_FALSE(one.said("worker-breaker-open sport/toy/1"));
  CHECK(one.metrics.registry.expose().find("omnium_part_ok{part=\"sport/toy/1\"} 0") != std::string::npos);
  CHECK(within(5s, [&] {
    return db->ask("SELECT state || ' ' || waiting FROM process_beat WHERE node = 'test/1' AND part = 'sport/toy/1'") ==
           "stuck 2";
  }));
  workers.progress();
  workers.waiting(0);
  CHECK(within(5s, [&] { return one.state_of("sport/toy/1") == "ok"; }));
}

TEST_CASE("slow commands, long waits for a row and many try_again are raised; a few say nothing") {
  auto db = testing::migrated_database();
  node one(*db);
  REQUIRE(within(5s, [&] { return !one.self->health().empty(); }));
  for (int i = 0; i < 10; ++i) one.metrics.command_seconds.observe(0.2);
  std::this_thread::sleep_for(200ms);
  CHECK_FALSE(one.said("slow-commands test/1"));
  for (int i = 0; i < 100; ++i) one.metrics.command_seconds.observe(i < 90 ? 0.002 : 0.2);
  for (int i = 0; i < 100; ++i) one.metrics.lock_wait_seconds.observe(i < 95 ? 0.002 : 1.5);
  for (int i = 0; i < 100; ++i)
    one.metrics.answered(i < 80 ? outcome::accepted : outcome::try_again, i < 80 ? "" : "lock_timeout");
  CHECK(within(5s, [&] { return one.said("slow-commands test/1"); }));
  CHECK(within(5s, [&] { return one.said("lock-wait-p99 test/1"); }));
  CHECK(within(5s, [&] { return one.said("commands-failing test/1"); }));
  CHECK(one.state_of("commands") == "failing");
}

TEST_CASE("a share is of what fell between two looks, and of too few there is none") {
  using counts = std::vector<std::pair<double, std::uint64_t>>;
  counts before{{0.01, 100}, {0.03, 100}, {1, 100}}, after{{0.01, 150}, {0.03, 190}, {1, 200}};
  CHECK(upkeep::share_below(before, after, 0.03) == 0.9);
  CHECK(upkeep::share_below(before, after, 0.01) == 0.5);
  CHECK(upkeep::share_below(after, after, 0.03) == 1);
  CHECK(upkeep::share_below({}, after, 0.03) == 1);
}

TEST_CASE("a session that holds the outbox back is named with its database and age") {
  auto db = testing::migrated_database();
  node one(*db);
  REQUIRE(within(5s, [&] { return one.state_of("outbox horizon") == "ok"; }));
  auto slow = db->connect();
  pqxx::work open(slow);
  open.exec("CREATE TABLE held (n int)");
  auto pid = open.exec("SELECT pg_backend_pid()")[0][0].as<std::string>();
  REQUIRE(within(15s, [&] { return one.said("outbox-lag "); }));
  std::lock_guard lock(one.guard);
  CHECK(one.detail_of["outbox-lag"].find("pid " + pid + " ") != std::string::npos);
  CHECK(one.detail_of["outbox-lag"].find("database " + db->name()) != std::string::npos);
}

TEST_CASE("an alert service nobody runs is noticed by every node") {
  auto db = testing::migrated_database();
  db->run("INSERT INTO outbox_cursor (name, follows, xid, id, cluster, moved_at) VALUES ('alerts', 'alert_signal', "
          "'0', 0, 'c', "
          "now() - interval '61 s')");
  node one(*db);
  REQUIRE(within(5s, [&] { return !one.state_of("alert service").empty(); }));
  CHECK(one.state_of("alert service") == "ok"); // it was silent before this node was there: no news
  CHECK(within(5s, [&] { return one.said("alert-service-silent "); }));
  CHECK(one.state_of("alert service") == "silent");
}

TEST_CASE("a database that takes no writes is noticed by the node's own write, and so is its return") {
  auto db = testing::migrated_database();
  node one(*db);
  REQUIRE(within(5s, [&] { return one.state_of("database") == "ok"; }));
  db->read_only(true);
  REQUIRE(within(5s, [&] { return one.state_of("database") == "unavailable"; }));
  REQUIRE(within(5s, [&] { return one.said("database-unavailable "); }));
  db->read_only(false);
  CHECK(within(10s, [&] { return one.state_of("database") == "ok"; }));
}
