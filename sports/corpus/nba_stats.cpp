// Format `nba-stats`: play-by-play answers of the NBA's stats service (resultSets, one row an event, home and visitor
// descriptions in words). Rows stand in the order of play, not of EVENTNUM; SCORE is "away - home".
#include "sports/corpus/basketball_game.hpp"
#include "sports/corpus/csv.hpp"
#include "sports/corpus/json_in.hpp"

#include <map>

namespace omnium::corpus {

namespace {

using basketball::game_writer;

enum message : int {
  make = 1,
  miss = 2,
  free_throw = 3,
  rebound = 4,
  turnover = 5,
  foul = 6,
  substitution = 8,
  timeout = 9,
  period_start = 12,
  period_end = 13
};

class stats_table {
public:
  explicit stats_table(json_view set) : rows_(set["rowSet"].items()) {
    std::size_t at = 0;
    for (const json_view header : set["headers"].items()) places_.emplace(header.text(), at++);
  }
  const std::vector<json_view>& rows() const { return rows_; }
  bool has(const std::string& column) const { return places_.count(column) > 0; }
  json_view cell(json_view row, const std::string& column) const {
    const auto place = places_.find(column);
    return place == places_.end() ? json_view{} : row.at(place->second);
  }

private:
  std::map<std::string, std::size_t> places_;
  std::vector<json_view> rows_;
};

// PERSON1TYPE: 4 and 5 are players of the home and the visiting team, 2 and 3 the teams themselves.
std::optional<int> side_of_type(std::int64_t type) {
  if (type == 4 || type == 2) return 0;
  if (type == 5 || type == 3) return 1;
  return std::nullopt;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string foul_kind(std::int64_t action) {
  switch (action) {
  case 2:
  case 29:
    return "shooting";
  case 4:
  case 26:
    return "offensive";
  case 11:
  case 12:
  case 13:
  case 16:
  case 18:
  case 19:
  case 25:
    return "technical";
  case 17:
  case 30:
    return "bench_technical"; // defensive three seconds, too many players: the team's
  case 14:
    return "unsportsmanlike";
  case 15:
    return "disqualifying";
  default:
    return "personal";
  }
}

class stats_walk {
public:
  stats_walk(recorder& into, const stats_table& table) : table_(table), game_(into, 4, 720) {}

  void run() {
    for (const json_view row : table_.rows()) take(row);
    game_.finish();
  }

private:
  std::string text(json_view row, const std::string& column) const { return table_.cell(row, column).text(); }
  std::int64_t number(json_view row, const std::string& column) const { return table_.cell(row, column).integer_or(0); }

  std::string player(json_view row, const char* which, int side) const {
    const std::string prefix = std::string{"PLAYER"} + which;
    const auto of = side_of_type(number(row, std::string{"PERSON"} + which + "TYPE"));
    const std::int64_t type = number(row, std::string{"PERSON"} + which + "TYPE");
    return of == side && type >= 4 ? text(row, prefix + "_ID") : std::string{};
  }

  // The side an event is of; its words stand in that side's column.
  std::optional<int> side(json_view row) const {
    if (const auto of = side_of_type(number(row, "PERSON1TYPE"))) return of;
    const bool home = !text(row, "HOMEDESCRIPTION").empty(), away = !text(row, "VISITORDESCRIPTION").empty();
    return home == away ? std::nullopt : std::optional{home ? 0 : 1};
  }

  void take(json_view row) {
    const auto what = number(row, "EVENTMSGTYPE");
    game_.at(text(row, "EVENTNUM"), static_cast<int>(number(row, "PERIOD")),
             basketball::parse_clock(text(row, "PCTIMESTRING")));
    if (what == period_start) game_.start_period();
    else if (what == period_end) game_.end_period();
    else if (const auto of = side(row)) play(row, what, *of);
    says(text(row, "SCORE"));
  }

  void play(json_view row, std::int64_t what, int of) {
    const std::string words = text(row, of == 0 ? "HOMEDESCRIPTION" : "VISITORDESCRIPTION");
    const auto action = number(row, "EVENTMSGACTIONTYPE");
    const int points = holds(words, "3PT") ? 3 : 2;
    switch (what) {
    case make:
      game_.made(of, points, player(row, "1", of), player(row, "2", of), "");
      break;
    case miss:
      missed(row, of, points);
      break;
    case free_throw:
      throw_of(row, words, action, of);
      break;
    case rebound:
      game_.counted("rebound", of, player(row, "1", of), "");
      break;
    case turnover:
      lost(row, action, of);
      break;
    case foul:
      game_.foul(of, foul_kind(action), player(row, "1", of), player(row, "2", 1 - of));
      break;
    case substitution:
      game_.substitution(of, player(row, "1", of), player(row, "2", of));
      break;
    case timeout:
      game_.timeout(of);
      break;
    default:
      break;
    }
  }

  void missed(json_view row, int of, int points) {
    game_.missed(of, points, player(row, "1", of), "");
    if (const std::string blocker = player(row, "3", 1 - of); !blocker.empty())
      game_.counted("block", 1 - of, blocker, "");
  }

  void lost(json_view row, std::int64_t action, int of) {
    if (action == 0) return; // "No Turnover"
    game_.counted("turnover", of, player(row, "1", of), "");
    if (const std::string thief = player(row, "2", 1 - of); !thief.empty()) game_.counted("steal", 1 - of, thief, "");
  }

  // Actions 10 to 15 are "n of m"; "Free Throw 2PT" and "3PT" are single throws that stand for as many points.
  void throw_of(json_view row, const std::string& words, std::int64_t action, int of) {
    const bool made = words.rfind("MISS", 0) != 0;
    const int worth = holds(words, "Free Throw 2PT") ? 2 : holds(words, "Free Throw 3PT") ? 3 : 1;
    const int total = action == 10 ? 1 : action == 11 || action == 12 ? 2 : action >= 13 && action <= 15 ? 3 : 0;
    const int turn = action == 10 || action == 11 || action == 13 ? 1 : action == 12 || action == 14 ? 2 : 3;
    game_.free_throw(of, made, worth, player(row, "1", of), total > 0 ? turn : 0, total);
  }

  void says(const std::string& score) {
    const auto parts = split(score, '-');
    if (parts.size() != 2) return;
    const auto away = to_integer(trimmed(parts[0])), home = to_integer(trimmed(parts[1]));
    if (away && home) game_.says(static_cast<int>(*home), static_cast<int>(*away));
  }

  const stats_table& table_;
  game_writer game_;
};

std::array<std::string, 2> teams_of(const stats_table& table) {
  std::array<std::string, 2> teams;
  for (const json_view row : table.rows()) {
    const auto type = table.cell(row, "PERSON1TYPE").integer_or(0);
    const std::string team = table.cell(row, "PLAYER1_TEAM_ABBREVIATION").text();
    if ((type == 4 || type == 5) && !team.empty() && teams[type == 4 ? 0 : 1].empty()) teams[type == 4 ? 0 : 1] = team;
  }
  return teams;
}

} // namespace

read_result read_nba_stats(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto read = read_json(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    const json_view set = std::get<json_document>(read).root()["resultSets"].at(0);
    const stats_table table{set};
    if (!table.has("EVENTMSGTYPE") || table.rows().empty())
      return path + " is no play-by-play answer of the NBA's stats service.";
    recorder into{"nba-stats", table.cell(table.rows()[0], "GAME_ID").text()};
    into.out.sport = "basketball";
    into.competition("nba", "NBA");
    const auto teams = teams_of(table);
    into.sides(teams[0], teams[1], recorded_participant::kind::team);
    into.out.settings = R"({"rules":"nba"})";
    into.add("match.start", "start", json_object{});
    stats_walk{into, table}.run();
    out.push_back(std::move(into.out));
  }
  return out;
}

} // namespace omnium::corpus
