// StatsBomb open-data events (one JSON array per match). The file names no home side and no competition: the team whose
// eleven comes first is taken as home. Own goals are an `Own Goal Against` / `Own Goal For` pair: the For side is
// credited, the Against event names the player. Period 5 is the shoot-out. The clock is taken from period and
// timestamp.
#include "sports/corpus/file.hpp"
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>
#include <cstdio>

namespace omnium::corpus {

namespace {

enum kind : std::int64_t {
  kind_offside = 8,
  kind_shot = 16,
  kind_substitution = 19,
  kind_own_goal_against = 20,
  kind_foul = 22,
  kind_bad_behaviour = 24,
  kind_own_goal_for = 25,
  kind_pass = 30,
  kind_half_end = 34,
  kind_starting_eleven = 35
};
enum shot_outcome : std::int64_t { outcome_goal = 97, outcome_saved = 100, outcome_saved_to_post = 116 };
enum shot_type : std::int64_t { type_free_kick = 62, type_penalty = 88 };
enum pass_detail : std::int64_t { pass_type_corner = 61, pass_outcome_offside = 76 };

std::optional<double> seconds_of(const std::string& timestamp) {
  int hours = 0, minutes = 0;
  double seconds = 0;
  if (std::sscanf(timestamp.c_str(), "%d:%d:%lf", &hours, &minutes, &seconds) != 3) return std::nullopt;
  return hours * 3600 + minutes * 60 + seconds;
}

class statsbomb_reader {
public:
  statsbomb_reader(json_view file, const std::string& stem)
      : events_{file.items()}, match_{"statsbomb", id_of(events_)} {
    match_.head().competition_key = "statsbomb:open-data";
    match_.head().competition_name = "StatsBomb open data";
    match_.note("The file (" + stem +
                ") names neither home side nor competition: the team listed first is taken as home.");
  }

  std::variant<recording, std::string> read() {
    read_line_ups();
    if (away_.empty()) return std::string{"it does not hold two starting elevens"};
    for (const json_view& event : events_) take(event);
    return match_.finish();
  }

private:
  static std::string id_of(const std::vector<json_view>& events) {
    return events.empty() ? std::string{} : events.front()["id"].text();
  }

  void read_line_ups() {
    std::vector<std::pair<std::string, json_view>> elevens;
    for (const json_view& event : events_)
      if (event["type"]["id"].integer_or(0) == kind_starting_eleven)
        elevens.emplace_back(event["team"]["id"].text(), event);
    if (elevens.size() != 2) return;
    home_ = elevens[0].first;
    away_ = elevens[1].first;
    match_.teams(elevens[0].second["team"]["name"].text(), home_, elevens[1].second["team"]["name"].text(), away_);
    for (const auto& eleven : elevens) {
      const json_view event = eleven.second;
      lineup players;
      for (const json_view& player : event["tactics"]["lineup"].items()) {
        players.starting.push_back(player["player"]["name"].text());
        if (player["position"]["id"].integer_or(0) == 1) players.goalkeeper = players.starting.back();
      }
      // Of the bench the file knows only those who came on: it is left out.
      match_.line_up(side_of(event), players);
    }
  }

  side side_of(json_view event) const { return event["team"]["id"].text() == away_ ? side::away : side::home; }

  moment moment_of_event(json_view event) {
    const int period = static_cast<int>(event["period"].integer_or(1));
    const auto second = seconds_of(event["timestamp"].text());
    const moment when{period, second.value_or(0)};
    check_minute(event, when);
    return when;
  }

  // `minute` runs on from period to period; in an edited file it may not fit the timestamp.
  void check_minute(json_view event, moment when) {
    static constexpr std::array<int, 6> before{0, 0, 45, 90, 105, 120};
    if (when.period < 1 || when.period > 4) return;
    const auto says = event["minute"].integer();
    const int is = before[static_cast<std::size_t>(when.period)] + static_cast<int>(when.second / 60);
    if (!says || *says == is) return;
    match_.note("Event " + event["id"].text() + " (" + event["type"]["name"].text() + ") says minute " +
                std::to_string(*says) + ", its period and timestamp say " + std::to_string(is) +
                ": the timestamp is taken.");
  }

