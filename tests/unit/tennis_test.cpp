// The rules of tennis, point by point.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match live(const std::string& settings = {}) {
  match m(omnium::test::package_of("tennis"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string won(const std::string& side) { return R"({"winner":")" + side + "\"}"; }
std::string of(const std::string& side) { return R"({"side":")" + side + "\"}"; }

void points(match& m, const std::string& sides) { // h and a
  for (const char c : sides) REQUIRE(m.play("tennis.point", won(c == 'h' ? "home" : "away")).accepted);
}
void games(match& m, const std::string& sides) {
  for (const char c : sides) points(m, std::string(4, c));
}

} // namespace

TEST_CASE("tennis: points are called 15, 30, 40, advantage, and a game is two points clear") {
  auto m = live();
  CHECK(m.board("/sets") == "[]");
  CHECK(m.board("/server") == "home");
  points(m, "hha");
  CHECK(m.board("/game/home") == "30");
  CHECK(m.board("/game/away") == "15");
  points(m, "haa");
  CHECK(m.board("/game/home") == "40");
  CHECK(m.board("/game/away") == "40");
  points(m, "h");
  CHECK(m.board("/game/home") == "AD");
  points(m, "aahahhh");
  CHECK(m.board("/sets/0/home") == "1");
  CHECK(m.board("/game/home") == "0");
  CHECK(m.board("/server") == "away");
  CHECK(m.check() == "");
}

TEST_CASE("tennis: without advantage one point decides at deuce") {
  auto m = live(R"({"no_ad":true})");
  points(m, "hahahaa");
  CHECK(m.board("/sets/0/away") == "1");
}

TEST_CASE("tennis: undo brings back that nothing was there") {
  auto m = live();
  const std::string before = m.scoreboard();
  points(m, "h");
  CHECK(m.board("/sets/0/home") == "0");
  REQUIRE(m.undo().accepted);
  CHECK(m.scoreboard() == before);
  CHECK(m.board("/sets") == "[]");
}

TEST_CASE("tennis: six games all is a tie-break, served one, two, two") {
  auto m = live();
  games(m, "hahahahahaha");
  CHECK(m.board("/tiebreak") == "true");
  CHECK(m.board("/server") == "home");
  std::string served;
  for (const char c : std::string{"hahaha"}) {
    served += m.board("/server")[0];
    points(m, std::string(1, c));
  }
  CHECK(served == "haahha");
  CHECK(m.board("/game/home") == "3");
  points(m, "hhhh");
  CHECK(m.board("/sets/0/home") == "7");
  CHECK(m.board("/sets/0/tiebreak/away") == "3");
  CHECK(m.board("/score/home") == "1");
  CHECK(m.board("/server") == "away"); // who served first in the tie-break receives first now
  CHECK(m.check() == "");
}

TEST_CASE("tennis: the last set follows its own rule") {
  const std::string level = "hahahahahaha";
  auto advantage = live(R"({"final_set":"advantage"})");
  games(advantage, "hhhhhhaaaaaa" + level);
  CHECK(advantage.board("/tiebreak") == "false");
  games(advantage, "ha");
  CHECK(advantage.board("/sets/2/home") == "7");
  games(advantage, "hh");
  CHECK(advantage.board("/result/winner") == "home");
  auto ten = live(R"({"final_set":"tiebreak_10"})");
  games(ten, "hhhhhhaaaaaa" + level);
  CHECK(ten.board("/tiebreak") == "true");
  points(ten, "hhhhhhhhh");
  CHECK(ten.board("/result") == "null");
  points(ten, "h");
  CHECK(ten.board("/result/winner") == "home");
  auto twelve = live(R"({"final_set":"tiebreak_at_12"})");
  games(twelve, "hhhhhhaaaaaa" + level);
  CHECK(twelve.board("/tiebreak") == "false");
  games(twelve, level);
  CHECK(twelve.board("/tiebreak") == "true");
  auto super = live(R"({"final_set":"match_tiebreak"})");
  games(super, "hhhhhhaaaaaa");
  CHECK(super.board("/tiebreak") == "true");
  points(super, "aaaaaaaaaa");
  CHECK(super.board("/sets/2/away") == "1");
  CHECK(super.board("/sets/2/tiebreak/away") == "10");
  CHECK(super.board("/result/winner") == "away");
  const auto late = super.play("tennis.point", won("home"));
  CHECK(late.code == "match_decided");
  CHECK(late.law == "Rule 7");
  REQUIRE(super.play("match.end", R"({"reason":"completed"})").accepted);
}

