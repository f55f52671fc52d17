// What the store makes of trouble: held locks, a poisoned neighbour, a connection lost at the worst moment, a database
// that takes no writes.
#include "runtime/postgres/session_door.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using testing::road_bench;
using kind = road::batch_result::kind;

namespace {

using clock_type = std::chrono::steady_clock;

std::string lock_of(const uuid& fixture) {
  return "SELECT 1 FROM fixture WHERE id = '" + to_string(fixture) + "' FOR NO KEY UPDATE";
}

// Sends until the store has a connection that works again.
road::batch_result insist(road_bench& bench, const std::function<std::shared_ptr<road::subject_batch>()>& make) {
  for (auto until = clock_type::now() + 20s;; std::this_thread::sleep_for(50ms)) {
    auto result = bench.commit(make());
    if (result.what != kind::failed || clock_type::now() > until) return result;
  }
}

void end_sessions(const road_bench& bench, const std::string& which) {
  bench.db.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
               "pg_backend_pid() AND " +
               which);
}

} // namespace

TEST_CASE("more held matches than may wait are all told in time, and no other match notices") {
  road_bench bench;
  auto held = bench.make_fixtures(8), free = bench.make_fixtures(3);
  auto holder = bench.db.connect();
  pqxx::work lock(holder);
  for (const auto& id : held) lock.exec(lock_of(id));
  auto began = clock_type::now();
  std::vector<road_bench::pending> waiting;
  for (const auto& id : held) waiting.push_back(bench.send(bench.batch(id, 0, {"held-" + to_string(id)})));
  for (std::int64_t n = 0; n < 10; ++n)
    for (const auto& id : free) {
      auto sent = clock_type::now();
      REQUIRE(bench.commit(bench.batch(id, n, {fmt::format("free-{}-{}", to_string(id), n)})).what == kind::committed);
      REQUIRE(clock_type::now() - sent < 1s);
    }
  for (auto& w : waiting) {
    auto result = w.get();
    REQUIRE(result.what == kind::failed);
    REQUIRE(result.why.code == "lock_timeout");
    REQUIRE_FALSE(result.person_error);
  }
  REQUIRE(clock_type::now() - began > 1900ms);
  // One that got its waiting place at the last moment waits a whole limit of its own: two limits and a little.
  REQUIRE(clock_type::now() - began < 4500ms);
}

TEST_CASE("a competition that waits for its lock holds up no match") {
  road_bench bench;
  auto holder = bench.db.connect();
  pqxx::work lock(holder);
  lock.exec("SELECT 1 FROM competition FOR NO KEY UPDATE");
  auto participant = fmt::format(R"({{"id":"{}","name":"N","type":"team"}})", to_string(make_uuid7()));
  auto waiting = bench.send(bench.effect(bench.competition, bench.competition_seq, "p",
                                         road::row_effect::kind::create_participant, participant));
  std::this_thread::sleep_for(100ms);
  auto sent = clock_type::now();
  REQUIRE(bench.commit(bench.batch(bench.fixture, 0, {"k"})).what == kind::committed);
  REQUIRE(clock_type::now() - sent < 1s);
  lock.abort();
  REQUIRE(waiting.get().what == kind::committed);
}

TEST_CASE("one poisoned match does not take its neighbours along") {
  road_bench bench(1); // one connection: what waits for it travels together
  auto matches = bench.make_fixtures(6);
  auto holder = bench.db.connect();
  pqxx::work lock(holder);
  lock.exec(lock_of(bench.fixture));
  auto slow = bench.send(bench.batch(bench.fixture, 0, {"slow"}));
  std::this_thread::sleep_for(100ms);
  std::vector<road_bench::pending> got;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    auto b = bench.batch(matches[i], 0, {fmt::format("k{}", i)});
    if (i == 3) {
      auto source = std::make_shared<command>(*b->commands[0].source);
      source->received_at = "no time at all";
      b->commands[0].source = source;
    }
    got.push_back(bench.send(std::move(b)));
  }
  lock.abort();
  for (std::size_t i = 0; i < got.size(); ++i) {
    auto result = got[i].get();
    REQUIRE(result.what == (i == 3 ? kind::failed : kind::committed));
  }
  REQUIRE(slow.get().what == kind::committed);
  REQUIRE(bench.store->stats().retried >= matches.size());
}

TEST_CASE("a session ended in COMMIT leaves the outcome unknown, and the key says what became of it") {
  road_bench bench;
  bench.db.run(
      "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN NULL; "
      "END $$; CREATE CONSTRAINT TRIGGER in_commit AFTER INSERT ON command DEFERRABLE INITIALLY DEFERRED FOR "
      "EACH ROW EXECUTE FUNCTION linger(); GRANT EXECUTE ON FUNCTION linger() TO omnium_app");
  auto pending = bench.send(bench.batch(bench.fixture, 0, {"k"}));
  while (bench.db.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = "
                        "current_database()") == 0)
    std::this_thread::sleep_for(10ms);
  end_sessions(bench, "wait_event = 'PgSleep'");
  REQUIRE(pending.get().what == kind::unknown);
  bench.db.run("DROP TRIGGER in_commit ON command");
  auto found = bench.find_keys({subject_kind::fixture, bench.fixture}, {"k"}, true);
  REQUIRE(found);
  REQUIRE(found->empty());
  REQUIRE(insist(bench, [&] { return bench.batch(bench.fixture, 0, {"k"}); }).what == kind::committed);
}

