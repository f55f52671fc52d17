#include "sports/corpus/football.hpp"

#include "sports/corpus/json_out.hpp"

#include <algorithm>
#include <cmath>

namespace omnium::corpus {

namespace {

// Index 1-4: minutes before the period, and its length (Law 7.1; extra time Law 10.2).
constexpr std::array<int, 5> minutes_before{0, 0, 45, 90, 105};
constexpr std::array<int, 5> period_minutes{0, 45, 45, 15, 15};
constexpr std::array<std::string_view, 6> period_names{"", "H1", "H2", "ET1", "ET2", "PSO"};
// Breaks before each period, for pacing a replay only.
constexpr std::array<double, 6> break_seconds{0, 0, 15 * 60, 5 * 60, 60, 5 * 60};

void put_minute(json_object& input, moment when) {
  const std::string label = minute_label(when);
  if (label.find('+') == std::string::npos) input.raw("minute", label);
  else input.text("minute", label);
}

std::string score_json(score_pair score) {
  return json_object{}.number("home", score.home).number("away", score.away).str();
}

json_object begin_input(side which) {
  json_object input;
  input.text("side", to_string(which));
  return input;
}

std::string names_json(const std::vector<std::string>& names) {
  json_array out;
  for (const std::string& name : names) out.text(name);
  return out.str();
}

} // namespace

std::string_view to_string(side which) { return which == side::home ? "home" : "away"; }

std::string minute_label(moment when) {
  const int period = std::clamp(when.period, 1, 4);
  const auto index = static_cast<std::size_t>(period);
  const int minute = static_cast<int>(std::floor(std::max(0.0, when.second) / 60)) + 1;
  const int length = period_minutes[index];
  const int before = minutes_before[index];
  if (minute <= length) return std::to_string(before + minute);
  return std::to_string(before + length) + '+' + std::to_string(minute - length);
}

moment moment_of(int minute, int added) {
  int period = 1;
  while (period < 4 && minute > minutes_before[static_cast<std::size_t>(period + 1)]) ++period;
  return {period, (minute + added - minutes_before[static_cast<std::size_t>(period)] - 1) * 60.0};
}

football_match::football_match(std::string source, std::string match_id)
    : source_{std::move(source)}, match_{std::move(match_id)} {
  out_.sport = "football";
  out_.match_key = source_ + ':' + match_;
}

void football_match::teams(std::string home, std::string home_id, std::string away, std::string away_id) {
  out_.home_name = std::move(home);
  out_.away_name = std::move(away);
  out_.home_key = source_ + ":team:" + home_id;
  out_.away_key = source_ + ":team:" + away_id;
  out_.participants = {{out_.home_key, out_.home_name, recorded_participant::kind::team},
                       {out_.away_key, out_.away_name, recorded_participant::kind::team}};
  home_id_ = std::move(home_id);
  away_id_ = std::move(away_id);
}

bool football_match::plays_here(const std::string& team, const std::string& event) {
  if (team.empty() || team == home_id_ || team == away_id_) return true;
  note("Event " + event + " is of a team that does not play in this match (" + team + "): left out.");
  return false;
}

void football_match::settings_of(std::string_view date) {
  if (date.empty() || date >= "2020-05-08") return;
  out_.settings = json_object{}
                      .number("substitutions", 3)
                      .number("substitution_windows", 0)
                      .number("extra_time_substitutions", date >= "2018-06-01" ? 1 : 0)
                      .str();
}

void football_match::add(moment when, std::string code, std::string input, std::string_view place, bool play) {
  if (when.period >= 1 && when.period <= 5) played_[static_cast<std::size_t>(when.period)] = true;
  events_.push_back(
      {when, {std::move(code), std::move(input), make_key(source_, match_, place), play, std::nullopt, std::nullopt}});
}

void football_match::line_up(side which, const lineup& players) {
  json_object input = begin_input(which);
  input.raw("starting", names_json(players.starting));
  if (!players.bench.empty()) input.raw("bench", names_json(players.bench));
  input.text_if("goalkeeper", players.goalkeeper);
  events_.push_back({{0, which == side::home ? 0.0 : 1.0},
                     {"football.lineup", input.str(),
                      make_key(source_, match_, "lineup:" + std::string{to_string(which)}), true, 0.0, std::nullopt}});
}

void football_match::goal(moment when, side which, std::string_view scorer, std::string_view assist,
                          std::string_view kind, std::string_view place) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text_if("scorer", scorer).text_if("assist", assist).text("kind", kind);
  add(when, "football.goal", input.str(), place);
}

