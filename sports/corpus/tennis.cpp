// Format `tennis`: two kinds of table, told apart by their columns.
//  - point strings (column pbp): one match a row, S and A won by the server, R and D by the returner, ';' after a game,
//    '.' after a set, '/' where the service changes in a tie-break;
//  - points (column PointWinner): one point a row, one match a file; names and rules of the match are in matches.csv
//    beside it, as far as it has them.
#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/recorder.hpp"

#include <array>

namespace omnium::corpus {

namespace {

using row = csv_table::row;

std::string_view side_name(int side) { return side == 0 ? "home" : "away"; }

struct rules {
  int best_of = 3;
  std::string final_set = "tiebreak";
  bool no_ad = false;
  int first_server = 0;
};

void set_rules(recorder& into, const rules& of) {
  json_object settings;
  settings.number("best_of", of.best_of).text("final_set", of.final_set);
  if (of.no_ad) settings.flag("no_ad", true);
  settings.text("first_server", side_name(of.first_server));
  into.out.settings = settings.str();
}

recorded_command& add_point(recorder& into, std::size_t number, int winner, std::string_view how) {
  json_object input;
  input.text("winner", side_name(winner)).text_if("how", how);
  return into.add("tennis.point", 'p' + std::to_string(number), input);
}

// --- point strings ---------------------------------------------------------------------------------------------------

struct set_score {
  int home = 0, away = 0;
};

// "7-6(4) 3-6 12-10" is written from the winner's side; `winner` 0 or 1 turns it to home and away.
std::vector<set_score> parse_score(std::string_view text, int winner) {
  std::vector<set_score> sets;
  for (std::string_view part : split(text, ' ')) {
    part = part.substr(0, part.find('('));
    const auto games = split(part, '-');
    if (games.size() != 2) continue;
    const auto won = to_integer(games[0]), lost = to_integer(games[1]);
    if (!won || !lost) continue;
    set_score one{static_cast<int>(*won), static_cast<int>(*lost)};
    if (winner == 1) std::swap(one.home, one.away);
    sets.push_back(one);
  }
  return sets;
}

// The file does not say how many sets were to be won nor how a last set ends; the score tells as much as is needed.
rules rules_of(const std::vector<set_score>& sets, int winner) {
  rules made;
  int won = 0;
  for (const set_score& one : sets) won += (one.home > one.away) == (winner == 0);
  if (won >= 3) made.best_of = 5;
  const bool full = static_cast<int>(sets.size()) == made.best_of;
  if (full && std::max(sets.back().home, sets.back().away) > 7) made.final_set = "advantage";
  return made;
}

struct pbp_walk {
  recorder& into;
  int game_server = 0; // who began to serve in this game
  int server = 0;
  std::size_t points = 0;

