// Recorded matches of volleyball and beach volleyball: every one folds to its true result.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"

#include <map>

namespace {

using omnium::corpus::json_view;
using omnium::corpus::recording;
using omnium::corpus::split;
using namespace omnium::test;

// "25-21" for set i of the board.
std::string set_text(json_view board, std::size_t i) {
  const json_view set = board["sets"].at(i);
  return set["home"].text() + '-' + set["away"].text();
}

bool agrees_scout(json_view board, json_view expected) {
  const auto sets = expected["folded_set_scores"].items();
  bool same = board["sets"].items().size() == sets.size() && board["status"].text() == "ended";
  for (std::size_t i = 0; i < sets.size(); ++i) same = same && set_text(board, i) == sets[i].text();
  return same && board["score"]["home"].integer() == expected["true_sets"].at(0).integer() &&
         board["score"]["away"].integer() == expected["true_sets"].at(1).integer() && board["result"];
}

bool agrees_beach(json_view board, json_view expected, const recording& from) {
  const auto sets = expected["sets"].items();
  bool same = board["status"].text() == "ended" &&
              from.home_name == expected["winner"].at(0).text() + '/' + expected["winner"].at(1).text();
  for (std::size_t i = 0; i < sets.size(); ++i)
    same = same && board["sets"].at(i)["home"].integer() == sets[i].at(0).integer() &&
           board["sets"].at(i)["away"].integer() == sets[i].at(1).integer();
  same = same && board["sets"].items().size() == sets.size();
  // The script counts a set that was broken off for who led in it; the rules count finished sets and name the winner.
  if (expected["unfinished"].flag()) return same && board["outcome"]["winner"].text() == "home";
  return same && board["result"]["winner"].text() == "home" &&
         board["score"]["home"].integer() == expected["sets_won_by_winner"].integer() &&
         board["score"]["away"].integer() == expected["sets_won_by_loser"].integer();
}

// Who stands where when a rally of a scout file is served: "s1:rally1" -> the six of both sides, comma-separated.
struct positions {
  std::string server, home, away;
};

std::map<std::string, positions> positions_in(const std::string& path) {
  auto read = omnium::corpus::read_file(path);
  const std::string text = std::get<std::string>(read);
  std::map<std::string, positions> out;
  std::size_t set = 0, rally = 0;
  bool begun = false, served = false;
  for (const std::string_view line : split(std::string_view{text}.substr(text.find("[3SCOUT]")), '\n')) {
    const auto cells = split(line, ';');
    const std::string_view code = cells[0];
    if (code.substr(0, 2) == "**") begun = false;
    if (cells.size() < 26 || code.size() < 5) continue;
    if (code[3] == 'S' && code[1] != 'P' && code[1] != 'z' && !served) {
      if (!begun) ++set, rally = 0, begun = true;
      served = true;
      positions& now = out['s' + std::to_string(set) + ":rally" + std::to_string(rally + 1)];
      now.server = code[0] == '*' ? "home" : "away";
      for (std::size_t i = 0; i < 6; ++i) {
        now.home += std::string{cells[14 + i]} + ',';
        now.away += std::string{cells[20 + i]} + ',';
      }
    }
    if (code[1] == 'p' && code[4] == ':') ++rally, served = false;
  }
  return out;
}

std::string joined(json_view players) {
  std::string text;
  for (const json_view one : players.items()) text += one.text() + ',';
  return text;
}

// Before each rally the plugin's server and rotation are those of the file; counts the rallies compared.
std::size_t compare_rotation(const recording& from, const std::string& path) {
  const auto known = positions_in(path);
  omnium::sdk::test::match game(package_of("volleyball"), from.settings);
  std::size_t compared = 0;
  for (const auto& command : from.commands) {
    const std::string place = command.key.substr(command.key.rfind(':', command.key.rfind(':') - 1) + 1);
    if (const auto found = known.find(place); command.code == "volleyball.rally" && found != known.end()) {
      auto parsed = omnium::corpus::json_document::parse(game.scoreboard());
      const json_view board = std::get<omnium::corpus::json_document>(parsed).root();
      INFO(place);
      CHECK(board["server"].text() == found->second.server);
      CHECK(joined(board["rotation"]["home"]) == found->second.home);
      CHECK(joined(board["rotation"]["away"]) == found->second.away);
      ++compared;
    }
    game.play(command.code, command.input);
  }
  return compared;
}

} // namespace

TEST_CASE("volleyball: a scout file kept here folds to its sets") {
  const auto games = read_recordings("dvw", {kept("volleyball/2020_click_scout.dvw.gz")});
  REQUIRE(games.size() == 1);
  const auto what = play_recording(games[0]);
  require_sound(what, games[0].match_key);
  const auto board = what.board();
  CHECK(games[0].home_name == "Team XYZ");
  CHECK(set_text(board.root(), 0) == "15-21");
  CHECK(set_text(board.root(), 3) == "23-21");
  CHECK(what.game.board("/score/home") == "3");
  CHECK(what.game.board("/result/winner") == "home");
  CHECK(compare_rotation(games[0], kept("volleyball/2020_click_scout.dvw.gz")) > 140);
  report_agreed("volleyball", "kept scout file", 1, 1);
}

TEST_CASE("volleyball: the whole collection folds to its results") {
  const std::string folder = collected("volleyball/");
  if (folder.empty()) return;
  auto read = omnium::corpus::read_json(folder + "expected.json");
  const json_view expected = std::get<omnium::corpus::json_document>(read).root();
  std::size_t matches = 0, agreed = 0;
  for (const auto& [file, truth] : expected.members()) {
    if (file.find(".dvw") == std::string::npos) continue;
    INFO(file);
    const auto games = read_recordings("dvw", {folder + file});
    const auto what = play_recording(games.at(0));
    require_sound(what, file);
    const auto board = what.board();
    CHECK(compare_rotation(games[0], folder + file) > 100);
    const bool same = agrees_scout(board.root(), truth);
    CHECK(same);
    ++matches;
    agreed += same;
  }
  CHECK(matches == 4);
  report_agreed("volleyball", "scout files", matches, agreed);
  const auto rows = expected["beach_fivb_2018.csv"]["rows"].items();
  const auto beach = read_recordings("beach-csv", {folder + "beach_fivb_2018.csv"});
  REQUIRE(beach.size() == rows.size());
  agreed = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(beach[i].match_key);
    const auto what = play_recording(beach[i]);
    require_sound(what, beach[i].match_key);
    const auto board = what.board();
    const bool same = agrees_beach(board.root(), rows[i], beach[i]);
    CHECK(same);
    agreed += same;
  }
  report_agreed("volleyball", "beach set scores", rows.size(), agreed);
  const auto paris = read_recordings("beach-csv", {folder + "paris2024_beach_results.csv"});
  CHECK(paris.size() == 52);
  agreed = 0;
  for (const recording& one : paris) {
    const auto what = play_recording(one);
    require_sound(what, one.match_key);
    const auto truth = omnium::corpus::json_document::parse(one.truth);
    const json_view score = std::get<omnium::corpus::json_document>(truth).root()["score"];
    const bool same = what.game.board("/score/home") == score["home"].text() &&
                      what.game.board("/score/away") == score["away"].text();
    CHECK(same);
    agreed += same;
  }
  report_agreed("volleyball", "beach sets won", paris.size(), agreed);
}
