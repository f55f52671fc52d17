// The background check in real servers: damage done by hand is found, told and rebuilt once, whoever else runs; and
// where nothing is wrong nothing is written, however hard the matches are scored. Source: S5, issue 3.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <atomic>
#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

const std::string home_goal = R"({"kind":"open_play","minute":5,"side":"home"})",
                  away_goal = R"({"kind":"open_play","minute":6,"side":"away"})";

template<class Condition>
bool within(std::chrono::milliseconds limit, Condition&& met) {
  for (auto until = steady::now() + limit; steady::now() < until; std::this_thread::sleep_for(20ms))
    if (met()) return true;
  return met();
}

server_options eager(const database& db) {
  return {.database_url = db.url(),
          .data_dir = {},
          .sports_dir = {},
          .more = {"--verifier.pass_s", "1", "--verifier.pause_ms", "10"}};
}

double looked_at(desk& d, const std::string& result) {
  auto name = fmt::format("omnium_verifier_matches_total{{result=\"{}\"}} ", result);
  auto text = d.get("/metrics")->body;
  auto at = text.find(name);
  return at == std::string::npos ? 0 : std::stod(text.substr(at + name.size()));
}

std::string played(desk& d, int goals) {
  auto id = d.new_match();
  for (int i = 0; i < goals; ++i) REQUIRE(d.match(id, fresh_id(), "football.goal", home_goal).outcome == "accepted");
  REQUIRE(d.match(id, fresh_id(), "match.void", R"({"seq":3})").outcome == "accepted");
  return id;
}

struct view {
  const database& db;
  std::string fixture;

  std::string scoreboard() const {
    return db.ask("SELECT text FROM fixture_scoreboard WHERE fixture_id = '" + fixture + "'");
  }
  std::int64_t rebuilds() const {
    return db.count("SELECT count(*) FROM timeline_item WHERE code = 'match.rebuild' AND stream_id = '" + fixture +
                    "'");
  }
  std::int64_t last_seq() const { return db.count("SELECT last_seq FROM fixture WHERE id = '" + fixture + "'"); }
};

const std::string alerts = "SELECT count(*) FROM alert WHERE rule = 'scoreboard-damaged'";

// A match of four rows whose node was stopped: it sleeps, with a snapshot.
std::string played_and_stopped(const database& db) {
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  auto out = played(d, 4);
  REQUIRE(node.stop() == 0);
  return out;
}

} // namespace

TEST_CASE("a scoreboard damaged by hand is found, told and rebuilt with one log row, though two nodes run") {
  database db;
  server_process first(eager(db)), second(eager(db));
  first.start(), second.start();
  desk one(first.url()), two(second.url());
  view hurt{db, played(one, 4)}, well{db, played(two, 2)};
  auto right = hurt.scoreboard();
  auto version = hurt.last_seq(), untouched = well.last_seq();
  db.run("UPDATE fixture_board SET front = replace(front, '\"home\":3', '\"home\":7') WHERE fixture_id = '" +
         hurt.fixture + "'");
  REQUIRE(hurt.scoreboard() != right);
  REQUIRE(within(30s, [&] { return hurt.rebuilds() == 1; }));
  CHECK(hurt.scoreboard() == right);
  CHECK(hurt.last_seq() == version + 1);
  CHECK(db.ask("SELECT sender FROM timeline_item WHERE code = 'match.rebuild'") == "omnium/verifier");
  CHECK(db.count("SELECT count(*) FROM domain_event WHERE kind = 'match.rebuild'") == 1); // watchers get a version
  REQUIRE(within(10s, [&] { return db.count(alerts) == 1; }));
  CHECK(db.ask("SELECT key FROM alert WHERE rule = 'scoreboard-damaged'") == "fixture/" + hurt.fixture);
  // Both nodes show the same, and go on.
  for (auto* d : {&one, &two}) {
    CHECK(at(d->get("/fixtures/" + hurt.fixture)->body, "/scoreboard/score/home") == "3");
    CHECK(d->match(hurt.fixture, fresh_id(), "football.goal", away_goal).outcome == "accepted");
  }
  CHECK(at(one.get("/fixtures/" + hurt.fixture)->body, "/scoreboard/score/away") == "2");
  // Further passes find nothing more, and one node at a time makes them.
  auto looks = [&] { return looked_at(one, "right") + looked_at(two, "right"); };
  auto before = looks();
  REQUIRE(within(30s, [&] { return looks() > before + 6; }));
  CHECK((looked_at(one, "right") == 0 || looked_at(two, "right") == 0));
  CHECK(hurt.rebuilds() == 1);
  CHECK(well.rebuilds() == 0);
  CHECK(well.last_seq() == untouched);
  CHECK(db.count(alerts) == 1);
  // The node that dies is followed by the other.
  auto& leader = looked_at(one, "right") > 0 ? first : second;
  auto& other = looked_at(one, "right") > 0 ? two : one;
  leader.kill_9();
  CHECK(within(30s, [&] { return looked_at(other, "right") > 0; }));
}

