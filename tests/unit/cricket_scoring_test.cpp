// What the score becomes: overs, extras, wickets, retirements, declarations, targets.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

namespace {

using namespace omnium::cricket_test;
using omnium::sdk::test::match;

std::string runs_ball(const std::string& runs, const std::string& more = {}) {
  return R"({"batter":"A","non_striker":"B","bowler":"X","runs":)" + runs + (more.empty() ? "" : ',' + more) + '}';
}

std::string fault_of(const std::string& settings) {
  try {
    match m(laws_2017, settings);
    return {};
  } catch (const std::exception& fault) {
    return fault.what();
  }
}

} // namespace

TEST_CASE("a scoreboard before, in and after an innings") {
  match m(laws_2017);
  CHECK(m.scoreboard() ==
        R"({"status":"scheduled","period":"","score":{"home":0,"away":0},"line":"not started","innings":[],)"
        R"("batting":[],"bowling":null,"result":{}})");
  plays(m, "cricket.toss", R"({"winner":"away","decision":"field"})");
  CHECK(m.play("cricket.toss", R"({"winner":"home","decision":"bat"})").code == "toss_done");
  plays(m, "match.start", "{}");
  plays(m, "cricket.innings", start("home", R"("overs_limit":20)"));
  plays(m, "cricket.ball", ball("A", "B", "X", 4));
  plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"wides":1}})"));
  CHECK(
      m.scoreboard() ==
      R"({"status":"live","period":"I1","score":{"home":5,"away":0},"line":"5/0 (0.1) v –",)"
      R"("innings":[{"batting":"home","kind":"normal","runs":5,"wickets":0,"balls":1,"overs":"0.1",)"
      R"("extras":{"wides":1,"noballs":0,"byes":0,"legbyes":0,"penalty":0},"overs_limit":20,"closed":false}],)"
      R"("batting":[{"batter":"A","runs":4,"balls":1,"fours":1,"sixes":0},{"batter":"B","runs":0,"balls":0,"fours":0,"sixes":0}],)"
      R"("bowling":{"bowler":"X","balls":1,"maidens":0,"runs":5,"wickets":0},"result":{}})");
  REQUIRE(m.undo().accepted);
  REQUIRE(m.undo().accepted);
  CHECK(m.board("/batting") == "[]"); // nothing there, never a zero
  CHECK(m.board("/bowling") == "null");
  CHECK(m.in_state("/now/at") == "[]");
  CHECK(m.in_state("/batting") == "[]");
}

TEST_CASE("overs are derived from balls with the match's own number") {
  for (const int each : {5, 6, 8, 10}) {
    auto m = batting(R"("balls_per_over":)" + std::to_string(each));
    overs(m, 3, each);
    plays(m, "cricket.ball", ball("A", "B", "Y"));
    CHECK(m.board("/innings/0/overs") == "3.1");
    CHECK(m.board("/innings/0/balls") == std::to_string(3 * each + 1));
    CHECK(m.check() == "");
  }
}

TEST_CASE("sets of five: one bowler may bowl two in a row, not three") {
  auto m = batting(R"("balls_per_over":5)");
  for (int i = 0; i < 10; ++i) plays(m, "cricket.ball", ball("A", "B", "X"));
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "consecutive_overs");
  auto strict = batting(R"("balls_per_over":5)", laws_2017, R"({"overs_in_a_row":1})");
  for (int i = 0; i < 5; ++i) plays(strict, "cricket.ball", ball("A", "B", "X"));
  CHECK(strict.play("cricket.ball", ball("A", "B", "X")).code == "consecutive_overs");
}

