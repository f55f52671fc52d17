// The outbox from a committed row to a watcher, on a real Postgres: nothing falls between a snapshot and what follows,
// and nothing is lost whatever breaks in between (L9, O1, O7, O9, B1).
#include "runtime/ops/log.hpp"
#include "runtime/outbox/node_bell.hpp"
#include "runtime/postgres/cluster.hpp"
#include "runtime/postgres/migrate.hpp"
#include "tests/catch.hpp"
#include "tests/pg/outbox_support.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <fstream>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using testing::road_bench;
using testing::screens_node;
using testing::within;
using kind = road::batch_result::kind;

namespace {

// Commits balls of the bench's match, one a call, and tells nobody.
struct quiet_scorer {
  road_bench& bench;
  uuid fixture = bench.fixture;
  std::int64_t head = bench.load(fixture).last_seq;
  void score(int count = 1) {
    for (int i = 0; i < count; ++i) {
      auto done = bench.commit(bench.batch(fixture, head, {fmt::format("{}-{}", to_string(fixture), head)}));
      REQUIRE(done.what == kind::committed);
      head = done.last_seq;
    }
  }
};

void cut_all(const testing::database& db) {
  db.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
         "pg_backend_pid() AND application_name = 'omnium-read'");
}

} // namespace

TEST_CASE("a change committed right after the first snapshot of an idle node reaches its watcher at once") {
  road_bench bench;
  screens_node here(bench.db.app_url());
  auto fixtures = bench.make_fixtures(12);
  for (std::size_t i = 0; i < fixtures.size(); ++i) {
    INFO("round " << i);
    std::this_thread::sleep_for(std::chrono::milliseconds(23 * i)); // at any point of the reader's poll
    auto screen = here.watch(fixtures[i]);
    quiet_scorer scorer{bench, fixtures[i]};
    scorer.score();
    here.reader.ring();
    CHECK(screen->reaches(scorer.head, 1s));
    here.hub.leave(screen.get());
  }
}

TEST_CASE("a watcher that came before the reader had its cursor loses nothing") {
  road_bench bench;
  testing::gate gate(bench.db.app_url());
  quiet_scorer scorer{bench};
  pg::executor pool(pg::with_limits(bench.db.app_url(), pg::read_limits, {}), 2, 1024);
  outbox::topic_source_pg source(pool);
  outbox::hub hub(source);
  auto early = std::make_shared<testing::screen>(), meanwhile = std::make_shared<testing::screen>();
  wire::live_topic topic{wire::live_topic::kind::fixture, bench.fixture};
  hub.subscribe(topic, std::nullopt, "1", early); // before there was a reader
  REQUIRE(early->reaches(0, 5s));
  gate.stall(true); // the reader's way to the database is slow
  outbox::reader late({pg::with_limits(gate.url(), pg::read_limits, {}), 50ms}, hub, nullptr);
  hub.subscribe(topic, std::nullopt, "2", meanwhile);
  scorer.score(2);
  gate.stall(false);
  std::this_thread::sleep_for(200ms);
  scorer.score();
  for (const auto& screen : {early, meanwhile}) {
    CHECK(screen->reaches(3, 1s)); // sooner than a hole would be looked for
    CHECK(screen->versions().back() == 3);
  }
  CHECK(early->versions().front() == -1);
  CHECK(meanwhile->unbroken(3));
}

TEST_CASE("without any bell a change arrives within the poll") {
  road_bench bench;
  screens_node here(bench.db.app_url(), 50ms);
  auto screen = here.watch(bench.fixture);
  quiet_scorer scorer{bench};
  scorer.score(3);
  CHECK(screen->reaches(scorer.head, 1s));
  CHECK(screen->unbroken(scorer.head));
}