TEST_CASE("tennis: best of five needs three sets") {
  auto m = live(R"({"best_of":5})");
  games(m, "hhhhhhhhhhhh");
  CHECK(m.board("/result") == "null");
  CHECK(m.board("/period") == "S3");
  games(m, "hhhhhh");
  CHECK(m.board("/result/winner") == "home");
  CHECK_THROWS(match(omnium::test::package_of("tennis"), R"({"best_of":4})"));
}

TEST_CASE("tennis: two faults lose the point, a let of the point takes a fault back") {
  auto m = live();
  REQUIRE(m.play("tennis.fault").accepted);
  CHECK(m.board("/faults") == "1");
  REQUIRE(m.play("tennis.let", R"({"kind":"service"})").accepted);
  CHECK(m.board("/faults") == "1");
  REQUIRE(m.play("tennis.let", R"({"kind":"point"})").accepted);
  CHECK(m.board("/faults") == "0");
  REQUIRE(m.play("tennis.fault", R"({"side":"home","kind":"foot"})").accepted);
  const auto wrong = m.play("tennis.fault", of("away"));
  CHECK(wrong.code == "not_server");
  CHECK(wrong.law == "Rule 19");
  REQUIRE(m.play("tennis.fault").accepted);
  CHECK(m.board("/game/away") == "15");
  CHECK(m.board("/faults") == "0");
}

TEST_CASE("tennis: a serve fix counts from now on; points played stand") {
  auto m = live();
  points(m, "hh");
  REQUIRE(m.play("tennis.serve_fix", R"({"server":"away"})").accepted);
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/game/home") == "30");
  points(m, "hh");
  CHECK(m.board("/sets/0/home") == "1");
  CHECK(m.board("/server") == "home");
  REQUIRE(m.play("tennis.serve_fix").accepted); // the other side
  CHECK(m.board("/server") == "away");
  CHECK(m.play("tennis.serve_fix", R"({"server":"home","side":"away"})").code == "server_unclear");
  auto t = live();
  games(t, "hahahahahaha");
  points(t, "h");
  const auto odd = t.play("tennis.serve_fix", R"({"server":"home"})");
  CHECK(odd.code == "order_stands");
  CHECK(odd.law == "Rule 27");
  points(t, "h");
  CHECK(t.board("/server") == "away");
  REQUIRE(t.play("tennis.serve_fix", R"({"server":"home"})").accepted);
  CHECK(t.board("/server") == "home");
  CHECK(t.check() == "");
}

TEST_CASE("tennis: in doubles the players of a side serve in turn, also through a tie-break") {
  auto m = live();
  REQUIRE(m.play("tennis.lineup", R"({"side":"home","players":["H1","H2"]})").accepted);
  REQUIRE(m.play("tennis.lineup", R"({"side":"away","players":["A1","A2"]})").accepted);
  std::string served;
  const auto note = [&] { served += m.board("/serving_player") + ' '; };
  for (int i = 0; i < 5; ++i) {
    note();
    games(m, i % 2 == 0 ? "h" : "a");
  }
  CHECK(served == "H1 A1 H2 A2 H1 ");
  const auto late = m.play("tennis.lineup", R"({"side":"home","players":["H2","H1"]})");
  CHECK(late.code == "order_of_serving");
  CHECK(late.law == "Rule 15");
  CHECK(m.play("tennis.lineup", R"({"side":"home","players":["H1","H1"]})").code == "same_player_twice");
  games(m, "ahahaha");
  served.clear();
  for (int i = 0; i < 6; ++i) {
    note();
    points(m, i % 2 == 0 ? "h" : "a");
  }
  CHECK(served == "H1 A1 A1 H2 H2 A2 ");
  CHECK(m.play("tennis.serve_fix", R"({"player":"Nobody"})").code == "player_unknown");
  auto n = live();
  REQUIRE(n.play("tennis.lineup", R"({"side":"home","players":["H1","H2"]})").accepted);
  REQUIRE(n.play("tennis.serve_fix", R"({"server":"home","player":"H2"})").accepted);
  CHECK(n.board("/serving_player") == "H2");
}

TEST_CASE("tennis: violations go from warning to point to game, time from warning to fault") {
  auto m = live();
  REQUIRE(m.play("tennis.violation", of("home")).accepted);
  CHECK(m.board("/game/away") == "0");
  REQUIRE(m.play("tennis.violation", of("home")).accepted);
  CHECK(m.board("/game/away") == "15");
  REQUIRE(m.play("tennis.violation", of("home")).accepted);
  CHECK(m.board("/sets/0/away") == "1");
  REQUIRE(m.play("tennis.violation", R"({"side":"away","kind":"time"})").accepted);
  REQUIRE(m.play("tennis.violation", R"({"side":"away","kind":"time"})").accepted);
  CHECK(m.board("/faults") == "1"); // away serves now
  const auto receiver = m.play("tennis.violation", R"({"side":"home","penalty":"fault"})");
  CHECK(receiver.code == "not_server");
  REQUIRE(m.play("tennis.violation", R"({"side":"away","penalty":"default"})").accepted);
  CHECK(m.board("/result/winner") == "home");
  CHECK(m.board("/result/by") == "default");
}

