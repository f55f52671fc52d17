// A restart with 300 live matches of 1,500 events each and two workers: folding them again kills no worker, the match
// that is being scored meanwhile is answered first, and every match ends at its right version. OMNIUM_TEST_MATCHES is
// how many, where a person wants more than a test run has time for. Source: issue 3 (Shows).
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iostream>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;

namespace {

using steady = std::chrono::steady_clock;

constexpr int events = 1500, at_once = 100;

double ms_since(steady::time_point began) {
  return std::chrono::duration<double, std::milli>(steady::now() - began).count();
}

// One match of `events` log rows, scored through the server.
std::string scored_match(const std::string& url) {
  desk d(url);
  auto id = d.new_match();
  for (int i = 2; i < events; ++i) {
    const bool goal = i % 100 == 0;
    auto input = goal ? fmt::format(R"({{"side":"home","minute":{},"kind":"open_play"}})", 1 + i % 45)
                      : fmt::format(R"({{"side":"{}","minute":{}}})", i % 3 == 0 ? "home" : "away", 1 + i % 45);
    auto answer = d.match(id, fmt::format("e-{}", i), goal ? "football.goal" : "football.shot", input);
    CAPTURE(answer.body);
    REQUIRE(answer.outcome == "accepted");
  }
  return id;
}

// The other matches, row by row as the road writes them: fixture, sides, log and scoreboard. No snapshot: each must be
// folded from its first event.
void copy_match(const database& db, const std::string& id, int copies) {
  db.run(fmt::format(R"(
    CREATE TEMP TABLE copy AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, {1}) n;
    INSERT INTO subject (id, kind) SELECT c.id, 'fixture' FROM copy c;
    INSERT INTO fixture (id, competition_id, sport, release, release_id, status, last_seq, last_play, settings)
    SELECT c.id, f.competition_id, f.sport, f.release, f.release_id, f.status, f.last_seq, f.last_play, f.settings
      FROM copy c, fixture f WHERE f.id = '{0}';
    INSERT INTO fixture_competitor (fixture_id, side, name)
    SELECT c.id, s.side, s.name FROM copy c, fixture_competitor s WHERE s.fixture_id = '{0}';
    INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, trace)
    SELECT c.id, t.seq, t.code, t.play, t.input, t.sender, c.n || ':' || t.key, t.at, t.trace
      FROM copy c, timeline_item t WHERE t.stream_id = '{0}' ORDER BY c.id, t.seq;
    INSERT INTO fixture_board (fixture_id, seq, front)
    SELECT c.id, s.seq, s.text FROM copy c, fixture_scoreboard s WHERE s.fixture_id = '{0}';
    DELETE FROM match_snapshot; ANALYZE timeline_item)",
                     id, copies));
}

std::vector<std::string> ids(const database& db) {
  auto connection = db.connect();
  pqxx::work tx(connection);
  std::vector<std::string> out;
  for (const auto& row : tx.exec("SELECT id FROM fixture ORDER BY id")) out.emplace_back(row[0].c_str());
  return out;
}

struct fresh {
  std::vector<double> ms;
  double at(double part) {
    std::sort(ms.begin(), ms.end());
    return ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
  }
};

} // namespace

TEST_CASE("a restart with 300 live matches of 1,500 events and two workers") {
  const int matches = from_environment("OMNIUM_TEST_MATCHES", 300);
  database db;
  server_process server({.database_url = db.url(), .more = {"--sports.workers", "2"}});
  server.start();
  auto scored = scored_match(server.url());
  REQUIRE(server.stop() == 0);
  copy_match(db, scored, matches - 1);
  server.start();
  desk(server.url()).match(scored, "warm", "match.note", R"({"text":"the match that is being scored"})");

  auto began = steady::now();
  std::atomic<int> done{0};
  std::atomic<std::size_t> next{0};
  std::vector<std::string> others = ids(db), faults;
  std::erase(others, scored);
  REQUIRE(static_cast<int>(others.size()) == matches - 1);
  std::mutex guard;
  std::vector<std::thread> desks;
  for (int i = 0; i < at_once; ++i)
    desks.emplace_back([&] {
      desk d(server.url());
      for (auto k = next++; k < others.size(); k = next++) {
        answered a;
        do a = d.match(others[k], "first:" + others[k], "football.shot", R"({"side":"home","minute":44})");
        while (a.outcome == "try_again" && a.reason == "overloaded");
        if (a.outcome != "accepted" || a.seq != events + 1) {
          std::lock_guard lock(guard);
          faults.push_back(a.body);
        }
        ++done;
      }
    });
  fresh scoring;
  desk d(server.url());
  for (int n = 0; done < matches - 1 && ms_since(began) < 60'000; ++n) {
    auto sent = steady::now();
    auto a = d.match(scored, fmt::format("fresh-{}", n), "football.shot", R"({"side":"away","minute":44})");
    scoring.ms.push_back(ms_since(sent));
    CAPTURE(a.body);
    CHECK(a.outcome == "accepted");
    std::this_thread::sleep_for(10ms);
  }
  auto took = ms_since(began);
  for (auto& t : desks) t.join();
  std::cout << fmt::format("{} matches of {} events folded again in {:.1f} s; {} fresh commands meanwhile: p50 {:.1f} "
                           "ms, p99 {:.1f} ms, worst {:.1f} ms\n",
                           matches - 1, events, took / 1000, scoring.ms.size(), scoring.at(0.5), scoring.at(0.99),
                           scoring.at(1));
  CAPTURE(faults);
  CHECK(faults.empty());
  CHECK(took < 60'000);
  // The fresh commands did not wait for the replays: each took a small part of what all of those took.
  CHECK(scoring.ms.size() > 20);
  CHECK(scoring.at(0.99) < std::min(1000.0, took / 10));
  auto tree = d.get("/ops/tree")->body;
  CHECK(tree.find(R"("deaths":0)") != std::string::npos);
  CHECK(tree.find(R"("kills":0)") != std::string::npos);
  CHECK(tree.find(R"("kills":1)") == std::string::npos);
  CHECK(db.count(fmt::format("SELECT count(*) FROM fixture WHERE last_seq = {}", events + 1)) == matches - 1);
  CHECK(db.count(fmt::format("SELECT count(*) FROM fixture f JOIN fixture_scoreboard s ON s.fixture_id = f.id WHERE "
                             "s.seq = f.last_seq AND s.text::jsonb->'score'->>'home' = '{}'",
                             (events - 1) / 100)) == matches);
  CHECK(at(d.get("/fixtures/" + others.front())->body, "/version") == std::to_string(events + 1));
}
