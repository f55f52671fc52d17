// The rules of basketball, command by command.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match live(const std::string& settings = {}) {
  match m(omnium::test::package_of("basketball"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string period(const char* action, const std::string& name) {
  return std::string{R"({"action":")"} + action + R"(","period":")" + name + "\"}";
}
std::string goal(const std::string& side, int points, const std::string& player = {}) {
  return R"({"side":")" + side + R"(","points":)" + std::to_string(points) +
         (player.empty() ? "" : R"(,"player":")" + player + '"') + '}';
}
std::string foul(const std::string& side, const std::string& kind, const std::string& player = {}) {
  return R"({"side":")" + side + R"(","kind":")" + kind + '"' +
         (player.empty() ? "" : R"(,"player":")" + player + '"') + '}';
}
std::string side(const char* of) { return std::string{R"({"side":")"} + of + "\"}"; }

void start(match& m, const std::string& name) { REQUIRE(m.play("basketball.period", period("start", name)).accepted); }
void end(match& m, const std::string& name) { REQUIRE(m.play("basketball.period", period("end", name)).accepted); }
void whole(match& m, const std::string& name) { start(m, name), end(m, name); }

const std::string five = R"({"side":"home","starters":["A","B","C","D","E"],"bench":["F","G"]})";

} // namespace

TEST_CASE("basketball: one, two and three points, by period and by player") {
  auto m = live();
  CHECK(m.board("/periods") == "[]");
  start(m, "Q1");
  REQUIRE(
      m.play("basketball.score", R"({"side":"home","points":3,"player":"A","assist":"B","clock":"09:41"})").accepted);
  REQUIRE(m.play("basketball.score", goal("away", 2)).accepted);
  REQUIRE(m.play("basketball.free_throw", R"({"side":"away","made":true,"player":"X","number":1,"of":2})").accepted);
  REQUIRE(m.play("basketball.free_throw", R"({"side":"away","made":false,"player":"X","number":2,"of":2})").accepted);
  CHECK(m.board("/score/home") == "3");
  CHECK(m.board("/score/away") == "3");
  CHECK(m.board("/clock") == "09:41");
  CHECK(m.in_state("/players/home/A/points") == "3");
  CHECK(m.in_state("/players/home/B/assists") == "1");
  CHECK(m.in_state("/totals/away/tried1") == "2");
  end(m, "Q1");
  start(m, "Q2");
  REQUIRE(m.play("basketball.score", goal("home", 2, "A")).accepted);
  CHECK(m.board("/periods/0/home") == "3");
  CHECK(m.board("/periods/1/home") == "2");
  CHECK(m.board("/period") == "Q2");
  REQUIRE(m.play("basketball.miss", goal("home", 3, "A")).accepted);
  REQUIRE(m.play("basketball.rebound", R"({"side":"away"})").accepted);
  CHECK(m.in_state("/totals/home/tried3") == "2");
  CHECK(m.in_state("/totals/away/rebounds") == "1");
  CHECK(m.check() == "");
}

TEST_CASE("basketball: periods come in order, baskets in a period") {
  auto m = live();
  CHECK(m.play("basketball.score", goal("home", 2)).code == "not_in_play");
  CHECK(m.play("basketball.period", period("start", "Q2")).code == "period_order");
  CHECK(m.play("basketball.period", period("end", "Q1")).code == "not_in_play");
  CHECK(m.play("basketball.period", period("start", "H1")).code == "bad_input");
  start(m, "Q1");
  CHECK(m.play("basketball.period", period("start", "Q2")).code == "period_running");
  CHECK(m.play("basketball.period", period("end", "Q2")).code == "period_order");
  CHECK(m.play("basketball.score", R"({"side":"home","points":2,"clock":"9h41"})").code == "bad_input");
  CHECK(m.play("basketball.score", goal("home", 4)).code == "bad_input");
  end(m, "Q1");
  const auto after = m.play("basketball.score", goal("home", 2));
  CHECK(after.code == "not_in_play");
  CHECK(after.law == "Art. 8");
  REQUIRE(m.undo().accepted); // the basket came before the buzzer
  CHECK(m.play("basketball.score", goal("home", 2)).accepted);
}

