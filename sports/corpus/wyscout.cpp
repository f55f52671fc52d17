// Wyscout match events (Pappalardo et al., figshare c.4415000; one file per match with `events`, `teams`, `players`).
// Line-ups, substitutions and true results come from a matches.json beside the file, or from a member `match` inside
// it. A goal is tag 101 on a Shot or Free Kick (on a Save attempt it is the keeper's view of the same goal); 102 is an
// own goal, on an event of the side that concedes; 1701 red, 1702 yellow, 1703 second yellow; 301 an assist; period P
// the shoot-out.
#include "sports/corpus/file.hpp"
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace omnium::corpus {

namespace {

enum tag : std::int64_t {
  tag_goal = 101,
  tag_own_goal = 102,
  tag_assist = 301,
  tag_red = 1701,
  tag_yellow = 1702,
  tag_second_yellow = 1703,
  tag_accurate = 1801,
  tag_on_target_first = 1201,
  tag_on_target_last = 1209
};

struct touch { // one event of the file, as far as it matters here
  std::string id, name, sub_name, team, player;
  moment when;
  std::set<std::int64_t> tags;
  bool has(std::int64_t what) const { return tags.count(what) > 0; }
  bool on_target() const {
    const auto first = tags.lower_bound(tag_on_target_first);
    return first != tags.end() && *first <= tag_on_target_last;
  }
};

int period_of(const std::string& name) {
  static const std::map<std::string, int> periods{{"1H", 1}, {"2H", 2}, {"E1", 3}, {"E2", 4}, {"P", 5}};
  const auto found = periods.find(name);
  return found == periods.end() ? 0 : found->second;
}

class wyscout_reader {
public:
  wyscout_reader(json_view file, json_view meta, std::string id) : file_{file}, meta_{meta}, match_{"wyscout", id} {}

  std::variant<recording, std::string> read() {
    if (!find_sides()) return std::string{"it does not name two teams"};
    read_names();
    read_head();
    read_touches();
    read_formations();
    for (std::size_t i = 0; i < touches_.size(); ++i) take(i);
    close_periods();
    check_totals();
    return match_.finish();
  }

private:
  struct team_info {
    std::string id, name;
    json_view data; // of the metadata
  };

  bool find_sides() {
    for (const auto& [id, team] : meta_["teamsData"].members())
      at(team["side"].text() == "away" ? side::away : side::home) = {id, {}, team};
    const auto teams = file_["teams"].members();
    if (home_.id.empty() && teams.size() == 2) { // no metadata: the file lists the home team first
      home_.id = teams[0].first;
      away_.id = teams[1].first;
    }
    for (const auto& [id, team] : teams)
      if (const auto which = side_of(id)) at(*which).name = unescape_twice(team["team"]["name"].text());
    return !home_.name.empty() && !away_.name.empty();
  }

  team_info& at(side which) { return which == side::home ? home_ : away_; }

  std::optional<side> side_of(const std::string& team) const {
    if (team == home_.id) return side::home;
    if (team == away_.id) return side::away;
    return std::nullopt;
  }

  // Players are told apart by the source's id; two of one short name are written out in full, and if that is the same
  // too, with the id.
  void read_names() {
    std::map<std::string, std::vector<json_view>> by_name;
    for (const auto& [team, players] : file_["players"].members())
      for (const json_view& entry : players.items())
        if (const json_view player = entry["player"])
          by_name[unescape_twice(player["shortName"].text())].push_back(player);
    for (const auto& [name, players] : by_name) {
      std::map<std::string, int> full;
      const auto in_full = [](json_view p) {
        return unescape_twice(p["firstName"].text() + ' ' + p["lastName"].text());
      };
      for (const json_view& player : players) ++full[in_full(player)];
      for (const json_view& player : players) {
        const std::string id = player["wyId"].text();
        names_[id] = players.size() == 1 ? name : full[in_full(player)] == 1 ? in_full(player) : name + " (" + id + ')';
      }
    }
  }

  std::string name_of(const std::string& player) const {
    if (player.empty() || player == "0") return {};
    const auto found = names_.find(player);
    return found == names_.end() ? "player " + player : found->second;
  }

  void read_head() {
    recording& head = match_.head();
    std::string date = meta_["dateutc"].text();
    if (date.size() == 19) head.starts_at = date.replace(10, 1, "T") + "Z";
    match_.settings_of(head.starts_at);
    const std::string competition = meta_["_competition"].text(meta_["competitionId"].text("matches"));
    const std::string season = meta_["seasonId"].text();
    head.competition_key = "wyscout:" + competition + (season.empty() ? "" : ':' + season);
    head.competition_name = competition;
    std::replace(head.competition_name.begin(), head.competition_name.end(), '_', ' ');
    match_.teams(home_.name, home_.id, away_.name, away_.id);
    if (!meta_)
      match_.note(
          "There is no matches.json beside the file: line-ups, substitutions and the true result are not known.");
  }

  void read_touches() {
    for (const json_view& event : file_["events"].items()) {
      touch one{event["id"].text(),
                event["eventName"].text(),
                event["subEventName"].text(),
                event["teamId"].text(),
                event["playerId"].text(),
                {},
                {}};
      one.when = {period_of(event["matchPeriod"].text()), event["eventSec"].number().value_or(0)};
      for (const json_view& t : event["tags"].items()) one.tags.insert(t["id"].integer_or(0));
      if (one.when.period == 0) match_.note("Event " + one.id + " names no period that football has: left out.");
      else touches_.push_back(std::move(one));
    }
    std::stable_sort(touches_.begin(), touches_.end(), [](const touch& a, const touch& b) {
      return a.when.period != b.when.period ? a.when.period < b.when.period : a.when.second < b.when.second;
    });
  }

  void read_formations() {
    for (const side which : {side::home, side::away}) {
      const json_view formation = at(which).data["formation"];
      lineup players;
      for (const json_view& player : formation["lineup"].items()) {
        const std::string id = player["playerId"].text();
        players.starting.push_back(name_of(id));
        if (is_goalkeeper(id)) players.goalkeeper = name_of(id);
      }
      for (const json_view& player : formation["bench"].items())
        players.bench.push_back(name_of(player["playerId"].text()));
      if (!players.starting.empty()) match_.line_up(which, players);
      read_substitutions(which, formation);
    }
  }

  bool is_goalkeeper(const std::string& id) const {
    for (const auto& [team, players] : file_["players"].members())
      for (const json_view& entry : players.items())
        if (entry["player"]["wyId"].text() == id) return entry["player"]["role"]["code2"].text() == "GK";
    return false;
  }

  void read_substitutions(side which, json_view formation) {
    int number = 0;
    for (const json_view& change : formation["substitutions"].items()) {
      const std::string off = change["playerOut"].text(), on = change["playerIn"].text();
      const moment when = substitution_moment(static_cast<int>(change["minute"].integer_or(0)), on);
      match_.substitution(when, which, name_of(off), name_of(on),
                          std::string{"sub:"} + std::string{to_string(which)} + ':' + std::to_string(++number));
    }
  }

  // The file gives the minute alone: 46 is the break. The second comes from the first touch of the player who came on,
  // when that is near, so that what he did in that minute comes after he came on.
  moment substitution_moment(int minute, const std::string& on) const {
    if (minute == 46) return {2, -1};
    moment when = moment_of(minute, 0);
    if (minute > 90 && !was_played(3)) when = {2, (minute - 46) * 60.0};
    if (minute > 105 && !was_played(4) && was_played(3)) when.period = 3;
    when.second += 59;
    const auto first = std::find_if(touches_.begin(), touches_.end(), [&](const touch& t) { return t.player == on; });
    if (first == touches_.end() || first->when.period != when.period) return when;
    return {when.period, std::max(0.0, std::min(when.second, first->when.second - 0.001))};
  }

  bool was_played(int period) const {
    return std::any_of(touches_.begin(), touches_.end(), [&](const touch& t) { return t.when.period == period; });
  }

  void take(std::size_t index) {
    const touch& now = touches_[index];
    const auto which = side_of(now.team);
    if (!which) {
      match_.plays_here(now.team, now.id);
      return;
    }
    if (now.when.period == 5) return take_kick(now, *which);
    take_count(now, *which);
    take_goal(index, *which);
    take_card(now, *which);
  }

  void take_kick(const touch& now, side which) {
    if (now.sub_name != "Penalty") return;
    const char* result = now.has(tag_goal) ? "scored" : now.on_target() ? "saved" : "missed";
    if (now.has(tag_goal)) ++(which == side::home ? kicks_.home : kicks_.away);
    match_.shootout_kick(now.when.second, which, name_of(now.player), result, now.id);
  }

  void take_goal(std::size_t index, side which) {
    const touch& now = touches_[index];
    const std::string who = name_of(now.player);
    if (now.has(tag_own_goal)) {
      score(other(which), now.when.period);
      return match_.goal(now.when, other(which), who, {}, "own_goal", now.id);
    }
    const bool kick = now.name == "Shot" || now.name == "Free Kick";
    if (kick && now.sub_name == "Penalty") {
      if (now.has(tag_goal)) score(which, now.when.period);
      return match_.penalty(now.when, which, who,
                            now.has(tag_goal) ? "scored"
                            : now.on_target() ? "saved"
                                              : "missed",
                            now.id);
    }
    if (!kick || !now.has(tag_goal)) {
      if (now.has(tag_goal)) lone_save_ = now.id;
      return;
    }
    score(which, now.when.period);
    match_.goal(now.when, which, who, assist_before(index), now.name == "Free Kick" ? "free_kick" : "open_play",
                now.id);
  }

  std::string assist_before(std::size_t index) const {
    constexpr std::size_t window = 6; // events: the pass, and what the sources put between it and the shot
    for (std::size_t back = 1; back <= std::min(window, index); ++back) {
      const touch& before = touches_[index - back];
      if (before.team == touches_[index].team && before.has(tag_assist) && before.player != touches_[index].player)
        return name_of(before.player);
    }
    return {};
  }

  void take_card(const touch& now, side which) {
    const char* card = now.has(tag_second_yellow) ? "second_yellow"
                       : now.has(tag_red)         ? "red"
                       : now.has(tag_yellow)      ? "yellow"
                                                  : nullptr;
    if (card != nullptr) match_.card(now.when, which, name_of(now.player), card, now.id + ":card");
  }

  void take_count(const touch& now, side which) {
    const std::string who = name_of(now.player);
    if (now.name == "Shot" || now.sub_name == "Free kick shot")
      match_.shot(now.when, which, who, now.has(tag_goal) || now.on_target(), now.id + ":shot");
    else if (now.name == "Foul") match_.counted(now.when, which, "foul", who, now.id + ":foul");
    else if (now.sub_name == "Corner") match_.counted(now.when, which, "corner", who, now.id);
    else if (now.name == "Offside") match_.counted(now.when, which, "offside", who, now.id);
  }

  void score(side which, int period) {
    for (int p = period; p <= 4; ++p) ++(which == side::home ? by_period_[p].home : by_period_[p].away);
  }

  void close_periods() {
    for (int period = 1; period <= 5; ++period) {
      const auto last =
          std::find_if(touches_.rbegin(), touches_.rend(), [&](const touch& t) { return t.when.period == period; });
      if (last != touches_.rend()) match_.played(period, last->when.second);
    }
  }

  std::optional<score_pair> stated(const char* member) const {
    const auto home = home_.data[member].integer(), away = away_.data[member].integer();
    if (!home || !away) return std::nullopt;
    return score_pair{static_cast<int>(*home), static_cast<int>(*away)};
  }

  void check_totals() {
    const std::string duration = meta_["duration"].text();
    stated_result result{stated("scoreHT"), stated("score"), {}, {}};
    if (duration == "ExtraTime" || duration == "Penalties") result.after_extra_time = stated("scoreET");
    if (duration == "Penalties") result.shootout = stated("scoreP");
    match_.state(result);
    compare("after 45 minutes", result.half_time, by_period_[1]);
    compare("after 90 minutes", result.full_time, by_period_[2]);
    compare("after extra time", result.after_extra_time, by_period_[4]);
    compare("in the shoot-out", result.shootout, kicks_);
  }

  void compare(const std::string& where, const std::optional<score_pair>& says, score_pair folds) {
    if (!says || *says == folds) return;
    std::string text = "The metadata says " + std::to_string(says->home) + '-' + std::to_string(says->away) + ' ' +
                       where + ", the events " + std::to_string(folds.home) + '-' + std::to_string(folds.away) + '.';
    if (!lone_save_.empty())
      text += " The file holds save attempts that conceded a goal (the last is event " + lone_save_ +
              "), which alone make none.";
    match_.note(std::move(text));
  }

  json_view file_, meta_;
  football_match match_;
  team_info home_, away_;
  std::map<std::string, std::string> names_;
  std::vector<touch> touches_;
  std::array<score_pair, 5> by_period_{};
  score_pair kicks_;
  std::string lone_save_;
};

std::string match_id(json_view file, const std::string& path) {
  const auto events = file["events"].items();
  return events.empty() ? file_stem(path) : events.front()["matchId"].text(file_stem(path));
}

json_view find_meta(json_view list, const std::string& id) {
  for (const json_view& match : list.items())
    if (match["wyId"].text() == id) return match;
  return {};
}

} // namespace

read_result read_wyscout(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto parsed = read_json(path);
    if (const auto* error = std::get_if<std::string>(&parsed)) return *error;
    const json_view file = std::get<json_document>(parsed).root();
    if (!file["events"].is_array()) return path + " is not a Wyscout match: it has no list `events`.";
    const std::string id = match_id(file, path);
    std::optional<json_document> beside;
    json_view meta = file["match"];
    const std::string metadata = sibling(path, "matches.json");
    if (!meta && file_exists(metadata)) {
      auto list = read_json(metadata);
      if (const auto* error = std::get_if<std::string>(&list)) return *error;
      beside.emplace(std::move(std::get<json_document>(list)));
      meta = find_meta(beside->root(), id);
    }
    auto read = wyscout_reader{file, meta, id}.read();
    if (const auto* error = std::get_if<std::string>(&read)) return path + " cannot be used: " + *error + '.';
    out.push_back(std::move(std::get<recording>(read)));
  }
  return out;
}

} // namespace omnium::corpus
