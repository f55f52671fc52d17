// Football: what a viewer sees. Scoreboards and minutes to the letter.
#include "tests/unit/football_support.hpp"

using namespace omnium::football_tests;

TEST_CASE("football: the scoreboard of a match from start to end, to the letter") {
  game g;
  const std::string no_cards = R"("cards":{"home":{"yellow":0,"red":0},"away":{"yellow":0,"red":0}})";
  const std::string no_counts = R"("statistics":{"home":{"shots":0,"on_target":0,"fouls":0,"corners":0,"offsides":0},)"
                                R"("away":{"shots":0,"on_target":0,"fouls":0,"corners":0,"offsides":0}})";
  CHECK(g.scoreboard() == R"({"status":"scheduled","period":"","score":{"home":0,"away":0},"line":"not started",)"
                          R"("shootout":null,"minute":null,)" +
                              no_cards + R"(,"goals":[],"in_play":false,)" + no_counts + '}');
  g.until("H1");
  CHECK(g.board("/line") == "0–0 (1')");
  REQUIRE(g.goal("home", R"(,"scorer":"A. Player")", "open_play", "23").accepted);
  REQUIRE(g.goal("away", "", "own_goal", "\"45+3\"").accepted);
  REQUIRE(g.play("football.added_time", R"({"minutes":4})").accepted);
  REQUIRE(g.card("away", "B. Other", "yellow").accepted);
  CHECK(
      g.scoreboard() ==
      R"b({"status":"live","period":"H1","score":{"home":1,"away":1},"line":"1–1 (45+3')","shootout":null,"minute":"45+3",)b"
      R"("cards":{"home":{"yellow":0,"red":0},"away":{"yellow":1,"red":0}},)"
      R"("goals":[{"side":"home","minute":"23","scorer":"A. Player","kind":"open_play"},)"
      R"({"side":"away","minute":"45+3","scorer":null,"kind":"own_goal"}],"in_play":true,"added_time":4,)" +
          no_counts + '}');
  REQUIRE(g.period("end", "H1").accepted);
  CHECK(g.board("/line") == "1–1 (half-time)");
  CHECK(g.board("/in_play") == "false");
  REQUIRE(g.period("start", "H2").accepted);
  CHECK(g.board("/line") == "1–1 (46')");
  CHECK(g.board("/added_time") == "");
  REQUIRE(g.play("match.suspend", R"({"reason":"storm"})").accepted);
  CHECK(g.board("/line") == "1–1 (stopped)");
  REQUIRE(g.play("match.resume").accepted);
  REQUIRE(g.period("end", "H2").accepted);
  CHECK(g.board("/line") == "1–1 (after 90 minutes)");
  REQUIRE(g.play("match.end", R"({"reason":"completed"})").accepted);
  CHECK(g.board("/line") == "1–1 (full time)");
  CHECK(g.board("/result") == R"({"by":"score"})");
  CHECK(g.check() == "");
}

TEST_CASE("football: lines of extra time, the shoot-out and matches that ended otherwise") {
  game g;
  g.until("ET1");
  REQUIRE(g.period("end", "ET1").accepted);
  CHECK(g.board("/line") == "0–0 (half-time of extra time)");
  REQUIRE(g.period("start", "ET2").accepted);
  REQUIRE(g.goal("away", "", "open_play", "118").accepted);
  REQUIRE(g.period("end", "ET2").accepted);
  REQUIRE(g.play("match.end", R"({"reason":"completed"})").accepted);
  CHECK(g.board("/line") == "0–1 (after extra time), away won");
  CHECK(g.board("/result") == R"({"winner":"away","by":"score"})");
  game kicks;
  kicks.until("PSO");
  REQUIRE(kicks.kick("home", "scored").accepted);
  CHECK(kicks.board("/line") == "0–0 (1–0 on penalties)");
  auto left = in_play();
  REQUIRE(left.goal("home").accepted);
  REQUIRE(left.play("match.end", R"({"reason":"abandoned"})").accepted);
  CHECK(left.board("/line") == "1–0 (abandoned)");
  CHECK(left.board("/result") == R"({"by":"abandoned"})");
  auto given = in_play();
  REQUIRE(given.goal("home").accepted);
  REQUIRE(given.play("match.end", R"({"reason":"awarded","winner":"away"})").accepted);
  CHECK(given.board("/line") == "1–0 (awarded), away won");
  CHECK(given.board("/result") == R"({"winner":"away","by":"officials"})");
}

TEST_CASE("football: minutes beyond a period's end are its added time") {
  auto g = in_play();
  REQUIRE(g.goal("home", "", "open_play", "47").accepted);
  CHECK(g.board("/goals/0/minute") == "45+2");
  REQUIRE(g.period("end", "H1").accepted);
  REQUIRE(g.period("start", "H2").accepted);
  CHECK(g.board("/minute") == "46");
  REQUIRE(g.goal("home", "", "open_play", "95").accepted);
  REQUIRE(g.goal("home", "", "open_play", "\"90+7\"").accepted);
  REQUIRE(g.goal("home", "", "open_play", "\"60\"").accepted);
  CHECK(g.board("/goals/1/minute") == "90+5");
  CHECK(g.board("/goals/3/minute") == "60");
  CHECK(g.board("/minute") == "90+7");
  for (const char* bad : {"\"45+\"", "\"x\"", "-1", "151", "\"45+100\"", "1.5", "\"+3\"", "true", "\"0451\""}) {
    const auto no = g.goal("home", "", "open_play", bad);
    CHECK(no.code == "bad_input");
    CHECK(no.at == "/input/minute");
  }
}

TEST_CASE("football: where no minute is told, the events' time tells it") {
  game g;
  const auto at = [&](const std::string& code, const std::string& input, const std::string& time) {
    REQUIRE(g.play(code, input, "2026-05-01T" + time + ":00.000Z").accepted);
    return g.board("/minute");
  };
  CHECK(at("football.period", R"({"action":"start","period":"H1"})", "15:00") == "1");
  CHECK(at("football.foul", R"({"side":"home"})", "15:10") == "11");
  CHECK(at("football.foul", R"({"side":"home","minute":9})", "15:11") == "11");
  CHECK(at("football.corner", R"({"side":"home"})", "15:46") == "45+2");
  CHECK(at("football.period", R"({"action":"end","period":"H1"})", "15:48") == "45+4");
  CHECK(at("football.period", R"({"action":"start","period":"H2"})", "16:03") == "46");
  CHECK(at("football.corner", R"({"side":"home"})", "16:13") == "56");
  // Entered long after: its time says nothing of the act.
  CHECK(at("football.corner", R"({"side":"home"})", "18:30") == "56");
  game resumed;
  REQUIRE(resumed.play("football.period", R"({"action":"start","period":"H1","minute":31})", "2026-05-02T15:00:00.000Z")
              .accepted);
  CHECK(resumed.board("/minute") == "31");
  REQUIRE(resumed.play("football.foul", R"({"side":"home"})", "2026-05-02T15:05:00.000Z").accepted);
  CHECK(resumed.board("/minute") == "36");
}

TEST_CASE("football: a baseline sets score, period and clock at once, and later events fold on top") {
  game g;
  REQUIRE(g.play("match.baseline", R"({"score":{"home":2,"away":1},"period":"H2","minute":67,)"
                                   R"("cards":{"home":{"yellow":2,"red":0},"away":{"yellow":1,"red":1}}})")
              .accepted);
  CHECK(g.board("/status") == "live");
  CHECK(g.board("/line") == "2–1 (67')");
  CHECK(g.board("/goals_earlier") == "3");
  REQUIRE(g.goal("away", R"(,"scorer":"x")", "open_play", "70").accepted);
  CHECK(g.board("/score") == R"({"home":2,"away":2})");
  CHECK(g.board("/goals") == R"([{"side":"away","minute":"70","scorer":"x","kind":"open_play"}])");
  CHECK(g.card("home", "y", "yellow").accepted);
  CHECK(g.board("/cards/home/yellow") == "3");
  for (const char* beyond : {R"({"score":{"home":-1,"away":0}})", R"({"score":{"home":2147483647,"away":0}})",
                             R"({"period":"PSO","shootout":{"home":-1,"away":0}})",
                             R"({"period":"PSO","shootout":{"home":0,"away":2147483647}})",
                             R"({"period":"PSO","shootout":{"home":1,"away":1},"shootout_kicks":{"home":-1,"away":2}})",
                             R"({"cards":{"home":{"yellow":2147483647,"red":0},"away":{"yellow":0,"red":0}}})"})
    CHECK(g.play("match.baseline", beyond).code == "bad_input");
  CHECK(g.play("match.baseline",
               R"({"period":"PSO","shootout":{"home":3,"away":3},"shootout_kicks":{"home":2,"away":4}})")
            .code == "baseline_mismatch");
  CHECK(g.play("match.baseline", R"({"shootout":{"home":1,"away":0}})").code == "period_order");
  REQUIRE(g.play("match.baseline",
                 R"({"period":"PSO","shootout":{"home":3,"away":3},"shootout_kicks":{"home":4,"away":4}})")
              .accepted);
  REQUIRE(g.kick("away", "scored").accepted);
  REQUIRE(g.kick("home", "missed").accepted);
  CHECK(g.kick("away", "scored").code == "shootout_decided");
  CHECK(g.check() == "");
}

TEST_CASE("football: a full match with goals, cards and substitutes stays small, and so does one that never was") {
  const std::string long_name(80, 'n');
  game g(R"({"substitutions":20,"substitution_windows":0})");
  for (const std::string side : {"home", "away"}) {
    std::string names;
    for (int i = 0; i < 20; ++i) names += (i ? "," : "") + ('"' + long_name.substr(0, 20) + std::to_string(i) + '"');
    std::string starting;
    for (int i = 20; i < 31; ++i)
      starting += (i > 20 ? "," : "") + ('"' + long_name.substr(0, 20) + std::to_string(i) + '"');
    REQUIRE(g.play("football.lineup",
                   R"({"side":")" + side + R"(","starting":[)" + starting + R"(],"bench":[)" + names + "]}")
                .accepted);
  }
  g.until("H1");
  for (int i = 0; i < 149; ++i) // the highest score on record is 149-0
    REQUIRE(g.goal("home", R"(,"scorer":")" + long_name.substr(0, 20) + std::to_string(20 + i % 11) + '"').accepted);
  for (int i = 0; i < 8; ++i)
    REQUIRE(g.sub("away", long_name.substr(0, 20) + std::to_string(20 + i), long_name.substr(0, 20) + std::to_string(i))
                .accepted);
  for (int i = 20; i < 31; ++i) REQUIRE(g.card("home", long_name.substr(0, 20) + std::to_string(i), "yellow").accepted);
  CHECK(g.board("/score/home") == "149");
  CHECK(g.scoreboard().size() < 2048);
  CHECK(g.state().size() < 16 * 1024);
  CHECK(g.check() == "");
  // However many people events name, and however long their names are.
  game crowd;
  crowd.until("H1");
  for (int i = 0; i < 200; ++i) {
    const auto who = std::string(76, 'w') + std::to_string(1000 + i);
    REQUIRE(crowd.card(i % 2 ? "home" : "away", who, "yellow").accepted);
    REQUIRE(crowd.goal("away", R"(,"scorer":")" + who + '"').accepted);
  }
  CHECK(crowd.scoreboard().size() < 2048);
  CHECK(crowd.state().size() < 16 * 1024);
}

TEST_CASE("football: the newest goals are listed as long as they fit, the others are counted") {
  auto g = in_play();
  const std::string uuid = R"(,"scorer":"6f1c0b5e-3a52-4f0e-9a55-0c4b7d9e0a1)";
  const auto score = [&](int goals) {
    for (int i = 0; i < goals; ++i)
      REQUIRE(g.goal("home", uuid + static_cast<char>('a' + i % 6) + '"', "open_play", "\"45+2\"").accepted);
  };
  score(10);
  CHECK(g.board("/goals/9/minute") == "45+2");
  CHECK(g.board("/goals_earlier") == "");
  score(20);
  const auto full = g.scoreboard().size();
  CHECK(full <= 2048);
  CHECK(full > 1850);
  CHECK(g.board("/goals_earlier") != "");
  REQUIRE(g.play("match.suspend", R"({"reason":")" + std::string(200, 'x') + "\"}").accepted); // leaves less room
  CHECK(g.board("/goals/10/minute") == "45+2");
  CHECK(g.check() == "");
}
