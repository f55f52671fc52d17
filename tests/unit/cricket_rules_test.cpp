// What the Laws refuse, with the clause; and what the umpires may let stand.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

namespace {

using namespace omnium::cricket_test;
using omnium::sdk::test::answer;
using omnium::sdk::test::match;

void refused(const answer& is, const std::string& code, const std::string& law) {
  CAPTURE(is.message);
  CHECK(!is.accepted);
  CHECK(is.code == code);
  CHECK(is.law == law);
  CHECK(!is.message.empty());
}

const std::string by_umpire = R"("umpire":"it happened")";

std::string extras(const std::string& what) { return R"("extras":{)" + what + '}'; }

// One ball with extras: they stand inside runs.
std::string extra_ball(const std::string& what, const std::string& more = {}) {
  return R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":0,)" + extras(what) + '}' +
         (more.empty() ? "" : ',' + more) + '}';
}

} // namespace

TEST_CASE("no bowler bowls two overs in a row, or parts of two overs in a row") {
  auto m = batting();
  overs(m, 1); // by X
  refused(m.play("cricket.ball", ball("A", "B", "X")), "consecutive_overs", "Law 17.6");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "Y")).accepted);
  refused(m.play("cricket.ball",
                 ball("A", "B", "X", 0, R"("replacements":{"role":[{"in":"X","out":"Y","role":"bowler"}]})")),
          "consecutive_overs", "Law 17.8");
  REQUIRE(m.play("cricket.replacement", R"({"side":"away","out":"Y","in":"Z","reason":"injury","role":"bowler"})")
              .accepted);
  for (int i = 0; i < 5; ++i) REQUIRE(m.play("cricket.ball", ball("A", "B", "Z")).accepted);
  refused(m.play("cricket.ball", ball("A", "B", "Z")), "consecutive_overs", "Law 17.8");
  refused(m.play("cricket.ball", ball("A", "B", "Y")), "consecutive_overs", "Law 17.8");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
}

TEST_CASE("two overs in a row that the umpires missed are accepted once the first is called") {
  auto m = batting();
  overs(m, 1);
  REQUIRE(m.play("cricket.over_end", R"({"by":"umpire"})").accepted);
  refused(m.play("cricket.over_end", R"({"by":"umpire"})"), "no_over", "Law 17.4");
  refused(m.play("cricket.ball", ball("A", "B", "X")), "consecutive_overs", "Law 17.6");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X", 0, by_umpire)).accepted);
  CHECK(m.board("/innings/0/overs") == "1.1");
}

TEST_CASE("a bowler is replaced in an over only with a reason") {
  auto m = batting();
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
  refused(m.play("cricket.ball", ball("A", "B", "Y")), "mid_over_no_reason", "Law 17.7.1");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "Y", 0, by_umpire)).accepted);
  refused(m.play("cricket.replacement", R"({"side":"away","out":"X","in":"Z","reason":"injury","role":"bowler"})"),
          "not_bowling", "Law 17.8");
}

TEST_CASE("an over begins with its bowler named; in the over the name may be left out") {
  auto m = batting();
  const std::string nobody = R"({"batter":"A","non_striker":"B","runs":{"batter":0}})";
  refused(m.play("cricket.ball", nobody), "next_bowler", "Law 17.6");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
  for (int i = 0; i < 5; ++i) REQUIRE(m.play("cricket.ball", nobody).accepted);
  CHECK(m.board("/bowling/balls") == "6");
  refused(m.play("cricket.ball", nobody), "next_bowler", "Law 17.6");
}

TEST_CASE("from a wide a batter is out only run out, stumped, hit wicket or obstructing the field") {
  auto m = batting();
  for (const char* kind : {"bowled", "caught", "caught and bowled", "lbw", "hit the ball twice"})
    refused(m.play("cricket.ball", extra_ball(R"("wides":1)", wicket(kind, "A"))), "not_out_off_wide", "Law 22.9");
  for (const char* kind : {"stumped", "run out", "hit wicket", "obstructing the field"})
    CHECK(m.would("cricket.ball", extra_ball(R"("wides":1)", wicket(kind, "A"))).accepted);
  CHECK(m.would("cricket.ball", extra_ball(R"("wides":1)", wicket("caught", "A") + ',' + by_umpire)).accepted);
}

