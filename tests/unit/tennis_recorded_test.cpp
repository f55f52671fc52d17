// Recorded matches of tennis: every one folds to its true score.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <map>

namespace {

using omnium::corpus::json_view;
using omnium::corpus::recording;
using namespace omnium::test;

bool same_pair(json_view shown, json_view pair) {
  return shown["home"].integer() == pair.at(0).integer() && shown["away"].integer() == pair.at(1).integer();
}

// Sets with their tie-breaks, the points won, the winner or the unfinished set: all as the independent script has them.
bool agrees(json_view board, json_view expected) {
  const auto sets = expected["sets"].items();
  bool same = same_pair(board["points"], expected["points"]);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const json_view shown = board["sets"].at(i);
    same = same && same_pair(shown, sets[i]["games"]);
    if (sets[i]["tiebreak"]) same = same && same_pair(shown["tiebreak"], sets[i]["tiebreak"]);
    else same = same && !shown["tiebreak"];
  }
  if (const auto winner = expected["winner"].integer()) {
    return same && board["sets"].items().size() == sets.size() &&
           board["result"]["winner"].text() == (*winner == 1 ? "home" : "away") && board["status"].text() == "ended";
  }
  static const std::map<std::string, std::int64_t> points{{"0", 0}, {"15", 1}, {"30", 2}, {"40", 3}};
  const json_view open = board["sets"].at(sets.size());
  return same && !board["result"] && same_pair(open, expected["unfinished_games"]) &&
         points.at(board["game"]["home"].text()) == expected["unfinished_points"].at(0).integer() &&
         points.at(board["game"]["away"].text()) == expected["unfinished_points"].at(1).integer();
}

std::size_t fold(const recording& one, json_view expected) {
  INFO(one.match_key);
  const auto what = play_recording(one);
  require_sound(what, one.match_key);
  const auto board = what.board();
  const bool same = agrees(board.root(), expected);
  CHECK(same);
  return same ? 1 : 0;
}

} // namespace

TEST_CASE("tennis: a made-up table of point strings and one of points fold to their scores") {
  const auto strings = read_recordings("tennis", {kept("tennis/point_strings.csv")});
  REQUIRE(strings.size() == 2);
  const auto first = play_recording(strings[0]);
  require_sound(first, "point strings");
  CHECK(first.game.board("/sets/0/home") == "7");
  CHECK(first.game.board("/sets/0/tiebreak/away") == "5");
  CHECK(first.game.board("/sets/1/home") == "6");
  CHECK(first.game.board("/result/winner") == "home");
  const auto second = play_recording(strings[1]);
  require_sound(second, "point strings");
  CHECK(second.game.board("/result/winner") == "away");
  const auto points = read_recordings("tennis", {kept("tennis/points.csv")});
  REQUIRE(points.size() == 1);
  const auto third = play_recording(points[0]);
  require_sound(third, "points");
  CHECK(points[0].home_name == "Ada/Cleo");
  CHECK(third.game.board("/sets/0/home") == "1");
  CHECK(third.game.board("/game/home") == "15");
  CHECK(third.game.board("/game/away") == "30");
  CHECK(third.game.board("/serving_player") == "Berta");
  CHECK(third.game.board("/status") == "live"); // the table stops in the match
  report_agreed("tennis", "made-up tables", 3, 3);
}

TEST_CASE("tennis: the whole collection folds to its results") {
  const std::string folder = collected("tennis/");
  if (folder.empty()) return;
  auto read = omnium::corpus::read_json(folder + "expected.json");
  const json_view expected = std::get<omnium::corpus::json_document>(read).root();
  const auto strings = read_recordings("tennis", {folder + "pbp_matches.csv"});
  CHECK(strings.size() == 60);
  std::size_t agreed = 0;
  for (const recording& one : strings) {
    json_view truth = expected["pbp"][one.match_key.substr(std::string{"tennis-pbp:"}.size())];
    REQUIRE(truth);
    agreed += fold(one, truth);
  }
  report_agreed("tennis", "point strings", strings.size(), agreed);
  agreed = 0;
  const auto slam = expected["slam_points"].members();
  for (const auto& [file, truth] : slam) {
    const auto games = read_recordings("tennis", {folder + "slam_points/" + file});
    agreed += fold(games.at(0), truth);
  }
  CHECK(slam.size() == 8);
  report_agreed("tennis", "point tables", slam.size(), agreed);
}