TEST_CASE("the listening session ended: changes come with the poll meanwhile, and at once when it listens again") {
  road_bench bench;
  constexpr auto poll = 400ms;
  screens_node there(bench.db.app_url(), poll);
  std::atomic<int> heard{0};
  auto where = pg::with_limits(bench.db.app_url(), pg::read_limits, {});
  outbox::node_bell ours(where, [] {}), theirs(where, [&] {
    ++heard;
    there.reader.ring();
  });
  const std::string listens = "datname = current_database() AND application_name LIKE 'omnium-bell %'";
  auto listeners = [&] { return bench.db.count("SELECT count(*) FROM pg_stat_activity WHERE " + listens); };
  REQUIRE(within(5s, [&] { return listeners() == 2; }));
  auto screen = there.watch(bench.fixture);
  quiet_scorer scorer{bench};
  auto shown_after = [&] { // of a ball that this node commits, on the other one's screen
    scorer.score();
    auto committed = std::chrono::steady_clock::now();
    ours.ring();
    REQUIRE(screen->reaches(scorer.head, 10s));
    return std::chrono::steady_clock::now() - committed;
  };
  REQUIRE(within(10s, [&] { return shown_after() < poll / 4; })); // it is told: well below the poll
  for (int round = 0; round < 4; ++round) {
    bench.db.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + listens);
    CHECK(shown_after() < poll + 300ms);
  }
  REQUIRE(within(10s, [&] { return listeners() == 2; }));
  auto before = heard.load();
  CHECK(within(10s, [&] { return shown_after() < poll / 4 && heard > before; }));
  CHECK(screen->unbroken(scorer.head));
}

TEST_CASE("a reader whose connection is ended again and again loses nothing and shows nothing twice") {
  road_bench bench;
  screens_node here(bench.db.app_url());
  auto screen = here.watch(bench.fixture);
  auto questions = here.source.questions.load();
  quiet_scorer scorer{bench};
  for (int round = 0; round < 8; ++round) {
    cut_all(bench.db);
    scorer.score(5); // while it is away
    std::this_thread::sleep_for(std::chrono::milliseconds(40 * round));
    scorer.score(2);
  }
  CHECK(screen->reaches(scorer.head, 5s));
  CHECK(screen->unbroken(scorer.head));
  CHECK(here.source.questions == questions); // the reader brought it all: nothing had to be looked for in the log
}

TEST_CASE(
    "an open write in another database of the server holds the horizon: the lag rises, nothing is lost after it") {
  road_bench bench;
  testing::database elsewhere;
  screens_node here(bench.db.app_url(), 20ms);
  auto screen = here.watch(bench.fixture);
  auto questions = here.source.questions.load();
  quiet_scorer scorer{bench};
  constexpr const char* lag = "omnium_outbox_horizon_lag_seconds";
  {
    auto blocker = elsewhere.connect();
    pqxx::work open(blocker);
    open.exec("CREATE TABLE held (x int)");
    scorer.score(40);
    CHECK_FALSE(screen->reaches(scorer.head, 300ms));
    CHECK(within(10s, [&] { return testing::metric(here.metrics, lag) >= 2; }));
    CHECK(screen->versions().size() == 1); // the snapshot alone
  }
  CHECK(screen->reaches(scorer.head, 2s));
  CHECK(screen->unbroken(scorer.head));
  CHECK(here.source.questions == questions);
  CHECK(within(5s, [&] { return testing::metric(here.metrics, lag) <= 0.5; }));
}

TEST_CASE("a million ids that were never used and inserts that were rolled back delay nothing") {
  road_bench bench;
  screens_node here(bench.db.app_url());
  auto screen = here.watch(bench.fixture);
  bench.db.run("SELECT setval(pg_get_serial_sequence('domain_event_row', 'id'), 30000000)");
  auto connection = bench.db.connect();
  for (int i = 0; i < 100; ++i) {
    pqxx::work tx(connection);
    tx.exec("INSERT INTO domain_event (kind, competition_id, seq, payload) SELECT 'x', gen_random_uuid(), n, '{}' FROM "
            "generate_series(1, 10) n");
    tx.abort();
  }
  quiet_scorer scorer{bench};
  scorer.score(5);
  here.reader.ring();
  CHECK(screen->reaches(scorer.head, 1s));
  CHECK(screen->unbroken(scorer.head));
}