TEST_CASE("from a no-ball a batter is out only run out, obstructing the field or hitting the ball twice") {
  for (const auto& [package, law] : {std::pair(laws_2017, "Law 21.18"), std::pair(laws_2026, "Law 21.17")}) {
    auto m = batting("", package);
    for (const char* kind : {"bowled", "caught", "lbw", "stumped", "hit wicket"})
      refused(m.play("cricket.ball", extra_ball(R"("noballs":1)", wicket(kind, "A"))), "not_out_off_no_ball", law);
    for (const char* kind : {"run out", "hit the ball twice", "obstructing the field"})
      CHECK(m.would("cricket.ball", extra_ball(R"("noballs":1)", wicket(kind, "A"))).accepted);
  }
}

TEST_CASE("a delivery is a wide or a no-ball, and nobody scores off the bat from a wide") {
  auto m = batting();
  refused(m.play("cricket.ball", extra_ball(R"("wides":1,"noballs":1)")), "wide_and_no_ball", "Law 21.13");
  refused(m.play("cricket.ball",
                 R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":1,"extras":{"wides":1}}})"),
          "runs_off_wide", "Law 22.7");
  auto later = batting("", laws_2026);
  refused(later.play("cricket.ball", extra_ball(R"("wides":1,"noballs":1)")), "wide_and_no_ball", "Law 21.12");
}

TEST_CASE("byes and leg byes are run off no bat, are not both, and are none from a wide") {
  auto m = batting();
  const auto runs = [](int batter, const std::string& extras, const std::string& more = {}) {
    return R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":)" + std::to_string(batter) +
           R"(,"extras":{)" + extras + "}}" + more + '}';
  };
  refused(m.play("cricket.ball", runs(1, R"("legbyes":2)")), "byes_off_bat", "Law 23.2");
  refused(m.play("cricket.ball", runs(4, R"("byes":1)")), "byes_off_bat", "Law 23.1");
  refused(m.play("cricket.ball", runs(0, R"("byes":1,"legbyes":1)")), "byes_and_legbyes", "Law 23.2");
  refused(m.play("cricket.ball", runs(0, R"("wides":1,"byes":1)")), "byes_off_wide", "Law 22.7");
  CHECK(m.play("cricket.ball", runs(0, R"("legbyes":2)")).accepted);
  CHECK(m.play("cricket.ball", runs(0, R"("noballs":1,"byes":1)")).accepted);
  CHECK(m.board("/innings/0/runs") == "4");
  CHECK(m.play("cricket.ball", runs(1, R"("legbyes":1)", R"(,"umpire":"as the scorers have it")")).accepted);
}

TEST_CASE("a target is set by D/L or VJD, or nobody says by what") {
  auto m = batting(R"("overs_limit":20)");
  const auto target = [](const std::string& method) { return R"({"runs":9,"method":")" + method + R"("})"; };
  for (const std::string method : {"zz", "DLS", "d/l"})
    CHECK(m.play("cricket.target", target(method)).code == "bad_input");
  for (const std::string method : {"D/L", "VJD"}) CHECK(m.play("cricket.target", target(method)).accepted);
  CHECK(m.play("cricket.target", R"({"runs":9})").accepted);
}

TEST_CASE("a batter who is out does not bat again, and nobody bats at both ends") {
  auto m = batting();
  refused(m.play("cricket.ball", ball("A", "A", "X")), "same_batter_both_ends", "");
  refused(m.play("cricket.ball", ball("A", "A", "X", 0, by_umpire)), "same_batter_both_ends", "");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X", 0, wicket("caught", "A"))).accepted);
  refused(m.play("cricket.ball", ball("A", "B", "X")), "batter_already_out", "Law 33");
  refused(m.play("cricket.ball", ball("C", "D", "X")), "crease_occupied", "Law 25.4");
  refused(m.play("cricket.ball", ball("C", "B", "C")), "bowler_is_batting", "");
  REQUIRE(m.play("cricket.ball", ball("C", "B", "X")).accepted);
  refused(m.play("cricket.ball", ball("D", "B", "X")), "crease_occupied", "Law 25.4");
  // Recalled: the captain withdrew the appeal, and the wicket did not fall.
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X", 0, by_umpire)).accepted);
  CHECK(m.board("/innings/0/wickets") == "0");
}

TEST_CASE("who is out must be at the wicket, and the striker where only the striker can be") {
  auto m = batting();
  refused(m.play("cricket.ball", ball("A", "B", "X", 0, wicket("bowled", "B"))), "not_the_striker", "Law 32");
  refused(m.play("cricket.ball", ball("A", "B", "X", 0, wicket("stumped", "B"))), "not_the_striker", "Law 39");
  refused(m.play("cricket.ball", ball("A", "B", "X", 0, wicket("run out", "C"))), "not_at_crease", "");
  refused(m.play("cricket.ball",
                 ball("A", "B", "X", 0,
                      R"("wickets":[{"kind":"run out","player_out":"A"},{"kind":"run out","player_out":"A"}])")),
          "batter_already_out", "");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X", 1, wicket("run out", "B"))).accepted);
  refused(m.play("cricket.retire", R"({"batter":"B","kind":"hurt"})"), "batter_already_out", "Law 38");
}

