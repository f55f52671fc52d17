// The rules of curling, command by command.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match live(const std::string& settings = {}) {
  match m(omnium::test::package_of("curling"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string side_input(const std::string& side) { return R"({"side":")" + side + "\"}"; }
std::string points_input(const std::string& side, int points) {
  return R"({"side":")" + side + R"(","points":)" + std::to_string(points) + '}';
}

void play_end(match& m, const std::string& side, int points) {
  REQUIRE(m.play("curling.end", R"({"action":"start"})").accepted);
  if (points == 0) REQUIRE(m.play("curling.end_score", R"({"points":0})").accepted);
  else REQUIRE(m.play("curling.end_score", points_input(side, points)).accepted);
}

void play_blanks(match& m, int count) {
  for (int i = 0; i < count; ++i) play_end(m, "", 0);
}

const std::string doubles = R"({"format":"mixed_doubles"})";
const std::string start = R"({"action":"start"})";

} // namespace

TEST_CASE("curling: the side that did not score has the hammer, a blank end keeps it in a game of fours") {
  auto m = live(R"({"ends":8})");
  CHECK(m.board("/hammer") == "null");
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  CHECK(m.board("/ends/0/hammer") == "home");
  CHECK(m.board("/ends/0/played") == "false");
  CHECK(m.board("/ends/0/home") == "null");
  play_end(m, "home", 2);
  CHECK(m.board("/hammer") == "away");
  play_end(m, "", 0);
  CHECK(m.board("/hammer") == "away");
  CHECK(m.board("/ends/1/blank") == "true");
  CHECK(m.board("/ends/1/played") == "true");
  CHECK(m.board("/ends/1/home") == "0");
  play_end(m, "home", 1);
  CHECK(m.board("/hammer") == "away");
  CHECK(m.board("/score/home") == "3");
  CHECK(m.board("/ends/7/played") == "false");
  CHECK(m.check() == "");
}

TEST_CASE("curling: in mixed doubles a blank end passes the decision on placement") {
  auto m = live(doubles);
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  play_end(m, "", 0);
  CHECK(m.board("/hammer") == "away");
  play_end(m, "", 0);
  CHECK(m.board("/hammer") == "home");
}

TEST_CASE("curling: a corrected hammer derives the ends after it again") {
  auto m = live(R"({"ends":8})");
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  play_end(m, "", 0);
  play_end(m, "", 0);
  CHECK(m.board("/ends/1/hammer") == "home");
  REQUIRE(m.play("curling.hammer", R"({"side":"away","end":1})").accepted);
  CHECK(m.board("/ends/0/hammer") == "away");
  CHECK(m.board("/ends/1/hammer") == "away");
  CHECK(m.board("/hammer") == "away");
  CHECK(m.play("curling.hammer", R"({"side":"away","end":4})").code == "no_such_end");
  // An amended score moves the hammer of the ends that follow from it.
  auto n = live(R"({"ends":8})");
  REQUIRE(n.play("curling.hammer", side_input("home")).accepted);
  play_end(n, "home", 1);
  play_end(n, "", 0);
  CHECK(n.board("/hammer") == "away");
  REQUIRE(n.amend(4, points_input("away", 1)).accepted);
  CHECK(n.board("/ends/1/hammer") == "home");
  CHECK(n.board("/hammer") == "home");
  CHECK(n.check() == "");
}

TEST_CASE("curling: an end has one scorer, a limit of points, and must have begun") {
  auto m = live(R"({"ends":8})");
  const auto early = m.play("curling.end_score", points_input("home", 1));
  CHECK(early.code == "end_not_started");
  REQUIRE(m.play("curling.end", start).accepted);
  CHECK(m.play("curling.end", start).code == "end_in_progress");
  const auto nine = m.play("curling.end_score", points_input("home", 9));
  CHECK(nine.code == "end_points_max");
  CHECK(nine.law == "R11(b)");
  CHECK(m.play("curling.end_score", R"({"points":2})").code == "side_missing");
  const auto blank = m.play("curling.end_score", points_input("home", 0));
  CHECK(blank.code == "blank_end_side");
  CHECK(blank.at == "/input/side");
  REQUIRE(m.play("curling.end_score", points_input("home", 8)).accepted);
  const auto both = m.play("curling.end_score", points_input("away", 1));
  CHECK(both.code == "both_score");
  CHECK(both.law == "R11(b)");
  CHECK(m.play("curling.end_score", points_input("home", 1)).code == "end_not_started");
  CHECK(m.play("curling.stone", side_input("home")).code == "end_not_started");
  auto d = live(doubles);
  REQUIRE(d.play("curling.end", start).accepted);
  CHECK(d.play("curling.end_score", points_input("home", 7)).code == "end_points_max");
  CHECK(d.play("curling.end_score", points_input("home", 6)).accepted);
}