TEST_CASE("another database behind the same address is noticed, and every watcher begins anew from it") {
  road_bench bench;
  testing::temp_folder folder;
  pg::cluster other({.data_dir = folder.path()});
  REQUIRE(other.start() == "");
  // A dump of the match as it was at version 2, restored into another cluster.
  REQUIRE(pg::migrate(other.owner_url()).error == "");
  quiet_scorer scorer{bench};
  scorer.score(2);
  {
    pqxx::connection to(other.owner_url());
    pqxx::nontransaction tx(to);
    for (const auto& [id, what] : {std::pair(bench.competition, "competition"), std::pair(bench.fixture, "fixture")})
      tx.exec(fmt::format("INSERT INTO subject (id, kind) VALUES ('{}', '{}')", to_string(id), what));
    tx.exec(fmt::format("INSERT INTO competition (id, name) VALUES ('{}', 'Cup')", to_string(bench.competition)));
    tx.exec(fmt::format("INSERT INTO fixture (id, competition_id, sport, release, last_seq) VALUES ('{}', '{}', 'toy', "
                        "'1', 2)",
                        to_string(bench.fixture), to_string(bench.competition)));
    for (int seq = 1; seq <= 2; ++seq) {
      tx.exec(
          fmt::format("INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, trace) VALUES "
                      "('{}', {}, 'toy.add', true, '{{}}', 'test', 'k{}', now(), '')",
                      to_string(bench.fixture), seq, seq));
      // With the transaction ids of the old cluster, far ahead of the new one's.
      tx.exec(fmt::format("INSERT INTO domain_event (xid, kind, fixture_id, competition_id, seq, payload) VALUES "
                          "('900000000', 'toy.add', '{}', '{}', {}, '{{\"version\":{}}}')",
                          to_string(bench.fixture), to_string(bench.competition), seq, seq));
    }
  }
  testing::gate gate(bench.db.app_url());
  // Both databases under one name, as behind one address.
  screens_node here(gate.url(), 50ms);
  auto screen = here.watch(bench.fixture);
  scorer.score(3);
  REQUIRE(screen->reaches(5, 2s));
  auto history = here.hub.history();
  CHECK(history.size() == 12);

  {
    pqxx::connection admin(
        other.owner_url().replace(other.owner_url().find("dbname="), std::string::npos, "dbname=postgres"));
    pqxx::nontransaction(admin).exec("ALTER DATABASE omnium RENAME TO " + bench.db.name());
  }
  gate.lead_to(other.owner_url());
  REQUIRE(within(5s, [&] { return screen->versions().back() == -3; })); // told by a snapshot of version 2
  CHECK(here.hub.history() != history); // what a screen that comes back is told by its welcome
  {
    auto url = other.owner_url();
    pqxx::connection to(url.substr(0, url.find("dbname=")) + "dbname=" + bench.db.name());
    pqxx::nontransaction tx(to);
    tx.exec(fmt::format("INSERT INTO domain_event (kind, fixture_id, competition_id, seq, payload) VALUES ('toy.add', "
                        "'{}', '{}', 3, '{{\"version\":3,\"prev\":2}}')",
                        to_string(bench.fixture), to_string(bench.competition)));
  }
  CHECK(screen->reaches(3, 2s));
  CHECK(screen->versions() == std::vector<std::int64_t>{-3, 3, 4, 5, -3, 3});
}

// As a dump restored over the same database puts an older log in the place of the newer one, with ids of its own
// cluster.
TEST_CASE(
    "an older log in the place of the newer one, in the same database, is noticed, and every watcher begins anew") {
  road_bench bench;
  screens_node here(bench.db.app_url(), 50ms);
  auto screen = here.watch(bench.fixture);
  quiet_scorer scorer{bench};
  scorer.score(5);
  REQUIRE(screen->reaches(5, 2s));
  auto history = here.hub.history();
  SECTION("emptied and filled again") {
    bench.db.run("BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM timeline_item WHERE seq <= 2; TRUNCATE timeline_item; "
                 "INSERT INTO timeline_item SELECT * FROM kept; DELETE FROM command WHERE seq > 2; UPDATE fixture SET "
                 "last_seq = 2, last_play = 2; COMMIT");
  }
  SECTION("dropped and made again") {
    bench.db.run("BEGIN; CREATE TABLE restored (LIKE timeline_item INCLUDING ALL); INSERT INTO restored SELECT * FROM "
                 "timeline_item WHERE seq <= 2; DROP TABLE timeline_item CASCADE; ALTER TABLE restored RENAME TO "
                 "timeline_item; GRANT SELECT, INSERT ON timeline_item TO omnium_app; DELETE FROM command WHERE seq > "
                 "2; UPDATE fixture SET last_seq = 2, "
                 "last_play = 2; COMMIT");
  }
  REQUIRE(within(5s, [&] { return screen->versions().back() == -3; })); // told by a snapshot of version 2
  CHECK(here.hub.history() != history);
  scorer.head = 2;
  scorer.score(1);
  CHECK(screen->reaches(3, 2s));
  CHECK(screen->versions() == std::vector<std::int64_t>{-1, 1, 2, 3, 4, 5, -3, 3});
}

