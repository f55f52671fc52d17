// The parts of a scoreboard: always the whole text, and in the middle what a ball leaves as it is.
#include "runtime/postgres/scoreboard_parts.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <fmt/format.h>

using namespace omnium;

namespace {

std::string whole(const pg::scoreboard_parts& parts) {
  return std::string(parts.front).append(parts.still).append(parts.back);
}

} // namespace

TEST_CASE("the part that seldom changes is all but the last entry of the list that is longest so", "[scoreboard]") {
  auto parts = pg::parts_of(R"({"line":"7–6 1–0","goals":[{"m":1},{"m":2}],"sets":[{"home":7,"tb":[7,5]},{"home":6},)"
                            R"({"home":1}],"cards":{"home":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]},"result":null})");
  CHECK(parts.still == R"({"home":7,"tb":[7,5]},{"home":6},)");
  CHECK(parts.front == R"({"line":"7–6 1–0","goals":[{"m":1},{"m":2}],"sets":[)");
  CHECK(parts.back.substr(0, 13) == R"({"home":1}],")");
}

TEST_CASE("a list is found by what it is, not by what a string says", "[scoreboard]") {
  const std::string said = R"({"line":"[1,2,3,\"],[\\","goals":[")" + std::string(40, 'x') + R"(,]","b"],"period":""})";
  CHECK(pg::parts_of(said).still == '"' + std::string(40, 'x') + R"(,]",)");
  for (const auto* none : {R"({"status":"live","line":"a,b","sets":[{"home":1,"away":0}],"score":{"home":1,"away":2}})",
                           "{}", "", R"({"sets":[]})"})
    CHECK(pg::parts_of(none).still.empty());
}

TEST_CASE("the marks are two, whatever a sport writes", "[scoreboard]") {
  CHECK(pg::parts_marker(R"({"sets":[1,2]})").scoreboard() == "{\"sets\":[\x1e"
                                                              "1,\x1e"
                                                              "2]}");
  CHECK(pg::parts_marker("{}").scoreboard() == "\x1e\x1e{}");
  CHECK(pg::parts_marker("{\x1e}").scoreboard() == "\x1e\x1e{ }");
}

TEST_CASE("an event is cut where its scoreboard is, whichever that is", "[scoreboard]") {
  const std::string board = R"({"sets":[{"home":6},{"home":1}]})", mark = "\x1e";
  const auto event = [](const std::string& scoreboard) {
    return R"({"item":{"input":{"a":1,"scoreboard":[3,4]}},"scoreboard":)" + scoreboard + "}";
  };
  const auto without = [&](std::string text) {
    std::erase(text, mark[0]);
    return text;
  };
  const pg::parts_marker marker(board);
  CHECK(marker.event(event(board)) == event(R"({"sets":[)" + mark + R"({"home":6},)" + mark + R"({"home":1}]})"));
  CHECK(marker.event(event(R"({"sets":[7,8]})")) == event("{\"sets\":[" + mark + "7," + mark + "8]}"));
  for (const auto& text : {event("null"), event("{}"), std::string(R"({"code":"toy.add"})"), std::string("}"),
                           std::string(), board, board + "}"})
    for (const auto* of : {board.c_str(), ""}) {
      const auto cut = pg::parts_marker(of).event(text);
      CHECK(without(cut) == text);
      CHECK(std::count(cut.begin(), cut.end(), mark[0]) == 2);
    }
  CHECK(marker.event("{" + mark + "}") == "{ }" + mark + mark);
}

TEST_CASE("whatever the text is, its parts are the text, cut between whole characters", "[scoreboard]") {
  CHECK(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("{", "}", "[", "]", ",", "\"", "\\", ":", "é–", "a", "\"sets\":[", "{\"a\":1},"));
    const auto text = fmt::format("{}", fmt::join(pieces, ""));
    const auto parts = pg::parts_of(text);
    RC_ASSERT(whole(parts) == text);
    RC_ASSERT(parts.still.empty() || parts.front.back() == '[');
    RC_ASSERT(parts.still.empty() || parts.still.back() == ',');
    const auto marked = pg::parts_marker(text).scoreboard();
    RC_ASSERT(marked ==
              std::string(parts.front) + '\x1e' + std::string(parts.still) + '\x1e' + std::string(parts.back));
  }));
}
