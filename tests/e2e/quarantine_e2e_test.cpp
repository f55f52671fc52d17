// One bad row in one match's log: that match is put aside and says which row, all others go on, and it is back once the
// row is right. Source: known trap P2.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::within;

namespace {

const std::string goal = R"({"kind":"open_play","minute":5,"side":"home"})";

} // namespace

TEST_CASE(
    "a log row that cannot be folded costs its match its commands, shows no half state, and nobody else anything") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  std::string hurt, well;
  {
    desk d(node.url());
    hurt = d.new_match(), well = d.new_match();
    for (const auto& id : {hurt, well})
      for (int i = 0; i < 3; ++i) REQUIRE(d.match(id, fresh_id(), "football.goal", goal).outcome == "accepted");
  }
  REQUIRE(node.stop() == 0);
  const auto row = fmt::format("stream_id = '{}' AND seq = 4", hurt);
  const auto good = db.ask("SELECT input FROM timeline_item WHERE " + row);
  db.run("UPDATE timeline_item SET input = '{\"side\":7}' WHERE " + row);
  db.run("DELETE FROM match_snapshot");
  node.start();
  desk d(node.url());
  auto one = d.match(hurt, "k", "football.goal", goal);
  for (int i = 0; i < 5 && one.body.find("quarantined") == std::string::npos; ++i)
    one = d.match(hurt, "k", "football.goal", goal);
  CAPTURE(one.body);
  CHECK(one.outcome == "try_again");
  CHECK(one.body.find("This match is quarantined: log row 4 cannot be folded") != std::string::npos);
  CHECK(d.match(well, fresh_id(), "football.goal", goal).outcome == "accepted");
  CHECK(d.get("/fixtures/" + hurt + "/state")->status == 503);
  CHECK(at(d.get("/fixtures/" + hurt)->body, "/scoreboard/score/home") == "3"); // what was shown last, whole
  CHECK(ctl(node.url(), "matches").text.find("true") != std::string::npos);
  CHECK(ctl(node.url(), "verify " + hurt).status == 1);
  const std::string alert =
      "SELECT count(*) FROM alert WHERE rule = 'match-quarantined' AND key = 'fixture/" + hurt + "'";
  CHECK(within(10s, [&] { return db.count(alert) == 1; }));
  CHECK(db.ask("SELECT detail FROM alert WHERE rule = 'match-quarantined'").find("log row 4") != std::string::npos);
  // A restart folds at once, and says what came of it; also of a match that nobody has awake.
  auto again = ctl(node.url(), "restart match/fixture/" + hurt);
  CHECK(again.status == 1);
  CHECK(again.text.find("log row 4 cannot be folded") != std::string::npos);
  REQUIRE(node.stop() == 0);
  node.start();
  d.http = omnium::wire::http_client(node.url());
  d.http.always("Authorization", "Bearer " + node.token());
  again = ctl(node.url(), "restart match/fixture/" + hurt);
  CHECK(again.text.find("log row 4 cannot be folded") != std::string::npos);
  CHECK(ctl(node.url(), "matches").text.find("true") != std::string::npos);
  again = ctl(node.url(), "restart match/fixture/" + fresh_id());
  CHECK(again.text.find("Nothing named") != std::string::npos);
  // A person mends the row and has the match tried at once.
  db.run(fmt::format("UPDATE timeline_item SET input = '{}' WHERE {}", good, row));
  CHECK(ctl(node.url(), "restart match/fixture/" + hurt).status == 0);
  CHECK(ctl(node.url(), "matches").text.find("true") == std::string::npos); // before any command came
  CHECK(d.match(hurt, "k", "football.goal", goal).outcome == "accepted");
  CHECK(d.match(hurt, "k", "football.goal", goal).outcome == "duplicate");
  CHECK(at(d.get("/fixtures/" + hurt)->body, "/scoreboard/score/home") == "4");
  CHECK(db.count("SELECT count(*) FROM timeline_item WHERE stream_id = '" + hurt + "'") == 6);
  CHECK(node.stop() == 0);
}
