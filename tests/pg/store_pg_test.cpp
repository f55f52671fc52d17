// The store on a real Postgres: road.commit's outcomes, its guards, and what comes back from a load.
#include "runtime/core/hashing.hpp"
#include "runtime/postgres/migrate.hpp"
#include "runtime/postgres/session_door.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <future>
#include <thread>

using namespace omnium;
using namespace omnium::pg;
using testing::database;
using bench = testing::road_bench;
using namespace std::chrono_literals;
using kind = road::batch_result::kind;

TEST_CASE("a batch is written whole, and read back as it was") {
  bench b;
  auto what = b.batch(b.fixture, 0, {"k1", "k2"});
  b.add(*what, "no", false);
  what->commands[1].item->voids = {1};
  what->status = "live";
  what->snap = road::snapshot{2, "toy@1", "sha", "{\"sum\":1}"};
  auto result = b.commit(what);
  REQUIRE(result.what == kind::committed);
  REQUIRE(result.last_seq == 2);
  auto loaded = b.load(b.fixture);
  REQUIRE(loaded.last_seq == 2);
  REQUIRE(loaded.last_play == 2);
  REQUIRE(loaded.status == "live");
  REQUIRE(loaded.sport == "toy");
  REQUIRE(loaded.fold_hash == "sha");
  REQUIRE(loaded.competition == b.competition);
  REQUIRE(loaded.rows.size() == 2);
  REQUIRE(loaded.snap->state == "{\"sum\":1}");
  REQUIRE(loaded.log.empty());
  auto whole = b.load(b.fixture, road::load_depth::whole_log);
  REQUIRE(whole.log.size() == 2);
  REQUIRE(road::encode(whole.log[1]) == road::encode(*what->commands[1].item));
  REQUIRE(b.db.count("SELECT count(*) FROM command WHERE outcome = 'refused' AND seq IS NULL AND command_id = 'no'") ==
          1);
  REQUIRE(b.db.count("SELECT count(*) FROM domain_event WHERE fixture_id IS NOT NULL") == 2);
  REQUIRE(b.db.ask("SELECT answer FROM command WHERE command_id = 'k1'") == "{\"first\": \"k1\"}");
}

TEST_CASE("the fence: an overtaken batch writes nothing and gets the rows since") {
  bench b;
  REQUIRE(b.commit(b.batch(b.fixture, 0, {"k1"})).what == kind::committed);
  auto late = b.commit(b.batch(b.fixture, 0, {"k2"}));
  REQUIRE(late.what == kind::stale);
  REQUIRE(late.last_seq == 1);
  REQUIRE(late.newer.size() == 1);
  REQUIRE(late.newer[0].key == "k1");
  REQUIRE(b.rows() == 1);
  // A refusal decided on an old head is fenced as well.
  auto refusal = b.batch(b.fixture, 0, {});
  b.add(*refusal, "k3", false);
  REQUIRE(b.commit(refusal).what == kind::stale);
  REQUIRE(b.db.count("SELECT count(*) FROM command WHERE command_id = 'k3'") == 0);
}

TEST_CASE("a finished key ends the batch with its first answer, on this match or another") {
  bench b;
  REQUIRE(b.commit(b.batch(b.fixture, 0, {"k1"})).what == kind::committed);
  auto seen = b.commit(b.batch(b.fixture, 1, {"k2", "k1"}));
  REQUIRE(seen.what == kind::seen);
  REQUIRE(seen.seen.size() == 1);
  REQUIRE(seen.seen[0].key == "k1");
  REQUIRE(seen.seen[0].hash == sha256("x"));
  REQUIRE(seen.seen[0].answer == "{\"first\": \"k1\"}");
  REQUIRE(b.rows() == 1);
  auto other = make_uuid7();
  REQUIRE(b.make_fixture(other, "f2", 2).what == kind::committed);
  REQUIRE(b.commit(b.batch(other, 0, {"k1"})).what == kind::seen);
}

TEST_CASE("the same key on two matches at once makes one row") {
  bench b;
  auto other = make_uuid7();
  REQUIRE(b.make_fixture(other, "f2", 2).what == kind::committed);
  for (int round = 0; round < 30; ++round) {
    auto key = fmt::format("race-{}", round);
    auto seq = [&](const uuid& of) {
      return b.db.count("SELECT last_seq FROM fixture WHERE id = '" + to_string(of) + "'");
    };
    auto one = b.batch(b.fixture, seq(b.fixture), {key}), two = b.batch(other, seq(other), {key});
    std::promise<kind> first, second;
    b.store->commit(one, [&](road::batch_result r) { first.set_value(r.what); });
    b.store->commit(two, [&](road::batch_result r) { second.set_value(r.what); });
    auto a = first.get_future().get(), c = second.get_future().get();
    REQUIRE((a == kind::committed) != (c == kind::committed));
    REQUIRE((a == kind::seen || c == kind::seen));
    REQUIRE(b.db.count("SELECT count(*) FROM timeline_item WHERE key = '" + key + "'") == 1);
  }
}

