// A Test match of 2,500 balls: what a ball costs does not grow with it, and state and scoreboard stay in their bounds.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"
#include "tests/unit/turn_support.hpp"

namespace {

using namespace omnium::cricket_test;
using namespace omnium::test;
using event = played_event;

// A participant's id, as a roster gives them.
std::string id(const std::string& side, int number) {
  return "0198b3c4-0000-7000-8000-" + std::string(side == "home" ? "00000000aa" : "00000000bb") +
         (number < 10 ? "0" : "") + std::to_string(number);
}

// Four innings of 625 balls in which all twenty-two bat and nine of a side bowl; a wicket every 62 balls.
std::vector<event> test_match() {
  std::vector<event> out{{"match.start", "{}"}};
  for (int innings = 0; innings < 4; ++innings) {
    const std::string batting = innings % 2 == 0 ? "home" : "away", fielding = innings % 2 == 0 ? "away" : "home";
    out.push_back({"cricket.innings", start(batting)});
    int striker = 1, other = 2, next = 3;
    for (int i = 0; i < 625; ++i) {
      const int over = i / 6;
      const std::string bowler =
          id(fielding, over < 18 ? over % 9 + 1 : (over % 2 == 0 ? over / 20 % 4 : 4 + over / 20 % 5) + 1);
      const bool falls = i % 62 == 61 && next <= 11;
      std::string more;
      if (falls)
        more = R"("wickets":[{"kind":"caught","player_out":")" + id(batting, striker) + R"(","fielders":[")" +
               id(fielding, 11) + R"("]}])";
      // The last innings makes a run every seventh ball, so that it does not reach its target.
      const int runs = falls ? 0 : innings == 3 ? (i % 7 == 0) : i % 3;
      out.push_back({"cricket.ball", ball(id(batting, striker), id(batting, other), bowler, runs, more)});
      if (falls) striker = next++;
      else if (runs == 1) std::swap(striker, other);
      if (i % 6 == 5) std::swap(striker, other);
    }
    if (innings < 3) out.push_back({"cricket.innings", end("declared")});
  }
  return out;
}

} // namespace

TEST_CASE("a ball late in a Test match of 2,500 balls costs what a ball costs at its beginning") {
  const auto cost = cost_of(laws_2017, "{}", test_match(), "cricket.ball");
  REQUIRE(cost.events == 2500);
  report_cost("cricket, a Test match", cost);
  CHECK(cost.last_us <= 1.2 * cost.first_us);
  CHECK(cost.state_max < 16 * 1024);
  CHECK(cost.board_max < 2 * 1024);
}

TEST_CASE("a state whose frozen parts are not as they were written is refused in words") {
  const turn_plugin cricket(laws_2017);
  std::string state, board;
  for (const auto& one : {event{"match.start", "{}"}, event{"cricket.innings", start("home")},
                          event{"cricket.ball", ball("A", "B", "X", 4)}, event{"cricket.innings", end("declared")},
                          event{"cricket.innings", start("away")}})
    cricket.turn(state, board, one);
  REQUIRE(cricket.fault_of(state).empty());
  const auto says = [&](std::string changed) {
    CHECK(cricket.fault_of(changed) == "the state cannot be read: its frozen parts are not as they were written");
  };
  const auto sizes = state.rfind(R"(,"frozen":[)");
  REQUIRE(sizes != std::string::npos);
  says(state.substr(0, sizes) + '}');                          // no sizes
  says(state.substr(0, sizes) + R"(,"frozen":[2,2,9999,2]})"); // longer than the text
  says(state.substr(0, sizes) + R"(,"frozen":[2,2,x,2]})");    // no number
  says(state.substr(0, sizes) + R"(,"frozen":[2,2]})");        // too few
  auto renamed = state;
  renamed.replace(renamed.rfind(R"("cards":)"), 8, R"("cords":)");
  says(renamed);
  CHECK(cricket.fault_of("{") != "");
}