  void take(json_view event) {
    const std::string id = event["id"].text();
    if (!match_.plays_here(event["team"]["id"].text(), id)) return;
    const side which = side_of(event);
    const std::string player = event["player"]["name"].text();
    switch (event["type"]["id"].integer_or(0)) {
    case kind_shot:
      return take_shot(event, which, player, id);
    case kind_own_goal_for:
      return match_.goal(moment_of_event(event), which, scorer_against(event), {}, "own_goal", id);
    case kind_substitution:
      return take_substitution(event, which, player, id);
    case kind_foul:
      match_.counted(moment_of_event(event), which, "foul", player, id);
      return take_card(event, which, player, event["foul_committed"]["card"], id);
    case kind_bad_behaviour:
      return take_card(event, which, player, event["bad_behaviour"]["card"], id);
    case kind_offside:
      return match_.counted(moment_of_event(event), which, "offside", player, id);
    case kind_pass:
      return take_pass(event, which, player, id);
    case kind_half_end: {
      const moment when = moment_of_event(event);
      return match_.played(when.period, when.second);
    }
    default:
      return;
    }
  }

  // An own goal's scorer belongs to the side that concedes; a file that says otherwise gives no scorer.
  std::string scorer_against(json_view credited) {
    for (const json_view& related : credited["related_events"].items())
      for (const json_view& event : events_) {
        if (event["type"]["id"].integer_or(0) != kind_own_goal_against || event["id"].text() != related.text())
          continue;
        const std::string player = event["player"]["name"].text();
        if (started_for(player) != side_of(credited)) return player;
        match_.note("Event " + event["id"].text() + " gives an own goal to " + player +
                    ", who plays for the side it is credited to: the scorer is left out.");
      }
    return {};
  }

  std::optional<side> started_for(const std::string& player) const {
    for (const json_view& event : events_)
      if (event["type"]["id"].integer_or(0) == kind_starting_eleven)
        for (const json_view& one : event["tactics"]["lineup"].items())
          if (one["player"]["name"].text() == player) return side_of(event);
    return std::nullopt;
  }

  void take_shot(json_view event, side which, const std::string& player, const std::string& id) {
    const auto outcome = event["shot"]["outcome"]["id"].integer_or(0);
    const auto type = event["shot"]["type"]["id"].integer_or(0);
    const bool saved = outcome == outcome_saved || outcome == outcome_saved_to_post;
    const char* result = outcome == outcome_goal ? "scored" : saved ? "saved" : "missed";
    const moment when = moment_of_event(event);
    if (when.period == 5) return match_.shootout_kick(when.second, which, player, result, id);
    match_.shot(when, which, player, outcome == outcome_goal || saved, id + ":shot");
    if (type == type_penalty) return match_.penalty(when, which, player, result, id);
    if (outcome == outcome_goal)
      match_.goal(when, which, player, assist_of(event), type == type_free_kick ? "free_kick" : "open_play", id);
  }

  std::string assist_of(json_view event) const {
    const std::string pass = event["shot"]["key_pass_id"].text();
    if (pass.empty()) return {};
    const auto found =
        std::find_if(events_.begin(), events_.end(), [&](const json_view& one) { return one["id"].text() == pass; });
    return found == events_.end() ? std::string{} : (*found)["player"]["name"].text();
  }

  void take_substitution(json_view event, side which, const std::string& player, const std::string& id) {
    moment when = moment_of_event(event);
    if (when.second == 0) when.second = -1; // made in the break
    match_.substitution(when, which, player, event["substitution"]["replacement"]["name"].text(), id);
  }

  void take_card(json_view event, side which, const std::string& player, json_view card, const std::string& id) {
    const auto what = card["id"].integer_or(0);
    const char* name = what == 5 ? "red" : what == 6 ? "second_yellow" : what == 7 ? "yellow" : nullptr;
    if (name != nullptr) match_.card(moment_of_event(event), which, player, name, id + ":card");
    else if (card)
      match_.note("Event " + event["id"].text() + " shows a card that is not known (" + card["name"].text() +
                  "): left out.");
  }

  void take_pass(json_view event, side which, const std::string& player, const std::string& id) {
    const json_view pass = event["pass"];
    if (pass["type"]["id"].integer_or(0) == pass_type_corner)
      match_.counted(moment_of_event(event), which, "corner", player, id);
    if (pass["outcome"]["id"].integer_or(0) == pass_outcome_offside)
      match_.counted(moment_of_event(event), which, "offside", event["pass"]["recipient"]["name"].text(player),
                     id + ":offside");
  }

  std::vector<json_view> events_;
  football_match match_;
  std::string home_, away_;
};

} // namespace

read_result read_statsbomb(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto parsed = read_json(path);
    if (const auto* error = std::get_if<std::string>(&parsed)) return *error;
    const json_view file = std::get<json_document>(parsed).root();
    if (!file.is_array()) return path + " is not a StatsBomb events file: it is not a list.";
    auto read = statsbomb_reader{file, file_stem(path)}.read();
    if (const auto* error = std::get_if<std::string>(&read)) return path + " cannot be used: " + *error + '.';
    out.push_back(std::move(std::get<recording>(read)));
  }
  return out;
}

} // namespace omnium::corpus
