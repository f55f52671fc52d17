// Format `shuttleset`: stroke tables of singles matches (ShuttleSet22), one game a file set1.csv, set2.csv, set3.csv in
// a folder of the match; the score of a rally stands on all its rows and is the score after it. match.csv in the folder
// above names the players (side A is the winner there). Given one file of a match, all its games are read.
#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/recorder.hpp"

#include <algorithm>
#include <filesystem>

namespace omnium::corpus {

namespace {

namespace fs = std::filesystem;

struct stroke_rally {
  std::int64_t number = 0, home = 0, away = 0;
  std::string server; // A or B, of the rally's first stroke
  std::optional<double> at;
};

std::optional<double> seconds_of(std::string_view clock) {
  const auto parts = split(clock, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto h = to_integer(parts[0]), m = to_integer(parts[1]), s = to_integer(parts[2]);
  if (!h || !m || !s) return std::nullopt;
  return static_cast<double>(*h * 3600 + *m * 60 + *s);
}

// The rallies of a game in the order of their numbers: the rows of some are at the wrong place of the file.
std::vector<stroke_rally> rallies_of(recorder& into, const csv_table& table, const std::string& game) {
  std::vector<stroke_rally> all;
  for (const auto& row : table.rows()) {
    const auto number = to_integer(table.cell(row, "rally"));
    const auto home = to_integer(table.cell(row, "roundscore_A")), away = to_integer(table.cell(row, "roundscore_B"));
    if (!number || !home || !away || (!all.empty() && all.back().number == *number)) continue;
    all.push_back({*number, *home, *away, table.cell(row, "player"), seconds_of(table.cell(row, "time"))});
  }
  const auto by_number = [](const stroke_rally& a, const stroke_rally& b) { return a.number < b.number; };
  if (!std::is_sorted(all.begin(), all.end(), by_number)) {
    into.note(game + ": rows stand out of order; the rallies are taken in the order of their numbers.");
    std::stable_sort(all.begin(), all.end(), by_number);
  }
  return all;
}

class game_walk {
public:
  game_walk(recorder& into, std::size_t number)
      : into_(into), game_("Game " + std::to_string(number)), key_('g' + std::to_string(number)) {}

  void run(const csv_table& table) {
    const auto all = rallies_of(into_, table, game_);
    if (all.empty()) return into_.note(game_ + " has no rallies in the file.");
    into_.add("badminton.service", key_ + ":service",
              json_object{}.text("side", all[0].server == "B" ? "away" : "home"));
    for (const stroke_rally& one : all) take(one);
  }

  bool home_leads() const { return home_ > away_; }

private:
  // A score that moves by more than one point says that rallies are missing: their points are put in, and said so.
  void take(const stroke_rally& one) {
    const std::int64_t home = one.home - home_, away = one.away - away_;
    if (home < 0 || away < 0 || home + away == 0) {
      into_.note(game_ + ", rally " + std::to_string(one.number) + ": the score goes from " + said() + " to " +
                 std::to_string(one.home) + "-" + std::to_string(one.away) + "; it is left out.");
      return;
    }
    if (home + away > 1)
      into_.note(game_ + ", before rally " + std::to_string(one.number) + ": the score goes from " + said() + " to " +
                 std::to_string(one.home) + "-" + std::to_string(one.away) + "; the missing points are put in.");
    for (std::int64_t i = 0; i < home; ++i) add(one, "home", i + 1 < home + away);
    for (std::int64_t i = 0; i < away; ++i) add(one, "away", i + 1 < away);
    home_ = one.home;
    away_ = one.away;
  }

  void add(const stroke_rally& one, const char* winner, bool missing) {
    json_object input;
    input.text("winner", winner);
    if (missing) input.text("how", "not_in_source");
    into_.add("badminton.rally", key_ + ":rally:" + std::to_string(++count_), input).offset_s = one.at;
  }

  std::string said() const { return std::to_string(home_) + '-' + std::to_string(away_); }

  recorder& into_;
  std::string game_, key_;
  std::int64_t home_ = 0, away_ = 0, count_ = 0;
};

struct match_names {
  std::string winner = "Player A", loser = "Player B", tournament = "Badminton";
};

match_names names_of(recorder& into, const fs::path& folder) {
  match_names found;
  const std::string index = (folder.parent_path() / "match.csv").string();
  auto read = file_exists(index) ? csv_table::read(index) : std::variant<csv_table, std::string>{std::string{}};
  if (const auto* table = std::get_if<csv_table>(&read))
    for (const auto& row : table->rows()) {
      if (table->cell(row, "folder") != folder.filename() && table->cell(row, "video") != folder.filename()) continue;
      return {table->cell(row, "winner"), table->cell(row, "loser"), table->cell(row, "tournament")};
    }
  into.note("No match.csv in the folder above names the players.");
  return found;
}

std::optional<std::string> game_file(const fs::path& folder, std::size_t number) {
  for (const char* ending : {".csv", ".csv.gz"}) {
    const std::string path = (folder / ("set" + std::to_string(number) + ending)).string();
    if (file_exists(path)) return path;
  }
  return std::nullopt;
}

std::variant<recording, std::string> read_match(const fs::path& folder) {
  recorder into{"shuttleset", folder.filename().string()};
  into.out.sport = "badminton";
  const match_names names = names_of(into, folder);
  into.competition(names.tournament, names.tournament);
  into.sides(names.winner, names.loser, recorded_participant::kind::person);
  into.add("match.start", "start", json_object{});
  int won = 0;
  for (std::size_t number = 1;; ++number) {
    const auto path = game_file(folder, number);
    if (!path) break;
    auto table = csv_table::read(*path);
    if (auto* error = std::get_if<std::string>(&table)) return std::move(*error);
    game_walk game{into, number};
    game.run(std::get<csv_table>(table));
    won += game.home_leads() ? 1 : 0;
  }
  constexpr int games_to_win = 2;
  if (won < games_to_win) into.stops_early(); // side A is the winner: a game of the match is missing
  else into.add("match.end", "end", json_object{}.text("reason", "completed").text("winner", "home"));
  return std::move(into.out);
}

} // namespace

read_result read_shuttleset(const std::vector<std::string>& paths) {
  std::vector<fs::path> folders;
  for (const std::string& path : paths) {
    const fs::path folder = fs::absolute(path).parent_path();
    if (fs::path{path}.filename().string().rfind("set", 0) != 0)
      return path + " is no game's table (set1.csv and so on).";
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  std::vector<recording> out;
  for (const fs::path& folder : folders) {
    auto one = read_match(folder);
    if (auto* error = std::get_if<std::string>(&one)) return std::move(*error);
    out.push_back(std::move(std::get<recording>(one)));
  }
  return out;
}

} // namespace omnium::corpus