TEST_CASE("curling: a game of any format has 8 or 10 scheduled ends") {
  const auto opens = [](const std::string& settings) {
    try {
      match m(omnium::test::package_of("curling"), settings);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  };
  for (const std::string format : {"team", "mixed_doubles", "wheelchair"})
    for (int ends = 0; ends <= 12; ++ends) {
      CAPTURE(format, ends);
      CHECK(opens(R"({"format":")" + format + R"(","ends":)" + std::to_string(ends) + '}') ==
            (ends == 8 || ends == 10));
    }
  CHECK_FALSE(opens(R"({"ends":8,"minimum_ends":9})"));
  CHECK(opens(R"({"ends":8,"minimum_ends":6})"));
}

TEST_CASE("curling: a power play is once a side, with the hammer, before the first stone, never in an extra end") {
  auto m = live(doubles);
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  const auto without = m.play("curling.power_play", side_input("away"));
  CHECK(without.code == "power_play_without_hammer");
  CHECK(without.law == "R16");
  REQUIRE(m.play("curling.power_play", side_input("home")).accepted);
  CHECK(m.board("/power_play_left/home") == "false");
  REQUIRE(m.undo().accepted); // gives it back
  CHECK(m.board("/power_play_left/home") == "true");
  REQUIRE(m.play("curling.end", start).accepted);
  REQUIRE(m.play("curling.stone", side_input("away")).accepted);
  CHECK(m.play("curling.power_play", side_input("home")).code == "power_play_late");
  REQUIRE(m.undo().accepted);
  REQUIRE(m.play("curling.power_play", side_input("home")).accepted);
  CHECK(m.board("/ends/0/power_play") == "home");
  REQUIRE(m.play("curling.end_score", points_input("away", 1)).accepted);
  CHECK(m.play("curling.power_play", side_input("home")).code == "power_play_used");
  play_end(m, "home", 1);
  play_blanks(m, 6);
  CHECK(m.play("curling.power_play", side_input("away")).code == "power_play_extra_end");
  REQUIRE(m.play("curling.extra_end").accepted);
  CHECK(m.play("curling.power_play", side_input("away")).code == "power_play_extra_end");
  CHECK(live().play("curling.power_play", side_input("home")).code == "not_mixed_doubles");
  CHECK(m.check() == "");
}

TEST_CASE("curling: a level game needs an extra end, a decided one has none") {
  auto m = live(R"({"ends":8})");
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  play_blanks(m, 6);
  play_end(m, "home", 1);
  CHECK(m.play("curling.extra_end").code == "ends_remaining");
  play_end(m, "away", 1);
  const auto end = m.play("match.end", R"({"reason":"completed"})");
  CHECK(end.code == "tie_needs_extra_end");
  CHECK(end.law == "R11(a)");
  CHECK(m.play("curling.end", start).code == "tie_needs_extra_end");
  REQUIRE(m.play("curling.extra_end").accepted);
  CHECK(m.board("/period") == "EE1");
  REQUIRE(m.play("curling.end", start).accepted); // the announced end begins
  CHECK(m.play("curling.end", start).code == "end_in_progress");
  REQUIRE(m.play("curling.end_score", points_input("home", 1)).accepted);
  CHECK(m.play("curling.extra_end").code == "not_level");
  CHECK(m.play("curling.end", start).code == "game_over");
  CHECK(m.board("/winner") == "home");
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").accepted);
  CHECK(m.board("/winner") == "home");
}

TEST_CASE("curling: a level game is not completed, with or without ends to come, but by the officials' word") {
  auto m = live(R"({"ends":8})");
  const std::string completed = R"({"reason":"completed"})";
  const auto unplayed = m.would("match.end", completed);
  CAPTURE(unplayed.code, unplayed.message);
  CHECK(unplayed.accepted); // not an end was played
  for (const char* side : {"home", "away"}) play_end(m, side, 3);
  play_blanks(m, 5);
  REQUIRE(m.play("curling.end", start).accepted);
  const auto level = m.play("match.end", completed);
  CHECK(level.code == "tie_needs_extra_end");
  CHECK(level.law == "R11(a)");
  CHECK(m.would("match.end", R"({"reason":"abandoned"})").accepted);
  REQUIRE(m.play("match.end", R"({"reason":"completed","umpire":"drawn by agreement"})").accepted);
  CHECK(m.board("/winner") == "null");
}

TEST_CASE("curling: a game that is decided cannot be conceded any more") {
  auto m = live(R"({"ends":8})");
  play_blanks(m, 7);
  CHECK(m.would("curling.concede", side_input("home")).accepted);
  play_end(m, "home", 1);
  CHECK(m.board("/winner") == "home");
  const auto late = m.play("curling.concede", side_input("home"));
  CHECK(late.code == "game_over");
  CHECK(late.law == "R11(a)");
  auto n = live(R"({"ends":8})");
  play_blanks(n, 8);
  CHECK(n.play("curling.concede", side_input("home")).accepted); // instead of an extra end
  CHECK(n.board("/winner") == "away");
}

TEST_CASE("curling: an end that will not be played has no hammer once the game is over") {
  auto m = live(R"({"ends":8})");
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  for (int i = 0; i < 6; ++i) play_end(m, "away", 1);
  CHECK(m.board("/ends/6/hammer") == "home");
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").accepted);
  for (const char* end : {"/ends/6", "/ends/7"}) {
    CHECK(m.board(end + std::string("/hammer")) == "null");
    CHECK(m.board(end + std::string("/played")) == "false");
  }
}

TEST_CASE("curling: a hammer is not given away from a side whose power play is called") {
  auto m = live(doubles);
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  REQUIRE(m.play("curling.power_play", side_input("home")).accepted);
  const auto no = m.play("curling.hammer", side_input("away"));
  CHECK(no.code == "power_play_called");
  CHECK(no.law == "R16");
  CHECK(m.would("curling.hammer", side_input("home")).accepted);
  CHECK(m.would("curling.hammer", R"({"side":"away","umpire":"so it was played"})").accepted);
  REQUIRE(m.undo().accepted);
  REQUIRE(m.play("curling.hammer", side_input("away")).accepted);
  REQUIRE(m.play("curling.power_play", side_input("away")).accepted);
  REQUIRE(m.play("curling.end", start).accepted);
  REQUIRE(m.play("curling.end_score", points_input("home", 1)).accepted);
  const auto played = m.play("curling.hammer", R"({"side":"home","end":1})"); // also of an end that is over
  CHECK(played.code == "power_play_called");
  // Nor by the ends that are derived from a corrected one: after a blank end the hammer passes.
  play_end(m, "", 0);
  CHECK(m.board("/hammer") == "home");
  REQUIRE(m.play("curling.power_play", side_input("home")).accepted);
  CHECK(m.play("curling.hammer", R"({"side":"home","end":2})").code == "power_play_called");
  CHECK(m.check() == "");
}

TEST_CASE("curling: a concession ends play, leaves unplayed ends unplayed and respects the minimum of ends") {
  auto m = live(R"({"ends":8,"minimum_ends":2})");
  play_end(m, "home", 3);
  REQUIRE(m.play("curling.end", start).accepted);
  const auto early = m.play("curling.concede", side_input("away"));
  CHECK(early.code == "minimum_ends");
  CHECK(early.law == "R11(a)");
  CHECK(m.play("match.end", R"({"reason":"completed"})").code == "minimum_ends");
  REQUIRE(m.play("curling.end_score", points_input("home", 2)).accepted);
  REQUIRE(m.play("curling.end", start).accepted);
  REQUIRE(m.play("curling.concede", side_input("away")).accepted);
  CHECK(m.board("/winner") == "home");
  CHECK(m.board("/ends/2/played") == "false");
  CHECK(m.board("/ends/2/home") == "null");
  CHECK(m.play("curling.end", start).code == "conceded");
  CHECK(m.play("curling.concede", side_input("home")).code == "conceded");
  CHECK(m.play("curling.timeout", side_input("home")).code == "conceded");
  REQUIRE(m.play("match.end", R"({"reason":"conceded"})").accepted);
  CHECK(m.board("/winner") == "home");
}

TEST_CASE("curling: one time-out a side in the game and one in each extra end") {
  auto m = live(R"({"ends":8})");
  REQUIRE(m.play("curling.timeout", side_input("home")).accepted);
  const auto second = m.play("curling.timeout", side_input("home"));
  CHECK(second.code == "timeout_used");
  CHECK(second.law == "C7");
  CHECK(m.play("curling.timeout", R"({"side":"home","umpire":"technical time-out entered here"})").accepted);
  play_blanks(m, 8);
  REQUIRE(m.play("curling.extra_end").accepted);
  CHECK(m.board("/timeouts_left/home") == "1");
  REQUIRE(m.play("curling.timeout", side_input("home")).accepted);
  CHECK(m.play("curling.timeout", side_input("home")).code == "timeout_used");
  CHECK(m.play("curling.timeout", side_input("away")).accepted);
}

TEST_CASE("curling: a stone out of turn stands and is shown; a ninth one of a side is refused") {
  auto m = live();
  REQUIRE(m.play("curling.hammer", side_input("home")).accepted);
  REQUIRE(m.play("curling.end", start).accepted);
  REQUIRE(m.play("curling.stone", R"({"side":"home","player":"Lead","shot":"Draw","turn":"clockwise","points":4})")
              .accepted);
  CHECK(m.board("/ends/0/out_of_turn") == "true");
  CHECK(m.board("/stones_thrown") == "1");
  for (int i = 0; i < 7; ++i) REQUIRE(m.play("curling.stone", side_input("home")).accepted);
  CHECK(m.play("curling.stone", side_input("home")).code == "stones_exhausted");
  REQUIRE(m.undo().accepted);
  CHECK(m.board("/stones_thrown") == "7");
}

TEST_CASE("curling: a baseline sets ends, score, period and hammer, and later ends fold on top") {
  auto m = live(R"({"ends":8})");
  CHECK(m.play("match.baseline", R"({"ends":[{"home":1,"away":1}]})").code == "both_score");
  CHECK(m.play("match.baseline", R"({"ends":[{"home":9,"away":0}]})").code == "end_points_max");
  CHECK(m.play("match.baseline", R"({"ends":[{"home":1,"away":0}],"score":{"home":2,"away":0}})").code ==
        "baseline_mismatch");
  CHECK(m.play("match.baseline", R"({"period":"Q1"})").code == "period_unknown");
  REQUIRE(
      m.play("match.baseline",
             R"({"ends":[{"home":1,"away":0,"hammer":"home"},{"home":0,"away":0},{"home":0,"away":2}],"period":"E4"})")
          .accepted);
  CHECK(m.board("/score/away") == "2");
  CHECK(m.board("/ends/1/hammer") == "away");
  CHECK(m.board("/ends/2/hammer") == "away");
  CHECK(m.board("/hammer") == "home");
  CHECK(m.board("/period") == "E4");
  REQUIRE(m.play("curling.end_score", points_input("home", 4)).accepted);
  CHECK(m.board("/score/home") == "5");
  REQUIRE(m.play("match.baseline", R"({"score":{"home":4,"away":3},"period":"E6","hammer":"away"})").accepted);
  REQUIRE(m.play("curling.end_score", points_input("away", 1)).accepted);
  CHECK(m.board("/score/away") == "4");
  CHECK(m.board("/ends/0/home") == "null");
  CHECK(m.board("/ends/0/played") == "true");
  CHECK(m.check() == "");
}

TEST_CASE("curling: random play with corrections folds alike however it is folded") {
  for (const std::string& settings : {std::string{R"({"ends":8})"}, doubles, std::string{R"({"format":"wheelchair"})"}})
    omnium::test::check_folds_alike("curling", [&] { return live(settings); }, {.correct_percent = 40});
}