TEST_CASE("an over of five balls is closed by the umpire, an over of seven goes on by the umpire") {
  auto m = batting(R"("overs_limit":2)");
  for (int i = 0; i < 5; ++i) plays(m, "cricket.ball", ball("A", "B", "X"));
  plays(m, "cricket.over_end", R"({"by":"umpire"})");
  CHECK(m.board("/innings/0/overs") == "1.0");
  CHECK(m.board("/innings/0/balls") == "5");
  CHECK(m.board("/bowling/maidens") == "1");
  for (int i = 0; i < 6; ++i) plays(m, "cricket.ball", ball("A", "B", "Y"));
  CHECK(m.board("/bowling/maidens") == "1");
  CHECK(m.play("cricket.ball", ball("A", "B", "Y", 1)).code == "innings_closed");
  plays(m, "cricket.ball", ball("A", "B", "Y", 1, R"("umpire":"seven balls")"));
  CHECK(m.board("/innings/0/overs") == "2.0");
  CHECK(m.board("/innings/0/balls") == "12");
  CHECK(m.board("/bowling/maidens") == "0"); // the seventh ball cost the maiden
  plays(m, "cricket.over_end", "{}");
  CHECK(m.play("cricket.ball", ball("A", "B", "Y", 0, R"("umpire":"eight balls")")).code == "innings_closed");
  CHECK(m.check() == "");
}

TEST_CASE("extras are charged as the Laws say") {
  auto m = batting();
  plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"wides":5}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":6,"extras":{"noballs":1}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"noballs":1,"byes":4}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"wides":2}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"legbyes":2}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":1,"extras":{"penalty":5}})"));
  plays(m, "cricket.ball", runs_ball(R"({"batter":4,"boundary":false})"));
  CHECK(m.board("/innings/0/runs") == "31");
  CHECK(m.board("/innings/0/balls") == "3");
  CHECK(m.board("/innings/0/extras") == R"({"wides":7,"noballs":2,"byes":4,"legbyes":2,"penalty":5})");
  CHECK(m.board("/batting/0") == R"({"batter":"A","runs":11,"balls":5,"fours":0,"sixes":1})"); // no-balls are faced
  CHECK(m.board("/bowling/runs") == "20"); // 5 wides, 7, 1, 2 wides, 0, 1, 4
  CHECK(m.in_state("/now/bowler/wides") == "7");
  CHECK(m.in_state("/now/bowler/noballs") == "2");
}

TEST_CASE("byes do not break a maiden, wides do") {
  auto m = batting();
  for (int i = 0; i < 6; ++i) plays(m, "cricket.ball", runs_ball(R"({"batter":0,"extras":{"byes":1}})"));
  CHECK(m.board("/bowling/maidens") == "1");
  plays(m, "cricket.ball", R"({"batter":"A","non_striker":"B","bowler":"Y","runs":{"batter":0,"extras":{"wides":1}}})");
  for (int i = 0; i < 6; ++i) plays(m, "cricket.ball", ball("A", "B", "Y"));
  CHECK(m.board("/bowling/maidens") == "0");
}

TEST_CASE("a ball with an offence of the fielders does not count in the over") {
  auto m = batting();
  plays(m, "cricket.ball", runs_ball(R"({"batter":1,"extras":{"penalty":5}})", R"("in_over":false)"));
  CHECK(m.board("/innings/0/overs") == "0.0");
  CHECK(m.board("/innings/0/runs") == "6");
  CHECK(m.board("/batting/0/balls") == "0");
}

TEST_CASE("one delivery can hold several wickets, of batters in and of one coming in") {
  auto m = batting();
  plays(m, "cricket.ball",
        ball("A", "B", "X", 0,
             R"("wickets":[{"kind":"caught","player_out":"A","fielders":["K"]},)"
             R"({"kind":"timed_out","player_out":"C"}])"));
  CHECK(m.board("/innings/0/wickets") == "2");
  CHECK(m.board("/bowling/wickets") == "1"); // the bowler has one of them
  CHECK(m.in_state("/batting/0/fielder") == "K");
  CHECK(m.in_state("/batting/1/out") == "timed out");
  plays(m, "cricket.ball", ball("D", "B", "X", 1, wicket("run out", "B")));
  plays(m, "cricket.retire", R"({"batter":"E","kind":"out"})"); // came in and went before a ball
  CHECK(m.board("/innings/0/wickets") == "4");
  plays(m, "cricket.ball", ball("F", "D", "X"));
  CHECK(m.play("cricket.ball", ball("F", "D", "X", 0, wicket("timed out", "G"))).code == "not_at_crease");
  CHECK(m.check() == "");
}

