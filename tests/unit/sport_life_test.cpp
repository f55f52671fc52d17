// What every sport shares of a match's life: before it began there is no result, after its end only a person's
// correction goes on. Source: sports.md (what every sport shares), known traps S13, M5.
#include "tests/catch.hpp"
#include "tests/unit/random_commands_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <algorithm>

namespace {

using omnium::sdk::test::match;

bool has_digit(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

const std::string abandoned = R"({"reason":"abandoned"})";

} // namespace

TEST_CASE("before a match begins, and when it is called off then, no sport shows a result or a score to read") {
  for (const auto& sport : omnium::test::random_sports()) {
    INFO(sport);
    match m(omnium::test::package_of(sport));
    CHECK(m.board("/status") == "scheduled");
    CHECK_FALSE(has_digit(m.board("/line")));
    const auto no = m.play("match.end", R"({"reason":"completed"})");
    CHECK(no.code == "not_started");
    REQUIRE(m.play("match.end", abandoned).accepted);
    CAPTURE(m.scoreboard());
    CHECK(m.board("/status") == "ended");
    CHECK(m.board("/outcome/reason") == "abandoned");
    CHECK_FALSE(has_digit(m.board("/line")));
    CHECK(m.board("/outcome/winner") != "home");
    CHECK(m.board("/outcome/winner") != "away");
    for (const char* winner : {"/winner", "/result/winner", "/result/draw", "/result/tie"}) {
      const auto shown = m.board(winner);
      CHECK((shown.empty() || shown == "null"));
    }
    CHECK(m.check() == "");
  }
}

TEST_CASE("after its end a match goes neither back nor on, until a correction takes the end back") {
  for (const auto& sport : omnium::test::random_sports()) {
    INFO(sport);
    match m(omnium::test::package_of(sport));
    REQUIRE(m.play("match.start").accepted);
    REQUIRE(m.play("match.end", abandoned).accepted);
    const auto after = m.scoreboard();
    for (const char* code : {"match.start", "match.end", "match.suspend", "match.resume"}) {
      const auto again = m.play(code, std::string(code) == "match.end"       ? abandoned
                                      : std::string(code) == "match.suspend" ? R"({"reason":"late"})"
                                                                             : "{}");
      INFO(code);
      CHECK_FALSE(again.accepted);
      CHECK_FALSE(again.message.empty());
    }
    CHECK(m.scoreboard() == after);
    REQUIRE(m.void_event(m.log().back().seq).accepted);
    CHECK(m.board("/status") == "live");
    CHECK(m.check() == "");
  }
}

TEST_CASE("an outcome is one of a closed set, and its winner may be the one with the lower score") {
  for (const auto& sport : omnium::test::random_sports()) {
    INFO(sport);
    for (const std::string reason : {"abandoned", "no_result", "conceded", "forfeited", "awarded"}) {
      INFO(reason);
      match m(omnium::test::package_of(sport));
      const bool won = reason == "forfeited" || reason == "awarded";
      const auto ended = m.play("match.end", R"({"reason":")" + reason + (won ? R"(","winner":"away"})" : R"("})"));
      CAPTURE(ended.code, ended.message);
      if (ended.accepted) {
        CHECK(m.board("/outcome/reason") == reason);
        if (won) CHECK(m.board("/outcome/winner") == "away");
      } else CHECK_FALSE(ended.message.empty());
      CHECK((ended.accepted || reason == "conceded"));
    }
    match m(omnium::test::package_of(sport));
    const auto other = m.play("match.end", R"({"reason":"cancelled"})");
    CHECK(other.code == "bad_input");
    CHECK(m.log().empty());
  }
}
