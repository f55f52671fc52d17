// Recorded games of curling: every one folds to its true result.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <fstream>

namespace {

using omnium::corpus::json_view;
using omnium::corpus::recording;
using namespace omnium::test;

bool says(const std::vector<std::string>& notes, const std::string& part) {
  for (const auto& one : notes)
    if (one.find(part) != std::string::npos) return true;
  return false;
}

std::string country(const std::string& team) { return team.substr(team.find('-') + 1); }

// Every end, its hammer, the total and the winner as the independent script has them. `gap`: an end is missing in the
// source, so that the ends do not reach the stated total.
bool agrees(const played& what, const recording& from, json_view expected, bool gap) {
  const auto board = what.board();
  const json_view shown = board.root();
  const auto ends = expected["ends"].items();
  bool same = true;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const json_view end = shown["ends"].at(i);
    same = same && end["home"].integer() == ends[i].at(0).integer() &&
           end["away"].integer() == ends[i].at(1).integer() && end["played"].flag();
    const std::string hammer = country(expected["hammer_by_end"].at(i).text());
    same = same && (end["hammer"].text() == "home" ? from.home_name : from.away_name) == hammer;
  }
  for (std::size_t i = ends.size(); i < shown["ends"].items().size(); ++i)
    same = same && !shown["ends"].at(i)["played"].flag() && !shown["ends"].at(i)["home"];
  if (gap) return same;
  same = same && shown["score"]["home"].integer() == expected["final"].at(0).integer() &&
         shown["score"]["away"].integer() == expected["final"].at(1).integer();
  const std::string winner = country(expected["winner"].text());
  return same && (shown["winner"].text() == "home" ? from.home_name : from.away_name) == winner &&
         shown["status"].text() == "ended";
}

void fold_all(const std::string& source, const std::vector<recording>& games, json_view expected,
              const std::string& prefix) {
  std::size_t agreed = 0;
  for (const recording& one : games) {
    INFO(one.match_key);
    const auto what = play_recording(one);
    require_sound(what, one.match_key);
    const json_view truth = expected[one.match_key.substr(prefix.size())];
    REQUIRE(truth);
    const bool gap = says(one.notes, "The ends sum to");
    CHECK(gap == !truth["agrees"].flag());
    const bool same = agrees(what, one, truth, gap);
    CHECK(same);
    agreed += same;
  }
  report_agreed("curling", source, games.size(), agreed);
}

} // namespace

TEST_CASE("curling: mixed doubles games with every stone fold to their results") {
  const auto games = read_recordings(
      "curling-csv", {kept("curling/mixed_doubles_games.csv"), kept("curling/mixed_doubles_shots.csv.gz")});
  REQUIRE(games.size() == 4);
  for (const recording& one : games) {
    const auto what = play_recording(one);
    require_sound(what, one.match_key);
    const auto truth = omnium::corpus::json_document::parse(one.truth);
    const json_view score = std::get<omnium::corpus::json_document>(truth).root()["score"];
    CHECK(what.game.board("/score/home") == score["home"].text());
    CHECK(what.game.board("/score/away") == score["away"].text());
    CHECK(what.game.board("/status") == "ended");
  }
  report_agreed("curling", "kept mixed doubles games", games.size(), games.size());
}

TEST_CASE("curling: the JSON form keeps unplayed ends unplayed") {
  const std::string path = OMNIUM_BINARY_DIR "/curling_form.json";
  std::ofstream{path} << R"({"format":"team","teams":{"home":"SUI","away":"SWE"},"hammer_first":"home",)"
                         R"("ends":[[0,1],[0,0],[2,0],[0,3],[0,0],[0,4],null,null],"conceded":"home","winner":"away"})";
  const auto games = read_recordings("curling", {path});
  REQUIRE(games.size() == 1);
  const auto what = play_recording(games[0]);
  require_sound(what, "JSON form");
  CHECK(what.game.board("/score/home") == "2");
  CHECK(what.game.board("/score/away") == "8");
  CHECK(what.game.board("/winner") == "away");
  CHECK(what.game.board("/ends/1/blank") == "true");
  CHECK(what.game.board("/ends/6/played") == "false");
  CHECK(what.game.board("/ends/6/home") == "null");
  CHECK(what.game.board("/outcome/reason") == "conceded");
}