TEST_CASE("retired hurt is no wicket and no ball, and resumes at the fall of a wicket") {
  auto m = batting();
  plays(m, "cricket.ball", ball("A", "B", "X", 4));
  plays(m, "cricket.retire", R"({"batter":"A","kind":"hurt"})");
  CHECK(m.board("/innings/0/wickets") == "0");
  CHECK(m.board("/innings/0/balls") == "1");
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "resume_not_yet");
  plays(m, "cricket.ball", ball("C", "B", "X"));
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).law == "Law 25.4.4");
  plays(m, "cricket.ball", ball("C", "B", "X", 0, wicket("bowled", "C")));
  CHECK(m.would("cricket.ball", ball("A", "B", "X")).accepted);
  plays(m, "cricket.ball", ball("D", "B", "X")); // another came instead: the next wicket, then
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "resume_not_yet");
  plays(m, "cricket.retire", R"({"batter":"D","kind":"hurt"})");
  CHECK(m.play("cricket.ball", ball("D", "B", "Y")).code == "resume_not_yet");
  plays(m, "cricket.ball", ball("A", "B", "X", 6)); // at another's retirement
  CHECK(m.board("/batting/0") == R"({"batter":"A","runs":10,"balls":2,"fours":1,"sixes":1})");
  CHECK(m.in_state("/now/at/0/out") == "");
  CHECK(m.check() == "");
}

TEST_CASE("retired out is a wicket; retired not out resumes only with the other captain's consent") {
  auto m = batting();
  plays(m, "cricket.ball", ball("A", "B", "X"));
  plays(m, "cricket.retire", R"({"batter":"A","kind":"out"})");
  CHECK(m.board("/innings/0/wickets") == "1");
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).law == "Law 25.4.3");
  plays(m, "cricket.ball", ball("C", "B", "X"));
  plays(m, "cricket.retire", R"({"batter":"C","kind":"not_out"})");
  CHECK(m.board("/innings/0/wickets") == "1");
  plays(m, "cricket.ball", ball("D", "B", "X", 0, wicket("lbw", "D")));
  CHECK(m.play("cricket.ball", ball("C", "B", "X")).code == "consent_needed");
  plays(m, "cricket.ball", ball("C", "B", "X", 0, R"("umpire":"the captain consents")"));
  CHECK(m.play("cricket.retire", R"({"batter":"A","kind":"hurt"})").code == "not_at_crease");
}

TEST_CASE("batters absent or retired count towards all out; one who resumes opens the innings again") {
  auto m = batting();
  plays(m, "cricket.ball", ball("P0", "P1", "X"));
  plays(m, "cricket.retire", R"({"batter":"P0","kind":"hurt"})");
  for (int i = 1; i <= 9; ++i)
    plays(m, "cricket.ball",
          ball("P" + std::to_string(i), i < 9 ? "P" + std::to_string(i + 1) : "P10", i < 6 ? "X" : "Y", 0,
               wicket("bowled", "P" + std::to_string(i))));
  CHECK(m.board("/innings/0/wickets") == "9");
  CHECK(m.board("/innings/0/closed") == "true");
  CHECK(m.play("cricket.ball", ball("P11", "P10", "Y")).code == "innings_closed");
  plays(m, "cricket.ball", ball("P0", "P10", "Y", 1));
  CHECK(m.board("/innings/0/closed") == "false");
  plays(m, "cricket.ball", ball("P0", "P10", "Y", 0, wicket("bowled", "P0")));
  CHECK(m.board("/innings/0/closed") == "true");
  CHECK(m.board("/line") == "1 (2.0) v –");

  auto absent = batting();
  plays(absent, "cricket.ball", ball("P1", "P2", "X", 0, wicket("bowled", "P1")));
  for (int i = 2; i <= 9; ++i)
    plays(absent, "cricket.ball",
          ball("P" + std::to_string(i), "P" + std::to_string(i + 1), i < 7 ? "X" : "Y", 0,
               wicket("bowled", "P" + std::to_string(i))));
  CHECK(absent.board("/innings/0/closed") == "false");
  plays(absent, "cricket.innings", end("all_out", R"("absent":["P11"])"));
  CHECK(absent.board("/innings/0/wickets") == "9");
  CHECK(absent.board("/innings/0/closed") == "true");
  CHECK(absent.check() == "");
}

