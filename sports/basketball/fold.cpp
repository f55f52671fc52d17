// What each event does to the state.
#include "sports/basketball/basketball.hpp"

#include <algorithm>

namespace omnium::basketball {

bool is_clock(std::string_view text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const std::size_t colon = text.find(':');
  if ((colon != 1 && colon != 2) || !digit(0) || !digit(colon - 1)) return false;
  if (!digit(colon + 1) || text[colon + 1] > '5' || !digit(colon + 2)) return false;
  const std::size_t rest = text.size() - colon - 3;
  return rest == 0 || (rest == 2 && text[colon + 3] == '.' && digit(colon + 4));
}

bool is_period(std::string_view text) {
  if (text.size() == 2) return text[0] == 'Q' && text[1] >= '1' && text[1] <= '8';
  if (text.size() < 3 || text.size() > 4 || text.substr(0, 2) != "OT") return false;
  if (text.size() == 3) return text[2] >= '1' && text[2] <= '9';
  return text[2] == '1' && text[3] >= '0' && text[3] <= '9';
}

std::string game::name_of(std::int64_t number) const {
  return overtime(number) ? "OT" + std::to_string(number - settings.periods) : "Q" + std::to_string(number);
}

std::optional<std::int64_t> game::number_of(const std::string& name) const {
  for (std::int64_t i = 1; i <= static_cast<std::int64_t>(periods_max); ++i)
    if (name_of(i) == name) return i;
  return std::nullopt;
}

const player* game::find(side of, const std::string& name) const {
  const auto found = state.players[of].find(name);
  return found == state.players[of].end() ? nullptr : &found->second;
}

player* game::entry(side of, const std::optional<std::string>& name) {
  return name ? &state.players[of][*name] : nullptr;
}

both<std::int64_t> game::total() const {
  both<std::int64_t> sum = state.carried;
  for (const period_score& one : state.periods) {
    sum.home += one.home.value_or(0);
    sum.away += one.away.value_or(0);
  }
  return sum;
}

void game::add_points(side of, std::int64_t period, std::int64_t points, const std::optional<std::string>& name) {
  while (static_cast<std::int64_t>(state.periods.size()) < period) state.periods.push_back({0, 0});
  period_score& into = state.periods[static_cast<std::size_t>(period - 1)];
  auto& sum = of == side::home ? into.home : into.away;
  sum = sum.value_or(0) + points;
  if (player* one = entry(of, name)) one->points += points;
}

// Points of an interval are the next period's; after regulation of a decided game they are the last period's.
std::int64_t game::period_of(const free_throw& in) const {
  if (in.period) return std::max<std::int64_t>(1, number_of(*in.period).value_or(state.period));
  if (state.running || (regulation_over() && !level())) return std::max<std::int64_t>(1, state.period);
  return state.period + 1;
}

void game::evolve(const period_change& in, const event&) {
  if (in.action == period_action::end) {
    state.running = false;
    state.clock = "00:00";
    return;
  }
  ++state.period;
  state.running = true;
  state.clock.reset();
  while (static_cast<std::int64_t>(state.periods.size()) < state.period) state.periods.push_back({0, 0});
  // Overtime continues the last period's team fouls (Art. 41); in the NBA each overtime begins anew.
  if (!overtime(state.period) || nba()) state.team_fouls = {};
  state.team_fouls.home += state.interval_fouls.home;
  state.team_fouls.away += state.interval_fouls.away;
  state.interval_fouls = {};
  const bool second_half = !nba() && settings.periods % 2 == 0 && state.period == settings.periods / 2 + 1;
  if (second_half || overtime(state.period)) state.timeouts = state.late_timeouts = {};
}

void game::evolve(const lineup& in, const event&) {
  state.court[in.side] = in.starters;
  for (const std::string& name : in.starters) state.players[in.side][name];
  for (const std::string& name : in.bench.value_or(std::vector<std::string>{})) state.players[in.side][name];
}

void game::evolve(const score& in, const event&) {
  at(in.clock);
  totals& sum = state.totals[in.side];
  ++(in.points == 3 ? sum.made3 : sum.made2);
  ++(in.points == 3 ? sum.tried3 : sum.tried2);
  add_points(in.side, state.period, in.points, in.player);
  if (player* helper = entry(in.side, in.assist)) {
    ++helper->assists;
    ++sum.assists;
  }
}

void game::evolve(const miss& in, const event&) {
  at(in.clock);
  ++(in.points == 3 ? state.totals[in.side].tried3 : state.totals[in.side].tried2);
  entry(in.side, in.player);
}

void game::evolve(const free_throw& in, const event&) {
  at(in.clock);
  totals& sum = state.totals[in.side];
  ++sum.tried1;
  entry(in.side, in.player);
  if (!in.made) return;
  ++sum.made1;
  add_points(in.side, period_of(in), in.points, in.player);
}

// Every foul of a player is a team foul, except offensive and technical ones in the NBA; two technical or two
// unsportsmanlike fouls, or one of each, disqualify (Art. 36 and 37).
void game::evolve(const foul& in, const event&) {
  at(in.clock);
  ++state.totals[in.side].fouls;
  if (in.kind == foul_kind::bench_technical) return;
  const bool technical = in.kind == foul_kind::technical;
  const bool team = !nba() || (!technical && in.kind != foul_kind::offensive);
  if (team) ++(state.running ? state.team_fouls : state.interval_fouls)[in.side];
  player* one = entry(in.side, in.player);
  if (one == nullptr) return;
  if (!technical || !nba()) ++one->fouls;
  if (technical) ++one->technicals;
  if (in.kind == foul_kind::unsportsmanlike) ++one->unsportsmanlike;
  const std::int64_t grave =
      nba() ? std::max(one->technicals, one->unsportsmanlike) : one->technicals + one->unsportsmanlike;
  if (in.kind == foul_kind::disqualifying || grave >= 2) one->disqualified = true;
}

void game::evolve(const timeout& in, const event&) {
  at(in.clock);
  ++state.timeouts[in.side];
  if (closing(in.clock)) ++state.late_timeouts[in.side];
}

void game::evolve(const substitution& in, const event&) {
  at(in.clock);
  auto& court = state.court[in.side];
  std::replace(court.begin(), court.end(), in.off, in.on);
  state.players[in.side][in.on];
}

void game::count(const counted_event& in, tally what) {
  at(in.clock);
  totals& sum = state.totals[in.side];
  player* one = entry(in.side, in.player);
  switch (what) {
  case tally::assist:
    ++sum.assists;
    if (one) ++one->assists;
    break;
  case tally::rebound:
    ++sum.rebounds;
    if (one) ++one->rebounds;
    break;
  case tally::steal:
    ++sum.steals;
    if (one) ++one->steals;
    break;
  case tally::block:
    ++sum.blocks;
    if (one) ++one->blocks;
    break;
  case tally::turnover:
    ++sum.turnovers;
    if (one) ++one->turnovers;
    break;
  }
}

void game::evolve(const baseline& in, const event&) {
  state.periods.clear();
  state.carried = state.interval_fouls = state.timeouts = state.late_timeouts = {};
  for (const baseline_period& one : in.periods.value_or(std::vector<baseline_period>{}))
    state.periods.push_back({one.home, one.away});
  if (!in.periods && in.score) state.carried = *in.score;
  state.period = static_cast<std::int64_t>(state.periods.size());
  state.running = false;
  if (in.period) {
    state.period = *number_of(*in.period);
    state.running = true;
    const auto begun = static_cast<std::size_t>(state.period);
    if (state.periods.size() < begun) state.periods.resize(begun - 1);
    if (state.periods.size() < begun) state.periods.push_back(in.periods ? period_score{0, 0} : period_score{});
  }
  state.clock = in.clock;
  state.team_fouls = in.team_fouls.value_or(both<std::int64_t>{});
  if (in.arrow) state.arrow = in.arrow;
}

} // namespace omnium::basketball
