// Format `fiba`: play-by-play tables of FIBA LiveStats (columns numero_evento, periodo, tiempo_restante, equipo,
// jugador, evento, tipo_evento, resultado_evento, pts_local, pts_visita …).
#include "sports/corpus/basketball_game.hpp"
#include "sports/corpus/csv.hpp"

#include <map>
#include <set>

namespace omnium::corpus {

namespace {

using basketball::game_writer;
using row = csv_table::row;

int number_or(std::string_view text, int otherwise) {
  const auto number = to_integer(text);
  return number ? static_cast<int>(*number) : otherwise;
}

// The table names teams but not which is at home: the home side is the one whose baskets move pts_local.
std::array<std::string, 2> teams_of(const csv_table& table) {
  std::array<std::string, 2> teams;
  int home = 0, away = 0;
  for (const row& of : table.rows()) {
    const std::string& team = table.cell(of, "equipo");
    const int now_home = number_or(table.cell(of, "pts_local"), home),
              now_away = number_or(table.cell(of, "pts_visita"), away);
    if (!team.empty() && now_home > home && teams[0].empty()) teams[0] = team;
    if (!team.empty() && now_away > away && teams[1].empty()) teams[1] = team;
    home = now_home;
    away = now_away;
  }
  return teams;
}

class fiba_walk {
public:
  fiba_walk(recorder& into, const csv_table& table, const std::array<std::string, 2>& teams)
      : into_(into), table_(table), teams_(teams), game_(into, 4, 600) {
    // An assist and a foul's victim are rows of their own that name the row they belong to; an assist may belong to
    // free throws, which no basket can carry.
    std::set<std::string> baskets;
    for (const row& of : table_.rows())
      if (is_shot(of) && cell(of, "resultado_evento") == "1") baskets.insert(cell(of, "numero_evento"));
    for (const row& of : table_.rows()) {
      const std::string& before = cell(of, "evento_previo");
      if (cell(of, "evento") == "assist" && baskets.count(before) > 0) assists_[before] = cell(of, "jugador");
      if (cell(of, "evento") == "foulon") drawn_by_[before] = cell(of, "jugador");
    }
  }

  void run() {
    bool over = false;
    for (const row& of : table_.rows()) {
      over = over || (cell(of, "evento") == "game" && cell(of, "tipo_evento") == "end");
      take(of);
    }
    game_.finish(over);
  }

private:
  const std::string& cell(const row& of, std::string_view column) const { return table_.cell(of, column); }

  bool is_shot(const row& of) const { return cell(of, "evento") == "2pt" || cell(of, "evento") == "3pt"; }

  int side_of(const row& of) const { return cell(of, "equipo") == teams_[1] ? 1 : 0; }

  void take(const row& of) {
    const std::string& what = cell(of, "evento");
    const std::string& kind = cell(of, "tipo_evento");
    const std::string& player = cell(of, "jugador");
    const std::string& id = cell(of, "numero_evento");
    const bool overtime = cell(of, "tipo_periodo") == "OVERTIME";
    game_.at(id, number_or(cell(of, "periodo"), 1) + (overtime ? 4 : 0),
             basketball::parse_clock(cell(of, "tiempo_restante")));
    if (const auto& team = cell(of, "equipo");
        !team.empty() && !teams_[0].empty() && !teams_[1].empty() && team != teams_[0] && team != teams_[1]) {
      into_.note("Row " + id + " is of a team that does not play in this match (" + team + "): left out.");
      return;
    }
    const int side = side_of(of);
    const bool made = cell(of, "resultado_evento") == "1";
    if (what == "period") kind == "start" ? game_.start_period() : game_.end_period();
    else if (is_shot(of)) shot(of, side, what == "3pt" ? 3 : 2, made);
    else if (what == "freethrow")
      game_.free_throw(side, made, 1, player, number_or(kind.substr(0, 1), 0),
                       number_or(kind.substr(kind.size() - 1), 0));
    else if (what == "foul") game_.foul(side, foul_kind(kind), player, found(drawn_by_, id));
    else if (what == "assist" && assists_.count(cell(of, "evento_previo")) == 0)
      game_.counted("assist", side, player, "");
    else if (what == "timeout") game_.timeout(side);
    else if (what == "substitution") kind == "in" ? game_.enters(side, player) : game_.leaves(side, player);
    else if (what == "rebound" || what == "steal" || what == "block" || what == "turnover")
      game_.counted(what.c_str(), side, player, kind);
    game_.says(number_or(cell(of, "pts_local"), 0), number_or(cell(of, "pts_visita"), 0));
  }

  void shot(const row& of, int side, int points, bool made) {
    if (made)
      game_.made(side, points, cell(of, "jugador"), found(assists_, cell(of, "numero_evento")),
                 cell(of, "tipo_evento"));
    else game_.missed(side, points, cell(of, "jugador"), cell(of, "tipo_evento"));
  }

  static std::string foul_kind(const std::string& kind) {
    if (kind == "offensive" || kind == "technical" || kind == "unsportsmanlike" || kind == "disqualifying") return kind;
    return kind == "benchTechnical" || kind == "coachTechnical" || kind == "bench" || kind == "coach"
               ? "bench_technical"
               : "personal";
  }

  static std::string found(const std::map<std::string, std::string>& in, const std::string& id) {
    const auto one = in.find(id);
    return one == in.end() ? std::string{} : one->second;
  }

  recorder& into_;
  const csv_table& table_;
  const std::array<std::string, 2>& teams_;
  game_writer game_;
  std::map<std::string, std::string> assists_, drawn_by_;
};

} // namespace

read_result read_fiba(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto read = csv_table::read(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    const csv_table& table = std::get<csv_table>(read);
    if (!table.has("numero_evento") || table.rows().empty())
      return path + " is no play-by-play table of FIBA LiveStats.";
    const row& first = table.rows().front();
    recorder into{"fiba-livestats", table.cell(first, "match_id")};
    into.out.sport = "basketball";
    into.competition(table.cell(first, "competencia"), table.cell(first, "competencia"));
    const auto teams = teams_of(table);
    into.sides(teams[0], teams[1], recorded_participant::kind::team);
    into.out.settings = R"({"rules":"fiba"})";
    into.add("match.start", "start", json_object{});
    fiba_walk{into, table, teams}.run();
    out.push_back(std::move(into.out));
  }
  return out;
}

} // namespace omnium::corpus
