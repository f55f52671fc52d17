// The readers of tables, scout files and feeds: what they make of files that are not theirs, and of every file twice.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include "sports/corpus/basketball_game.hpp"
#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/recorder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace {

using namespace omnium::corpus;
using omnium::test::kept;

std::string sentence(const char* format, const std::string& path) {
  auto read = find_format(format)->read({path});
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : std::string{};
}

const std::vector<std::pair<const char*, std::string>> kept_files{
    {"curling-csv", "curling/mixed_doubles_games.csv"},
    {"tennis", "tennis/point_strings.csv"},
    {"tennis", "tennis/points.csv"},
    {"dvw", "volleyball/2020_click_scout.dvw.gz"},
    {"ifsc", "climbing/paris2024_speed_men.csv"},
    {"fiba", "basketball/fiba_illapel_boston_pbp.csv.gz"},
    {"shuttleset", "badminton/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP/set1.csv.gz"}};

} // namespace

TEST_CASE("a table's cells may hold commas, quotes and line ends") {
  const csv_table table = csv_table::parse("\xEF\xBB\xBFname,said,n\r\nAda,\"a, \"\"b\"\"\nc\",3\r\n\r\nBerta,x\n");
  REQUIRE(table.columns() == std::vector<std::string>{"name", "said", "n"});
  REQUIRE(table.rows().size() == 2);
  CHECK(table.cell(table.rows()[0], "said") == "a, \"b\"\nc");
  CHECK(table.cell(table.rows()[0], "n") == "3");
  CHECK(table.cell(table.rows()[1], "n") == "");
  CHECK(table.cell(table.rows()[1], "missing") == "");
  CHECK(csv_table::parse("").rows().empty());
}

TEST_CASE("numbers of tables are read whole or not at all") {
  CHECK(to_integer("12") == 12);
  CHECK(to_integer("-3") == -3);
  CHECK(to_integer("7.0") == 7);
  for (const char* text : {"", "x", "1x", "1.5", ".0", "99999999999999999999"})
    CHECK_FALSE(to_integer(text).has_value());
  CHECK(split("a;;b", ';').size() == 3);
  CHECK(trimmed(" \t a b\r\n") == "a b");
}

TEST_CASE("a game clock is read as a table or as a feed writes it") {
  using namespace omnium::corpus::basketball;
  CHECK(parse_clock("11:39").text == "11:39");
  CHECK(parse_clock("0:08.5").text == "00:08.5");
  CHECK(parse_clock("0:08.5").tenths == 85);
  CHECK(parse_iso_clock("PT11M39.00S").text == "11:39");
  CHECK(parse_iso_clock("PT00M08.50S").text == "00:08.5");
  for (const char* text : {"", "x", "11", "11:xx", "11:61"}) CHECK(parse_clock(text).text == "");
  for (const char* text : {"", "PT", "11:39", "PT11S"}) CHECK(parse_iso_clock(text).text == "");
}

TEST_CASE("a reader says in one sentence, with the file's name, that a file is none of its kind") {
  const std::string other = kept("README.md"), missing = kept("no_such_file.csv");
  for (const char* format : {"curling", "curling-csv", "tennis", "dvw", "beach-csv", "ifsc", "shuttleset", "fiba",
                             "nba-stats", "nba-live"}) {
    CAPTURE(format);
    CHECK(sentence(format, other).find("README.md") != std::string::npos);
    CHECK(sentence(format, missing) != "");
  }
}

TEST_CASE("a second reading of a file makes the same commands under the same keys, each key once") {
  for (const auto& [format, name] : kept_files) {
    CAPTURE(format, name);
    const auto once = omnium::test::read_recordings(format, {kept(name)});
    const auto twice = omnium::test::read_recordings(format, {kept(name)});
    REQUIRE(once.size() == twice.size());
    std::set<std::string> keys, matches;
    std::size_t commands = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
      matches.insert(once[i].match_key);
      REQUIRE(once[i].commands.size() == twice[i].commands.size());
      for (std::size_t c = 0; c < once[i].commands.size(); ++c, ++commands) {
        const auto& command = once[i].commands[c];
        CHECK((command.key == twice[i].commands[c].key && command.input == twice[i].commands[c].input));
        CHECK((!command.key.empty() && command.key.size() <= 200));
        keys.insert(command.key);
      }
      CHECK(!once[i].home_name.empty());
      CHECK(!once[i].competition_key.empty());
    }
    CHECK(keys.size() == commands);
    CHECK(matches.size() == once.size());
  }
}

TEST_CASE("a scout file under another name is the same match") {
  const std::string copy = OMNIUM_BINARY_DIR "/renamed.dvw.gz";
  std::filesystem::copy_file(kept("volleyball/2020_click_scout.dvw.gz"), copy,
                             std::filesystem::copy_options::overwrite_existing);
  const auto once = omnium::test::read_recordings("dvw", {kept("volleyball/2020_click_scout.dvw.gz")});
  const auto twice = omnium::test::read_recordings("dvw", {copy});
  CHECK(once.at(0).match_key == twice.at(0).match_key);
  CHECK(once.at(0).commands.back().key == twice.at(0).commands.back().key);
}

