// The laws of badminton, rally by rally.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match live(const std::string& settings = {}) {
  match m(omnium::test::package_of("badminton"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string won(char side) { return std::string{R"({"winner":")"} + (side == 'h' ? "home" : "away") + "\"}"; }
std::string of(const std::string& side) { return R"({"side":")" + side + "\"}"; }

void rallies(match& m, const std::string& sides) { // h and a
  for (const char c : sides) REQUIRE(m.play("badminton.rally", won(c)).accepted);
}

std::string alternating(int points) {
  std::string text;
  for (int i = 0; i < points; ++i) text += "ha";
  return text;
}

} // namespace

TEST_CASE("badminton: the winner of a rally scores and serves, from the court its score says") {
  auto m = live();
  CHECK(m.board("/games") == "[]");
  CHECK(m.board("/server") == "home");
  CHECK(m.board("/service_court") == "right");
  rallies(m, "h");
  CHECK(m.board("/service_court") == "left");
  rallies(m, "a");
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/service_court") == "left");
  rallies(m, "a");
  CHECK(m.board("/service_court") == "right");
  CHECK(m.board("/games/0/away") == "2");
  CHECK(m.check() == "");
}

TEST_CASE("badminton: 21 points and two clear, or the thirtieth") {
  auto m = live();
  rallies(m, alternating(20) + "h");
  CHECK(m.board("/score/home") == "0");
  rallies(m, "ahh");
  CHECK(m.board("/games/0/home") == "23");
  CHECK(m.board("/score/home") == "1");
  CHECK(m.board("/server") == "home"); // the winner of a game serves first in the next
  rallies(m, alternating(29) + "a");
  CHECK(m.board("/games/1/away") == "30");
  CHECK(m.board("/games/1/home") == "29");
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/period") == "G3");
  rallies(m, std::string(21, 'a'));
  CHECK(m.board("/result/winner") == "away");
  const auto late = m.play("badminton.rally", won('h'));
  CHECK(late.code == "match_decided");
  CHECK(late.law == "Law 7.1");
  CHECK(m.play("badminton.let").code == "match_decided");
  CHECK(m.check() == "");
}

TEST_CASE("badminton: three games to 15 are a setting") {
  auto m = live(R"({"points":15,"cap":21})");
  rallies(m, alternating(20) + "h");
  CHECK(m.board("/games/0/home") == "21");
  CHECK_THROWS(match(omnium::test::package_of("badminton"), R"({"points":21,"cap":20})"));
  CHECK_THROWS(match(omnium::test::package_of("badminton"), R"({"best_of":2})"));
}

TEST_CASE("badminton: in doubles only the serving side changes its courts") {
  auto m = live();
  REQUIRE(m.play("badminton.lineup", R"({"side":"home","players":["A","B"]})").accepted);
  REQUIRE(m.play("badminton.lineup", R"({"side":"away","players":["C","D"]})").accepted);
  const auto serving = [&] { return m.board("/serving_player") + '>' + m.board("/receiving_player"); };
  CHECK(serving() == "A>C");
  rallies(m, "h"); // A serves again, from the left, to the other one
  CHECK(serving() == "A>D");
  rallies(m, "a"); // the service passes; at one point it comes from the left
  CHECK(serving() == "D>A");
  rallies(m, "a");
  CHECK(serving() == "D>B");
  rallies(m, "h");
  CHECK(serving() == "B>D");
  const auto late = m.play("badminton.lineup", R"({"side":"home","players":["B","A"]})");
  CHECK(late.code == "lineup_after_start");
  CHECK(late.law == "Law 11");
  CHECK(m.play("badminton.service", R"({"server":"Nobody"})").code == "player_unknown");
  REQUIRE(m.play("badminton.service", R"({"server":"A","receiver":"D"})")
              .accepted); // a court error put right, score stands
  CHECK(serving() == "A>D");
  CHECK(m.board("/points/home") == "2");
  CHECK(m.check() == "");
}

TEST_CASE("badminton: a let changes nothing, a service correction only who serves") {
  auto m = live();
  rallies(m, "hh");
  const std::string before = m.scoreboard();
  REQUIRE(m.play("badminton.let", R"({"reason":"shuttle broke"})").accepted);
  CHECK(m.scoreboard() == before);
  REQUIRE(m.play("badminton.service", of("away")).accepted);
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/points/home") == "2");
}

