// Stats Perform match events (MA3). typeId 43 is a withdrawn event (qualifier 144: what it was): never used. 16 goal
// (qualifier 28 own goal, 9 penalty, 26 direct free kick), 17 card (31 yellow, 32 second yellow, 33 red), 18 and 19
// player off and on (qualifier 55 joins the two), 30 and 32 end and start of a period, 34 the line-up. Period 5 is the
// shoot-out, 14 and 16 are outside play. A card without a player is one for a team official.
#include "sports/corpus/file.hpp"
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>
#include <map>

namespace omnium::corpus {

namespace {

enum type_id : std::int64_t {
  type_pass = 1,
  type_offside = 2,
  type_foul = 4,
  type_miss = 13,
  type_post = 14,
  type_saved = 15,
  type_goal = 16,
  type_card = 17,
  type_off = 18,
  type_on = 19,
  type_end = 30,
  type_line_up = 34,
  type_withdrawn = 43
};
enum qualifier_id : std::int64_t {
  q_corner_taken = 6,
  q_penalty = 9,
  q_direct_free_kick = 26,
  q_own_goal = 28,
  q_players = 30,
  q_second_yellow = 32,
  q_red = 33,
  q_related = 55,
  q_shirts = 59,
  q_places = 131,
  q_official = 184
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(", ", at), text.size());
    out.push_back(text.substr(at, comma - at));
    at = comma + 2;
  }
  return out;
}

class statsperform_reader {
public:
  explicit statsperform_reader(json_view file)
      : file_{file}, match_{"statsperform", file["matchInfo"]["id"].text()}, events_{
                                                                                 file["liveData"]["event"].items()} {}

  std::variant<recording, std::string> read() {
    read_head();
    if (home_.empty() || away_.empty()) return std::string{"it does not name a home and an away side"};
    sort_events();
    for (const json_view& event : events_)
      if (!event["playerName"].text().empty()) names_[event["playerId"].text()] = event["playerName"].text();
    for (const json_view& event : events_)
      if (type_of(event) == type_line_up) take_line_up(event);
    for (const json_view& event : events_) take(event);
    note_withdrawn();
    state_result();
    return match_.finish();
  }

private:
  static std::int64_t type_of(json_view event) { return event["typeId"].integer_or(0); }

  static std::optional<std::string> qualifier(json_view event, std::int64_t id) {
    for (const json_view& one : event["qualifier"].items())
      if (one["qualifierId"].integer_or(0) == id) return one["value"].text();
    return std::nullopt;
  }
  static bool has(json_view event, std::int64_t id) { return qualifier(event, id).has_value(); }

  void read_head() {
    const json_view info = file_["matchInfo"];
    recording& head = match_.head();
    const std::string date = info["date"].text(), time = info["time"].text();
    if (date.size() >= 10 && time.size() >= 8) head.starts_at = date.substr(0, 10) + 'T' + time.substr(0, 8) + 'Z';
    match_.settings_of(date);
    head.competition_key = "statsperform:" + info["tournamentCalendar"]["id"].text(info["competition"]["id"].text());
    head.competition_name =
        info["competition"]["name"].text("Stats Perform") + ' ' + info["tournamentCalendar"]["name"].text();
    std::array<std::string, 2> names;
    for (const json_view& team : info["contestant"].items()) {
      const bool away = team["position"].text() == "away";
      (away ? away_ : home_) = team["id"].text();
      names[away ? 1 : 0] = team["name"].text();
    }
    match_.teams(names[0], home_, names[1], away_);
  }

  void sort_events() {
    const auto place = [](json_view e) {
      return std::tuple{e["periodId"].integer_or(0), e["timeMin"].integer_or(0), e["timeSec"].integer_or(0),
                        e["timeStamp"].text()};
    };
    std::stable_sort(events_.begin(), events_.end(), [&](json_view a, json_view b) { return place(a) < place(b); });
  }

  side side_of(json_view event) const { return event["contestantId"].text() == away_ ? side::away : side::home; }

  static moment moment_of_event(json_view event) {
    static constexpr std::array<int, 6> before{0, 0, 45, 90, 105, 120};
    const auto period = std::clamp<std::int64_t>(event["periodId"].integer_or(1), 1, 5);
    const auto second = event["timeMin"].integer_or(0) * 60 + event["timeSec"].integer_or(0);
    return {static_cast<int>(period), static_cast<double>(second - before[static_cast<std::size_t>(period)] * 60)};
  }

