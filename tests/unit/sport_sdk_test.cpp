// The SDK through the eyes of an author: the example sport, played in this process.
#include "tests/catch.hpp"

#include "omnium/sport_test.hpp"

namespace {

using omnium::sdk::test::match;

const std::string package = OMNIUM_BINARY_DIR "/examples/petanque/1.0.0";

match live() {
  match m(package);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

} // namespace

TEST_CASE("a match of the example sport runs from start to end") {
  match m(package, R"({"target":7})");
  REQUIRE(m.scoreboard() ==
          R"({"status":"scheduled","period":"E0","score":{"home":0,"away":0},"line":"0–0","ends":[]})");
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":2})").code == "not_started");
  REQUIRE(m.play("match.start").accepted);
  REQUIRE(m.play("match.start").code == "already_started");
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").code == "not_decided");
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":6})").accepted);
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":1})").accepted);
  const auto refused = m.play("petanque.end", R"({"winner":"away","points":1})");
  REQUIRE(refused.code == "match_decided");
  REQUIRE(refused.law == "FIPJP Article 5");
  REQUIRE(refused.at == "/input/points");
  REQUIRE(m.play("match.end", R"({"reason":"completed","winner":"home"})").accepted);
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":1})").code == "match_ended");
  REQUIRE(m.board("/outcome/reason") == "completed");
  REQUIRE(m.state() == R"({"match":{"status":"ended","ended":{"reason":"completed","winner":"home"}},)"
                       R"("ends":[{"winner":"home","points":6},{"winner":"home","points":1}]})");
  REQUIRE(m.check() == "");
}

TEST_CASE("an input of the wrong shape is refused with the place and a sentence") {
  auto m = live();
  const auto refusal = [&](const char* input, const char* at, const char* part) {
    const auto no = m.play("petanque.end", input);
    CAPTURE(input, no.message);
    CHECK(!no.accepted);
    CHECK(no.code == "bad_input");
    CHECK(no.at == at);
    CHECK(no.message.find(part) != std::string::npos);
  };
  refusal(R"({"winner":"home"})", "/input/points", "points is missing");
  refusal(R"({"winner":"north","points":1})", "/input/winner", "home or away");
  refusal(R"({"winner":"home","points":7})", "/input/points", "from 1 to 6");
  refusal(R"({"winner":"home","points":"3"})", "/input/points", "whole number");
  refusal(R"({"winner":"home","points":1.5})", "/input/points", "whole number");
  refusal(R"({"winner":"home","points":1,"extra/~":2})", "/input/extra~1~0", "no member extra");
  refusal(R"({"winner":"home","points":1,"points":2})", "/input/points", "twice");
  refusal(R"({"winner":"home","points":1,"player":""})", "/input/player", "1 to 80");
  refusal(R"({"winner":"home","points":1,"umpire":7})", "/input/umpire", "text");
  refusal(R"([1])", "/input", "must be an object");
  refusal(R"({"winner":)", "/input", "cannot be read");
  refusal(R"({"winner":"home","points":100000000000000000000000000})", "/input", "cannot be read");
  REQUIRE(m.log().size() == 1);
}

TEST_CASE("umpire in an input reaches the rules and may let stand what they refuse") {
  match m(package, R"({"target":1})");
  m.play("match.start");
  m.play("petanque.end", R"({"winner":"home","points":1})");
  REQUIRE(!m.play("petanque.end", R"({"winner":"home","points":1})").accepted);
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":1,"umpire":"they played on"})").accepted);
  REQUIRE(m.check() == "");
}

TEST_CASE("while play is stopped plays are refused and notes pass") {
  auto m = live();
  REQUIRE(m.play("match.suspend", R"({"reason":"rain"})").accepted);
  REQUIRE(m.board("/suspended") == "rain");
  REQUIRE(m.play("match.suspend", R"({"reason":"rain"})").code == "already_suspended");
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":1})").code == "play_stopped");
  REQUIRE(m.play("match.note", R"({"text":"covers on"})").accepted);
  REQUIRE(m.play("match.resume").accepted);
  REQUIRE(m.play("match.resume").code == "not_suspended");
  REQUIRE(m.play("petanque.end", R"({"winner":"home","points":1})").accepted);
  REQUIRE(m.check() == "");
}

TEST_CASE("a match that never started can be abandoned and not completed") {
  match m(package);
  REQUIRE(m.play("match.end", R"({"reason":"completed"})").code == "not_started");
  REQUIRE(m.play("match.end", R"({"reason":"forfeited","winner":"away"})").accepted);
  REQUIRE(m.board("/status") == "ended");
}

TEST_CASE("undo restores what was before, and a correction that a later event does not survive is refused") {
  match m(package, R"({"target":6})");
  m.play("match.start");
  const auto before = m.state();
  const auto first = m.play("petanque.end", R"({"winner":"home","points":5})");
  REQUIRE(m.undo().accepted);
  REQUIRE(m.state() == before);
  m.play("petanque.end", R"({"winner":"home","points":5})");
  m.play("petanque.end", R"({"winner":"away","points":2})");
  const auto broken = m.amend(m.log()[1].seq, R"({"winner":"home","points":6})");
  REQUIRE(broken.code == "breaks_later");
  REQUIRE(broken.seq == m.log()[2].seq);
  REQUIRE(m.amend(m.log()[1].seq, R"({"winner":"home","points":1})").accepted);
  REQUIRE(m.board("/line") == "1–2");
  REQUIRE(m.check() == "");
}

TEST_CASE("unknown commands, and a baseline the sport does not have, are refused in words") {
  auto m = live();
  REQUIRE(m.play("petanque.throw").code == "unknown_command");
  REQUIRE(m.play("match.baseline").code == "baseline_not_supported");
}

TEST_CASE("settings out of range and states that are none do not open") {
  REQUIRE_THROWS_WITH(match(package, R"({"target":0})"), Catch::Contains("/settings/target"));
  REQUIRE_THROWS_WITH(match(package, R"({"goal":3})"), Catch::Contains("no member goal"));
  REQUIRE_THROWS_WITH(match(package, "[]"), Catch::Contains("must be an object"));
}
