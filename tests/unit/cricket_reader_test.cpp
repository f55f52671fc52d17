// Where a Cricsheet file departs from the Laws, or from itself: the reader says so, and the match still folds.
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

using namespace omnium::corpus;
using namespace omnium::cricket_test;

struct delivery {
  std::string batter = "A", non_striker = "B", bowler = "X", more;
  int runs = 0;
};

std::string json_of(const delivery& d) {
  const auto total = std::to_string(d.runs);
  return R"({"batter":")" + d.batter + R"(","non_striker":")" + d.non_striker + R"(","bowler":")" + d.bowler +
         R"(","runs":{"batter":)" + total + R"(,"extras":0,"total":)" + total + "}" + d.more + "}";
}

std::string over(int number, const std::vector<delivery>& all) {
  std::string out = R"({"over":)" + std::to_string(number) + R"(,"deliveries":[)";
  for (const auto& one : all) out += json_of(one) + ',';
  out.back() = ']';
  return out + '}';
}

std::string innings(const std::string& team, const std::vector<std::string>& overs, const std::string& more = {}) {
  std::string out = R"({"team":")" + team + R"(","overs":[)";
  for (const auto& one : overs) out += one + ',';
  if (!overs.empty()) out.pop_back();
  return out + "]" + more + "}";
}

std::vector<delivery> six(const delivery& one) { return std::vector<delivery>(6, one); }

recording read_text(const std::vector<std::string>& all, const std::string& limit = R"("overs":20,)",
                    const std::string& outcome = R"({"result":"no result"})") {
  const auto path = std::filesystem::temp_directory_path() / ("cricsheet-" + std::to_string(getpid()) + ".json");
  {
    std::ofstream file(path);
    file << R"({"meta":{"data_version":"1.1.0"},"info":{"balls_per_over":6,"dates":["2026-10-01"],)" << limit
         << R"("teams":["H","V"],"toss":{"winner":"H","decision":"bat"},"outcome":)" << outcome << R"(},"innings":[)";
    for (std::size_t i = 0; i < all.size(); ++i) file << (i > 0 ? "," : "") << all[i];
    file << "]}";
  }
  auto out = read(path.string());
  std::filesystem::remove(path);
  return out;
}

// Every command that carries an umpire's reason.
std::vector<std::string> reasons(const recording& what) {
  std::vector<std::string> out;
  for (const auto& command : what.commands) {
    const auto input = json_document::parse(command.input);
    const auto reason = std::get<json_document>(input).root()["umpire"].text();
    if (!reason.empty()) out.push_back(reason);
  }
  return out;
}

void folds(const recording& what, const std::vector<std::string>& expected_reasons) {
  CHECK(reasons(what) == expected_reasons);
  auto done = play(what);
  for (const auto& one : done.refusals) FAIL_CHECK(one);
  CHECK(done.match.check() == "");
}

} // namespace

TEST_CASE("a match from October 2026 on is played by the 4th Edition's release") {
  CHECK(read_text({innings("H", {over(0, six({}))})}).release == "2026.10.0");
}

TEST_CASE("umpires' departures from the Laws are sent with a reason, and fold") {
  delivery other{.bowler = "Y"}, gone{.batter = "C"},
      no_ball{.more = R"(,"extras":{"noballs":1},"wickets":[{"kind":"caught","player_out":"A"}])"};
  auto changed = six({});
  changed[3].bowler = changed[4].bowler = changed[5].bowler = "Z";
  folds(read_text({innings("H", {over(0, changed)})}),
        {"The bowler changed during the over; the file does not say why."});
  folds(read_text({innings("H", {over(0, six({})), over(1, six({})), over(2, six(other))})}),
        {"X bowled in the over before too."});
  auto vanished = six(other);
  for (std::size_t i = 2; i < 6; ++i) vanished[i].batter = "C";
  folds(read_text({innings("H", {over(0, six({})), over(1, vanished)})}),
        {"A left the wicket; the file does not say why."});
  auto caught = six({});
  caught[5] = no_ball;
  caught.push_back(gone);
  folds(read_text({innings("H", {over(0, caught)})}), {"Given out caught from a no-ball."});
}

TEST_CASE("miscounted overs are read whether their count is text or a number, listed or not") {
  auto seven = six({}), five = six({.bowler = "Y"});
  seven.push_back({});
  five.pop_back();
  const auto listed = read_text({innings("H", {over(0, seven), over(1, five), over(2, six({}))},
                                         R"(,"miscounted_overs":{"0":{"balls":"7","umpire":"U"},"1":{"balls":5}})")});
  folds(listed, {"The over was miscounted by U."});
  CHECK(listed.notes.empty());
  CHECK(play(listed).match.board("/innings/0/overs") == "3.0");
  const auto silent = read_text({innings("H", {over(0, seven), over(1, six({.bowler = "Y"}))})});
  folds(silent, {"The over was miscounted; the file does not list it."});
  REQUIRE(silent.notes.size() == 1);
  CHECK(silent.notes.front() == "Over 1 has 7 balls; the file does not list it as miscounted.");
}

TEST_CASE("a total that its parts do not make is noted, and the parts are used") {
  delivery wrong{.more = R"(,"extras":{"penalty":1})", .runs = 2};
  const auto what = read_text({innings("H", {over(0, {wrong})})});
  REQUIRE(what.notes.size() == 1);
  CHECK(what.notes.front().find("batter and extras make 3, the file's total is 2") != std::string::npos);
  CHECK(play(what).match.board("/innings/0/runs") == "3");
}

TEST_CASE("declared and forfeited innings of a two-innings match") {
  const auto what = read_text({innings("H", {over(0, six({.runs = 3}))}, R"(,"declared":true)"),
                               innings("V", {}, R"(,"forfeited":true)"), innings("H", {}, R"(,"forfeited":true)"),
                               innings("V", {over(0, std::vector<delivery>(5, {"C", "D", "Z", "", 4}))})},
                              "", R"({"winner":"V","by":{"wickets":10}})");
  folds(what, {});
  const auto done = play(what);
  CHECK(done.match.board("/result") == R"({"winner":"away","by":{"wickets":10}})");
  CHECK(done.match.board("/innings/2/forfeited") == "true");
}

TEST_CASE("an innings of a team that does not play here is refused in a sentence") {
  const auto path = std::filesystem::temp_directory_path() / ("cricsheet-other-" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << R"({"info":{"teams":["H","V"]},"innings":[{"team":"Q","overs":[]}]})";
  const auto result = find_format("cricsheet")->read({path.string()});
  std::filesystem::remove(path);
  REQUIRE(std::holds_alternative<std::string>(result));
  CHECK(std::get<std::string>(result).find("innings 1 is of a team that does not play in this match") !=
        std::string::npos);
}