TEST_CASE("declared, forfeited, follow-on: the innings in their order") {
  auto m = batting();
  plays(m, "cricket.ball", ball("A", "B", "X", 6));
  CHECK(m.play("cricket.innings", end("forfeited")).code == "cannot_forfeit");
  plays(m, "cricket.innings", end("declared"));
  CHECK(m.board("/innings/0/declared") == "true");
  plays(m, "cricket.innings", R"({"action":"end","batting":"away","reason":"forfeited"})");
  CHECK(m.board("/innings/1/forfeited") == "true");
  plays(m, "cricket.innings", R"({"action":"end","batting":"home","reason":"forfeited"})");
  plays(m, "cricket.innings", start("away"));
  CHECK(m.board("/period") == "I4");
  CHECK(m.board("/innings/3/target") == "7");
  CHECK(m.board("/line") == "6/0d & forfeited v forfeited & 0/0 (0.0)");
  plays(m, "cricket.ball", ball("C", "D", "Z", 6));
  CHECK(m.board("/result") == "{}");
  plays(m, "cricket.ball", ball("C", "D", "Z", 1));
  CHECK(m.board("/result") == R"({"winner":"away","by":{"wickets":10}})");
  CHECK(m.play("cricket.innings", start("home")).code == "innings_used");

  auto follow = batting();
  plays(follow, "cricket.ball", ball("A", "B", "X", 90));
  plays(follow, "cricket.innings", end("declared"));
  for (int i = 0; i < 2; ++i) {
    plays(follow, "cricket.innings", start("away"));
    all_out(follow, 20);
    CHECK(follow.board("/innings/" + std::to_string(i + 1) + "/closed") == "true");
  }
  CHECK(follow.board("/result") == R"({"winner":"home","by":{"innings":1,"runs":50}})");
  CHECK(follow.board("/line") == "90/0d v 20 & 20 (1.4), home won by an innings and 50 runs");
  CHECK(follow.check() == "");
}

TEST_CASE("targets and limits are events in time: a replay up to a ball shows what held then") {
  auto m = batting(R"("overs_limit":20)");
  for (int over = 0; over < 5; ++over) overs(m, 1);
  plays(m, "cricket.overs_limit", R"({"overs":6})");
  overs(m, 1);
  CHECK(m.board("/innings/0/closed") == "true");
  plays(m, "cricket.target", R"({"runs":12,"overs":4,"method":"D/L"})"); // for the innings to come
  CHECK(m.board("/innings/0/target") == "");
  plays(m, "cricket.innings", start("away"));
  CHECK(m.board("/innings/1/target") == "12");
  CHECK(m.board("/innings/1/overs_limit") == "4");
  plays(m, "cricket.ball", ball("C", "D", "Z", 6));
  plays(m, "cricket.target", R"({"runs":9,"overs":2.3})");
  CHECK(m.board("/innings/1/overs_limit") == "2.3");
  const auto at = m.log().back().seq;
  plays(m, "cricket.ball", ball("C", "D", "Z", 2));
  CHECK(m.board("/result") == "{}");
  plays(m, "cricket.ball", ball("C", "D", "Z", 1));
  CHECK(m.board("/result") == R"({"winner":"away","by":{"wickets":10},"method":"D/L"})");
  REQUIRE(m.void_event(at).accepted);
  CHECK(m.board("/innings/1/target") == "12");
  CHECK(m.board("/result") == "{}");
  CHECK(m.check() == "");
}

