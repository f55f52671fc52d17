#include "apps/omnium/new_sport_templates.hpp"

#include <array>

namespace omnium::apps {
namespace {

constexpr std::string_view cmake_text = R"file(omnium_sport(@name@ VERSION 1.0.0 SOURCES @name@.cpp)
)file";

constexpr std::string_view readme_text = R"file(# sports/@name@
@label@ as a plugin: points for either side up to a target. Written by `omnium new-sport @name@`; make it the sport it is named
after. `@name@.cpp` holds the rules (docs/writing-a-sport.md explains the pieces), `golden/1.0.0` a match with the scoreboard
after every play. Changed rules are a new version in CMakeLists.txt, with goldens of its own: an old release keeps its results.
)file";

constexpr std::string_view rules_text = R"file(// @label@: points for either side, first to the target.
#include "omnium/sport.hpp"

namespace @name@_rules {
namespace sdk = omnium::sdk;

struct settings {
  int target = 11;
  static constexpr auto fields = sdk::fields(sdk::field("target", &settings::target, sdk::range(1, 1000)));
};

struct state {
  sdk::both<int> score, fouls;
  static constexpr auto fields =
      sdk::fields(sdk::field("score", &state::score), sdk::field("fouls", &state::fouls, sdk::sparse));
};

struct score_input {
  sdk::side side{};
  int points = 0;
  std::optional<std::string> player;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &score_input::side), sdk::field("points", &score_input::points, sdk::range(1, 10)),
                  sdk::field("player", &score_input::player, sdk::length(1, 80)));
};

struct foul_input {
  sdk::side side{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &foul_input::side));
};

// After a total loss: the score at once; what follows is added to it.
struct baseline_input {
  sdk::both<int> score;
  static constexpr auto fields = sdk::fields(sdk::field("score", &baseline_input::score, sdk::range(0, 1000)));
};

struct board : sdk::headline {
  sdk::both<int> fouls;
  int target = 0;
  static constexpr auto fields = sdk::fields(sdk::field("fouls", &board::fouls), sdk::field("target", &board::target));
};

class rules : public sdk::sport<state, settings> {
public:
  sdk::verdict decide(const score_input&, const sdk::event& e) const {
    if (winner() && !e.umpired()) return sdk::refuse("match_decided", "A side has reached the target.").at("points");
    return sdk::accept();
  }
  void evolve(const score_input& in, const sdk::event&) { state.score[in.side] += in.points; }

  sdk::verdict decide(const foul_input&, const sdk::event&) const { return sdk::accept(); }
  void evolve(const foul_input& in, const sdk::event&) { ++state.fouls[in.side]; }

  sdk::verdict decide(const baseline_input&, const sdk::event&) const { return sdk::accept(); }
  void evolve(const baseline_input& in, const sdk::event&) { state.score = in.score; }

  sdk::verdict may_end(const sdk::match_end& in, const sdk::event&) const {
    if (in.reason == sdk::end_reason::completed && !winner())
      return sdk::refuse("not_decided", "No side has reached the target.").at("reason");
    return sdk::accept();
  }

  board scoreboard() const {
    board shown;
    shown.period = match.live() ? "play" : "";
    shown.score = {state.score.home, state.score.away};
    shown.line = std::to_string(state.score.home) + "–" + std::to_string(state.score.away);
    shown.fouls = state.fouls;
    shown.target = settings.target;
    return shown;
  }

private:
  std::optional<sdk::side> winner() const {
    if (state.score.home >= settings.target) return sdk::side::home;
    if (state.score.away >= settings.target) return sdk::side::away;
    return {};
  }
};

// Code, label, and the key that scores it on a desk.
constexpr auto score = sdk::play<score_input>("@name@.score", "Score", "s");
constexpr auto foul = sdk::counted<foul_input>("@name@.foul", "Foul", "f");
constexpr auto baseline = sdk::baseline<baseline_input>();

OMNIUM_SPORT(rules, "@name@", "@label@", score, foul, baseline)

} // namespace @name@_rules
)file";

