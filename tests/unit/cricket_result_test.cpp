// How a match of cricket ends: won, tied, drawn, decided by super overs, said by an outcome.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

namespace {

using namespace omnium::cricket_test;
using omnium::sdk::test::match;

// One innings of one over: `runs` from its first ball.
void one_over(match& m, const std::string& batting, int runs, const std::string& kind = "normal") {
  const std::string a = batting + " A" + kind, b = batting + " B" + kind,
                    x = batting + " bowler" + kind + std::to_string(runs);
  plays(m, "cricket.innings", start(batting, R"("overs_limit":1,"kind":")" + kind + '"'));
  for (int i = 0; i < 6; ++i) {
    const auto is = m.play("cricket.ball", ball(a, b, x, i == 0 ? runs : 0));
    if (is.code == "innings_closed") return; // the target is reached
    REQUIRE(is.accepted);
  }
}

} // namespace

TEST_CASE("won by runs, tied, drawn: what the last innings makes of a match") {
  const auto first = [] {
    auto m = batting(R"("overs_limit":1)");
    plays(m, "cricket.ball", ball("A", "B", "X", 9));
    plays(m, "cricket.innings", end("overs"));
    return m;
  };
  auto runs = first();
  one_over(runs, "away", 4);
  CHECK(runs.board("/result") == R"({"winner":"home","by":{"runs":5}})");
  CHECK(runs.board("/line") == "9/0 v 4/0 (1.0), home won by 5 runs");
  auto tie = first();
  one_over(tie, "away", 9);
  CHECK(tie.board("/result") == R"({"tie":true})");
  auto rain = first();
  plays(rain, "cricket.innings", start("away", R"("overs_limit":1)"));
  plays(rain, "cricket.ball", ball("C", "D", "Z", 4));
  plays(rain, "cricket.innings", end("rain"));
  CHECK(rain.board("/result") == "{}"); // one of limited overs waits for its outcome
  plays(rain, "match.end", R"({"reason":"abandoned"})");
  CHECK(rain.board("/result") == R"({"no_result":true})");

  auto drawn = batting();
  plays(drawn, "cricket.ball", ball("A", "B", "X", 9));
  plays(drawn, "match.end", R"({"reason":"completed"})");
  CHECK(drawn.board("/result") == R"({"draw":true})");
  auto awarded = first();
  plays(awarded, "match.end", R"({"reason":"awarded","winner":"away"})");
  CHECK(awarded.board("/result") == R"({"winner":"away","method":"Awarded"})");
  CHECK(awarded.check() == "");
}

TEST_CASE("nobody has won a match that has not started") {
  match m(laws_2017);
  for (const auto* no : {R"({"winner":"home"})", R"({"result":"tie"})", R"({"result":"draw"})",
                         R"({"eliminator":"home"})", R"({"bowl_out":"away"})"})
    CHECK(m.play("cricket.outcome", no).code == "not_started");
  plays(m, "cricket.outcome", R"({"result":"no result"})"); // called off: that can be said
  plays(m, "match.start", "{}");
  plays(m, "cricket.outcome", R"({"winner":"home","method":"Awarded"})");
  CHECK(m.board("/result") == R"({"winner":"home","method":"Awarded"})");
}

TEST_CASE("an outcome says what the balls cannot: method, tie-break, award") {
  auto m = batting(R"("overs_limit":1)");
  CHECK(m.play("cricket.outcome", "{}").code == "outcome_missing");
  CHECK(m.play("cricket.outcome", R"({"winner":"home","result":"draw"})").code == "outcome_contradicts");
  plays(m, "cricket.outcome", R"({"result":"no result"})");
  CHECK(m.board("/result") == R"({"no_result":true})");
  plays(m, "cricket.outcome", R"({"result":"tie","bowl_out":"away"})");
  CHECK(m.board("/result") == R"({"winner":"away","tie":true,"decider":"bowl_out"})");
  plays(m, "cricket.outcome", R"({"eliminator":"home","method":"D/L"})");
  CHECK(m.board("/result") == R"({"winner":"home","tie":true,"method":"D/L","decider":"super_over"})");
  plays(m, "cricket.outcome", R"({"winner":"home","method":"Awarded"})");
  CHECK(m.board("/result") == R"({"winner":"home","method":"Awarded"})");
}

TEST_CASE("super overs go on until one is won; the tie stays and keeps its decider") {
  auto m = live();
  one_over(m, "home", 8);
  one_over(m, "away", 8);
  CHECK(m.board("/result") == R"({"tie":true})");
  one_over(m, "away", 3, "super_over");
  CHECK(m.board("/period") == "SO1");
  CHECK(m.play("cricket.innings", start("away", R"("kind":"super_over")")).code == "other_side_to_bat");
  one_over(m, "home", 3, "super_over");
  CHECK(m.board("/innings/3/target") == "4");
  CHECK(m.board("/result") == R"({"tie":true})");
  CHECK(m.play("cricket.innings", start("home")).code == "super_over_begun");
  for (int i = 0; i < 3; ++i) { // any number
    one_over(m, "home", 5, "super_over");
    one_over(m, "away", 5, "super_over");
  }
  one_over(m, "away", 2, "super_over");
  one_over(m, "home", 4, "super_over");
  CHECK(m.board("/result") == R"({"winner":"home","tie":true,"decider":"super_over"})");
  CHECK(m.board("/line") == "8/0 v 8/0, super over 4/0 (0.1) v 2/0, tied, home won");
  CHECK(m.board("/score") == R"({"home":8,"away":8})"); // super overs are no part of the score
  CHECK(m.play("cricket.innings", start("home", R"("kind":"super_over")")).code == "super_over_without_tie");
  CHECK(m.in_state("/cards/9/batting/0/runs") != "");
  CHECK(m.board("/innings/0/kind") == "normal"); // the scoreboard leaves the oldest super overs to the state
  CHECK(m.board("/innings/1/kind") == "normal");
  CHECK(m.board("/innings/6/kind") == "super_over");
  CHECK(m.board("/innings/8") == "");
  CHECK(m.in_state("/innings/10/kind") == "super_over");
  CHECK(m.check() == "");
}

TEST_CASE("two wickets end a super over") {
  auto m = live();
  one_over(m, "home", 1);
  one_over(m, "away", 1);
  plays(m, "cricket.innings", start("home", R"("kind":"super_over")"));
  plays(m, "cricket.ball", ball("A", "B", "S", 4, wicket("run out", "B")));
  plays(m, "cricket.ball", ball("A", "C", "S", 0, wicket("bowled", "A")));
  CHECK(m.board("/innings/2/closed") == "true");
  CHECK(m.play("cricket.ball", ball("D", "C", "S")).code == "innings_closed");
}

TEST_CASE("a target below what is scored says the side was ahead when play ended: a win by runs") {
  auto m = batting(R"("overs_limit":20)");
  plays(m, "cricket.ball", ball("A", "B", "X", 50));
  plays(m, "cricket.innings", end("rain"));
  plays(m, "cricket.innings", start("away", R"("overs_limit":20)"));
  plays(m, "cricket.ball", ball("C", "D", "Z", 20));
  plays(m, "cricket.target", R"({"runs":14,"overs":0.1,"method":"D/L"})");
  CHECK(m.board("/innings/1/closed") == "true");
  CHECK(m.board("/result") == R"({"winner":"away","by":{"runs":7},"method":"D/L"})");
  plays(m, "cricket.outcome", R"({"winner":"away","method":"D/L"})");
  CHECK(m.board("/result") == R"({"winner":"away","by":{"runs":7},"method":"D/L"})");
}