TEST_CASE("penalty runs sit on an innings: in play, before it, or on the last one completed") {
  auto m = batting(R"("overs_limit":1)");
  plays(m, "cricket.penalty_runs", R"({"to":"home","runs":5,"when":"during"})");
  plays(m, "cricket.ball", ball("A", "B", "X", 2));
  plays(m, "cricket.penalty_runs", R"({"to":"away","runs":5,"when":"pre"})");
  CHECK(m.board("/innings/0/runs") == "7");
  plays(m, "cricket.innings", end("overs"));
  plays(m, "cricket.penalty_runs", R"({"to":"home","runs":5,"when":"post"})");
  CHECK(m.board("/innings/0/runs") == "12");
  plays(m, "cricket.innings", start("away", R"("overs_limit":1)"));
  CHECK(m.board("/innings/1/runs") == "5");
  CHECK(m.board("/innings/1/extras/penalty") == "5");
  CHECK(m.board("/innings/1/target") == "13");
  plays(m, "cricket.ball", ball("C", "D", "Z", 4));
  plays(m, "cricket.penalty_runs",
        R"({"to":"home","runs":5,"when":"during"})"); // to the fielding side: its last innings
  CHECK(m.board("/innings/0/runs") == "17");
  CHECK(m.board("/innings/0/extras/penalty") == "15");
  CHECK(m.board("/innings/1/target") == "18");
  CHECK(m.board("/score") == R"({"home":17,"away":9})");
  CHECK(m.board("/line") == "17/0 v 9/0 (0.1)");
  // After the result, until the umpires leave: an award can take the result back (Law 41.17.2).
  plays(m, "cricket.ball", ball("C", "D", "Z", 9));
  CHECK(m.board("/result/winner") == "away");
  plays(m, "cricket.penalty_runs", R"({"to":"home","runs":5,"when":"during"})");
  CHECK(m.board("/result") == "{}");
  plays(m, "cricket.ball", ball("C", "D", "Z", 1));
  CHECK(m.check() == "");
}

TEST_CASE("replaced players take no further part; an injured batter goes and may come back") {
  auto m = batting();
  plays(m, "cricket.ball", ball("A", "B", "X"));
  plays(m, "cricket.replacement", R"({"side":"home","out":"A","in":"R","reason":"concussion"})");
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "player_replaced");
  plays(m, "cricket.ball", ball("R", "B", "X"));
  CHECK(m.play("cricket.replacement", R"({"side":"home","out":"S","in":"A","reason":"impact_player"})").code ==
        "player_replaced");
  CHECK(m.play("cricket.replacement", R"({"side":"home","out":"S","in":"S","reason":"injury"})").code == "same_player");
  plays(m, "cricket.replacement", R"({"side":"home","out":"R","in":"C","reason":"injury","role":"batter"})");
  plays(m, "cricket.ball", ball("C", "B", "X", 0, wicket("bowled", "C")));
  plays(m, "cricket.ball", ball("R", "B", "X"));
  plays(m, "cricket.replacement", R"({"side":"away","out":"X","in":"Y","reason":"concussion"})");
  plays(m, "cricket.ball", ball("R", "B", "Y")); // finishes the over
  CHECK(m.play("cricket.ball", ball("R", "B", "X")).code == "player_replaced");
  CHECK(m.check() == "");
}

