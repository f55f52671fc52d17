// Football: random matches with random corrections. What is folded step by step is what a fold from scratch gives.
#include "tests/unit/football_support.hpp"
#include "tests/unit/random_match_support.hpp"

using namespace omnium::football_tests;
using omnium::test::dice;

namespace {

std::string number(std::uint32_t n) { return std::to_string(n); }

std::string minute(dice& from) {
  return from.chance(80) ? number(1 + from.roll(90)) : "\"45+" + number(1 + from.roll(6)) + '"';
}

std::string person(dice& from, const std::string& side, std::uint32_t first, std::uint32_t count) {
  return side.substr(0, 1) + number(first + from.roll(count));
}

std::pair<std::string, std::string> next_period(dice& from) {
  static const char* const names[] = {"H1", "H2", "ET1", "ET2", "PSO"};
  return {"football.period", std::string(R"({"action":")") + (from.chance(50) ? "start" : "end") + R"(","period":")" +
                                 names[from.roll(5)] + "\"}"};
}

// Acts of a match in about the mix of a real one, legal or not: the rules say which.
std::pair<std::string, std::string> anything(dice& from) {
  static const char* const kinds[] = {"open_play", "penalty", "free_kick", "own_goal"};
  static const char* const cards[] = {"yellow", "second_yellow", "red"};
  static const char* const results[] = {"scored", "saved", "missed"};
  static const char* const decisions[] = {"check", "confirmed", "overturned"};
  const std::string side = from.side(), start = R"({"side":")" + side + '"';
  switch (from.roll(12)) {
  case 0:
  case 1:
    return next_period(from);
  case 2:
    return {"football.goal", start + R"(,"minute":)" + minute(from) + R"(,"scorer":")" +
                                 person(from, from.side(), 1, 17) + R"(","kind":")" + kinds[from.roll(4)] + "\"}"};
  case 3:
    return {"football.goal", start + R"(,"minute":)" + minute(from) + R"(,"kind":"open_play"})"};
  case 4:
    return {"football.card", start + R"(,"minute":)" + minute(from) + R"(,"player":")" + person(from, side, 1, 6) +
                                 R"(","card":")" + cards[from.roll(3)] + "\"}"};
  case 5:
    return {"football.substitution", start + R"(,"minute":)" + minute(from) + R"(,"off":")" +
                                         person(from, side, 1, 17) + R"(","on":")" + person(from, side, 10, 8) + "\"}"};
  case 6:
    return {"football.penalty", start + R"(,"minute":)" + minute(from) + R"(,"taker":")" + person(from, side, 1, 12) +
                                    R"(","result":")" + results[from.roll(3)] + "\"}"};
  case 7:
  case 8:
    return {"football.shootout_kick",
            start + R"(,"taker":")" + person(from, side, 1, 11) + R"(","result":")" + results[from.roll(3)] + "\"}"};
  case 9:
    return {"football.var",
            R"({"about":)" + number(1 + from.roll(60)) + R"(,"decision":")" + decisions[from.roll(3)] + "\"}"};
  case 10:
    return {"football.shot", start + "}"};
  default:
    return {"football.corner", start + R"(,"minute":)" + minute(from) + '}'};
  }
}

} // namespace

TEST_CASE("football: random play with 200 mixed corrections folds to the same state each way") {
  std::size_t plays = 0, corrections = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    game g;
    if (seed % 2) REQUIRE(g.lineup("home").accepted);
    if (seed % 3) REQUIRE(g.lineup("away").accepted);
    auto from = dice::of_seed(seed, 6000);
    const auto done = omnium::test::play_randomly(g, from, anything, 40);
    INFO("seed " << seed << ": " << done.fault);
    CHECK(done.fault == "");
    plays += done.plays;
    corrections += done.corrections;
  }
  CHECK(plays > 500);
  CHECK(corrections > 200);
}

TEST_CASE("football: the score is the goals that stand, whatever was corrected") {
  OMNIUM_PROPERTY("score = goals listed and counted", [](std::vector<std::uint32_t> numbers) {
    game g;
    g.until("H1");
    dice from(std::move(numbers));
    const auto done = omnium::test::play_randomly(g, from, anything, 30);
    RC_ASSERT(done.fault == "");
    const auto listed = [&](const std::string& side) {
      int count = 0;
      for (std::size_t i = 0;; ++i) {
        const auto row = g.in_state("/goals/" + std::to_string(i));
        if (row.empty()) return count;
        count += row.find("\"side\":\"" + side + '"') != std::string::npos;
      }
    };
    const auto earlier = g.in_state("/goals_earlier");
    const int total = std::stoi(g.board("/score/home")) + std::stoi(g.board("/score/away"));
    RC_ASSERT(total == listed("home") + listed("away") + (earlier.empty() ? 0 : std::stoi(earlier)));
  });
}