TEST_CASE("tennis: a retirement keeps the score as it stood, a walkover comes before the first point") {
  auto m = live();
  games(m, "hhh");
  points(m, "h");
  CHECK(m.play("tennis.walkover", of("away")).code == "already_played");
  CHECK(m.play("tennis.retire").code == "side_missing");
  REQUIRE(m.play("tennis.retire", of("home")).accepted);
  CHECK(m.board("/result/winner") == "away");
  CHECK(m.board("/sets/0/home") == "3");
  CHECK(m.board("/server") == "null");
  CHECK(m.play("tennis.fault").code == "match_decided");
  REQUIRE(m.play("match.end", R"({"reason":"conceded"})").accepted);
  match w(omnium::test::package_of("tennis"));
  REQUIRE(w.play("tennis.walkover", R"({"winner":"home"})").accepted);
  CHECK(w.board("/result/by") == "walkover");
  CHECK(w.check() == "");
}

TEST_CASE("tennis: a walkover ends the match, begun or not, and its void brings the match back") {
  for (const bool begun : {false, true}) {
    match m(omnium::test::package_of("tennis"));
    if (begun) REQUIRE(m.play("match.start").accepted);
    REQUIRE(m.play("tennis.walkover", of("home")).accepted);
    CHECK(m.board("/status") == "ended");
    CHECK(m.board("/line") == "w/o, away won");
    CHECK(m.board("/result/winner") == "away");
    CHECK(m.board("/outcome") == R"({"reason":"forfeited","winner":"away"})");
    CHECK(m.play("match.end", R"({"reason":"completed"})").code == "match_ended");
    CHECK(m.play("match.start").code == "match_ended");
    CHECK(m.check() == "");
    REQUIRE(m.undo().accepted);
    CHECK(m.board("/status") == (begun ? "live" : "scheduled"));
  }
}

TEST_CASE("tennis: a baseline sets sets, game and server; impossible ones are refused") {
  auto m = live();
  const auto refused = [&](const char* input) { return m.play("match.baseline", input).code; };
  CHECK(refused(R"({"sets":[{"home":3,"away":2},{"home":1,"away":0}]})") == "baseline_impossible");
  CHECK(refused(R"({"sets":[{"home":6,"away":2}],"score":{"home":0,"away":1}})") == "baseline_impossible");
  CHECK(refused(R"({"game":{"home":"AD","away":"30"}})") == "baseline_impossible");
  CHECK(refused(R"({"period":"S3"})") == "baseline_impossible");
  REQUIRE(m.play("match.baseline",
                 R"({"sets":[{"home":6,"away":4},{"home":6,"away":6}],"game":{"home":"5","away":"6"},)"
                 R"("server":"away","score":{"home":1,"away":0},"period":"S2"})")
              .accepted);
  CHECK(m.board("/tiebreak") == "true");
  CHECK(m.board("/server") == "away");
  points(m, "a");
  CHECK(m.board("/sets/1/away") == "7");
  CHECK(m.board("/sets/1/tiebreak/home") == "5");
  REQUIRE(m.play("match.baseline", R"({"score":{"home":1,"away":1},"game":{"home":"40","away":"15"},"server":"home"})")
              .accepted);
  points(m, "h");
  CHECK(m.board("/sets/0/home") == "1");
  CHECK(m.board("/period") == "S3");
  CHECK(m.check() == "");
}

TEST_CASE("tennis: random play with corrections folds alike however it is folded") {
  for (const std::string& settings :
       {std::string{}, std::string{R"({"best_of":5,"final_set":"tiebreak_10"})"},
        std::string{R"({"no_ad":true,"final_set":"match_tiebreak","games_per_set":4,"tiebreak_at":3})"}})
    omnium::test::check_folds_alike("tennis", [&] { return live(settings); });
}

TEST_CASE("tennis: the longest matches stay small") {
  auto m = live(R"({"best_of":5,"final_set":"advantage"})");
  games(m, "hahahahahahh");                       // 7-5
  games(m, "hahahahahaha"), points(m, "aaaaaaa"); // 6-7
  games(m, "hahahahahaha"), points(m, "aaaaaaa"); // 6-7
  games(m, "ahahahahahah"), points(m, "hhhhhhh"); // 7-6
  for (int i = 0; i < 69; ++i) games(m, "ha");
  CHECK(m.state().size() < 2048);
  CHECK(m.scoreboard().size() < 1024);
  CHECK(m.board("/sets/4/home") == "69");
}