TEST_CASE("basketball: a level game goes to overtime, a decided one does not") {
  auto m = live();
  for (const char* name : {"Q1", "Q2", "Q3", "Q4"}) whole(m, name);
  const auto tied = m.play("match.end", R"({"reason":"completed"})");
  CHECK(tied.code == "level_needs_overtime");
  CHECK(tied.law == "Art. 8");
  start(m, "OT1");
  REQUIRE(m.play("basketball.score", goal("away", 2)).accepted);
  end(m, "OT1");
  CHECK(m.play("basketball.period", period("start", "OT2")).code == "overtime_not_level");
  CHECK(m.board("/periods/4/period") == "OT1");
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").accepted);
  auto two = live(R"({"periods":2,"ties":true})");
  whole(two, "Q1"), whole(two, "Q2");
  CHECK(two.play("match.end", R"({"reason":"completed"})").accepted);
}

TEST_CASE("basketball: a level game is not completed in any period, one with a leader may be ended early") {
  auto m = live();
  const std::string completed = R"({"reason":"completed"})";
  CHECK(m.would("match.end", completed).accepted); // not a period was begun
  start(m, "Q1");
  const auto level = m.play("match.end", completed);
  CHECK(level.code == "level_needs_overtime");
  CHECK(level.law == "Art. 8");
  CHECK(m.would("match.end", R"({"reason":"completed","umpire":"agreed"})").accepted);
  CHECK(m.would("match.end", R"({"reason":"abandoned"})").accepted);
  REQUIRE(m.play("basketball.score", goal("away", 2)).accepted);
  REQUIRE(m.play("match.end", completed).accepted);
  CHECK(m.board("/result/winner") == "away");
  auto ties = live(R"({"ties":true})");
  start(ties, "Q1");
  CHECK(ties.play("match.end", completed).accepted);
}

TEST_CASE("basketball: free throws of an interval are the next period's, after the last buzzer the last one's") {
  auto m = live();
  whole(m, "Q1");
  REQUIRE(m.play("basketball.foul", foul("away", "technical", "X")).accepted);
  REQUIRE(m.play("basketball.free_throw", R"({"side":"home","made":true,"player":"A"})").accepted);
  CHECK(m.board("/periods/1/home") == "1");
  start(m, "Q2");
  CHECK(m.board("/team_fouls/away") == "1");
  end(m, "Q2");
  whole(m, "Q3"), whole(m, "Q4");
  REQUIRE(m.play("basketball.free_throw", R"({"side":"home","made":true,"player":"A"})").accepted);
  CHECK(m.board("/periods/3/home") == "1");
  CHECK(m.board("/periods/4") == "");
  REQUIRE(m.play("basketball.free_throw", R"({"side":"away","made":true,"points":2,"period":"Q4"})").accepted);
  CHECK(m.board("/periods/3/away") == "2");
  CHECK(m.play("basketball.free_throw", R"({"side":"away","made":true,"period":"OT2"})").code == "period_order");
  CHECK(m.play("basketball.free_throw", R"({"side":"away","made":true,"number":3,"of":2})").code == "throw_number");
  CHECK(m.check() == "");
}

TEST_CASE("basketball: five fouls put a player out, two technicals disqualify, four team fouls bring the bonus") {
  auto m = live();
  start(m, "Q1");
  for (int i = 0; i < 4; ++i) REQUIRE(m.play("basketball.foul", foul("home", "personal", "A")).accepted);
  CHECK(m.board("/team_fouls/home") == "4");
  CHECK(m.board("/bonus/away") == "true");
  CHECK(m.board("/bonus/home") == "false");
  REQUIRE(m.play("basketball.foul", foul("home", "offensive", "A")).accepted);
  const auto sixth = m.play("basketball.foul", foul("home", "personal", "A"));
  CHECK(sixth.code == "player_fouled_out");
  CHECK(sixth.law == "Art. 40");
  CHECK(m.play("basketball.score", goal("home", 2, "A")).code == "player_fouled_out");
  CHECK(m.play("basketball.score", R"({"side":"home","points":2,"player":"A","umpire":"scoresheet error"})").accepted);
  REQUIRE(m.play("basketball.foul", foul("away", "technical", "X")).accepted);
  REQUIRE(m.play("basketball.foul", foul("away", "unsportsmanlike", "X")).accepted);
  const auto gone = m.play("basketball.score", goal("away", 2, "X"));
  CHECK(gone.code == "player_disqualified");
  CHECK(gone.law == "Art. 38");
  REQUIRE(m.play("basketball.foul", foul("away", "bench_technical")).accepted);
  CHECK(m.board("/team_fouls/away") == "2");
  end(m, "Q1");
  start(m, "Q2");
  CHECK(m.board("/team_fouls/home") == "0");
  CHECK(m.play("basketball.foul", foul("home", "personal", "X")).code == "player_of_other_side");
}

