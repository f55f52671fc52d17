// SIGTERM, again and again and at its worst: the process is gone within ten seconds, and nothing that was answered is.
// Source: known trap P5. OMNIUM_TEST_STOPS is how often, where a person wants more than a test run has time for.
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::swarm;

namespace {

const std::string shot = R"({"minute":1,"side":"home"})";

} // namespace

TEST_CASE("stopped again and again with commands, screens and workers at work, the server ends well each time") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  std::vector<std::string> matches;
  for (int i = 0; i < 3; ++i) matches.push_back(desk(server.url()).new_match());
  const int stops = from_environment("OMNIUM_TEST_STOPS", 5);
  std::int64_t accepted = 0;
  std::chrono::milliseconds slowest{};
  for (int round = 0; round < stops; ++round) {
    std::atomic<std::int64_t> told{0};
    std::vector<std::thread> desks;
    for (std::size_t i = 0; i < matches.size(); ++i)
      desks.emplace_back([&, i] {
        desk d(server.url());
        for (int n = 0;; ++n) {
          auto answer = d.match(matches[i], fmt::format("{}-{}-{}", round, i, n), "football.shot", shot);
          if (answer.outcome == "accepted") ++told;
          else return; // it stops
        }
      });
    swarm screens(to(server));
    screens.add(20, "fixture/" + matches.front());
    screens.run(5s, [&] { return screens.showing() == screens.size(); });
    screens.run(std::chrono::milliseconds(7 * round % 100), [] { return false; });
    INFO("stop " << round);
    CHECK(server.stop() == 0);
    slowest = std::max(slowest, server.stop_took());
    for (auto& t : desks) t.join();
    accepted += told;
    if (round + 1 < stops) server.start();
  }
  CAPTURE(slowest.count());
  CHECK(slowest < 10s);
  CHECK(accepted > 0);
  CHECK(db.count("SELECT count(*) FROM command WHERE outcome = 'accepted'") >= accepted);
  CHECK(db.count("SELECT count(*) FROM timeline_item WHERE code = 'football.shot'") >= accepted);
  CHECK(
      db.count("SELECT count(*) FROM (SELECT stream_id FROM timeline_item GROUP BY 1 HAVING max(seq) <> count(*)) t") ==
      0); // no hole
}

TEST_CASE("a stop with a COMMIT that hangs and a screen that never reads ends within its ten seconds all the same") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  auto match = d.new_match();
  swarm screens(to(server));
  screens.add(3, "fixture/" + match);
  REQUIRE(screens.run(5s, [&] { return screens.showing() == screens.size(); }));
  screens.stop_reading(0);
  db.wrap_commit("", "PERFORM pg_sleep(60);");
  answered told;
  std::thread sender([&] { told = desk(server.url()).match(match, "k", "football.shot", shot); });
  while (db.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = "
                  "'PgSleep'") == 0)
    std::this_thread::sleep_for(10ms);
  server.stop();
  sender.join();
  CHECK(server.stop_took() < 10'500ms);
  CHECK(told.outcome != "accepted"); // it was not known to be on disk
  db.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = "
         "'PgSleep'");
  db.run("DROP FUNCTION road.commit");
  db.run("ALTER FUNCTION road.commit_inner RENAME TO commit");
  server.start();
  const auto again = desk(server.url()).match(match, "k", "football.shot", shot).outcome;
  CHECK((again == "accepted" || again == "duplicate"));
  CHECK(db.count("SELECT count(*) FROM timeline_item WHERE key = 'k'") == 1);
  CHECK(server.stop() == 0);
}
