// DataFactory match JSON: incidents are maps by id, grouped by kind. Own goals (type 10) are listed under the scorer's
// team. `deletedIncidences` names incidents that were withdrawn during the match: they are never used, wherever they
// appear.
#include "sports/corpus/file.hpp"
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace omnium::corpus {

namespace {

enum type : std::int64_t {
  match_ended = 2,
  yellow = 3,
  second_yellow = 4,
  red = 5,
  goal_own = 10,
  goal_free_kick = 12,
  goal_penalty = 13,
  half_ended = 17,
  second_half_ended = 49,
  first_extra_ended = 51,
  second_extra_ended = 53,
  shot_saved = 35,
  penalty_saved = 43,
  penalty_off_target = 44,
  penalty_post = 45,
  kick_scored = 55,
  kick_saved = 56
};

class datafactory_reader {
public:
  datafactory_reader(json_view file) : file_{file}, match_{"datafactory", file["match"]["matchId"].text()} {}

  std::variant<recording, std::string> read() {
    home_ = file_["match"]["homeTeamId"].text();
    away_ = file_["match"]["awayTeamId"].text();
    if (home_.empty() || away_.empty()) return std::string{"it does not name two teams"};
    for (const json_view& id : file_["deletedIncidences"].items()) withdrawn_.insert(id.text());
    read_head();
    read_players();
    each("goals", [&](json_view one, moment when, const std::string& id) { take_goal(one, when, id); });
    each("shots", [&](json_view one, moment when, const std::string& id) { take_shot(one, when, id); });
    for (const char* kind : {"yellowCards", "redCards"})
      each(kind, [&](json_view one, moment when, const std::string& id) { take_card(one, when, id); });
    each("substitutions", [&](json_view one, moment when, const std::string& id) {
      match_.substitution(when, side_of(one), name_of(one["offId"].text()), name_of(one["inId"].text()), id);
    });
    each("penaltyShootout", [&](json_view one, moment when, const std::string& id) { take_kick(one, when, id); });
    count("fouls", "foul");
    count("cornerKicks", "corner");
    count("offsides", "offside");
    each("status", [&](json_view one, moment when, const std::string&) { take_status(one, when); });
    state_result();
    return match_.finish();
  }

private:
  void read_head() {
    const json_view match = file_["match"];
    recording& head = match_.head();
    const std::string date = match["date"].text(), time = match["scheduledStart"].text();
    if (date.size() == 8 && time.size() == 5) {
      head.starts_at =
          date.substr(0, 4) + '-' + date.substr(4, 2) + '-' + date.substr(6) + 'T' + time + ":00" + zone(match);
      match_.settings_of(head.starts_at);
    }
    head.competition_key = "datafactory:" + match["competitionId"].text();
    head.competition_name = match["competition"].text("DataFactory");
    match_.teams(match["homeTeamName"].text(), home_, match["awayTeamName"].text(), away_);
    if (!withdrawn_.empty())
      match_.note(std::to_string(withdrawn_.size()) +
                  " incidents were withdrawn by the source during the match and are not used.");
  }

  // `gmt` is the hours that the times are written in.
  static std::string zone(json_view match) {
    const auto hours = match["gmt"].integer_or(0);
    if (hours == 0 || hours < -12 || hours > 14) return "Z";
    const std::string digits = std::to_string(hours < 0 ? -hours : hours);
    return (hours < 0 ? "-" : "+") + std::string(2 - digits.size(), '0') + digits + ":00";
  }

  void read_players() {
    constexpr std::int64_t coach = 5; // posnId
    std::map<std::string, int> times;
    for (const auto& [id, player] : file_["players"].members()) {
      const json_view name = player["name"];
      names_[id] = name["nick"].text(name["shortName"].text("player " + id));
      ++times[names_[id]];
    }
    for (auto& [id, name] : names_)
      if (times[name] > 1) name += " (" + id + ')';
    std::array<lineup, 2> lines;
    std::array<std::vector<std::pair<std::int64_t, json_view>>, 2> order;
    for (const auto& [id, player] : file_["players"].members()) {
      if (player["posnId"].integer_or(0) == coach) continue;
      lineup& line = lines[player["teamId"].text() == away_ ? 1 : 0];
      (player["substitute"].flag() ? line.bench : line.starting).push_back(name_of(id));
      if (player["posnId"].integer_or(0) == 1 && !player["substitute"].flag()) line.goalkeeper = name_of(id);
    }
    for (const side which : {side::home, side::away}) {
      const lineup& line = lines[which == side::away ? 1 : 0];
      if (!line.starting.empty()) match_.line_up(which, line);
    }
  }

  std::string name_of(const std::string& player) const {
    const auto found = names_.find(player);
    return found != names_.end() ? found->second : player.empty() ? player : "player " + player;
  }

  side side_of(json_view one) const { return one["team"].text() == away_ ? side::away : side::home; }

  // Minutes run on: the second half starts at 45.
  static moment moment_of_incident(json_view one) {
    static constexpr std::array<int, 6> before{0, 0, 45, 90, 105, 120};
    const int period = static_cast<int>(std::clamp<std::int64_t>(one["t"]["half"].integer_or(1), 1, 5));
    const double second = static_cast<double>(one["t"]["m"].integer_or(0) * 60 + one["t"]["s"].integer_or(0));
    return {period, std::max(0.0, second - before[static_cast<std::size_t>(period)] * 60.0)};
  }

  template<class F>
  void each(const char* group, F take) {
    std::vector<std::pair<std::string, json_view>> incidents = file_["incidences"][group].members();
    std::sort(incidents.begin(), incidents.end(), [](const auto& a, const auto& b) {
      return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
    });
    for (const auto& [id, one] : incidents)
      if (withdrawn_.count(id) == 0 && match_.plays_here(one["team"].text(), id))
        take(one, moment_of_incident(one), id);
  }

  void count(const char* group, const char* what) {
    each(group, [&](json_view one, moment when, const std::string& id) {
      match_.counted(when, side_of(one), what, name_of(one["plyrId"].text()), id);
    });
  }

  void take_goal(json_view one, moment when, const std::string& id) {
    const std::string player = name_of(one["plyrId"].text());
    switch (one["type"].integer_or(0)) {
    case goal_own:
      return match_.goal(when, other(side_of(one)), player, {}, "own_goal", id);
    case goal_penalty:
      return match_.penalty(when, side_of(one), player, "scored", id);
    case goal_free_kick:
      return match_.goal(when, side_of(one), player, name_of(one["assBy"].text()), "free_kick", id);
    default:
      return match_.goal(when, side_of(one), player, name_of(one["assBy"].text()), "open_play", id);
    }
  }

  // Goals are listed as shots too.
  void take_shot(json_view one, moment when, const std::string& id) {
    const auto what = one["type"].integer_or(0);
    if (what == goal_own) return;
    const std::string player = name_of(one["plyrId"].text());
    const bool goal = file_["incidences"]["goals"][id].is_object();
    match_.shot(when, side_of(one), player, goal || what == shot_saved || what == penalty_saved, id + ":shot");
    if (what == penalty_saved || what == penalty_off_target || what == penalty_post)
      match_.penalty(when, side_of(one), player, what == penalty_saved ? "saved" : "missed", id);
  }

  void take_card(json_view one, moment when, const std::string& id) {
    const auto what = one["type"].integer_or(0);
    const char* name = what == second_yellow ? "second_yellow" : what == red ? "red" : "yellow";
    match_.card(when, side_of(one), name_of(one["plyrId"].text()), name, id);
  }

  void take_kick(json_view one, moment when, const std::string& id) {
    const auto what = one["type"].integer_or(0);
    const char* result = what == kick_scored ? "scored" : what == kick_saved ? "saved" : "missed";
    match_.shootout_kick(when.second + ++kicks_, side_of(one), name_of(one["plyrId"].text()), result, id);
  }

  void take_status(json_view one, moment when) {
    switch (one["type"].integer_or(0)) {
    case match_ended:
    case half_ended:
    case second_half_ended:
    case first_extra_ended:
    case second_extra_ended:
      return match_.played(when.period, when.second);
    default:
      return;
    }
  }

  void state_result() {
    const json_view status = file_["scoreStatus"];
    const auto home = status[home_]["score"].integer(), away = status[away_]["score"].integer();
    if (!home || !away) return;
    stated_result result;
    result.full_time = score_pair{static_cast<int>(*home), static_cast<int>(*away)};
    const auto home_kicks = status[home_]["scorePenaltyRow"].integer(),
               away_kicks = status[away_]["scorePenaltyRow"].integer();
    if (home_kicks && away_kicks)
      result.shootout = score_pair{static_cast<int>(*home_kicks), static_cast<int>(*away_kicks)};
    match_.state(result);
  }

  json_view file_;
  football_match match_;
  std::string home_, away_;
  std::set<std::string> withdrawn_;
  std::map<std::string, std::string> names_;
  int kicks_ = 0;
};

} // namespace

read_result read_datafactory(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto parsed = read_json(path);
    if (const auto* error = std::get_if<std::string>(&parsed)) return *error;
    const json_view file = std::get<json_document>(parsed).root();
    if (!file["incidences"].is_object()) return path + " is not a DataFactory match: it has no member `incidences`.";
    auto read = datafactory_reader{file}.read();
    if (const auto* error = std::get_if<std::string>(&read)) return path + " cannot be used: " + *error + '.';
    out.push_back(std::move(std::get<recording>(read)));
  }
  return out;
}

} // namespace omnium::corpus