  void take(char c) {
    if (c == 'S' || c == 'A') add_point(into, ++points, server, c == 'A' ? "ace" : "");
    else if (c == 'R' || c == 'D') add_point(into, ++points, 1 - server, c == 'D' ? "double_fault" : "");
    else if (c == '/') server = 1 - server;
    else if (c == ';' || c == '.') server = game_server = 1 - game_server;
    else into.note(std::string{"The point string holds \""} + c + "\", which means nothing here.");
  }
};

std::string sets_json(const std::vector<set_score>& sets) {
  json_array all;
  for (const set_score& one : sets) all.raw(json_object{}.number("home", one.home).number("away", one.away).str());
  return all.str();
}

void set_truth(recorder& into, const std::vector<set_score>& sets) {
  int home = 0, away = 0;
  for (const set_score& one : sets) ++(one.home > one.away ? home : away);
  json_object truth;
  truth.raw("score", json_object{}.number("home", home).number("away", away).str()).raw("sets", sets_json(sets));
  into.out.truth = truth.str();
}

recording point_string_match(const csv_table& table, const row& of) {
  recorder into{"tennis-pbp", table.cell(of, "pbp_id")};
  into.out.sport = "tennis";
  into.competition(table.cell(of, "tny_name") + '/' + table.cell(of, "date"), table.cell(of, "tny_name"));
  into.sides(table.cell(of, "server1"), table.cell(of, "server2"), recorded_participant::kind::person);
  const int winner = table.cell(of, "winner") == "2" ? 1 : 0;
  const auto sets = parse_score(table.cell(of, "score"), winner);
  if (!sets.empty()) {
    set_rules(into, rules_of(sets, winner));
    set_truth(into, sets);
  }
  into.add("match.start", "start", json_object{});
  pbp_walk walk{into};
  for (const char c : table.cell(of, "pbp")) walk.take(c);
  into.add("match.end", "end", json_object{}.text("reason", "completed").text("winner", side_name(winner)));
  return std::move(into.out);
}

// --- points tables ---------------------------------------------------------------------------------------------------

rules rules_of(const csv_table& matches, const row& of) {
  rules made;
  if (const auto sets = to_integer(matches.cell(of, "best_of"))) made.best_of = static_cast<int>(*sets);
  std::string_view last = matches.cell(of, "final_set");
  made.no_ad = last.size() > 5 && last.substr(last.size() - 5) == "-noad";
  last = last.substr(0, last.find('-'));
  if (last == "adv") made.final_set = "advantage";
  else if (last == "tb10") made.final_set = "tiebreak_10";
  else if (last == "mtb10") made.final_set = "match_tiebreak";
  return made;
}

struct slam_names {
  std::array<std::string, 4> players{"Player 1", "Player 2", "", ""}; // as PointServer numbers them, from 1
  std::string event;
  rules play;
  bool doubles() const { return !players[2].empty() && !players[3].empty(); }
};

slam_names names_of(recorder& into, const std::string& path, const std::string& match) {
  slam_names found;
  const std::string beside = sibling(path, "matches.csv");
  auto table = file_exists(beside) ? csv_table::read(beside) : std::variant<csv_table, std::string>{std::string{}};
  if (const auto* matches = std::get_if<csv_table>(&table))
    for (const row& of : matches->rows()) {
      if (matches->cell(of, "match_id") != match) continue;
      found.players = {matches->cell(of, "player1"), matches->cell(of, "player2"), matches->cell(of, "partner1"),
                       matches->cell(of, "partner2")};
      found.event = matches->cell(of, "year") + ' ' + matches->cell(of, "slam");
      found.play = rules_of(*matches, of);
      return found;
    }
  into.note("No matches.csv beside the file names the players and the rules of the match.");
  return found;
}

std::optional<double> seconds_of(std::string_view clock) {
  const auto parts = split(clock, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto h = to_integer(parts[0]), m = to_integer(parts[1]), s = to_integer(parts[2]);
  if (!h || !m || !s) return std::nullopt;
  return static_cast<double>(*h * 3600 + *m * 60 + *s);
}

std::string_view how_of(const csv_table& table, const row& of, int winner) {
  const char* won = winner == 0 ? "P1" : "P2";
  const char* lost = winner == 0 ? "P2" : "P1";
  const auto is = [&](const char* who, const char* what) { return table.cell(of, std::string{who} + what) == "1"; };
  if (is(won, "Ace")) return "ace";
  if (is(lost, "DoubleFault")) return "double_fault";
  if (is(won, "Winner")) return "winner";
  if (is(lost, "UnfErr")) return "unforced_error";
  if (is(lost, "ForcedError")) return "forced_error";
  return "";
}

// One row of play: who served, who won. Rows that only mark the time have no winner.
struct slam_point {
  const row* of = nullptr;
  std::string set, game;
  int server = 0; // 1-4 as the file numbers the players
  int winner = 0; // 0 home, 1 away
  int serving_side() const { return (server - 1) % 2; }
};

std::vector<slam_point> points_of(const csv_table& table) {
  std::vector<slam_point> all;
  for (const row& of : table.rows()) {
    const auto winner = to_integer(table.cell(of, "PointWinner"));
    if (!winner || *winner < 1 || *winner > 2) continue;
    const auto server = to_integer(table.cell(of, "PointServer"));
    slam_point one{&of, table.cell(of, "SetNo"), table.cell(of, "GameNo")};
    one.server = server && *server >= 1 && *server <= 4 ? static_cast<int>(*server) : 1;
    one.winner = static_cast<int>(*winner - 1);
    all.push_back(one);
  }
  return all;
}

class slam_walk {
public:
  slam_walk(recorder& into, const csv_table& table, const slam_names& names, const std::vector<slam_point>& points)
      : into_(into), table_(table), names_(names), points_(points) {}

  void run() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i == 0 || points_[i].set != points_[i - 1].set) begin_set(i);
      if (i == 0 || points_[i].game != points_[i - 1].game || points_[i].set != points_[i - 1].set) begin_game(i);
      take(i);
    }
  }

private:
  // In doubles each side says at the start of a set who of the two serves first (Rule 15).
  void begin_set(std::size_t at) {
    if (!names_.doubles()) return;
    for (int side = 0; side < 2; ++side) {
      const int first = first_server(at, side);
      const std::string& one = names_.players[static_cast<std::size_t>(side)];
      const std::string& two = names_.players[static_cast<std::size_t>(side) + 2];
      json_array order;
      order.text(first <= 2 ? one : two).text(first <= 2 ? two : one);
      into_.add("tennis.lineup", "s" + points_[at].set + ":lineup:" + std::string{side_name(side)},
                json_object{}.text("side", side_name(side)).raw("players", order.str()));
    }
  }