  // Players who do nothing have no name in the file: among the eleven they are shown by number, and a bench of which
  // some are not known is left out.
  void take_line_up(json_view event) {
    const auto ids = split(qualifier(event, q_players).value_or("")),
               places = split(qualifier(event, q_places).value_or(""));
    const auto shirts = split(qualifier(event, q_shirts).value_or(""));
    if (ids.empty() || ids.size() != places.size())
      return match_.note("A line-up in the file cannot be read: left out.");
    lineup players;
    bool whole_bench = true;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto found = names_.find(ids[i]);
      const std::string number = i < shirts.size() ? "No. " + shirts[i] : ids[i];
      if (places[i] == "0") {
        whole_bench = whole_bench && found != names_.end();
        if (whole_bench) players.bench.push_back(found->second);
        continue;
      }
      players.starting.push_back(found == names_.end() ? number : found->second);
      if (places[i] == "1") players.goalkeeper = players.starting.back();
    }
    if (!whole_bench) players.bench.clear();
    match_.line_up(side_of(event), players);
  }

  void take(json_view event) {
    const auto period = event["periodId"].integer_or(0);
    if (type_of(event) == type_withdrawn) return static_cast<void>(++withdrawn_);
    if (period < 1 || period > 5) return;
    if (!match_.plays_here(event["contestantId"].text(), event["id"].text())) return;
    const side which = side_of(event);
    const moment when = moment_of_event(event);
    const std::string player = event["playerName"].text(), id = event["id"].text();
    if (period == 5) return take_kick(event, which, when, player, id);
    switch (type_of(event)) {
    case type_goal:
    case type_miss:
    case type_post:
    case type_saved:
      return take_shot(event, which, when, player, id);
    case type_card:
      return take_card(event, which, when, player, id);
    case type_off:
      return take_substitution(event, which, when, player, id);
    case type_foul:
      if (event["outcome"].integer_or(1) == 0) match_.counted(when, which, "foul", player, id);
      return;
    case type_offside:
      return match_.counted(when, which, "offside", player, id);
    case type_pass:
      if (has(event, q_corner_taken)) match_.counted(when, which, "corner", player, id);
      return;
    case type_end:
      return match_.played(when.period, when.second);
    default:
      return;
    }
  }

  static const char* result_of(json_view event) {
    return type_of(event) == type_goal ? "scored" : type_of(event) == type_saved ? "saved" : "missed";
  }

  void take_kick(json_view event, side which, moment when, const std::string& player, const std::string& id) {
    const auto type = type_of(event);
    if (type == type_goal || type == type_miss || type == type_post || type == type_saved)
      match_.shootout_kick(when.second, which, player, result_of(event), id);
  }

  void take_shot(json_view event, side which, moment when, const std::string& player, const std::string& id) {
    const bool goal = type_of(event) == type_goal;
    if (goal && has(event, q_own_goal)) return match_.goal(when, other(which), player, {}, "own_goal", id);
    match_.shot(when, which, player, goal || type_of(event) == type_saved, id + ":shot");
    if (has(event, q_penalty)) return match_.penalty(when, which, player, result_of(event), id);
    if (goal)
      match_.goal(when, which, player, assist_of(event), has(event, q_direct_free_kick) ? "free_kick" : "open_play",
                  id);
  }

  // Qualifier 55 of a goal names, by the team's own numbering, the pass that made it.
  std::string assist_of(json_view goal) const {
    const auto related = qualifier(goal, q_related);
    if (!related) return {};
    for (const json_view& event : events_)
      if (type_of(event) == type_pass && event["eventId"].text() == *related &&
          event["contestantId"].text() == goal["contestantId"].text())
        return event["playerName"].text();
    return {};
  }

  void take_card(json_view event, side which, moment when, const std::string& player, const std::string& id) {
    const char* card = has(event, q_second_yellow) ? "second_yellow" : has(event, q_red) ? "red" : "yellow";
    const bool official = player.empty();
    match_.card(when, which, official ? "team official" : player, card, id, official);
  }

  void take_substitution(json_view off, side which, moment when, const std::string& player, const std::string& id) {
    const std::string partner = qualifier(off, q_related).value_or("");
    for (const json_view& event : events_)
      if (type_of(event) == type_on && event["eventId"].text() == partner && side_of(event) == which)
        return match_.substitution(when, which, player, event["playerName"].text(), id);
    match_.note("Event " + id + ": " + player + " goes off and nobody is named who comes on: left out.");
  }

  void note_withdrawn() {
    if (withdrawn_ > 0)
      match_.note(std::to_string(withdrawn_) + " events were withdrawn by the source and are not used.");
  }

  std::optional<score_pair> stated(const char* member) const {
    const json_view score = file_["liveData"]["matchDetails"]["scores"][member];
    const auto home = score["home"].integer(), away = score["away"].integer();
    if (!home || !away) return std::nullopt;
    return score_pair{static_cast<int>(*home), static_cast<int>(*away)};
  }

  void state_result() { match_.state({stated("ht"), stated("ft"), stated("et"), stated("pen")}); }

  json_view file_;
  football_match match_;
  std::vector<json_view> events_;
  std::string home_, away_;
  std::map<std::string, std::string> names_;
  int withdrawn_ = 0;
};

} // namespace

read_result read_statsperform(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto parsed = read_json(path);
    if (const auto* error = std::get_if<std::string>(&parsed)) return *error;
    const json_view file = std::get<json_document>(parsed).root();
    if (!file["liveData"]["event"].is_array())
      return path + " is not a Stats Perform match: it has no list `liveData.event`.";
    auto read = statsperform_reader{file}.read();
    if (const auto* error = std::get_if<std::string>(&read)) return path + " cannot be used: " + *error + '.';
    out.push_back(std::move(std::get<recording>(read)));
  }
  return out;
}

} // namespace omnium::corpus