TEST_CASE("basketball: the NBA counts six fouls, technicals apart, and new team fouls in overtime") {
  auto m = live(R"({"rules":"nba"})");
  start(m, "Q1");
  for (int i = 0; i < 5; ++i) REQUIRE(m.play("basketball.foul", foul("home", "personal", "A")).accepted);
  REQUIRE(m.play("basketball.foul", foul("home", "technical", "A")).accepted);
  CHECK(m.board("/team_fouls/home") == "5");
  REQUIRE(m.play("basketball.score", goal("home", 2, "A")).accepted);
  REQUIRE(m.play("basketball.foul", foul("home", "offensive", "A")).accepted);
  CHECK(m.board("/team_fouls/home") == "5");
  CHECK(m.play("basketball.score", goal("home", 2, "A")).code == "player_fouled_out");
  CHECK(m.board("/timeouts_left/home") == "7");
  REQUIRE(m.play("basketball.score", goal("away", 2)).accepted);
  end(m, "Q1");
  for (const char* name : {"Q2", "Q3", "Q4"}) whole(m, name);
  start(m, "OT1");
  CHECK(m.board("/team_fouls/home") == "0");
  CHECK(m.board("/timeouts_left/home") == "2");
}

TEST_CASE("basketball: two time-outs in the first half, three in the second, one in an overtime") {
  auto m = live();
  CHECK(m.play("basketball.timeout", side("home")).code == "not_in_play");
  const auto take = [&](int count) {
    for (int i = 0; i < count; ++i) REQUIRE(m.play("basketball.timeout", side("home")).accepted);
    const auto more = m.play("basketball.timeout", side("home"));
    CHECK(more.code == "timeout_used");
    CHECK(more.law == "Art. 18");
  };
  start(m, "Q1");
  take(2);
  end(m, "Q1");
  start(m, "Q2");
  take(0);
  end(m, "Q2");
  start(m, "Q3");
  take(3);
  end(m, "Q3");
  whole(m, "Q4");
  start(m, "OT1");
  take(1);
}

TEST_CASE("basketball: of the second half's three time-outs at most two are taken in its last two minutes") {
  const auto at = [](const std::string& clock, const std::string& more = {}) {
    return R"({"side":"home","clock":")" + clock + '"' + more + '}';
  };
  auto m = live();
  for (const char* name : {"Q1", "Q2", "Q3"}) whole(m, name);
  start(m, "Q4");
  CHECK(m.board("/timeouts_left/home") == "3");
  REQUIRE(m.play("basketball.timeout", at("02:00")).accepted);
  CHECK(m.board("/timeouts_left/home") == "1");
  CHECK(m.board("/timeouts_left/away") == "2");
  REQUIRE(m.play("basketball.timeout", at("1:59.9")).accepted);
  CHECK(m.board("/timeouts_left/home") == "0");
  const auto third = m.play("basketball.timeout", at("0:08.5"));
  CHECK(third.code == "timeout_used");
  CHECK(third.law == "Art. 18.2.5");
  CHECK(m.would("basketball.timeout", at("0:08.5", R"(,"umpire":"granted")")).accepted);
  CHECK(m.would("basketball.timeout", side("home")).accepted); // when it was is not told
  CHECK(m.check() == "");
  end(m, "Q4");
  start(m, "OT1");
  REQUIRE(m.play("basketball.timeout", at("0:30")).accepted);
  // One before the last two minutes leaves two for them; the NBA has other numbers.
  auto early = live();
  for (const char* name : {"Q1", "Q2", "Q3"}) whole(early, name);
  start(early, "Q4");
  for (const char* clock : {"2:00.1", "1:10", "0:10"}) REQUIRE(early.play("basketball.timeout", at(clock)).accepted);
  auto nba = live(R"({"rules":"nba"})");
  for (const char* name : {"Q1", "Q2", "Q3"}) whole(nba, name);
  start(nba, "Q4");
  for (const char* clock : {"1:50", "1:10", "0:10"}) REQUIRE(nba.play("basketball.timeout", at(clock)).accepted);
}

