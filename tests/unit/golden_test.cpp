// Golden matches: the scoreboard after every play as it was when the release was cut, kept as data in
// tests/data/golden/<sport>/<release>/<match>.jsonl.gz. A line is {"code","input","scoreboard"}; the first one has the
// settings and the scoreboard before the first play.
//
// A release is what it shows: where a scoreboard must change, the release in sports/<sport>/CMakeLists.txt gets a new
// number first. Then OMNIUM_WRITE_GOLDENS=1 with this test writes the goldens of releases that have none; what is
// written already is never written over.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/json_out.hpp"

#include <cstdlib>
#include <filesystem>
#include <zlib.h>

namespace {

namespace fs = std::filesystem;
using namespace omnium::test;
using omnium::corpus::json_document;
using omnium::corpus::json_object;
using omnium::corpus::recording;

const fs::path goldens = fs::path{OMNIUM_SOURCE_DIR} / "tests/data/golden";

// What is played: recordings whose files are kept here.
struct source {
  const char* sport;
  const char* format;
  std::vector<std::string> files;
  std::size_t first, matches; // which of the files' recordings
};

const std::vector<source> sources{
    {"curling", "curling-csv", {"curling/mixed_doubles_games.csv", "curling/mixed_doubles_shots.csv.gz"}, 0, 2},
    {"tennis", "tennis", {"tennis/point_strings.csv", "tennis/points.csv"}, 0, 3},
    {"volleyball", "dvw", {"volleyball/2020_click_scout.dvw.gz"}, 0, 1},
    {"climbing", "ifsc", {"climbing/paris2024_speed_men.csv"}, 13, 6},
    {"badminton", "shuttleset", {"badminton/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP/set1.csv.gz"}, 0, 1},
    {"basketball", "fiba", {"basketball/fiba_illapel_boston_pbp.csv.gz"}, 0, 1}};

std::string version_built(const std::string& sport) { return fs::path{package_of(sport)}.filename().string(); }

std::string golden_of(const recording& from) {
  omnium::sdk::test::match game(package_of(from.sport), from.settings);
  std::string text = json_object{}.raw("settings", from.settings).raw("scoreboard", game.scoreboard()).str() + '\n';
  for (const auto& command : from.commands) {
    INFO(command.key);
    REQUIRE(game.play(command.code, command.input).accepted);
    text += json_object{}
                .text("code", command.code)
                .raw("input", command.input)
                .raw("scoreboard", game.scoreboard())
                .str() +
            '\n';
  }
  return text;
}

void write_gz(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  const gzFile file = gzopen(path.c_str(), "wb9");
  REQUIRE(file != nullptr);
  CHECK(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  gzclose(file);
}

void write_missing() {
  for (const source& one : sources) {
    const fs::path folder = goldens / one.sport / version_built(one.sport);
    if (fs::exists(folder)) continue;
    std::vector<std::string> paths;
    for (const std::string& file : one.files) paths.push_back(kept(file));
    const auto recordings = read_recordings(one.format, paths);
    REQUIRE(recordings.size() >= one.first + one.matches);
    for (std::size_t i = 0; i < one.matches; ++i)
      write_gz(folder / ("match_" + std::to_string(i + 1) + ".jsonl.gz"), golden_of(recordings[one.first + i]));
  }
}

// The line's part from a member's name on, without the closing brace: the scoreboard's exact bytes.
std::string_view tail(std::string_view line, std::string_view member) {
  const std::size_t at = line.rfind(member);
  return at == std::string_view::npos ? std::string_view{}
                                      : line.substr(at + member.size(), line.size() - at - member.size() - 1);
}

std::string_view between(std::string_view line, std::string_view from, std::string_view to) {
  const std::size_t first = line.find(from);
  const std::size_t last = line.rfind(to);
  if (first == std::string_view::npos || last == std::string_view::npos) return {};
  return line.substr(first + from.size(), last - first - from.size());
}

// The first line that the release shows otherwise; empty: none.
std::string difference(const std::string& package, const std::string& text) {
  constexpr std::string_view board = R"(,"scoreboard":)";
  std::unique_ptr<omnium::sdk::test::match> game;
  std::size_t number = 0;
  for (const std::string_view line : omnium::corpus::split(text, '\n')) {
    if (line.empty()) continue;
    ++number;
    if (!game) {
      game = std::make_unique<omnium::sdk::test::match>(package, std::string{between(line, R"("settings":)", board)});
    } else {
      const auto parsed = json_document::parse(line);
      const std::string code = std::get<json_document>(parsed).root()["code"].text();
      const auto answer = game->play(code, std::string{between(line, R"("input":)", board)});
      if (!answer.accepted) return "line " + std::to_string(number) + ": " + code + " is refused: " + answer.message;
    }
    if (game->scoreboard() != tail(line, board))
      return "line " + std::to_string(number) + ": " + game->scoreboard() + " was " + std::string{tail(line, board)};
  }
  return number > 1 ? "" : "it holds no play";
}

} // namespace

TEST_CASE("every golden match shows the scoreboards that its release was cut with") {
  if (std::getenv("OMNIUM_WRITE_GOLDENS") != nullptr) write_missing();
  std::size_t matches = 0;
  for (const auto& entry : fs::recursive_directory_iterator{goldens}) {
    if (!entry.is_regular_file()) continue;
    const fs::path release = entry.path().parent_path();
    const std::string sport = release.parent_path().filename().string(), version = release.filename().string();
    INFO(entry.path().string());
    // A golden of a release that the tree no longer builds has no meaning: it goes when the release does.
    REQUIRE(version == version_built(sport));
    const auto text = omnium::corpus::read_file(entry.path().string());
    INFO("A scoreboard changes only with the release's number: see the head of golden_test.cpp.");
    CHECK(difference(package_of(sport), std::get<std::string>(text)) == "");
    ++matches;
  }
  CHECK(matches >= 14);
}

TEST_CASE("every sport with goldens has them for the release that is built") {
  for (const source& one : sources) {
    INFO(one.sport);
    CHECK(fs::exists(goldens / one.sport / version_built(one.sport)));
  }
}