TEST_CASE("play is refused before, between and after innings, and while it is stopped") {
  auto m = live();
  refused(m.play("cricket.ball", ball("A", "B", "X")), "no_innings", "Law 13");
  refused(m.play("cricket.innings", end("declared")), "no_innings", "");
  refused(m.play("cricket.innings", R"({"action":"start"})"), "batting_missing", "");
  REQUIRE(m.play("cricket.innings", start("home")).accepted);
  REQUIRE(m.play("match.suspend", R"({"reason":"rain"})").accepted);
  refused(m.play("cricket.ball", ball("A", "B", "X")), "play_stopped", "");
  REQUIRE(m.play("match.resume").accepted);
  refused(m.play("cricket.innings", start("away")), "innings_open", "Law 13.3");
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
  REQUIRE(m.play("cricket.innings", end("declared")).accepted);
  refused(m.play("cricket.ball", ball("A", "B", "X")), "innings_closed", "Law 13.3");
  refused(m.play("cricket.ball", ball("A", "B", "X", 0, by_umpire)), "innings_closed", "Law 13.3");
  refused(m.play("cricket.innings", end("declared")), "innings_closed", "Law 13.3");
  refused(m.play("cricket.innings", start("home")), "other_side_to_bat", "Law 13.2");
}

TEST_CASE("a limit or a target with fewer overs than are bowled is refused") {
  auto m = batting(R"("overs_limit":20)");
  overs(m, 7);
  REQUIRE(m.play("cricket.ball", ball("A", "B", "Y")).accepted);
  refused(m.play("cricket.overs_limit", R"({"overs":7})"), "revision_below_bowled", "");
  CHECK(m.would("cricket.overs_limit", R"({"overs":7.1})").accepted);
  REQUIRE(m.play("cricket.overs_limit", R"({"overs":10})").accepted);
  CHECK(m.board("/innings/0/overs_limit") == "10");
  CHECK(m.play("cricket.overs_limit", R"({"overs":7.15})").code == "bad_input");
  CHECK(m.play("cricket.overs_limit", R"({"overs":-1})").code == "bad_input");
}

TEST_CASE("a number of overs has no more balls behind its point than an over has") {
  auto m = batting(R"("overs_limit":20)");
  for (const char* overs : {"2.6", "2.7", "3.9", "999.9"}) {
    CAPTURE(overs);
    const auto told = std::string{R"({"overs":)"} + overs + '}';
    const auto no = m.play("cricket.overs_limit", told);
    refused(no, "bad_input", "Law 17.1");
    CHECK(no.at == "/input/overs");
    refused(m.play("cricket.target", R"({"runs":9,)" + told.substr(1)), "bad_input", "Law 17.1");
  }
  CHECK(m.would("cricket.overs_limit", R"({"overs":2.5})").accepted);
  auto before = live();
  refused(before.play("cricket.innings", start("home", R"("overs_limit":5.6)")), "bad_input", "Law 17.1");
  refused(before.play("match.baseline",
                      R"({"innings":[{"batting":"home","runs":1,"wickets":0,"balls":6,"overs_limit":5.6}]})"),
          "bad_input", "Law 17.1");
  // An over of eight balls has a seventh one, one of five has none.
  CHECK(before.would("cricket.innings", start("home", R"("overs_limit":5.7,"balls_per_over":8)")).accepted);
  REQUIRE(before.play("cricket.innings", start("home", R"("balls_per_over":5)")).accepted);
  CHECK(before.would("cricket.overs_limit", R"({"overs":2.4})").accepted);
  refused(before.play("cricket.overs_limit", R"({"overs":2.5})"), "bad_input", "Law 17.1");
}

TEST_CASE("a super over is played only after a tie") {
  auto m = batting(R"("overs_limit":1)");
  overs(m, 1);
  refused(m.play("cricket.innings", start("home", R"("kind":"super_over")")), "super_over_without_tie", "Law 16.5");
  REQUIRE(m.play("cricket.innings", start("away", R"("overs_limit":1)")).accepted);
  REQUIRE(m.play("cricket.ball", ball("C", "D", "Z", 2)).accepted);
  refused(m.play("cricket.innings", start("home", R"("kind":"super_over")")), "super_over_without_tie", "Law 16.5");
  CHECK(m.board("/result/winner") == "away");
}