TEST_CASE("basketball: five players of the line-up play, others come by substitution") {
  auto m = live();
  CHECK(m.play("basketball.lineup", R"({"side":"home","starters":["A","B","C","D","A"]})").code == "player_twice");
  REQUIRE(m.play("basketball.lineup", five).accepted);
  start(m, "Q1");
  CHECK(m.play("basketball.score", goal("home", 2, "F")).code == "player_not_on_court");
  CHECK(m.play("basketball.foul", foul("home", "technical", "F")).accepted); // on the bench
  CHECK(m.play("basketball.substitution", R"({"side":"home","off":"F","on":"G"})").code == "player_not_on_court");
  CHECK(m.play("basketball.substitution", R"({"side":"home","off":"A","on":"B"})").code == "player_on_court");
  REQUIRE(m.play("basketball.substitution", R"({"side":"home","off":"A","on":"F"})").accepted);
  CHECK(m.play("basketball.score", goal("home", 2, "F")).accepted);
  CHECK(m.play("basketball.score", goal("home", 2, "A")).code == "player_not_on_court");
  CHECK(m.play("basketball.score", R"({"side":"home","points":2,"player":"F","assist":"F"})").code == "own_assist");
  CHECK(m.play("basketball.lineup", R"({"side":"away","starters":["A","V","W","X","Y"]})").code ==
        "player_of_other_side");
  CHECK(m.check() == "");
}

TEST_CASE("basketball: the possession arrow and the bounds of a roster") {
  auto m = live();
  start(m, "Q1");
  REQUIRE(m.play("basketball.possession", R"({"to":"away"})").accepted);
  CHECK(m.board("/arrow") == "away");
  for (int i = 0; i < 20; ++i) REQUIRE(m.play("basketball.score", goal("home", 2, "P" + std::to_string(i))).accepted);
  CHECK(m.play("basketball.score", goal("home", 2, "P20")).code == "roster_full");
}

TEST_CASE("basketball: a baseline sets score, period and clock at once, later baskets fold on top") {
  auto m = live();
  CHECK(m.play("match.baseline", R"({"periods":[{"period":"Q2","home":1,"away":1}]})").code == "period_order");
  CHECK(
      m.play("match.baseline", R"({"periods":[{"period":"Q1","home":1,"away":1}],"score":{"home":2,"away":1}})").code ==
      "baseline_mismatch");
  REQUIRE(m.play("match.baseline",
                 R"({"score":{"home":51,"away":41},"period":"Q4","clock":"07:30","team_fouls":{"home":2,"away":4}})")
              .accepted);
  CHECK(m.board("/score/home") == "51");
  CHECK(m.board("/period") == "Q4");
  CHECK(m.board("/clock") == "07:30");
  CHECK(m.board("/bonus/home") == "true");
  for (int i = 0; i < 10; ++i) REQUIRE(m.play("basketball.score", goal("away", 2)).accepted);
  CHECK(m.board("/score/away") == "61");
  CHECK(m.board("/periods/0/home") == "null");
  REQUIRE(m.play("match.baseline",
                 R"({"periods":[{"period":"Q1","home":20,"away":17},{"period":"Q2","home":4,"away":0}],"period":"Q2"})")
              .accepted);
  REQUIRE(m.play("basketball.score", goal("home", 3)).accepted);
  CHECK(m.board("/periods/1/home") == "7");
  CHECK(m.check() == "");
}

TEST_CASE("basketball: random play with corrections folds alike however it is folded") {
  for (const std::string& settings : {std::string{}, std::string{R"({"rules":"nba"})"}})
    omnium::test::check_folds_alike("basketball", [&] { return live(settings); },
                                    {.rolls = 3200, .correct_percent = 40, .plays_min = 0});
}