TEST_CASE("a feed whose baskets and running score differ is noted once and goes on") {
  const std::string path = OMNIUM_BINARY_DIR "/fiba_gap.csv";
  std::ofstream{path}
      << "match_id,competencia,tiempo_restante,numero_evento,jugador,equipo,pts_local,pts_visita,periodo,"
         "tipo_periodo,evento,resultado_evento,tipo_evento,evento_previo\n"
         "1,L,10:00,1,,,0,0,1,REGULAR,period,1,start,\n"
         "1,L,09:00,2,A,H,2,0,1,REGULAR,2pt,1,layup,\n"
         "1,L,08:30,3,X,V,2,3,1,REGULAR,3pt,1,jumpshot,\n"
         "1,L,08:00,4,B,H,6,3,1,REGULAR,2pt,1,layup,\n"
         "1,L,07:00,5,B,H,8,3,1,REGULAR,2pt,1,layup,\n"
         "1,L,00:00,6,,,8,3,1,REGULAR,period,1,end,\n"
         "1,L,00:00,7,,,8,3,1,REGULAR,game,1,end,\n";
  const auto games = omnium::test::read_recordings("fiba", {path});
  REQUIRE(games.size() == 1);
  REQUIRE(games[0].notes.size() == 1);
  CHECK(games[0].notes[0].find("6-3") != std::string::npos);
  const auto what = omnium::test::play_recording(games[0]);
  CHECK(what.refused.empty());
  CHECK(what.game.board("/score/home") == "6");
}

namespace {

std::string bytes_of(const std::string& path) { return std::get<std::string>(read_file(path)); }

// What a file that was cut off says against the whole one: the same match, no end of it, and nothing that the whole one
// says otherwise but what was cut in two (an assist is a row after its basket).
void check_cut(const char* format, const std::string& cut_path, const recording& whole) {
  auto read = find_format(format)->read({cut_path});
  if (std::holds_alternative<std::string>(read)) return; // refused in words
  const auto& all = std::get<std::vector<recording>>(read);
  REQUIRE(all.size() == 1);
  const auto& cut = all.front();
  CHECK(cut.match_key == whole.match_key);
  std::map<std::string, const recorded_command*> known;
  for (const auto& one : whole.commands) known.emplace(one.key, &one);
  int otherwise = 0;
  for (const auto& one : cut.commands) {
    CHECK(one.code != "match.end");
    const auto found = known.find(one.key);
    otherwise += found == known.end() || found->second->input != one.input;
  }
  CHECK(otherwise <= 1);
  CHECK(std::any_of(cut.notes.begin(), cut.notes.end(),
                    [](const std::string& note) { return note.find("stops before") != std::string::npos; }));
}

} // namespace

TEST_CASE("a file that was cut off leaves its match open, and the whole file goes on with it") {
  const std::pair<const char*, std::string> files[] = {{"dvw", kept("volleyball/2020_click_scout.dvw.gz")},
                                                       {"fiba", kept("basketball/fiba_illapel_boston_pbp.csv.gz")}};
  for (const auto& [format, path] : files) {
    const auto whole = omnium::test::read_recordings(format, {path}).at(0);
    const auto bytes = bytes_of(path);
    for (const double share : {0.5, 0.67, 0.8, 0.9, 0.97, 0.99}) {
      auto at = static_cast<std::size_t>(share * static_cast<double>(bytes.size()));
      for (const auto size : {at, bytes.rfind('\n', at) + 1}) { // in a line, and between two
        CAPTURE(format, share, size);
        const std::string cut = std::string(OMNIUM_BINARY_DIR) + "/cut." + format;
        std::ofstream(cut, std::ios::binary) << bytes.substr(0, size);
        check_cut(format, cut, whole);
      }
    }
  }
}

TEST_CASE("a match whose last game is missing stays open") {
  const std::string whole = "badminton/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP";
  const std::string folder = OMNIUM_BINARY_DIR "/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(kept(whole + "/set1.csv.gz"), folder + "/set1.csv.gz",
                             std::filesystem::copy_options::overwrite_existing);
  check_cut("shuttleset", folder + "/set1.csv.gz",
            omnium::test::read_recordings("shuttleset", {kept(whole + "/set1.csv.gz")}).at(0));
}

TEST_CASE("rallies that a stroke table lacks are put in and said so") {
  const std::string folder = OMNIUM_BINARY_DIR "/shuttle_gap";
  std::filesystem::create_directories(folder);
  std::ofstream{folder + "/set1.csv"}
      << "rally,ball_round,time,roundscore_A,roundscore_B,player,server\n"
         "1,1,00:00:01,1,0,A,1\n1,2,00:00:02,1,0,B,2\n2,1,00:00:09,3,0,A,1\n3,1,00:00:20,3,1,A,1\n";
  const auto games = omnium::test::read_recordings("shuttleset", {folder + "/set1.csv"});
  REQUIRE(games.size() == 1);
  CHECK(games[0].notes.size() == 3); // no match.csv, the gap, and one game of two
  std::size_t missing = 0, rallies = 0;
  for (const auto& command : games[0].commands) {
    rallies += command.code == "badminton.rally";
    missing += command.input.find("not_in_source") != std::string::npos;
  }
  CHECK(rallies == 4);
  CHECK(missing == 1);
}
