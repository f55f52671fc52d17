// What each event does to the state, and what a viewer sees.
#include "sports/climbing/climbing.hpp"

namespace omnium::climbing {

void heat::evolve(const start& in, const event&) {
  state.lanes.home.climber = in.lane_a;
  state.lanes.away.climber = in.lane_b;
  if (!state.started) ++state.runs;
  state.started = true;
}

// The climbers stay, their results of this run are gone; the heat starts anew with or without a new start command.
void heat::evolve(const rerun& in, const event&) {
  for (const side one : {side::home, side::away}) {
    const auto climber = state.lanes[one].climber;
    state.lanes[one] = run{};
    state.lanes[one].climber = climber;
  }
  ++state.runs;
  state.rerun_reason = in.reason;
}

void heat::evolve(const confirm& in, const event&) {
  state.confirmed = true;
  if (in.winner && !faster()) state.awarded = side_of(*in.winner);
}

void heat::evolve(const baseline& in, const event&) {
  climbing::state fresh;
  const auto take = [](run& into, const std::optional<baseline_lane>& from) {
    if (from) into = run{from->climber, from->reaction, from->time, from->mark};
  };
  take(fresh.lanes.home, in.lanes.a);
  take(fresh.lanes.away, in.lanes.b);
  fresh.started = fresh.lanes.home.taken() || fresh.lanes.away.taken();
  fresh.runs = std::max<std::int64_t>(state.runs, fresh.started ? 1 : 0);
  state = std::move(fresh);
}

// The lower time wins, to the thousandth; a time beats a mark; a fall beats a false start and the like.
std::optional<side> heat::faster() const {
  if (alone()) return std::nullopt;
  constexpr std::int64_t fallen = 100'000'000, out = 200'000'000, unknown = 300'000'000;
  const auto rank = [&](side of) {
    const run& one = state.lanes[of];
    if (one.mark) return *one.mark == mark::FALL ? fallen : out;
    return one.time ? one.time->units : unknown;
  };
  const std::int64_t home = rank(side::home), away = rank(side::away);
  if (home == away) return std::nullopt;
  // A lane still climbing has not lost, unless the other one is out.
  if ((home == unknown && away < fallen) || (away == unknown && home < fallen)) return std::nullopt;
  if (home == unknown) return away == out ? std::optional{side::home} : std::nullopt;
  if (away == unknown) return home == out ? std::optional{side::away} : std::nullopt;
  return home < away ? side::home : side::away;
}

std::optional<side> heat::winner() const {
  if (match.ended && match.ended->winner) return match.ended->winner;
  return state.awarded ? state.awarded : faster();
}

std::string heat::shown(side of) const {
  const run& one = state.lanes[of];
  if (one.mark) return std::string{sdk::name_of(*one.mark)};
  if (!one.time) return {};
  const auto& other = state.lanes[sdk::other(of)].time;
  const bool split = other && other->units / 10 == one.time->units / 10 && other->units != one.time->units;
  std::string text;
  sdk::append_fixed(text, split ? one.time->units : one.time->units / 10, split ? 3 : 2);
  return text;
}

// "5.10 – FALL"; what is not known yet is "…".
std::string heat::figures() const {
  const auto told = [&](side of) {
    const auto text = shown(of);
    return text.empty() ? "…" : text;
  };
  if (alone()) return told(state.lanes.home.taken() ? side::home : side::away);
  return told(side::home) + " – " + told(side::away);
}

lane_view heat::view(side of) const {
  const run& one = state.lanes[of];
  lane_view made;
  made.climber = one.climber;
  made.reaction = one.reaction;
  made.time = one.time;
  made.mark = one.mark;
  if (auto text = shown(of); !text.empty()) made.shown.emplace(std::move(text));
  if (const auto won = winner()) made.result.emplace(*won == of ? outcome::win : outcome::loss);
  return made;
}

board heat::scoreboard() const {
  board out;
  out.lanes = {view(side::home), view(side::away)};
  out.winner = winner();
  if (const auto won = winner()) out.score[*won] = 1;
  out.confirmed = state.confirmed;
  out.runs = state.runs;
  if (state.runs > 0) out.period = 'R' + std::to_string(state.runs);
  out.line = sdk::list_line(match, figures(), "", out.winner);
  if (match.ended) {
    const auto own = state.awarded ? state.awarded : faster();
    out.result = sdk::result_of(match, own ? std::optional{sdk::match_result{own, "play"}} : std::nullopt);
  }
  return out;
}

} // namespace omnium::climbing