constexpr std::string_view golden_text = R"file({"release":"1.0.0","settings":{},"plays":[
{"code":"match.start","input":{},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":0,"away":0},"line":"0–0","fouls":{"home":0,"away":0},"target":11}},
{"code":"@name@.score","input":{"side":"home","points":3},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":3,"away":0},"line":"3–0","fouls":{"home":0,"away":0},"target":11}},
{"code":"@name@.foul","input":{"side":"away"},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":3,"away":0},"line":"3–0","fouls":{"home":0,"away":1},"target":11}},
{"code":"@name@.score","input":{"side":"away","points":7,"player":"Ana"},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":3,"away":7},"line":"3–7","fouls":{"home":0,"away":1},"target":11}},
{"code":"match.suspend","input":{"reason":"rain"},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":3,"away":7},"line":"3–7","suspended":"rain","fouls":{"home":0,"away":1},"target":11}},
{"code":"match.resume","input":{},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":3,"away":7},"line":"3–7","fouls":{"home":0,"away":1},"target":11}},
{"code":"@name@.score","input":{"side":"home","points":9},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"live","period":"play","score":{"home":12,"away":7},"line":"12–7","fouls":{"home":0,"away":1},"target":11}},
{"code":"match.end","input":{"reason":"completed","winner":"home"},"at":"2026-01-01T12:00:00.000Z","scoreboard":{"status":"ended","period":"","score":{"home":12,"away":7},"line":"12–7","outcome":{"reason":"completed","winner":"home"},"fouls":{"home":0,"away":1},"target":11}}
]}
)file";

constexpr std::string_view test_text = R"file(// @label@: the rules, and what must hold of any sport.
@include@ "tests/catch.hpp"

#include "omnium/sport_test.hpp"

namespace {

const std::string package = OMNIUM_BINARY_DIR "/sports/@name@/1.0.0";
using omnium::sdk::test::match;

std::string points(const char* side, int count) {
  return R"({"side":")" + std::string(side) + R"(","points":)" + std::to_string(count) + "}";
}

} // namespace

TEST_CASE("@name@: the first side to reach the target wins") {
  match m(package, R"({"target":5})");
  REQUIRE(m.play("@name@.score", points("home", 1)).code == "not_started");
  REQUIRE(m.play("match.start").accepted);
  REQUIRE(m.play("@name@.score", points("home", 3)).accepted);
  REQUIRE(m.play("@name@.foul", R"({"side":"away"})").accepted);
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").code == "not_decided");
  REQUIRE(m.play("@name@.score", points("home", 2)).accepted);
  REQUIRE(m.play("@name@.score", points("away", 1)).code == "match_decided");
  REQUIRE(m.play("match.end", R"({"reason":"completed","winner":"home"})").accepted);
  REQUIRE(m.board("/score/home") == "5");
  REQUIRE(m.board("/fouls/away") == "1");
  REQUIRE(m.check() == "");
}

TEST_CASE("@name@: points out of range are refused with the place") {
  match m(package);
  m.play("match.start");
  const auto no = m.play("@name@.score", points("home", 11));
  REQUIRE(no.code == "bad_input");
  REQUIRE(no.at == "/input/points");
}

TEST_CASE("@name@: after a baseline later points are added to it") {
  match m(package);
  REQUIRE(m.play("match.baseline", R"({"score":{"home":4,"away":6}})").accepted);
  REQUIRE(m.play("@name@.score", points("home", 2)).accepted);
  REQUIRE(m.board("/line") == "6–6");
  REQUIRE(m.check() == "");
}

TEST_CASE("@name@: any mix of plays and corrections is the fold of its log") {
  OMNIUM_PROPERTY("random matches", [] {
    match m(package, R"({"target":60})");
    m.play("match.start");
    const auto plays = *rc::gen::inRange(1, 30);
    for (int i = 0; i < plays; ++i) {
      const auto* side = *rc::gen::element("home", "away");
      const auto choice = *rc::gen::inRange(0, 10);
      if (choice == 0) m.undo();
      else if (choice == 1 && m.log().size() > 1) m.void_event(m.log().back().seq);
      else if (choice < 4) m.play("@name@.foul", R"({"side":")" + std::string(side) + "\"}");
      else m.play("@name@.score", points(side, *rc::gen::inRange(1, 11)));
    }
    RC_ASSERT(m.check() == "");
  });
}
)file";

constexpr std::array templates{
    sport_template{"sports/@name@/CMakeLists.txt", cmake_text},
    sport_template{"sports/@name@/README.md", readme_text},
    sport_template{"sports/@name@/@name@.cpp", rules_text},
    sport_template{"sports/@name@/golden/1.0.0/first_match.json", golden_text},
    sport_template{"tests/unit/@name@_test.cpp", test_text},
};

} // namespace

std::span<const sport_template> sport_templates() { return templates; }

} // namespace omnium::apps