TEST_CASE("a repaired gap carries the scoreboard of every version, as the outbox had it") {
  road_bench bench;
  screens_node here(bench.db.app_url());
  std::int64_t head = 0;
  for (int i = 1; i <= 6; ++i) {
    auto batch = bench.batch(bench.fixture, head, {fmt::format("k{}", i), fmt::format("l{}", i)});
    for (auto& c : batch->commands)
      c.event = fmt::format(R"({{"version":{},"prev":{},"scoreboard":{{"at":{}}}}})", c.item->seq, c.item->seq - 1,
                            c.item->seq);
    auto done = bench.commit(batch);
    REQUIRE(done.what == kind::committed);
    head = done.last_seq;
  }
  auto screen = here.watch(bench.fixture, 2);
  REQUIRE(screen->reaches(12, 5s));
  auto frames = screen->frames();
  REQUIRE(frames.size() == 10);
  for (std::size_t i = 0; i < frames.size(); ++i)
    CHECK(frames[i].find(fmt::format(R"("scoreboard":{{"at":{}}})", i + 3)) != std::string::npos);

  SECTION("an event the outbox no longer has comes from the log, the last one with the scoreboard as it stands") {
    bench.db.run("DELETE FROM domain_event WHERE seq IN (4, 12)");
    auto late = here.watch(bench.fixture, 2);
    here.hub.leave(screen.get());
    here.hub.leave(late.get());
    auto fresh = here.watch(bench.fixture, 2);
    REQUIRE(fresh->reaches(12, 5s));
    auto shown = fresh->frames();
    REQUIRE(shown.size() == 10);
    CHECK(shown[1].find(R"("version":4,"prev":3,"code":"toy.add","play":true,"item":{"seq":4)") != std::string::npos);
    CHECK(shown[1].find(R"("scoreboard":null)") != std::string::npos);
    CHECK(shown[2].find(R"("scoreboard":{"at":5})") != std::string::npos);
    CHECK(shown[9].find(R"("scoreboard":{"status":"live"})") != std::string::npos);
  }
}

TEST_CASE("a repaired gap of a competition, whose rows are written in a subtransaction, carries its events") {
  road_bench bench;
  bench.make_fixtures(3);
  bench.db.run(
      "UPDATE domain_event_row SET payload = '{\"version\":' || seq || ',\"kept\":true}' WHERE fixture_id IS NULL");
  screens_node here(bench.db.app_url());
  auto screen = std::make_shared<testing::screen>();
  here.hub.subscribe({wire::live_topic::kind::competition, bench.competition}, 1, "1", screen);
  REQUIRE(screen->reaches(5, 5s));
  for (const auto& frame : screen->frames()) CHECK(frame.find("\"kept\":true") != std::string::npos);
}

TEST_CASE("who holds the outbox back is named in the log, also where this role may not see since when") {
  road_bench bench;
  testing::temp_folder folder;
  const auto log = folder.path() + "/log";
  REQUIRE(ops::start_log(ops::log_level::info, log).empty());
  auto holder = bench.db.connect(); // of the owner: the application's role sees little of it
  pqxx::work open(holder);
  open.exec("SELECT pg_current_xact_id()");
  auto pid = open.exec("SELECT pg_backend_pid()")[0][0].as<std::string>();
  bench.db.run("CREATE TABLE later (n int)"); // a transaction after it, which cannot be read past it
  screens_node here(bench.db.app_url());
  std::string line;
  CHECK(within(45s, [&] { // one line in 30 s, whoever wrote the last one
    for (std::ifstream in(log); std::getline(in, line);)
      if (line.find("holds the outbox back for ") != std::string::npos) return true;
    return false;
  }));
  ops::stop_log();
  INFO(line);
  CHECK(line.find("pid " + pid + ", database " + bench.db.name()) != std::string::npos);
  CHECK(line.find("open for  s") == std::string::npos);
}