TEST_CASE("effects are created with their log row, and a constraint is a person's refusal") {
  bench b;
  auto again = b.make_fixture(b.fixture, "f2", 2);
  REQUIRE(again.what == kind::failed);
  REQUIRE(again.person_error);
  REQUIRE(again.why.code == "already_exists");
  REQUIRE(b.db.count("SELECT last_seq FROM competition") == 2);
  auto stray = b.commit(b.effect(make_uuid7(), 0, "p1", road::row_effect::kind::create_participant,
                                 fmt::format(R"({{"id":"{}","name":"N","type":"team"}})", to_string(make_uuid7()))));
  REQUIRE(stray.what == kind::no_subject);
  // A competition that was not committed is not left behind.
  auto reused = b.commit(
      b.effect(make_uuid7(), 0, "c1", road::row_effect::kind::create_competition, R"({"name":"Other","settings":{}})"));
  REQUIRE(reused.what == kind::seen);
  REQUIRE(b.db.count("SELECT count(*) FROM competition") == 1);
  // One id is one subject.
  auto clash = b.commit(
      b.effect(b.fixture, 0, "c9", road::row_effect::kind::create_competition, R"({"name":"Clash","settings":{}})"));
  REQUIRE(clash.what == kind::failed);
  REQUIRE(clash.person_error);
  REQUIRE(clash.why.code == "already_exists");
}

TEST_CASE("connections that were ended while nobody used them cost no caller anything") {
  bench b;
  std::int64_t seq = 0;
  auto score = [&] {
    auto done = b.commit(b.batch(b.fixture, seq, {fmt::format("k{}", seq)}));
    if (done.what == kind::committed) seq = done.last_seq;
    return done.what;
  };
  for (int round = 0; round < 5; ++round) {
    REQUIRE(score() == kind::committed);
    b.db.run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid "
             "<> pg_backend_pid()");
  }
  CHECK(score() == kind::committed);
}

TEST_CASE("a note of a failed command waits for a database that is away, and the next command brings it along") {
  bench b;
  REQUIRE(b.commit(b.batch(b.fixture, 0, {"k0"})).what == kind::committed);
  b.db.read_only(true);
  b.store->note_failure("k1", "away");
  b.store->note_failure("k2", "away");
  std::this_thread::sleep_for(300ms);
  b.db.read_only(false);
  CHECK(b.db.count("SELECT count(*) FROM command_failure") == 0);
  std::this_thread::sleep_for(300ms); // between two tries to connect
  REQUIRE(b.commit(b.batch(b.fixture, 1, {"k3"})).what == kind::committed);
  CHECK(testing::within(5s, [&] {
    return b.db.ask("SELECT string_agg(command_id, ',' ORDER BY command_id) FROM command_failure") == "k1,k2";
  }));
}

TEST_CASE("a locked match waits alone, up to the lock limit") {
  bench b;
  std::vector<uuid> others;
  for (int i = 0; i < 5; ++i) {
    others.push_back(make_uuid7());
    REQUIRE(b.make_fixture(others.back(), fmt::format("m{}", i), 2 + i).what == kind::committed);
  }
  auto holder = b.db.connect();
  pqxx::work lock(holder);
  lock.exec("SELECT 1 FROM fixture WHERE id = '" + to_string(b.fixture) + "' FOR NO KEY UPDATE");
  std::promise<road::batch_result> locked;
  auto began = std::chrono::steady_clock::now();
  b.store->commit(b.batch(b.fixture, 0, {"locked"}), [&](road::batch_result r) { locked.set_value(std::move(r)); });
  for (int i = 0; i < 5; ++i)
    REQUIRE(b.commit(b.batch(others[static_cast<std::size_t>(i)], 0, {fmt::format("o{}", i)})).what == kind::committed);
  REQUIRE(std::chrono::steady_clock::now() - began < 1500ms);
  auto result = locked.get_future().get();
  auto took = std::chrono::steady_clock::now() - began;
  REQUIRE(result.what == kind::failed);
  REQUIRE(result.why.code == "lock_timeout");
  REQUIRE(took > 1900ms);
  REQUIRE(took < 3000ms);
}

TEST_CASE("many matches travel in one call, one round trip each") {
  bench b;
  std::vector<uuid> many;
  for (int i = 0; i < 60; ++i) {
    many.push_back(make_uuid7());
    REQUIRE(b.make_fixture(many.back(), fmt::format("m{}", i), 2 + i).what == kind::committed);
  }
  auto round = [&](int n) {
    std::vector<std::promise<kind>> got(many.size());
    for (std::size_t i = 0; i < many.size(); ++i)
      b.store->commit(b.batch(many[i], n, {fmt::format("r{}-{}", n, i)}),
                      [&, i](road::batch_result r) { got[i].set_value(r.what); });
    for (auto& g : got) REQUIRE(g.get_future().get() == kind::committed);
  };
  round(0); // prepares on each connection
  auto before = b.store->stats();
  auto trips = round_trips.load();
  for (int n = 1; n <= 20; ++n) round(n);
  auto after = b.store->stats();
  REQUIRE(round_trips.load() - trips == after.calls - before.calls);
  REQUIRE(after.commands - before.commands == 20 * many.size());
  REQUIRE(after.calls - before.calls < 20 * many.size() / 2);
}

