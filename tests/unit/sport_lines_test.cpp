// The scoreboard's line and result, alike in every sport: where the match stands in one short text, at the end who won
// and how.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

struct sport_case {
  std::string sport;
  std::vector<std::pair<std::string, std::string>> play; // something of a match that has started
};

// Every sport of the vocabulary.
const std::vector<sport_case> cases{
    {"football",
     {{"football.period", R"({"action":"start","period":"H1"})"},
      {"football.goal", R"({"side":"home","minute":3,"kind":"open_play"})"}}},
    {"cricket",
     {{"cricket.innings", R"({"action":"start","batting":"home"})"},
      {"cricket.ball", R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":4}})"}}},
    {"curling", {{"curling.end", R"({"action":"start"})"}, {"curling.end_score", R"({"side":"home","points":1})"}}},
    {"climbing",
     {{"climbing.start", R"({"lane_a":"A","lane_b":"B"})"}, {"climbing.finish", R"({"lane":"a","seconds":5.1})"}}},
    {"tennis", {{"tennis.point", R"({"winner":"home"})"}}},
    {"volleyball", {{"volleyball.rally", R"({"winner":"home"})"}}},
    {"badminton", {{"badminton.rally", R"({"winner":"home"})"}}},
    {"basketball",
     {{"basketball.period", R"({"action":"start","period":"Q1"})"},
      {"basketball.score", R"({"side":"home","points":2})"}}},
};

enum class stage { scheduled, live, begun, stopped };
const std::vector<stage> stages{stage::scheduled, stage::live, stage::begun, stage::stopped};

match at(const sport_case& what, stage where) {
  match m(omnium::test::package_of(what.sport));
  if (where == stage::scheduled) return m;
  REQUIRE(m.play("match.start").accepted);
  if (where == stage::live) return m;
  for (const auto& [code, input] : what.play) REQUIRE(m.play(code, input).accepted);
  if (where == stage::stopped) REQUIRE(m.play("match.suspend", R"({"reason":"rain"})").accepted);
  return m;
}

std::string end_input(const std::string& reason, const std::string& winner) {
  return R"({"reason":")" + reason + '"' + (winner.empty() ? "" : R"(,"winner":")" + winner + '"') + '}';
}

bool says_result(const match& m) {
  const auto result = m.board("/result");
  return !result.empty() && result != "null" && result != "{}";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("the line of every sport says where the match stands before, in and between play") {
  for (const auto& one : cases) {
    CAPTURE(one.sport);
    CHECK(at(one, stage::scheduled).board("/line") == "not started");
    CHECK(at(one, stage::live).board("/line") != "");
    CHECK(at(one, stage::live).board("/line") != "not started");
    const auto begun = at(one, stage::begun);
    CHECK(begun.board("/line") != "");
    CHECK(begun.board("/line") != at(one, stage::live).board("/line"));
    CHECK(begun.check() == "");
    const auto stopped = at(one, stage::stopped).board("/line");
    CHECK(contains(stopped, "(stopped)"));
    for (const auto where : stages) CHECK_FALSE(says_result(at(one, where)));
  }
}

TEST_CASE("the line of every sport says at the end who won and how, and the result is set") {
  for (const auto& one : cases)
    for (const auto where : stages)
      for (const std::string reason : {"abandoned", "no_result", "conceded", "forfeited", "awarded"})
        for (const std::string winner : {"", "home", "away"}) {
          auto m = at(one, where);
          CAPTURE(one.sport, where, reason, winner);
          REQUIRE(m.play("match.end", end_input(reason, winner)).accepted);
          const auto line = m.board("/line");
          CAPTURE(line);
          CHECK(contains(line, reason == "no_result" ? "no result" : reason));
          CHECK_FALSE(contains(line, "stopped"));
          CHECK(says_result(m));
          CHECK(m.board("/result/winner") == winner);
          if (!winner.empty()) CHECK(contains(line, winner + " won"));
          CHECK(contains(line, " won") == !winner.empty());
          CHECK(m.check() == "");
        }
}

TEST_CASE("a completed match whose officials name the winner has that result in every sport") {
  for (const auto& one : cases)
    for (const std::string winner : {"home", "away"}) {
      auto m = at(one, stage::begun);
      CAPTURE(one.sport, winner);
      REQUIRE(m.play("match.end", end_input("completed", winner)).accepted);
      CHECK(contains(m.board("/line"), ", " + winner + " won"));
      CHECK(m.board("/result/winner") == winner);
    }
}
