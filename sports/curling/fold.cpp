// What each event does to the state.
#include "sports/curling/curling.hpp"

namespace omnium::curling {

// The side that did not score has the hammer next. After a blank end it stays in a game of fours; in mixed doubles the
// decision on placement passes to the side that had the first stone (R16).
std::optional<side> game::next_hammer(const end_record& after) const {
  if (!after.home || !after.away) return std::nullopt;
  if (*after.home != *after.away) return *after.home > *after.away ? side::away : side::home;
  if (!after.hammer) return std::nullopt;
  return mixed() ? sdk::other(*after.hammer) : *after.hammer;
}

// Ends after a corrected one take their hammer from the end before, up to the next one that was recorded by hand.
void game::derive_hammers(std::size_t from) {
  for (std::size_t i = from; i < state.ends.size(); ++i) {
    if (state.ends[i].recorded) return;
    state.ends[i].hammer = next_hammer(state.ends[i - 1]);
  }
  if (!state.hammer_recorded && !state.ends.empty()) state.hammer = next_hammer(state.ends.back());
}

void game::evolve(const set_hammer& in, const event&) {
  const std::size_t index = in.end ? static_cast<std::size_t>(*in.end - 1) : state.ends.size();
  if (index >= state.ends.size()) {
    state.hammer = in.side;
    state.hammer_recorded = true;
    return;
  }
  state.ends[index].hammer = in.side;
  state.ends[index].recorded = true;
  derive_hammers(index + 1);
}

void game::open_end(bool by_extra_end) {
  state.open = true;
  state.announced = by_extra_end;
  state.stones = {};
  state.last_stone.reset();
  state.out_of_turn = false;
  state.extra_timeouts = {};
}

void game::evolve(const start_end&, const event&) {
  if (!state.open) open_end(false);
  state.announced = false;
}

void game::evolve(const extra_end&, const event&) { open_end(true); }

void game::evolve(const stone& in, const event&) {
  const auto first = state.hammer ? std::optional{sdk::other(*state.hammer)} : std::nullopt;
  const auto due = state.last_stone ? std::optional{sdk::other(*state.last_stone)} : first;
  if (due && *due != in.side) state.out_of_turn = true;
  state.announced = false;
  state.last_stone = in.side;
  ++state.stones[in.side];
}

void game::evolve(const end_score& in, const event&) {
  end_record done;
  done.home = in.side == side::home ? in.points : 0;
  done.away = in.side == side::away ? in.points : 0;
  done.hammer = state.hammer;
  done.recorded = state.hammer_recorded;
  done.power_play = state.power_play;
  done.out_of_turn = state.out_of_turn;
  state.ends.push_back(done);
  state.hammer = next_hammer(done);
  state.hammer_recorded = false;
  state.open = state.announced = false;
  state.stones = {};
  state.last_stone.reset();
  state.out_of_turn = false;
  state.power_play.reset();
}

void game::evolve(const timeout& in, const event&) { ++(in_extra() ? state.extra_timeouts : state.timeouts)[in.side]; }

void game::evolve(const power_play& in, const event&) {
  state.power_play = in.side;
  state.power_play_used[in.side] = true;
}

void game::evolve(const concede& in, const event&) {
  state.conceded = in.side;
  state.open = state.announced = false; // the end that was begun is not played
  state.stones = {};
  state.last_stone.reset();
  state.power_play.reset();
}

void game::evolve(const baseline& in, const event&) {
  curling::state fresh;
  fresh.timeouts = state.timeouts;
  fresh.power_play_used = state.power_play_used;
  if (in.ends)
    for (const baseline_end& one : *in.ends) {
      end_record made;
      made.home = one.home;
      made.away = one.away;
      made.hammer = one.hammer;
      made.recorded = one.hammer.has_value();
      fresh.ends.push_back(made);
    }
  if (!in.ends && in.score) fresh.carried = *in.score;
  const std::size_t at = in.period ? *period_index(*in.period) : 0;
  if (in.period && at >= fresh.ends.size()) {
    fresh.ends.resize(at);
    fresh.open = true;
  }
  state = std::move(fresh);
  derive_hammers(1);
  if (in.hammer) {
    state.hammer = in.hammer;
    state.hammer_recorded = true;
  }
}

} // namespace omnium::curling