TEST_CASE("commands that come one at a time go through one connection, whose backend knows them") {
  bench b(6);
  const auto many = b.make_fixtures(40);
  for (const auto& one : many) REQUIRE(b.commit(b.batch(one, 0, {to_string(one)})).what == kind::committed);
  for (std::size_t i = 0; i + 1 < many.size(); ++i) { // two at once are no reason for a second one
    auto first = b.send(b.batch(many[i], i == 0 ? 1 : 2, {fmt::format("a{}", i)}));
    auto second = b.send(b.batch(many[i + 1], 1, {fmt::format("b{}", i)}));
    REQUIRE(first.get().what == kind::committed);
    REQUIRE(second.get().what == kind::committed);
  }
  CHECK(b.db.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE "
                   "'%road.commit(%' AND pid <> pg_backend_pid()") == 1);
}

TEST_CASE("a store that ends commits what waits, on all its connections") {
  bench b(4);
  const auto many = b.make_fixtures(120);
  std::vector<bench::pending> answers;
  {
    auto holder = b.db.connect(); // some of them stand aside for a lock first
    pqxx::work lock(holder);
    lock.exec("SELECT FROM fixture ORDER BY id LIMIT 5 FOR NO KEY UPDATE");
    for (const auto& one : many) answers.push_back(b.send(b.batch(one, 0, {to_string(one)})));
    std::this_thread::sleep_for(100ms);
  }
  b.store.reset();
  for (auto& answer : answers) REQUIRE(answer.get().what == kind::committed);
}

TEST_CASE("a connection that dies leaves the outcome open, and the next call finds a new one") {
  bench b;
  b.db.wrap_commit("", "PERFORM pg_sleep(30);");
  std::promise<road::batch_result> got;
  b.store->commit(b.batch(b.fixture, 0, {"k1"}), [&](road::batch_result r) { got.set_value(std::move(r)); });
  for (auto future = got.get_future(); future.wait_for(20ms) != std::future_status::ready;)
    b.db.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%road.commit(%' AND pid <> "
             "pg_backend_pid() AND state = 'active'");
  b.db.run("DROP FUNCTION road.commit");
  b.db.run("ALTER FUNCTION road.commit_inner RENAME TO commit");
  REQUIRE(b.rows() == 0);
  auto again = b.commit(b.batch(b.fixture, 0, {"k1"}));
  while (again.what == kind::failed && again.why.code == "database_unavailable")
    again = b.commit(b.batch(b.fixture, 0, {"k1"}));
  REQUIRE(again.what == kind::committed);
}

TEST_CASE("two nodes may migrate at once, and a newer schema is refused") {
  database db;
  std::vector<std::thread> threads;
  std::vector<migrate_result> results(4);
  for (auto& r : results) threads.emplace_back([&] { r = migrate(db.url()); });
  for (auto& t : threads) t.join();
  std::size_t applied = 0;
  for (const auto& r : results) {
    REQUIRE(r.error == "");
    applied += r.applied.size();
  }
  REQUIRE(applied == migration_files().size() + function_files().size());
  db.run("INSERT INTO schema_migration VALUES ('9999_future.sql', 'x')");
  REQUIRE(migrate(db.url()).error.find("newer") != std::string::npos);
  db.run("DELETE FROM schema_migration WHERE name = '9999_future.sql'");
  db.run("UPDATE schema_migration SET sha256 = 'x' WHERE name = (SELECT min(name) FROM schema_migration)");
  REQUIRE(migrate(db.url()).error.find("not the one") != std::string::npos);
}

TEST_CASE("every SQLSTATE has its word") {
  auto fault = [](const char* state) { return classify_sqlstate(state).fault; };
  REQUIRE(fault("55P03") == db_fault::lock_timeout);
  REQUIRE(fault("40P01") == db_fault::deadlock);
  REQUIRE(fault("40001") == db_fault::deadlock);
  REQUIRE(fault("57014") == db_fault::statement_timeout);
  REQUIRE(fault("25006") == db_fault::unavailable);
  REQUIRE(fault("57P01") == db_fault::unavailable);
  REQUIRE(fault("57P03") == db_fault::unavailable);
  REQUIRE(fault("53100") == db_fault::unavailable);
  REQUIRE(fault("08006") == db_fault::unavailable);
  REQUIRE(fault("23505") == db_fault::unique);
  REQUIRE(fault("23503") == db_fault::constraint);
  REQUIRE(fault("22P02") == db_fault::constraint);
  REQUIRE(fault("XX000") == db_fault::other);
}
