// Every recorded cricket match folds, by the plugin itself, to what is known of it.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

using namespace omnium::corpus;
using namespace omnium::cricket_test;

// OMNIUM_DATA, or ../shared/data beside the checkout; nullopt, with a line that says so: not on this machine.
std::optional<std::string> shared_data() {
  const char* set = std::getenv("OMNIUM_DATA");
  const std::string folder = std::string(set != nullptr ? set : OMNIUM_SOURCE_DIR "/../shared/data") + "/cricket";
  if (std::filesystem::is_directory(folder)) return folder;
  std::cout << "SKIPPED: recorded cricket matches: no folder " << folder << " (OMNIUM_DATA names another)\n";
  return std::nullopt;
}

// Where the file's own outcome cannot be reached from its balls (the reader notes it): who won stands, the margin does
// not.
bool margin_is_known(json_view expected) { return expected["source_check"].text().rfind("differs", 0) != 0; }

// The result on the scoreboard against the file's own, member by member.
void compare_result(json_view wanted, json_view is, bool margin, std::vector<std::string>& out) {
  for (const auto& [name, value] : wanted.members()) {
    if (name == "by" && !margin) continue;
    if (value.is_object()) compare_result(value, is[name], margin, out);
    else if (value.text() != is[name].text() || value.flag() != is[name].flag())
      out.push_back("result " + name + " is '" + is[name].text() + "', expected '" + value.text() + "'");
  }
  if (wanted.members().size() != is.members().size() && margin)
    out.push_back("the result says more or less than the file");
}

json_document parsed(const std::string& text) {
  auto made = json_document::parse(text);
  REQUIRE(std::holds_alternative<json_document>(made));
  return std::move(std::get<json_document>(made));
}

std::vector<std::string> disagreements(const recording& what, json_view expected) {
  auto done = play(what);
  auto out = done.refusals;
  for (auto& one : differences(done.match, expected)) out.push_back(std::move(one));
  const auto truth = parsed(what.truth), board = parsed(done.match.scoreboard());
  compare_result(truth.root()["result"], board.root()["result"], margin_is_known(expected), out);
  if (!margin_is_known(expected) && what.notes.empty())
    out.push_back("the reader does not note the file's contradiction");
  return out;
}

} // namespace

TEST_CASE("the recorded Cricsheet matches fold to their known innings, cards and results") {
  const auto folder = shared_data();
  if (!folder) return;
  const auto file = read_json(*folder + "/expected.json");
  REQUIRE(std::holds_alternative<json_document>(file));
  int matches = 0, agreed = 0;
  for (const auto& [name, expected] : std::get<json_document>(file).root().members()) {
    INFO(name);
    const auto wrong = disagreements(read(*folder + '/' + name), expected);
    for (const auto& one : wrong) FAIL_CHECK(one);
    ++matches;
    agreed += wrong.empty();
  }
  std::cout << "cricket: " << agreed << " of " << matches << " recorded matches agreed\n";
  CHECK(matches == 42);
}