TEST_CASE("after a total loss one command sets the score; later balls fold on top") {
  match m(laws_2017);
  plays(
      m, "match.baseline",
      R"({"innings":[{"batting":"home","runs":264,"wickets":7,"balls":301,"overs":"50.0","overs_limit":50,"closed":true,)"
      R"("extras":{"wides":7,"noballs":2,"legbyes":9,"penalty":5}},)"
      R"({"batting":"away","runs":170,"wickets":3,"balls":190,"overs_limit":50}],)"
      R"("batting":[{"batter":"A","runs":40,"balls":50,"fours":3,"sixes":1},{"batter":"B","runs":9,"balls":12,"fours":0,"sixes":0}],)"
      R"("bowling":{"bowler":"X","balls":34,"maidens":1,"runs":30,"wickets":2}})");
  CHECK(m.board("/status") == "live");
  CHECK(m.board("/line") == "264/7 v 170/3 (31.4)");
  CHECK(m.board("/innings/1/target") == "265");
  CHECK(m.board("/score") == R"({"home":264,"away":170})");
  for (int i = 0; i < 2; ++i) plays(m, "cricket.ball", ball("A", "B", "X", 4));
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "consecutive_overs");
  for (int i = 0; i < 6; ++i) plays(m, "cricket.ball", ball("A", "B", "Y", 1));
  plays(m, "cricket.ball", ball("A", "B", "X", 6));
  plays(m, "cricket.ball", ball("A", "B", "X", 0, wicket("lbw", "A")));
  CHECK(m.board("/innings/1/runs") == "190");
  CHECK(m.board("/innings/1/overs") == "33.2");
  CHECK(m.board("/innings/1/wickets") == "4");
  CHECK(m.board("/bowling") == R"({"bowler":"X","balls":38,"maidens":1,"runs":44,"wickets":3})");
  CHECK(m.check() == "");
  match bad(laws_2017);
  CHECK(bad.play("match.baseline", R"({"innings":[{"batting":"home","runs":4,"wickets":1,"balls":8}]})").code ==
        "bowling_missing");
  CHECK(bad.play("match.baseline",
                 R"({"innings":[{"batting":"home","runs":4,"wickets":1,"balls":6,"extras":{"byes":5}}]})")
            .code == "extras_above_runs");
  CHECK(bad.play("match.baseline", R"({"innings":[{"batting":"home","runs":4,"wickets":11,"balls":6}]})").code ==
        "too_many_wickets");
  CHECK(bad.play("match.baseline", R"({"innings":[{"batting":"home","runs":4,"wickets":1,"balls":6,"overs":"one"}]})")
            .code == "overs_unclear");
  const auto with_overs = [&](const std::string& overs) {
    return bad.play("match.baseline",
                    R"({"innings":[{"batting":"home","runs":4,"wickets":1,"balls":6,"overs":")" + overs + R"("}]})");
  };
  for (const char* overs : {"1001.0", "4.6", "4.99", "-1.0"}) CHECK(with_overs(overs).code == "overs_unclear");
  CHECK(with_overs("9223372036854775807.1").code == "bad_input");
  const auto batter = [&](const char* runs) {
    return bad.play("match.baseline", R"({"innings":[{"batting":"home","runs":4,"wickets":1,"balls":6}],)"
                                      R"("batting":[{"batter":"A","runs":)" +
                                          std::string{runs} + R"(,"balls":1,"fours":0,"sixes":0}]})");
  };
  CHECK(batter("-1").code == "bad_input");
  CHECK(batter("9223372036854775807").code == "bad_input");
}

TEST_CASE("settings that contradict themselves are refused, and the others hold") {
  CHECK(fault_of(R"({"overs_limit":20,"overs_per_bowler":21})").find("overs_per_bowler") != std::string::npos);
  CHECK(fault_of(R"({"overs_limit":2.6})").find("An over has 6 balls") != std::string::npos);
  CHECK(fault_of(R"({"overs_limit":2.6,"balls_per_over":8})") == "");
  CHECK(fault_of(R"({"overs_limt":20})").find("overs_limt") != std::string::npos);
  auto m = batting("", laws_2017, R"({"overs_limit":5,"overs_per_bowler":1,"players_per_side":3})");
  overs(m, 2);
  CHECK(m.play("cricket.ball", ball("A", "B", "X")).code == "bowler_overs_used");
  plays(m, "cricket.ball", ball("A", "B", "Z", 0, wicket("bowled", "A")));
  plays(m, "cricket.ball", ball("C", "B", "Z", 0, wicket("bowled", "C")));
  CHECK(m.board("/innings/0/closed") == "true");
}