void football_match::penalty(moment when, side which, std::string_view taker, std::string_view result,
                             std::string_view place) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text("taker", taker).text("result", result);
  add(when, "football.penalty", input.str(), place);
}

void football_match::card(moment when, side which, std::string_view player, std::string_view card,
                          std::string_view place, bool official) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text("player", player).text("card", card);
  if (official) input.flag("official", true);
  add(when, "football.card", input.str(), place);
}

void football_match::substitution(moment when, side which, std::string_view off, std::string_view on,
                                  std::string_view place) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text("off", off).text("on", on);
  add(when, "football.substitution", input.str(), place);
}

void football_match::shootout_kick(double second, side which, std::string_view taker, std::string_view result,
                                   std::string_view place) {
  json_object input = begin_input(which);
  input.text_if("taker", taker).text("result", result);
  add({5, second}, "football.shootout_kick", input.str(), place);
}

void football_match::shot(moment when, side which, std::string_view player, bool on_target, std::string_view place) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text_if("player", player).flag("on_target", on_target);
  add(when, "football.shot", input.str(), place, false);
}

void football_match::counted(moment when, side which, std::string_view what, std::string_view player,
                             std::string_view place) {
  json_object input = begin_input(which);
  put_minute(input, when);
  input.text_if("player", player);
  add(when, "football." + std::string{what}, input.str(), place, false);
}

void football_match::score_is(moment when, score_pair score, std::string_view place) {
  add(when, "match.baseline", json_object{}.raw("score", score_json(score)).str(), place);
}

void football_match::played(int period, std::optional<double> second) {
  for (int p = 1; p <= period; ++p)
    if (p <= 2 || period <= 4 || p == 5) played_[static_cast<std::size_t>(p)] = true;
  ended_[static_cast<std::size_t>(period)] = second;
}

void football_match::remark(moment when, std::string_view text, std::string_view place) {
  add(when, "match.note", json_object{}.text("text", text).str(), place, false);
}

void football_match::state(const stated_result& result) {
  const auto& score = result.after_extra_time ? result.after_extra_time : result.full_time;
  if (!score) return;
  json_object truth;
  truth.raw("score", score_json(*score));
  truth.raw("shootout", result.shootout ? score_json(*result.shootout) : "null");
  out_.truth = truth.str();
}

double football_match::length_of(int period) const {
  const auto index = static_cast<std::size_t>(period);
  double length = period <= 4 ? period_minutes[index] * 60.0 : 0.0;
  for (const event& one : events_)
    if (one.when.period == period) length = std::max(length, one.when.second + 1);
  return ended_[index].value_or(length);
}

void football_match::append(std::string code, std::string input, std::string_view place, double offset_s, bool play) {
  out_.commands.push_back({std::move(code), std::move(input), make_key(source_, match_, place), play, offset_s, {}});
}

void football_match::append_period(int period, double began) {
  const auto index = static_cast<std::size_t>(period);
  const std::string name{period_names[index]};
  const auto input = [&](std::string_view action) {
    json_object body;
    body.text("action", action).text("period", name);
    if (action == "end" && ended_[index] && period <= 4) put_minute(body, {period, *ended_[index]});
    return body.str();
  };
  auto next = std::find_if(events_.begin(), events_.end(), [&](const event& one) { return one.when.period == period; });
  const auto take = [&](double before) {
    for (; next != events_.end() && next->when.period == period && next->when.second < before; ++next) {
      next->command.offset_s = began + next->when.second;
      out_.commands.push_back(std::move(next->command));
    }
  };
  take(0);
  append("football.period", input("start"), name + ":start", began);
  take(HUGE_VAL);
  append("football.period", input("end"), name + ":end", began + length_of(period));
}

recording football_match::finish() {
  std::stable_sort(events_.begin(), events_.end(), [](const event& a, const event& b) {
    return a.when.period != b.when.period ? a.when.period < b.when.period : a.when.second < b.when.second;
  });
  const bool any = std::find(played_.begin(), played_.end(), true) != played_.end();
  for (event& one : events_)
    if (one.when.period == 0) out_.commands.push_back(std::move(one.command));
  if (!any) return std::move(out_);
  append("match.start", "{}", "start", 0);
  double began = 0;
  for (int period = 1; period <= 5; ++period) {
    if (!played_[static_cast<std::size_t>(period)]) continue;
    began += break_seconds[static_cast<std::size_t>(period)];
    append_period(period, began);
    began += length_of(period);
  }
  append("match.end", json_object{}.text("reason", "completed").str(), "end", began);
  return std::move(out_);
}

} // namespace omnium::corpus
