// Recorded games of basketball: every one folds to its true result, period by period.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include "sports/corpus/csv.hpp"

#include <map>

namespace {

using omnium::corpus::csv_table;
using omnium::corpus::json_view;
using omnium::corpus::recording;
using namespace omnium::test;

// The points of a side by period, e.g. "32 28 24 21 21".
std::string by_period(json_view board, const char* side) {
  std::string text;
  for (const json_view period : board["periods"].items()) text += (text.empty() ? "" : " ") + period[side].text();
  return text;
}

std::string joined(json_view numbers) {
  std::string text;
  for (const json_view one : numbers.items()) text += (text.empty() ? "" : " ") + one.text();
  return text;
}

struct truth {
  std::string home, away, home_periods, away_periods;
};

// The files of the feeds write totals by side, by team name, or by period name.
truth truth_of(json_view expected, const recording& from) {
  truth made;
  if (expected["true"].is_array()) {
    made.home = expected["true"].at(0).text();
    made.away = expected["true"].at(1).text();
    for (const json_view period : expected["true_by_period"].items()) {
      made.home_periods += (made.home_periods.empty() ? "" : " ") + period.at(0).text();
      made.away_periods += (made.away_periods.empty() ? "" : " ") + period.at(1).text();
    }
    return made;
  }
  made.home = expected["true"][from.home_name].text();
  made.away = expected["true"][from.away_name].text();
  made.home_periods = joined(expected["true_by_period"][from.home_name]);
  made.away_periods = joined(expected["true_by_period"][from.away_name]);
  for (const auto& [name, pair] : expected["by_period"].members()) {
    made.home_periods += (made.home_periods.empty() ? "" : " ") + pair.at(0).text();
    made.away_periods += (made.away_periods.empty() ? "" : " ") + pair.at(1).text();
  }
  return made;
}

bool agrees(const played& what, const recording& from, json_view expected) {
  const auto board = what.board();
  const truth known = truth_of(expected, from);
  CHECK(by_period(board.root(), "home") == known.home_periods);
  CHECK(by_period(board.root(), "away") == known.away_periods);
  return what.game.board("/score/home") == known.home && what.game.board("/score/away") == known.away &&
         by_period(board.root(), "home") == known.home_periods &&
         by_period(board.root(), "away") == known.away_periods && what.game.board("/status") == "ended";
}

// The table of team totals beside the play-by-play: made and tried shots, assists, steals, blocks, turnovers, fouls.
void check_totals(const played& what, const recording& from, const std::string& path) {
  const auto read = csv_table::read(path);
  const csv_table& table = std::get<csv_table>(read);
  const std::map<std::string, std::string> columns{{"t2c", "made2"},     {"t2i", "tried2"}, {"t3c", "made3"},
                                                   {"t3i", "tried3"},    {"tlc", "made1"},  {"tli", "tried1"},
                                                   {"ast", "assists"},   {"rob", "steals"}, {"blq", "blocks"},
                                                   {"per", "turnovers"}, {"fp", "fouls"},   {"rt", "rebounds"}};
  for (const auto& row : table.rows()) {
    const std::string side = table.cell(row, "equipo") == from.home_name ? "home" : "away";
    for (const auto& [column, member] : columns) {
      INFO(side << ' ' << member);
      CHECK(what.game.in_state("/totals/" + side + '/' + member) == table.cell(row, column));
    }
  }
}

} // namespace

TEST_CASE("basketball: a game kept here folds to its result and box score") {
  const auto games = read_recordings("fiba", {kept("basketball/fiba_illapel_boston_pbp.csv.gz")});
  REQUIRE(games.size() == 1);
  const auto what = play_recording(games[0]);
  require_sound(what, games[0].match_key);
  CHECK(what.game.board("/score/home") == "67");
  CHECK(what.game.board("/score/away") == "51");
  const auto board = what.board();
  CHECK(by_period(board.root(), "home") == "20 15 16 16");
  check_totals(what, games[0], kept("basketball/fiba_illapel_boston_totals.csv"));
  report_agreed("basketball", "kept game", 1, 1);
}

TEST_CASE("basketball: the whole collection folds to its results") {
  const std::string folder = collected("basketball/");
  if (folder.empty()) return;
  auto read = omnium::corpus::read_json(folder + "expected.json");
  const json_view expected = std::get<omnium::corpus::json_document>(read).root();
  std::size_t matches = 0, agreed = 0;
  for (const auto& [file, known] : expected.members()) {
    INFO(file);
    const std::string format = file.rfind("fiba", 0) == 0       ? "fiba"
                               : file.rfind("pbp_live", 0) == 0 ? "nba-live"
                                                                : "nba-stats";
    const auto games = read_recordings(format, {folder + file});
    const auto what = play_recording(games.at(0));
    require_sound(what, file);
    const bool same = agrees(what, games[0], known);
    CHECK(same);
    // The table of FIBA LiveStats has two substitutions entered late, with the score of their time.
    CHECK(games[0].notes.size() == (format == "fiba" ? 2u : 0u));
    CHECK(what.game.state().size() < 8 * 1024);
    ++matches;
    agreed += same;
  }
  CHECK(matches == 4);
  report_agreed("basketball", "play-by-play files", matches, agreed);
}