TEST_CASE("curling: a copy of a file under another name, spaced otherwise, is the same game; another game is not") {
  const auto key_of = [](const std::string& name, const std::string& text) {
    const std::string path = OMNIUM_BINARY_DIR "/" + name;
    std::ofstream{path} << text;
    const auto games = read_recordings("curling", {path});
    REQUIRE(games.size() == 1);
    return std::pair{games[0].match_key, games[0].commands.back().key};
  };
  const std::string text = R"({"teams":{"home":"SUI","away":"SWE"},"ends":[[0,1],[2,0]],"date":"2018-02-24"})";
  const std::string spaced = R"({ "teams": {"home":"SUI","away":"SWE"}, "ends": [[0,1], [2,0]],
                                 "date": "2018-02-24" })";
  const std::string other_day = R"({"teams":{"home":"SUI","away":"SWE"},"ends":[[0,1],[2,0]],"date":"2018-02-25"})";
  const auto first = key_of("curling_name_one.json", text);
  CHECK(first == key_of("curling_name_two.json", text));
  CHECK(first == key_of("curling_name_three.json", spaced));
  CHECK(first != key_of("curling_name_one.json", other_day));
}

TEST_CASE("curling: a file that ends level names the winner, who is awarded the game; without one it goes on") {
  const auto played_of = [](const std::string& more) {
    const std::string path = OMNIUM_BINARY_DIR "/curling_level.json";
    std::ofstream{path} << R"({"ends":[[1,0],[0,1],[1,0],[0,1],[1,0],[0,1],[1,0],[0,1]])" << more << '}';
    const auto games = read_recordings("curling", {path});
    auto what = play_recording(games.at(0));
    require_sound(what, more);
    CHECK(says(games[0].notes, "leave the game level"));
    return what;
  };
  const auto won = played_of(R"(,"winner":"away")");
  CHECK(won.game.board("/status") == "ended");
  CHECK(won.game.board("/outcome") == R"({"reason":"awarded","winner":"away"})");
  CHECK(won.game.board("/winner") == "away");
  CHECK(won.game.board("/line") == "4–4 (awarded), away won");
  CHECK(played_of("").game.board("/status") == "live");
}

TEST_CASE("curling: a JSON form that is none is refused with a sentence") {
  const std::string path = OMNIUM_BINARY_DIR "/curling_broken.json";
  const auto sentence = [&](const char* text) {
    std::ofstream{path} << text;
    auto read = omnium::corpus::find_format("curling")->read({path});
    return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : std::string{};
  };
  CHECK(sentence("[1]").find("no JSON object") != std::string::npos);
  CHECK(sentence(R"({"format":"skins","ends":[]})").find("format") != std::string::npos);
  CHECK(sentence(R"({"ends":[[1]]})").find("end 1") != std::string::npos);
  CHECK(sentence(R"({"ends":{}})").find("ends") != std::string::npos);
}

TEST_CASE("curling: an end with two scorers in a file is sent and refused, not made up") {
  const std::string path = OMNIUM_BINARY_DIR "/curling_both.json";
  std::ofstream{path}
      << R"({"format":"team","ends":[[1,2],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0]],"winner":"home"})";
  const auto games = read_recordings("curling", {path});
  const auto what = play_recording(games.at(0));
  REQUIRE(what.refused.size() == 1);
  CHECK(what.refused[0].find("both_score") != std::string::npos);
  CHECK(says(games[0].notes, "both sides scored"));
}

TEST_CASE("curling: the whole collection folds to its results") {
  const std::string folder = collected("curling/");
  if (folder.empty()) return;
  auto expected = omnium::corpus::read_json(folder + "expected.json");
  const json_view root = std::get<omnium::corpus::json_document>(expected).root();
  const auto doubles =
      read_recordings("curling-csv", {folder + "mixed_doubles_games.csv", folder + "mixed_doubles_shots.csv.gz"});
  CHECK(doubles.size() == 53);
  fold_all("mixed doubles", doubles, root["mixed_doubles"], "curlr:");
  const auto fours =
      read_recordings("curling-csv", {folder + "four_player_ends.csv", folder + "four_player_matches.csv"});
  CHECK(fours.size() == 7);
  fold_all("four-player", fours, root["four_player"], "curling-ends:1/");
}
