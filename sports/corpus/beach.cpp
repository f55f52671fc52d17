// Format `beach-csv`: results of beach volleyball matches, two kinds of table told apart by their columns.
//  - one match a row (columns w_player1, l_player1, score): "21-18, 19-16 retired", from the winner's side; a match
//  that
//    was not played says so in words;
//  - one side a row (columns stage_code, result_WLT): sets won only.
#include "sports/corpus/csv.hpp"
#include "sports/corpus/recorder.hpp"

namespace omnium::corpus {

namespace {

using row = csv_table::row;

struct set_result {
  std::int64_t home = 0, away = 0;
};

struct result {
  std::vector<set_result> sets;
  bool retired = false, not_played = false;
};

result parse(std::string_view score) {
  result made;
  constexpr std::string_view ending = " retired";
  if (score.size() > ending.size() && score.substr(score.size() - ending.size()) == ending) {
    made.retired = true;
    score.remove_suffix(ending.size());
  }
  for (const std::string_view part : split(score, ',')) {
    const auto points = split(trimmed(part), '-');
    const auto home = points.size() == 2 ? to_integer(points[0]) : std::nullopt;
    const auto away = points.size() == 2 ? to_integer(points[1]) : std::nullopt;
    if (home && away) made.sets.push_back({*home, *away});
    else made.not_played = true;
  }
  return made;
}

std::string pair_of(const csv_table& table, const row& of, const std::string& who) {
  return table.cell(of, who + "_player1") + '/' + table.cell(of, who + "_player2");
}

void begin(recorder& into) {
  into.out.sport = "volleyball";
  into.out.settings = json_object{}.text("discipline", "beach").str();
}

// The winner is the home side here: the table names it first and does not say who was.
recording match_row(const csv_table& table, const row& of) {
  const std::string tournament = table.cell(of, "tournament");
  // A tournament numbers its matches anew in each bracket and pool.
  recorder into{"beach", table.cell(of, "year") + '/' + tournament + '/' + table.cell(of, "gender") + '/' +
                             table.cell(of, "bracket") + '/' + table.cell(of, "match_num") + '/' +
                             pair_of(table, of, "w")};
  begin(into);
  into.competition(table.cell(of, "year") + '/' + tournament + '/' + table.cell(of, "gender"),
                   tournament + ' ' + table.cell(of, "year"));
  into.sides(pair_of(table, of, "w"), pair_of(table, of, "l"), recorded_participant::kind::team);
  const result known = parse(table.cell(of, "score"));
  if (known.not_played) {
    into.note("The file says of the match: " + table.cell(of, "score") + '.');
    into.add("match.end", "end", json_object{}.text("reason", "forfeited").text("winner", "home"));
    return std::move(into.out);
  }
  into.add("match.start", "start", json_object{});
  for (std::size_t i = 0; i < known.sets.size(); ++i)
    into.add("volleyball.set_score", 's' + std::to_string(i + 1),
             json_object{}.number("home", known.sets[i].home).number("away", known.sets[i].away));
  if (known.retired) into.add("volleyball.retire", "retire", json_object{}.text("side", "away"));
  into.add("match.end", "end",
           json_object{}.text("reason", known.retired ? "conceded" : "completed").text("winner", "home"));
  return std::move(into.out);
}

// Two rows a match; only who won how many sets is known, so the loser's sets come first: the last set is the winner's.
recording side_rows(const csv_table& table, const row& home, const row& away) {
  recorder into{"beach-sets", table.cell(home, "stage_code")};
  begin(into);
  into.competition(table.cell(home, "event_code"),
                   table.cell(home, "discipline_name") + ' ' + table.cell(home, "event_name"));
  into.sides(table.cell(home, "participant_name"), table.cell(away, "participant_name"),
             recorded_participant::kind::team);
  into.out.starts_at = table.cell(home, "date");
  into.note("The file has the sets won, not their points and not their order.");
  into.add("match.start", "start", json_object{});
  const auto won_home = to_integer(table.cell(home, "result")).value_or(0);
  const auto won_away = to_integer(table.cell(away, "result")).value_or(0);
  const bool home_wins = won_home > won_away;
  std::size_t number = 0;
  const auto add = [&](bool by_home, std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i)
      into.add("volleyball.set_score", 's' + std::to_string(++number),
               json_object{}.text("winner", by_home ? "home" : "away"));
  };
  add(!home_wins, home_wins ? won_away : won_home);
  add(home_wins, home_wins ? won_home : won_away);
  const std::string& irm = table.cell(home_wins ? away : home, "result_IRM");
  if (!irm.empty()) into.note("The loser's result is marked " + irm + '.');
  json_object end;
  end.text("reason", irm.empty() ? "completed" : "forfeited").text("winner", home_wins ? "home" : "away");
  into.add("match.end", "end", end);
  json_object truth;
  truth.raw("score", json_object{}.number("home", won_home).number("away", won_away).str());
  into.out.truth = truth.str();
  return std::move(into.out);
}

void read_sides(std::vector<recording>& out, const csv_table& table) {
  const auto& rows = table.rows();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    if (table.cell(rows[i], "stage_code") == table.cell(rows[i + 1], "stage_code")) {
      out.push_back(side_rows(table, rows[i], rows[i + 1]));
      ++i;
    }
}

} // namespace

read_result read_beach(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto read = csv_table::read(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    const csv_table& table = std::get<csv_table>(read);
    if (table.has("w_player1"))
      for (const row& of : table.rows()) out.push_back(match_row(table, of));
    else if (table.has("result_WLT")) read_sides(out, table);
    else return path + " is neither a table of beach matches nor one of sides.";
  }
  return out;
}

} // namespace omnium::corpus
