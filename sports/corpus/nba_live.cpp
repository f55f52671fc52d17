// Format `nba-live`: the NBA's live feed (game.actions, one action each, running scores as text). Actions are taken in
// the order of orderNumber: late corrections stand elsewhere in the file.
#include "sports/corpus/basketball_game.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>

namespace omnium::corpus {

namespace {

using basketball::game_writer;

std::vector<json_view> actions_of(json_view game) {
  std::vector<json_view> all = game["actions"].items();
  std::stable_sort(all.begin(), all.end(), [](json_view a, json_view b) {
    return a["orderNumber"].integer_or(0) < b["orderNumber"].integer_or(0);
  });
  return all;
}

// The feed names teams, not which is at home: the home side is the one whose baskets move scoreHome.
std::array<std::string, 2> teams_of(const std::vector<json_view>& actions) {
  std::array<std::string, 2> teams;
  std::int64_t home = 0, away = 0;
  for (const json_view one : actions) {
    const std::string team = one["teamTricode"].text();
    const auto now_home = one["scoreHome"].integer_or(home), now_away = one["scoreAway"].integer_or(away);
    if (now_home > home && teams[0].empty()) teams[0] = team;
    if (now_away > away && teams[1].empty()) teams[1] = team;
    home = now_home;
    away = now_away;
  }
  return teams;
}

std::string foul_kind(const std::string& kind, const std::string& detail) {
  if (kind == "technical")
    return detail.find("bench") != std::string::npos || detail.find("coach") != std::string::npos ? "bench_technical"
                                                                                                  : "technical";
  if (kind == "offensive") return "offensive";
  if (detail.find("flagrant-type-2") != std::string::npos) return "disqualifying";
  if (detail.find("flagrant") != std::string::npos) return "unsportsmanlike";
  return detail == "shooting" ? "shooting" : "personal";
}

class live_walk {
public:
  live_walk(recorder& into, const std::array<std::string, 2>& teams) : teams_(teams), game_(into, 4, 720) {}

  void run(const std::vector<json_view>& actions) {
    for (const json_view one : actions) take(one);
    game_.finish();
  }

private:
  static std::string person(json_view action, const char* member) {
    const auto id = action[member].integer_or(0);
    return id > 0 ? std::to_string(id) : std::string{};
  }

  void take(json_view action) {
    const std::string what = action["actionType"].text(), kind = action["subType"].text();
    game_.at(action["actionNumber"].text(), static_cast<int>(action["period"].integer_or(1)),
             basketball::parse_iso_clock(action["clock"].text()));
    const int side = action["teamTricode"].text() == teams_[1] ? 1 : 0;
    const std::string player = person(action, "personId");
    const bool made = action["shotResult"].text() == "Made";
    if (what == "period") kind == "start" ? game_.start_period() : game_.end_period();
    else if (what == "2pt" || what == "3pt") shot(action, side, what == "3pt" ? 3 : 2, made, player);
    else if (what == "freethrow") throw_of(kind, side, made, player);
    else if (what == "foul")
      game_.foul(side, foul_kind(kind, action["descriptor"].text()), player, person(action, "foulDrawnPersonId"));
    else if (what == "timeout") game_.timeout(side);
    else if (what == "substitution") kind == "in" ? game_.enters(side, player) : game_.leaves(side, player);
    else if (what == "rebound" || what == "steal" || what == "block" || what == "turnover")
      game_.counted(what.c_str(), side, player, kind);
    const auto home = action["scoreHome"].integer(), away = action["scoreAway"].integer();
    if (home && away) game_.says(static_cast<int>(*home), static_cast<int>(*away));
  }

  void shot(json_view action, int side, int points, bool made, const std::string& player) {
    const std::string kind = action["subType"].text();
    if (made) game_.made(side, points, player, person(action, "assistPersonId"), kind);
    else game_.missed(side, points, player, kind);
  }

  // "1 of 2", "1 of 1 technical": single-throw games of the minor league say "2pt" and "3pt".
  void throw_of(const std::string& kind, int side, bool made, const std::string& player) {
    const int worth = kind.find("2pt") != std::string::npos ? 2 : kind.find("3pt") != std::string::npos ? 3 : 1;
    const bool counted = kind.size() >= 6 && kind.substr(1, 4) == " of ";
    game_.free_throw(side, made, worth, player, counted ? kind[0] - '0' : 0, counted ? kind[5] - '0' : 0);
  }

  const std::array<std::string, 2>& teams_;
  game_writer game_;
};

} // namespace

read_result read_nba_live(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto read = read_json(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    const json_view game = std::get<json_document>(read).root()["game"];
    const auto actions = actions_of(game);
    if (actions.empty()) return path + " is no live feed of the NBA: it has no actions.";
    recorder into{"nba-live", game["gameId"].text()};
    into.out.sport = "basketball";
    into.competition("nba", "NBA");
    const auto teams = teams_of(actions);
    into.sides(teams[0], teams[1], recorded_participant::kind::team);
    into.out.settings = R"({"rules":"nba"})";
    into.add("match.start", "start", json_object{});
    live_walk{into, teams}.run(actions);
    out.push_back(std::move(into.out));
  }
  return out;
}

} // namespace omnium::corpus
