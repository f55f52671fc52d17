// Format `curling-csv`: two kinds of table, told apart by their columns.
//  - mixed doubles: one row a game (columns LineScoreT1, LSFE, PP_E1 …), with the stones from a second table (columns
//    Rock_Country, Shot …) when that is given too;
//  - four-player: one row an end (end_number, hammer_team_code …), with the results from a second table
//    (team1_final_score …).
#include "sports/corpus/csv.hpp"
#include "sports/corpus/curling_game.hpp"

#include <algorithm>
#include <map>

namespace omnium::corpus {

namespace {

using curling::end;
using curling::game;
using curling::side;
using row = csv_table::row;

struct tables {
  std::vector<csv_table> games, stones, ends, results;
};

std::optional<std::string> sort_in(tables& into, const std::string& path) {
  auto read = csv_table::read(path);
  if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
  csv_table table = std::move(std::get<csv_table>(read));
  if (table.has("LineScoreT1")) into.games.push_back(std::move(table));
  else if (table.has("Rock_Country")) into.stones.push_back(std::move(table));
  else if (table.has("hammer_team_code")) into.ends.push_back(std::move(table));
  else if (table.has("team1_final_score")) into.results.push_back(std::move(table));
  else return path + " is none of the curling tables that are known here.";
  return std::nullopt;
}

// --- mixed doubles ---------------------------------------------------------------------------------------------------

// "['2', '0', 'X', '']": a list as Python prints it.
std::vector<std::string> python_list(std::string_view text) {
  std::vector<std::string> cells;
  if (text.size() < 2) return cells;
  for (std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
    part = trimmed(part);
    if (part.size() >= 2) part = part.substr(1, part.size() - 2);
    cells.emplace_back(part);
  }
  return cells;
}

// "CAN-Canada" -> "Canada", "CHN-ChinesePeoplesRepublic" keeps its run-together words.
std::string country(std::string_view text) { return std::string{text.substr(text.find('-') + 1)}; }

std::optional<side> side_named(const csv_table& table, const row& of, std::string_view team) {
  if (team.empty()) return std::nullopt;
  if (team == table.cell(of, "T1")) return side::home;
  if (team == table.cell(of, "T2")) return side::away;
  return std::nullopt;
}

void read_line_score(game& what, const csv_table& table, const row& of, bool& conceded) {
  const auto home = python_list(table.cell(of, "LineScoreT1")), away = python_list(table.cell(of, "LineScoreT2"));
  for (std::size_t i = 0; i < std::min(home.size(), away.size()); ++i) {
    if (home[i].empty() && away[i].empty()) break;
    end one;
    const auto h = to_integer(home[i]), a = to_integer(away[i]);
    if (h && a) one.score = {static_cast<int>(*h), static_cast<int>(*a)};
    else conceded = true;
    what.ends.push_back(std::move(one));
  }
}

end& end_at(game& what, std::int64_t number) {
  if (number > static_cast<std::int64_t>(what.ends.size())) what.ends.resize(static_cast<std::size_t>(number));
  return what.ends[static_cast<std::size_t>(number - 1)];
}

void read_timeouts(game& what, const csv_table& table, const row& of) {
  for (const side by : {side::home, side::away})
    for (const char* turn : {"1", "2"}) {
      const std::string name = std::string{by == side::home ? "T1" : "T2"} + "Time_out" + turn;
      const auto number = to_integer(table.cell(of, name + "_End"));
      if (!number || *number < 1 || *number > 20) continue;
      const auto stone = to_integer(table.cell(of, name + "_Shot"));
      end_at(what, *number).timeouts.push_back({by, static_cast<int>(stone.value_or(0))});
    }
}

using stone_rows = std::map<std::string, std::vector<std::pair<const csv_table*, const row*>>, std::less<>>;

std::string game_name(const csv_table& table, const row& of) {
  return table.cell(of, "ID") + '/' + table.cell(of, "Game");
}

// Stones of an end in the order of the table; row 0 is the placed stones. Also who had the power play and the hammer.
void read_stones(game& what, const csv_table& games, const row& of, const stone_rows& stones) {
  const auto found = stones.find(game_name(games, of));
  if (found == stones.end()) return;
  for (const auto& [table, line] : found->second) {
    const auto number = to_integer(table->cell(*line, "End"));
    if (!number || *number < 1 || *number > 20) continue;
    end& one = end_at(what, *number);
    one.hammer = side_named(games, of, table->cell(*line, "Hammer_End"));
    if (table->cell(*line, "PowerPlay") == "1") one.power_play = side_named(games, of, table->cell(*line, "PP_Team"));
    const auto by = side_named(games, of, table->cell(*line, "Rock_Country"));
    if (table->cell(*line, "Shot") == "0" || !by) continue;
    curling::stone thrown;
    thrown.by = *by;
    thrown.player = table->cell(*line, "Thrower");
    thrown.shot = table->cell(*line, "Throw");
    if (const std::string& turn = table->cell(*line, "Turn"); turn != "-") thrown.turn = turn;
    if (const auto percent = to_integer(table->cell(*line, "Percent"))) thrown.points = static_cast<int>(*percent / 25);
    one.stones.push_back(std::move(thrown));
  }
}

// The games table names the ends of the power plays; whose they are follows from the hammer.
void read_power_plays(recorder& into, game& what, const csv_table& table, const row& of) {
  std::optional<side> hammer = what.hammer_first;
  for (std::size_t i = 0; i < what.ends.size(); ++i) {
    end& one = what.ends[i];
    for (const char* column : {"PP_E1", "PP_E2"}) {
      if (to_integer(table.cell(of, column)) != static_cast<std::int64_t>(i + 1) || one.power_play) continue;
      if (hammer) one.power_play = hammer;
      else into.note("End " + std::to_string(i + 1) + ": a power play without a known hammer is left out.");
    }
    if (!one.score || !hammer) continue;
    if ((*one.score)[0] != (*one.score)[1]) hammer = (*one.score)[0] > (*one.score)[1] ? side::away : side::home;
    else hammer = curling::other(*hammer);
  }
}

recording mixed_doubles(const csv_table& table, const row& of, const stone_rows& stones) {
  recorder into{"curlr", game_name(table, of)};
  into.competition(table.cell(of, "ID"), table.cell(of, "ID"));
  into.sides(country(table.cell(of, "T1")), country(table.cell(of, "T2")), recorded_participant::kind::team);
  game what;
  what.format = "mixed_doubles";
  what.hammer_first = side_named(table, of, table.cell(of, "LSFE"));
  bool conceded = false;
  read_line_score(what, table, of, conceded);
  const std::size_t listed = what.ends.size();
  read_stones(what, table, of, stones);
  read_power_plays(into, what, table, of);
  read_timeouts(what, table, of);
  if (what.ends.size() > listed)
    into.note("The line score ends with end " + std::to_string(listed) + " though the file knows of play in end " +
              std::to_string(what.ends.size()) + '.');
  const auto home = to_integer(table.cell(of, "FinalT1")), away = to_integer(table.cell(of, "FinalT2"));
  if (home && away) {
    what.final_score = {static_cast<int>(*home), static_cast<int>(*away)};
    if (*home != *away) what.winner = *home > *away ? side::home : side::away;
  }
  if (conceded && what.winner) what.conceded = curling::other(*what.winner);
  curling::record(into, what);
  return std::move(into.out);
}

// --- four-player -----------------------------------------------------------------------------------------------------

struct four_player_game {
  std::string team1, team2;
  game what;
};

std::optional<side> side_named(const four_player_game& of, std::string_view team) {
  if (team.empty()) return std::nullopt;
  if (team == of.team1) return side::home;
  if (team == of.team2) return side::away;
  return std::nullopt;
}

void read_end(four_player_game& into, const csv_table& table, const row& of) {
  const auto number = to_integer(table.cell(of, "end_number"));
  if (!number || *number < 1 || *number > 20) return;
  into.team1 = table.cell(of, "team1_code");
  into.team2 = table.cell(of, "team2_code");
  end& one = end_at(into.what, *number);
  const auto home = to_integer(table.cell(of, "team1_score_this_end"));
  const auto away = to_integer(table.cell(of, "team2_score_this_end"));
  if (home && away) one.score = {static_cast<int>(*home), static_cast<int>(*away)};
  one.hammer = side_named(into, table.cell(of, "hammer_team_code"));
  if (*number == 1) into.what.hammer_first = one.hammer;
}

void read_result_row(game& what, const csv_table& table, const row& of) {
  const auto home = to_integer(table.cell(of, "team1_final_score"));
  const auto away = to_integer(table.cell(of, "team2_final_score"));
  if (!home || !away) return;
  what.final_score = {static_cast<int>(*home), static_cast<int>(*away)};
  if (*home != *away) what.winner = *home > *away ? side::home : side::away;
}

recording four_player(const std::string& name, four_player_game& one, const std::vector<csv_table>& results) {
  recorder into{"curling-ends", name};
  const std::string event = name.substr(0, name.find('/'));
  into.competition(event, "Curling event " + event);
  into.sides(one.team1, one.team2, recorded_participant::kind::team);
  one.what.scheduled_ends = 10;
  for (const csv_table& table : results)
    for (const row& of : table.rows())
      if (table.cell(of, "event_id") + '/' + table.cell(of, "match_id") == name) read_result_row(one.what, table, of);
  // The table says nothing of concessions: a game that stops before its last end was given up by the trailing side.
  const bool early = one.what.ends.size() < 10;
  if (early && one.what.winner) one.what.conceded = curling::other(*one.what.winner);
  curling::record(into, one.what);
  return std::move(into.out);
}

} // namespace

read_result read_curling_csv(const std::vector<std::string>& paths) {
  tables all;
  for (const std::string& path : paths)
    if (auto error = sort_in(all, path)) return std::move(*error);
  if (all.games.empty() && all.ends.empty())
    return std::string{"None of the files is a table of curling games or ends."};
  stone_rows stones;
  for (const csv_table& table : all.stones)
    for (const row& of : table.rows()) stones[game_name(table, of)].emplace_back(&table, &of);
  std::vector<recording> out;
  for (const csv_table& table : all.games)
    for (const row& of : table.rows()) out.push_back(mixed_doubles(table, of, stones));
  std::vector<std::pair<std::string, four_player_game>> games; // in the order of the file
  for (const csv_table& table : all.ends)
    for (const row& of : table.rows()) {
      const std::string name = table.cell(of, "event_id") + '/' + table.cell(of, "match_id");
      if (games.empty() || games.back().first != name) games.emplace_back(name, four_player_game{});
      read_end(games.back().second, table, of);
    }
  for (auto& [name, one] : games) out.push_back(four_player(name, one, all.results));
  return out;
}

} // namespace omnium::corpus