  // The player of a side who served most points of its first service game in the set: single rows name the partner.
  int first_server(std::size_t at, int side) const {
    std::array<int, 2> served{0, 0};
    std::string game;
    for (std::size_t i = at; i < points_.size() && points_[i].set == points_[at].set; ++i) {
      if (points_[i].serving_side() != side) continue;
      if (game.empty()) game = points_[i].game;
      if (points_[i].game != game) break;
      ++served[points_[i].server > 2 ? 1 : 0];
    }
    return served[1] > served[0] ? side + 3 : side + 1;
  }

  void begin_game(std::size_t at) {
    const int server = points_[at].serving_side();
    if (at > 0 && server != 1 - game_server_) {
      into_.note("Set " + points_[at].set + ", game " + points_[at].game +
                 ": the file lets the same side serve again.");
      into_.add("tennis.serve_fix", "s" + points_[at].set + "g" + points_[at].game + ":server",
                json_object{}.text("server", side_name(server)));
    }
    game_server_ = server;
  }

  void take(std::size_t at) {
    const slam_point& one = points_[at];
    const std::optional<double> when = seconds_of(table_.cell(*one.of, "ElapsedTime"));
    const std::string_view how = how_of(table_, *one.of, one.winner);
    const std::size_t number = at + 1;
    if (table_.cell(*one.of, "ServeNumber") == "2")
      into_.add("tennis.fault", 'p' + std::to_string(number) + ":fault", json_object{}).offset_s = when;
    add_point(into_, number, one.winner, how).offset_s = when;
  }

  recorder& into_;
  const csv_table& table_;
  const slam_names& names_;
  const std::vector<slam_point>& points_;
  int game_server_ = 0;
};

// The last row's columns say how the match stands when the file ends; the deciding tie-break's set is not marked there.
bool finished(const csv_table& table, const std::vector<slam_point>& points) {
  if (points.empty()) return false;
  const row& last = *points.back().of;
  return table.cell(last, "GameWinner") != "0" && table.cell(last, "GameWinner") != "" &&
         (table.cell(last, "SetWinner") != "0" || table.cell(last, "P1GamesWon") != table.cell(last, "P2GamesWon"));
}

recording points_match(const csv_table& table, const std::string& path) {
  const std::string match = table.rows().empty() ? file_stem(path) : table.cell(table.rows().front(), "match_id");
  recorder into{"tennis-slam", match};
  into.out.sport = "tennis";
  slam_names names = names_of(into, path, match);
  into.competition(names.event, names.event);
  const auto pair = [&](std::size_t one) {
    return names.players[one + 2].empty() ? names.players[one] : names.players[one] + '/' + names.players[one + 2];
  };
  into.sides(pair(0), pair(1), recorded_participant::kind::person);
  const auto points = points_of(table);
  if (!points.empty()) names.play.first_server = points.front().serving_side();
  set_rules(into, names.play);
  into.add("match.start", "start", json_object{});
  slam_walk{into, table, names, points}.run();
  if (finished(table, points)) into.add("match.end", "end", json_object{}.text("reason", "completed"));
  else into.stops_early();
  return std::move(into.out);
}

} // namespace

read_result read_tennis(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto read = csv_table::read(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    const csv_table& table = std::get<csv_table>(read);
    if (table.has("pbp"))
      for (const row& of : table.rows()) out.push_back(point_string_match(table, of));
    else if (table.has("PointWinner")) out.push_back(points_match(table, path));
    else if (!table.has("player1")) return path + " is neither a table of point strings nor one of points.";
  }
  if (out.empty()) return std::string{"None of the files holds a tennis match."};
  return out;
}

} // namespace omnium::corpus
