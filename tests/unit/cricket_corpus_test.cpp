// Every recorded cricket match folds, by the plugin itself, to what is known of it.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <filesystem>

namespace {

using namespace omnium::corpus;
using namespace omnium::cricket_test;

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

// How many matches of a folder agree with its expected.json, of how many.
std::pair<std::size_t, std::size_t> agreed(const std::string& folder) {
  const auto file = read_json(folder + "/expected.json");
  REQUIRE(std::holds_alternative<json_document>(file));
  std::pair<std::size_t, std::size_t> out;
  for (const auto& [name, expected] : std::get<json_document>(file).root().members()) {
    const std::string path = folder + '/' + name;
    const auto wrong = disagreements(read(std::filesystem::exists(path) ? path : path + ".gz"), expected);
    INFO(name);
    for (const auto& one : wrong) FAIL_CHECK(one);
    out.first += wrong.empty();
    ++out.second;
  }
  omnium::test::report_agreed("cricket", folder, out.second, out.first);
  return out;
}

} // namespace

TEST_CASE("the Cricsheet matches in the tree fold to their known innings, cards and results") {
  CHECK(agreed(omnium::test::kept("cricket")) == std::pair<std::size_t, std::size_t>(5, 5));
}

TEST_CASE("the collected Cricsheet matches fold to their known innings, cards and results") {
  const auto folder = omnium::test::collected("cricket");
  if (!folder.empty()) CHECK(agreed(folder) == std::pair<std::size_t, std::size_t>(42, 42));
}

TEST_CASE("every recorded cricket match passes the harness's check at each of its events") {
  for (const char* name : {"1124687.json", "1178426.json.gz", "1299152.json.gz"})
    CHECK(play(read(omnium::test::kept(std::string("cricket/") + name))).match.check() == "");
}

TEST_CASE("a file that is no Cricsheet match is refused in a sentence that names it") {
  const auto result = find_format("cricsheet")->read({omnium::test::kept("cricket/expected.json")});
  REQUIRE(std::holds_alternative<std::string>(result));
  CHECK(std::get<std::string>(result).find("expected.json is no Cricsheet match") != std::string::npos);
  CHECK(std::holds_alternative<std::string>(find_format("cricsheet")->read({"/nowhere/1.json"})));
}