TEST_CASE("suspended bowlers do not bowl again: in the innings, or by the 4th Edition in the match") {
  const std::string off = R"({"side":"away","out":"X","in":"Y","reason":"deliberate_no_ball","role":"bowler"})";
  for (const bool later : {false, true}) {
    auto m = batting("", later ? laws_2026 : laws_2017);
    REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
    REQUIRE(m.play("cricket.replacement", off).accepted);
    for (int i = 0; i < 5; ++i) REQUIRE(m.play("cricket.ball", ball("A", "B", "Y")).accepted);
    overs(m, 0);
    for (int i = 0; i < 6; ++i) REQUIRE(m.play("cricket.ball", ball("A", "B", "Z")).accepted);
    refused(m.play("cricket.ball", ball("A", "B", "X")), "bowler_suspended", later ? "Law 41.8" : "Law 41");
    REQUIRE(m.play("cricket.innings", end("declared")).accepted);
    REQUIRE(m.play("cricket.innings", start("away")).accepted);
    REQUIRE(m.play("cricket.innings", end("declared")).accepted);
    REQUIRE(m.play("cricket.innings", start("home")).accepted);
    const auto again = m.play("cricket.ball", ball("A", "B", "X"));
    if (later) refused(again, "bowler_suspended", "Law 41.8");
    else CHECK(again.accepted);
    CHECK(m.check() == "");
  }
}

TEST_CASE("by the 4th Edition the last over of the day is finished although a wicket fell in it") {
  for (const bool later : {false, true}) {
    auto m = batting("", later ? laws_2026 : laws_2017);
    REQUIRE(m.play("cricket.ball", ball("A", "B", "X", 0, wicket("bowled", "A"))).accepted);
    const auto stumps = m.play("match.suspend", R"({"reason":"stumps"})");
    if (later) refused(stumps, "over_not_complete", "Law 12.5.2");
    else CHECK(stumps.accepted);
    if (later) CHECK(m.would("match.suspend", R"({"reason":"bad light"})").accepted);
    if (later) CHECK(m.would("match.suspend", R"({"reason":"stumps","umpire":"unfit"})").accepted);
  }
}

TEST_CASE("by the 4th Edition the fielding captain chooses the striker after deliberate short running") {
  const std::string award = R"({"to":"away","runs":5,"when":"during","reason":"short running","on_strike":"B"})";
  auto before = batting();
  REQUIRE(before.play("cricket.ball", ball("A", "B", "X")).accepted);
  refused(before.play("cricket.penalty_runs", award), "strike_by_ends", "Law 18.5.2");
  auto m = batting("", laws_2026);
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
  refused(m.play("cricket.penalty_runs", R"({"to":"away","runs":5,"when":"during","on_strike":"C"})"), "not_at_crease",
          "Law 18.13");
  REQUIRE(m.play("cricket.penalty_runs", award).accepted);
  refused(m.play("cricket.ball", ball("A", "B", "X")), "strike_chosen", "Law 18.13");
  REQUIRE(m.play("cricket.ball", ball("B", "A", "X")).accepted);
  REQUIRE(m.play("cricket.ball", ball("A", "B", "X")).accepted);
  REQUIRE(m.play("cricket.innings", end("declared")).accepted);
  REQUIRE(m.play("cricket.innings", start("away")).accepted);
  CHECK(m.board("/innings/1/runs") == "5"); // Law 41.17.4: to the fielding side's next innings
  CHECK(m.check() == "");
}

TEST_CASE("an input of the wrong shape is refused with its place") {
  auto m = batting();
  const auto shape = [&](const std::string& input, const std::string& at) {
    const auto no = m.play("cricket.ball", input);
    CAPTURE(input, no.message);
    CHECK(no.code == "bad_input");
    CHECK(no.at == at);
  };
  shape(R"({"non_striker":"B","bowler":"X","runs":{"batter":0}})", "/input/batter");
  shape(R"({"batter":"A","non_striker":"B","bowler":"X"})", "/input/runs");
  shape(R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":-1}})", "/input/runs/batter");
  shape(R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":0,"extras":{"wide":1}}})",
        "/input/runs/extras/wide");
  shape(
      R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":0},"wickets":[{"kind":"run over","player_out":"A"}]})",
      "/input/wickets/0/kind");
  shape(R"({"batter":"","non_striker":"B","bowler":"X","runs":{"batter":0}})", "/input/batter");
  CHECK(m.play("cricket.innings", R"({"action":"pause"})").code == "bad_input");
  CHECK(m.board("/innings/0/balls") == "0");
}
