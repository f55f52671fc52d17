// The rules of a speed climbing heat.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match heat(const std::string& settings = {}) {
  match m(omnium::test::package_of("climbing"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

match started() {
  match m = heat();
  REQUIRE(m.play("climbing.start", R"({"lane_a":"Ada","lane_b":"Berta"})").accepted);
  return m;
}

std::string timed(const char* lane, const char* seconds) {
  return std::string{R"({"lane":")"} + lane + R"(","seconds":)" + seconds + '}';
}
std::string marked(const char* lane, const char* mark) {
  return std::string{R"({"lane":")"} + lane + R"(","mark":")" + mark + "\"}";
}

} // namespace

TEST_CASE("climbing: the faster lane wins, to the thousandth, and lists show hundredths that are not rounded") {
  auto m = started();
  REQUIRE(m.play("climbing.reaction", timed("a", "0.142")).accepted);
  REQUIRE(m.play("climbing.finish", timed("a", "4.788")).accepted);
  CHECK(m.board("/winner") == "null");
  CHECK(m.board("/lanes/a/shown") == "4.78");
  REQUIRE(m.play("climbing.finish", timed("B", "4.997")).accepted);
  CHECK(m.board("/winner") == "home");
  CHECK(m.board("/score/home") == "1");
  CHECK(m.board("/lanes/a/time") == "4.788");
  CHECK(m.board("/lanes/b/result") == "L");
  CHECK(m.in_state("/lanes/home/time") == "4.788");
  REQUIRE(m.play("climbing.confirm").accepted);
  CHECK(m.board("/confirmed") == "true");
  CHECK(m.check() == "");
  auto close = started();
  REQUIRE(close.play("climbing.finish", timed("a", "4.997")).accepted);
  REQUIRE(close.play("climbing.finish", timed("b", "4.995")).accepted);
  CHECK(close.board("/lanes/b/shown") == "4.995");
  CHECK(close.board("/winner") == "away");
}

TEST_CASE("climbing: nothing is recorded before the start or after the confirmation") {
  auto m = heat();
  for (const char* code : {"climbing.reaction", "climbing.finish"})
    CHECK(m.play(code, timed("a", "5.1")).code == "start_missing");
  CHECK(m.play("climbing.irregular", marked("a", "FS")).code == "start_missing");
  CHECK(m.play("climbing.confirm").code == "start_missing");
  CHECK(m.play("climbing.rerun", R"({"reason":"timer"})").code == "start_missing");
  CHECK(m.play("climbing.start").code == "lane_empty");
  CHECK(m.play("climbing.start", R"({"lane_a":"Ada","lane_b":"Ada"})").code == "same_climber_twice");
  REQUIRE(m.play("climbing.start", R"({"lane_a":"Ada","lane_b":"Berta"})").accepted);
  REQUIRE(m.play("climbing.finish", timed("a", "5.1")).accepted);
  CHECK(m.play("climbing.start", R"({"lane_a":"Ada","lane_b":"Cleo"})").code == "heat_started");
  const auto open = m.play("climbing.confirm");
  CHECK(open.code == "lane_open");
  CHECK(open.law != "");
  REQUIRE(m.play("climbing.finish", timed("b", "5.2")).accepted);
  REQUIRE(m.play("climbing.confirm").accepted);
  CHECK(m.play("climbing.finish", timed("b", "5.3")).code == "heat_confirmed");
  CHECK(m.play("climbing.irregular", marked("b", "DSQ")).code == "heat_confirmed");
  CHECK(m.play("climbing.confirm").code == "heat_confirmed");
  REQUIRE(m.undo().accepted); // an appeal: the confirmation never happened
  CHECK(m.play("climbing.irregular", marked("a", "DSQ")).accepted);
  CHECK(m.board("/winner") == "away");
}

TEST_CASE("climbing: a mark rules a time out, and a time a mark") {
  auto m = started();
  REQUIRE(m.play("climbing.irregular", marked("a", "FALL")).accepted);
  CHECK(m.play("climbing.finish", timed("a", "5.1")).code == "time_with_mark");
  CHECK(m.play("climbing.irregular", marked("a", "FS")).code == "already_recorded");
  REQUIRE(m.play("climbing.finish", timed("b", "5.1")).accepted);
  CHECK(m.play("climbing.irregular", marked("b", "FS")).code == "time_with_mark");
  CHECK(m.play("climbing.finish", timed("b", "5.2")).code == "already_recorded");
  CHECK(m.board("/winner") == "away");
  CHECK(m.board("/lanes/a/shown") == "FALL");
}

TEST_CASE("climbing: a reaction below the limit is a false start and must be marked so") {
  auto m = started();
  const auto early = m.play("climbing.reaction", timed("a", "0.099"));
  CHECK(early.code == "reaction_below_limit");
  CHECK(early.law == "Speed: false start");
  REQUIRE(m.play("climbing.irregular", marked("a", "FS")).accepted);
  REQUIRE(m.play("climbing.reaction", timed("a", "0.099")).accepted);
  REQUIRE(m.play("climbing.reaction", timed("b", "0.100")).accepted);
  CHECK(m.play("climbing.reaction", timed("b", "0.2")).code == "already_recorded");
  CHECK(m.board("/winner") == "away"); // the opponent of a false start has won
  CHECK(m.play("climbing.confirm").code == "lane_open");
  CHECK(m.play("climbing.confirm", R"({"umpire":"the opponent need not climb"})").accepted);
}

TEST_CASE("climbing: times have three decimals and a cap") {
  auto m = started();
  CHECK(m.play("climbing.finish", timed("a", "4.9951")).code == "bad_input");
  CHECK(m.play("climbing.finish", timed("a", "60.001")).code == "time_over_cap");
  CHECK(m.play("climbing.finish", timed("a", "0")).code == "time_missing");
  CHECK(m.play("climbing.finish", timed("a", "60")).accepted);
  auto short_wall = heat(R"({"time_cap":20})");
  REQUIRE(short_wall.play("climbing.start", R"({"lane_b":"Ada"})").accepted);
  CHECK(short_wall.play("climbing.finish", timed("b", "20.5")).code == "time_over_cap");
  CHECK(short_wall.play("climbing.finish", timed("a", "5")).code == "lane_empty");
}

TEST_CASE("climbing: a rerun clears the run, its undo brings it back") {
  auto m = started();
  REQUIRE(m.play("climbing.finish", timed("a", "5.1")).accepted);
  const std::string before = m.scoreboard();
  REQUIRE(m.play("climbing.rerun", R"({"reason":"timing failed"})").accepted);
  CHECK(m.board("/lanes/a/time") == "null");
  CHECK(m.board("/lanes/a/climber") == "Ada");
  CHECK(m.board("/runs") == "2");
  CHECK(m.board("/period") == "R2");
  REQUIRE(m.undo().accepted);
  CHECK(m.scoreboard() == before);
}

TEST_CASE("climbing: a level heat is given to who ranked higher before, a decided one is not") {
  auto m = started();
  REQUIRE(m.play("climbing.irregular", marked("a", "FALL")).accepted);
  REQUIRE(m.play("climbing.irregular", marked("b", "FALL")).accepted);
  CHECK(m.board("/winner") == "null");
  REQUIRE(m.play("climbing.confirm", R"({"winner":"b"})").accepted);
  CHECK(m.board("/winner") == "away");
  auto n = started();
  REQUIRE(n.play("climbing.irregular", marked("a", "FS")).accepted);
  REQUIRE(n.play("climbing.irregular", marked("b", "FALL")).accepted);
  CHECK(n.board("/winner") == "away"); // a fall beats a false start
  const auto other = n.play("climbing.confirm", R"({"winner":"a"})");
  CHECK(other.code == "winner_differs");
}

TEST_CASE("climbing: a baseline sets both lanes") {
  auto m = heat();
  CHECK(m.play("match.baseline", R"({"lanes":{"a":{"time":5.1}}})").code == "lane_empty");
  CHECK(m.play("match.baseline", R"({"lanes":{"a":{"climber":"Ada","time":5.1,"mark":"FS"}}})").code ==
        "time_with_mark");
  REQUIRE(
      m.play("match.baseline", R"({"lanes":{"a":{"climber":"Ada","time":5.123},"b":{"climber":"Berta"}}})").accepted);
  CHECK(m.board("/lanes/a/time") == "5.123");
  REQUIRE(m.play("climbing.finish", timed("b", "5.122")).accepted);
  CHECK(m.board("/winner") == "away");
  CHECK(m.check() == "");
}

TEST_CASE("climbing: random play with corrections folds alike however it is folded") {
  omnium::test::check_folds_alike("climbing", [] { return heat(); },
                                  {.seeds = 5, .correct_percent = 50, .plays_min = 0});
}
