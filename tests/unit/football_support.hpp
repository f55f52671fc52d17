#pragma once
// Football matches for tests: short words for its commands.
#include "omnium/sport_test.hpp"
#include "tests/catch.hpp"

#include <string>

namespace omnium::football_tests {

inline const std::string package = OMNIUM_BINARY_DIR "/sports/football/1.0.0";

using sdk::test::answer;

class game : public sdk::test::match {
public:
  explicit game(const std::string& settings = {}) : sdk::test::match(package, settings) {}

  answer period(const std::string& action, const std::string& name) {
    return play("football.period", R"({"action":")" + action + R"(","period":")" + name + R"("})");
  }
  // Starts and ends periods up to the named one, which runs then.
  game& until(const std::string& name) {
    for (const char* next : {"H1", "H2", "ET1", "ET2", "PSO"}) {
      REQUIRE(period("start", next).accepted);
      if (name == next) return *this;
      REQUIRE(period("end", next).accepted);
    }
    return *this;
  }
  answer goal(const std::string& side, const std::string& more = {}, const std::string& kind = "open_play",
              const std::string& minute = "10") {
    return play("football.goal",
                R"({"side":")" + side + R"(","minute":)" + minute + R"(,"kind":")" + kind + '"' + more + '}');
  }
  answer card(const std::string& side, const std::string& player, const std::string& card,
              const std::string& more = {}) {
    return play("football.card", R"({"side":")" + side + R"(","player":")" + player + R"(","minute":20,"card":")" +
                                     card + '"' + more + '}');
  }
  answer sub(const std::string& side, const std::string& off, const std::string& on, const std::string& minute = "60",
             const std::string& more = {}) {
    return play("football.substitution", R"({"side":")" + side + R"(","off":")" + off + R"(","on":")" + on +
                                             R"(","minute":)" + minute + more + '}');
  }
  answer kick(const std::string& side, const std::string& result, const std::string& taker = {}) {
    const std::string who = taker.empty() ? "" : R"(,"taker":")" + taker + '"';
    return play("football.shootout_kick", R"({"side":")" + side + R"(","result":")" + result + '"' + who + '}');
  }
  answer var(std::int64_t about, const std::string& decision) {
    return play("football.var", R"({"about":)" + std::to_string(about) + R"(,"decision":")" + decision + R"("})");
  }
  // Eleven who start, 1 to 11 with the side's letter, and six on the bench, 12 to 17.
  answer lineup(const std::string& side, bool bench = true) {
    const char letter = side[0];
    const auto names = [&](int from, int to) {
      std::string out;
      for (int i = from; i <= to; ++i)
        out += (out.empty() ? "\"" : ",\"") + std::string(1, letter) + std::to_string(i) + '"';
      return '[' + out + ']';
    };
    return play("football.lineup", R"({"side":")" + side + R"(","starting":)" + names(1, 11) +
                                       (bench ? ",\"bench\":" + names(12, 17) : "") + R"(,"goalkeeper":")" + letter +
                                       "1\"}");
  }
};

// The first half runs.
inline game in_play(const std::string& settings = {}) {
  game g(settings);
  g.until("H1");
  return g;
}
// With both line-ups.
inline game with_lineups(const std::string& settings = {}) {
  game g(settings);
  REQUIRE(g.lineup("home").accepted);
  REQUIRE(g.lineup("away").accepted);
  g.until("H1");
  return g;
}

// The refusal has this code and names this law; and the same act is accepted when the officials let it stand, where
// `umpired` holds an input with the reason.
inline void refused(const answer& no, const std::string& code, const std::string& law) {
  INFO(no.message);
  CHECK(!no.accepted);
  CHECK(no.code == code);
  CHECK(no.law == law);
  CHECK(!no.message.empty());
}

inline const std::string umpire = R"(,"umpire":"as it happened")";

} // namespace omnium::football_tests