TEST_CASE("a damaged snapshot is found before a match is built on it, and rebuilt") {
  database db;
  auto id = played_and_stopped(db);
  view hurt{db, id};
  const std::string state = "SELECT state FROM match_snapshot";
  auto right = db.ask(state);
  db.run("UPDATE match_snapshot SET state = regexp_replace(state, '\"home\":\\d+', '\"home\":9')");
  REQUIRE(db.ask(state) != right);
  server_process node(eager(db));
  node.start();
  REQUIRE(within(30s, [&] { return hurt.rebuilds() == 1; }));
  CHECK(db.ask(state) == right);
  desk d(node.url());
  REQUIRE(within(10s, [&] { return db.count(alerts) == 1; }));
  CHECK(db.ask("SELECT detail FROM alert WHERE rule = 'scoreboard-damaged'")
            .find("the snapshot is not what the log folds to") != std::string::npos);
  CHECK(d.match(id, fresh_id(), "football.goal", away_goal).outcome == "accepted");
  CHECK(at(d.get("/fixtures/" + id)->body, "/scoreboard/score/home") == "3");
  CHECK(ctl(node.url(), "verify " + id).text == "ok\n");
}

TEST_CASE("a log that does not fold is found though nobody asks for its match, which is awake and in quarantine from "
          "then on") {
  database db;
  auto id = played_and_stopped(db);
  db.run("UPDATE timeline_item SET input = '{\"side\":7}' WHERE seq = 4 AND stream_id = '" + id + "'");
  db.run("DELETE FROM match_snapshot");
  server_process node(eager(db));
  node.start();
  CHECK(within(30s, [&] {
    auto line = ctl(node.url(), "matches").text;
    return line.find(id) != std::string::npos && line.find("true", line.find(id)) != std::string::npos;
  }));
  CHECK(within(10s, [&] {
    return db.count("SELECT count(*) FROM alert WHERE rule = 'match-quarantined' AND key = 'fixture/" + id + "'") == 1;
  }));
}

TEST_CASE("an operator has a match rebuilt by hand; a check by hand finds damage and writes nothing") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  view hurt{db, played(d, 4)};
  auto right = hurt.scoreboard();
  db.run("DELETE FROM fixture_board");
  auto version = hurt.last_seq();
  auto told = ctl(node.url(), "verify " + hurt.fixture);
  CHECK(told.status == 1);
  CHECK(told.text.find("the stored scoreboard is missing") != std::string::npos);
  CHECK(hurt.last_seq() == version);
  CHECK(ctl(node.url(), "verify " + hurt.fixture + " --rebuild").text == "done\n");
  CHECK(hurt.scoreboard() == right);
  CHECK(ctl(node.url(), "verify " + hurt.fixture).text == "ok\n");
}

TEST_CASE("matches that are scored without a pause are checked beside it, and nothing is found or written") {
  database db;
  server_process node(eager(db));
  node.start();
  std::atomic<bool> over{false};
  std::atomic<int> accepted{0};
  std::vector<std::thread> desks;
  for (int i = 0; i < 4; ++i)
    desks.emplace_back([&] {
      desk d(node.url());
      auto id = d.new_match();
      for (int n = 0; !over; ++n) {
        // A few goals and corrections, then what no scoreboard grows with.
        auto answer = n < 100 && n % 7 == 6   ? d.match(id, fresh_id(), "match.void", fmt::format(R"({{"seq":{}}})", n))
                      : n < 100 && n % 7 == 0 ? d.match(id, fresh_id(), "football.goal", home_goal)
                                              : d.match(id, fresh_id(), "match.note", R"({"text":"n"})");
        accepted += answer.outcome == "accepted";
      }
    });
  desk d(node.url());
  bool enough = within(60s, [&] { return looked_at(d, "right") >= 12; });
  over = true;
  for (auto& t : desks) t.join();
  CHECK(enough);
  CHECK(accepted > 100);
  for (auto result : {"rebuilt", "damaged", "unfoldable", "skipped"}) CHECK(looked_at(d, result) == 0);
  CHECK(db.count("SELECT count(*) FROM timeline_item WHERE code = 'match.rebuild'") == 0);
  CHECK(db.count("SELECT count(*) FROM command WHERE sender = 'omnium/verifier'") == 0);
  CHECK(db.count("SELECT count(*) FROM alert_signal WHERE rule IN ('scoreboard-damaged', 'match-quarantined')") == 0);
}