TEST_CASE("badminton: cards warn, fault and disqualify") {
  auto m = live();
  REQUIRE(m.play("badminton.card", R"({"side":"home","card":"yellow","player":"A"})").accepted);
  const auto again = m.play("badminton.card", R"({"side":"home","card":"yellow"})");
  CHECK(again.code == "already_warned");
  CHECK(again.law == "Law 16.7");
  REQUIRE(m.play("badminton.card", R"({"side":"home","card":"red"})").accepted);
  CHECK(m.board("/points/away") == "1");
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/cards/home/red") == "1");
  REQUIRE(m.play("badminton.card", R"({"side":"home","card":"black"})").accepted);
  CHECK(m.board("/result/winner") == "away");
  CHECK(m.board("/result/by") == "disqualification");
}

TEST_CASE("badminton: two unsuccessful challenges a side, counted, no plays") {
  auto m = live();
  for (int i = 0; i < 2; ++i)
    REQUIRE(m.play("badminton.challenge", R"({"side":"home","result":"unsuccessful"})").accepted);
  CHECK(m.board("/challenges_left/home") == "0");
  CHECK(m.play("badminton.challenge", R"({"side":"home","result":"successful"})").code == "challenges_used");
  REQUIRE(m.play("badminton.challenge", R"({"side":"away","result":"successful"})").accepted);
  CHECK(m.board("/challenges_left/away") == "2");
  CHECK(m.describe().find(R"("code":"badminton.challenge","label":"Challenge","key":"i","play":false)") !=
        std::string::npos);
}

TEST_CASE("badminton: the interval comes when a side first has eleven") {
  auto m = live();
  rallies(m, std::string(10, 'h'));
  CHECK(m.board("/interval") == "false");
  rallies(m, "h");
  CHECK(m.board("/interval") == "true");
  rallies(m, "a");
  CHECK(m.board("/interval") == "false");
  rallies(m, std::string(10, 'a'));
  CHECK(m.board("/interval") == "false");
}

TEST_CASE("badminton: retirement and walkover") {
  auto m = live();
  rallies(m, "hha");
  CHECK(m.play("badminton.walkover", of("away")).code == "already_played");
  REQUIRE(m.play("badminton.retire", R"({"side":"home","reason":"knee"})").accepted);
  CHECK(m.board("/result/by") == "retirement");
  CHECK(m.board("/games/0/home") == "2");
  match w(omnium::test::package_of("badminton"));
  REQUIRE(w.play("badminton.walkover", of("home")).accepted);
  CHECK(w.board("/result/winner") == "away");
  CHECK(w.board("/result/by") == "walkover");
  CHECK(w.board("/status") == "ended");
  CHECK(w.board("/line") == "w/o, away won");
  CHECK(w.play("match.end", R"({"reason":"completed"})").code == "match_ended");
  CHECK(w.check() == "");
  REQUIRE(w.undo().accepted);
  CHECK(w.board("/status") == "scheduled");
}

TEST_CASE("badminton: a baseline sets the games and the server") {
  auto m = live();
  CHECK(m.play("match.baseline", R"({"games":[{"home":22,"away":19}]})").code == "baseline_impossible");
  CHECK(m.play("match.baseline", R"({"games":[{"home":5,"away":9},{"home":1,"away":2}]})").code ==
        "baseline_impossible");
  REQUIRE(m.play("match.baseline",
                 R"({"games":[{"home":21,"away":19},{"home":20,"away":20}],"server":"away","period":"G2"})")
              .accepted);
  rallies(m, "hh");
  CHECK(m.board("/result/winner") == "home");
  REQUIRE(m.play("match.baseline", R"({"score":{"home":1,"away":1},"server":"home"})").accepted);
  CHECK(m.board("/result") == "null");
  CHECK(m.board("/period") == "G3");
  CHECK(m.check() == "");
}

TEST_CASE("badminton: random play with corrections folds alike however it is folded") {
  for (const std::string& settings : {std::string{}, std::string{R"({"best_of":5,"points":11})"}})
    omnium::test::check_folds_alike("badminton", [&] { return live(settings); }, {.rolls = 3200});
}