TEST_CASE("an answer of COMMIT that is lost on the way is found by key") {
  road_bench bench;
  testing::gate gate(bench.db.app_url());
  pg::store_pg through({.url = gate.url(), .role = {}, .command_connections = 1, .load_connections = 1}, nullptr);
  REQUIRE(road_bench::send(through, bench.batch(bench.fixture, 0, {"k1"})).get().what == kind::committed);
  gate.swallow_next_answer();
  REQUIRE(road_bench::send(through, bench.batch(bench.fixture, 1, {"k2"})).get().what == kind::unknown);
  auto found = bench.find_keys({subject_kind::fixture, bench.fixture}, {"k2", "k3"}, true);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  REQUIRE(found->at(0).key == "k2");
  REQUIRE(bench.rows() == 2);
}

TEST_CASE("a look for a key, and a match that is read, behind a silent line end when a command's call would") {
  road_bench bench;
  testing::gate gate(bench.db.app_url());
  pg::store_pg through({.url = gate.url(), .role = {}, .command_connections = 1, .load_connections = 2}, nullptr);
  auto ask = [&] {
    auto keys = std::make_shared<std::promise<bool>>(), match = std::make_shared<std::promise<bool>>();
    through.find_keys({subject_kind::fixture, bench.fixture}, {"k"}, true,
                      [keys](auto found, reason) { keys->set_value(found.has_value()); });
    through.load({subject_kind::fixture, bench.fixture}, road::load_depth::whole_log,
                 [match](auto found, reason) { match->set_value(found.has_value()); });
    return std::pair(keys->get_future(), match->get_future());
  };
  auto before = ask();
  REQUIRE(before.first.get());
  REQUIRE(before.second.get());
  gate.stall(true);
  auto began = std::chrono::steady_clock::now();
  auto silent = ask();
  CHECK_FALSE(silent.first.get());
  CHECK_FALSE(silent.second.get());
  CHECK(std::chrono::steady_clock::now() - began < 9s); // the statement's 5 s, 2 of silence, and the next look
  gate.stall(false);
  CHECK(testing::within(10s, [&] {
    auto again = ask();
    bool keys = again.first.get(), match = again.second.get();
    return keys && match;
  }));
}

TEST_CASE("settling by key waits for a transaction that may still commit it") {
  road_bench bench;
  auto made = make_uuid7();
  auto writer = bench.db.connect();
  pqxx::work open(writer);
  SECTION("a match whose row is held") { open.exec(lock_of(bench.fixture)); }
  SECTION("a competition in the making") {
    open.exec("INSERT INTO subject (id, kind) VALUES ('" + to_string(made) + "', 'competition')");
  }
  bool in_making = bench.db.count("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND granted") > 0 &&
                   open.exec("SELECT count(*) FROM subject WHERE id = '" + to_string(made) + "'")[0][0].as<int>() == 1;
  open.exec("INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, received_at) VALUES "
            "('late', 's', '" +
            to_string(made) + "', sha256('x'), 'refused', 'a', now())");
  auto subject =
      in_making ? subject_ref{subject_kind::competition, made} : subject_ref{subject_kind::fixture, bench.fixture};
  auto found = std::async(std::launch::async, [&] { return bench.find_keys(subject, {"late"}, true); });
  REQUIRE(found.wait_for(300ms) == std::future_status::timeout);
  open.commit();
  auto keys = found.get();
  REQUIRE(keys);
  REQUIRE(keys->size() == 1);
}

TEST_CASE("a database that takes no writes is unavailable, and is found again when it does") {
  road_bench bench;
  bench.db.run("ALTER DATABASE " + bench.db.name() + " SET default_transaction_read_only = on");
  end_sessions(bench, "true");
  auto make = [&] { return bench.batch(bench.fixture, 0, {"k"}); };
  for (int i = 0; i < 6; ++i) {
    auto result = bench.commit(make());
    REQUIRE((result.what == kind::failed || result.what == kind::unknown));
    if (result.what == kind::failed) REQUIRE(result.why.code == "database_unavailable");
  }
  pqxx::connection again(bench.db.url() + " options='-c default_transaction_read_only=off'");
  pqxx::nontransaction(again).exec("ALTER DATABASE " + bench.db.name() + " RESET default_transaction_read_only");
  REQUIRE(insist(bench, make).what == kind::committed);
}

TEST_CASE("a call that is never answered is cut, and the session finds another connection") {
  road_bench bench;
  testing::gate gate(bench.db.app_url());
  pg::session session({gate.url(), 500ms});
  auto ask = [&] { return session.run([](pg::session::door& door) { door.run(pg::statements::write_check); }); };
  REQUIRE_FALSE(ask());
  gate.stall(true);
  auto began = clock_type::now();
  auto error = ask();
  REQUIRE(error.fault == pg::db_fault::unavailable);
  REQUIRE(error.outcome_unknown);
  REQUIRE(clock_type::now() - began < 2s);
  gate.stall(false);
  auto until = clock_type::now() + 10s;
  while (ask() && clock_type::now() < until) std::this_thread::sleep_for(50ms);
  REQUIRE_FALSE(ask());
}

TEST_CASE("a database that is away costs a caller no wait") {
  pg::session session({"host=/nowhere port=5432 user=x dbname=x", 500ms});
  auto began = clock_type::now();
  for (int i = 0; i < 200; ++i) {
    auto error = session.run([](pg::session::door&) {});
    REQUIRE(error.fault == pg::db_fault::unavailable);
    REQUIRE_FALSE(error.outcome_unknown);
  }
  REQUIRE(clock_type::now() - began < 1s);
}
