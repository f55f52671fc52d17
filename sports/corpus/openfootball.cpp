// openfootball JSON (football.json, worldcup.json; CC0): every match of a file. Goals carry minute, stoppage `offset`,
// `owngoal`, `penalty`; they are listed under the credited team and not always in order. score.ft is after 90 minutes,
// et after 120, p the shoot-out (totals only). A match without goals listed is told by its scores, one without a score
// is not played yet.
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace omnium::corpus {

namespace {

struct listed_goal {
  moment when;
  side which = side::home;
  std::string name;
  bool own_goal = false, penalty = false;
};

std::optional<score_pair> pair_of(json_view value) {
  const auto home = value.at(0).integer(), away = value.at(1).integer();
  if (!home || !away) return std::nullopt;
  return score_pair{static_cast<int>(*home), static_cast<int>(*away)};
}

// `minute` is a number in older files, and a text such as "45+2" in newer ones.
std::optional<moment> moment_of_goal(json_view goal) {
  const std::string minute = goal["minute"].text();
  const std::size_t plus = minute.find('+');
  int whole = 0, added = static_cast<int>(goal["offset"].integer_or(0));
  const auto read = [](std::string_view text, int& into) {
    return std::from_chars(text.data(), text.data() + text.size(), into).ec == std::errc{};
  };
  if (!read(std::string_view{minute}.substr(0, plus), whole) || whole < 1 || whole > 120) return std::nullopt;
  if (plus != std::string::npos && !read(std::string_view{minute}.substr(plus + 1), added)) return std::nullopt;
  return moment_of(whole, added);
}

// "18:00 UTC+3" on 2018-06-14 -> 2018-06-14T18:00:00+03:00. Without a zone: empty zone in `known`.
std::string starts_at(const std::string& date, const std::string& time, bool& zone_known) {
  if (date.size() != 10) return {};
  const std::string clock = time.size() >= 5 ? time.substr(0, 5) : "00:00";
  const std::size_t utc = time.find("UTC");
  int hours = 0;
  zone_known = utc != std::string::npos;
  if (zone_known && time.size() > utc + 4) hours = std::atoi(time.c_str() + utc + 3);
  if (hours < -12 || hours > 14) zone_known = false;
  char zone[8] = "Z";
  if (zone_known && hours != 0) std::snprintf(zone, sizeof zone, "%+03d:00", hours);
  return date + 'T' + clock + ":00" + zone;
}

class openfootball_match {
public:
  openfootball_match(json_view match, const std::string& competition)
      : data_{match}, competition_{competition}, match_{"openfootball", id_of(match, competition)} {}

  recording read() {
    head();
    const json_view score = data_["score"];
    result_ = {pair_of(score["ht"]), pair_of(score["ft"]), pair_of(score["et"]), pair_of(score["p"])};
    if (!result_.full_time) {
      match_.note(title() + " has no score: not played when the file was made.");
      return match_.finish();
    }
    match_.played(result_.after_extra_time ? 4 : 2);
    if (result_.shootout) match_.played(5);
    read_goals();
    if (total(4) == final_score()) send_goals();
    else send_scores();
    if (result_.shootout) send_shootout();
    match_.state(result_);
    return match_.finish();
  }

private:
  static std::string team(json_view match, const char* member) {
    const json_view value = match[member];
    return value.is_object() ? value["name"].text() : value.text();
  }

  static std::string id_of(json_view match, const std::string& competition) {
    return competition + ':' + match["date"].text() + ':' + team(match, "team1") + ':' + team(match, "team2");
  }

  std::string title() const { return data_["date"].text() + ' ' + team(data_, "team1") + " v " + team(data_, "team2"); }

  void head() {
    recording& out = match_.head();
    out.competition_name = competition_;
    out.competition_key = "openfootball:" + competition_;
    match_.teams(team(data_, "team1"), team(data_, "team1"), team(data_, "team2"), team(data_, "team2"));
    bool zone_known = false;
    out.starts_at = starts_at(data_["date"].text(), data_["time"].text(), zone_known);
    if (!zone_known) match_.note(title() + ": the file gives no time zone; the start is written as if it were UTC.");
    match_.settings_of(data_["date"].text());
  }

  score_pair final_score() const { return result_.after_extra_time.value_or(*result_.full_time); }

  void read_goals() {
    for (const side which : {side::home, side::away})
      for (const json_view& goal : data_[which == side::home ? "goals1" : "goals2"].items()) {
        const auto when = moment_of_goal(goal);
        if (!when) match_.note(title() + ": a goal without a minute that can be read is left out.");
        else goals_.push_back({*when, which, goal["name"].text(), goal["owngoal"].flag(), goal["penalty"].flag()});
      }
    std::stable_sort(goals_.begin(), goals_.end(), [](const listed_goal& a, const listed_goal& b) {
      return a.when.period != b.when.period ? a.when.period < b.when.period : a.when.second < b.when.second;
    });
  }

  score_pair total(int last_period) const {
    score_pair out;
    for (const listed_goal& goal : goals_)
      if (goal.when.period <= last_period) ++(goal.which == side::home ? out.home : out.away);
    return out;
  }

  void send_goals() {
    int number = 0;
    for (const listed_goal& goal : goals_) {
      const std::string place = "goal:" + std::to_string(++number);
      if (goal.penalty) match_.penalty(goal.when, goal.which, goal.name, "scored", place);
      else match_.goal(goal.when, goal.which, goal.name, {}, goal.own_goal ? "own_goal" : "open_play", place);
    }
    compare("half time", result_.half_time, total(1));
    compare("full time", result_.full_time, total(2));
  }

  void compare(const std::string& where, const std::optional<score_pair>& says, score_pair folds) {
    if (!says || *says == folds) return;
    match_.note(title() + ": at " + where + " the file says " + std::to_string(says->home) + '-' +
                std::to_string(says->away) + ", its goals' minutes " + std::to_string(folds.home) + '-' +
                std::to_string(folds.away) + '.');
  }

  // The file has only results: the score is set at the end of each half, as after a loss of the record.
  void send_scores() {
    if (!goals_.empty()) match_.note(title() + ": the goals listed do not add up to the score; the score is taken.");
    constexpr double last_second = 45 * 60 - 1;
    if (result_.half_time) match_.score_is({1, last_second}, *result_.half_time, "score:H1");
    match_.score_is({2, last_second}, *result_.full_time, "score:H2");
    if (result_.after_extra_time) match_.score_is({4, 15 * 60 - 1}, *result_.after_extra_time, "score:ET2");
  }

  void send_shootout() {
    const auto kicks = reconstruct_shootout(*result_.shootout);
    if (kicks.empty()) {
      match_.note(title() + ": no shoot-out by the Laws ends with these totals; its kicks are left out.");
      return;
    }
    const char* text =
        "The source gives only the totals of the shoot-out: these kicks are one legal order that leads to them.";
    match_.note(title() + ": " + text);
    match_.remark({5, 0}, text, "shootout:note");
    double second = 0;
    int number = 0;
    for (const reconstructed_kick& kick : kicks)
      match_.shootout_kick(second += 40, kick.which, {}, kick.scored ? "scored" : "missed",
                           "kick:" + std::to_string(++number));
  }

  json_view data_;
  std::string competition_;
  football_match match_;
  stated_result result_;
  std::vector<listed_goal> goals_;
};

} // namespace

read_result read_openfootball(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto parsed = read_json(path);
    if (const auto* error = std::get_if<std::string>(&parsed)) return *error;
    const json_view file = std::get<json_document>(parsed).root();
    const auto matches = file["matches"].items();
    if (matches.empty()) return path + " is not an openfootball file: it has no list `matches`.";
    const std::string competition = file["name"].text("openfootball");
    for (const json_view& match : matches) out.push_back(openfootball_match{match, competition}.read());
  }
  return out;
}

} // namespace omnium::corpus
