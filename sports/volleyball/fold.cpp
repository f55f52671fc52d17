// What each event does to the state.
#include "sports/volleyball/volleyball.hpp"

#include <algorithm>

namespace omnium::volleyball {

both<std::int64_t> game::sets_won() const {
  both<std::int64_t> won = state.carried;
  for (const set_record& one : state.sets) ++won[one.winner];
  return won;
}

std::int64_t game::target(const both<std::int64_t>& won) const {
  const bool deciding = won.home == won.away && won.home == sets_to_win() - 1;
  return deciding ? settings.deciding_points : settings.points.value_or(beach() ? 21 : 25);
}

std::optional<side> game::set_winner(const both<std::int64_t>& points, std::int64_t target, bool* impossible) const {
  const std::int64_t high = std::max(points.home, points.away), low = std::min(points.home, points.away);
  const bool capped = settings.cap && high >= *settings.cap;
  if (impossible) *impossible = (high > target && high - low > 2) || (settings.cap && high > *settings.cap);
  if (high < target || (high - low < 2 && !(capped && high > low))) return std::nullopt;
  return points.home > points.away ? side::home : side::away;
}

// Clockwise: the player of position II goes to serve (7.6).
void game::rotate(side of) {
  auto& court = state.court[of];
  if (!court.empty()) std::rotate(court.begin(), court.begin() + 1, court.end());
  else state.turns[of] = (state.turns[of] + 1) % static_cast<std::int64_t>(court_size());
}

void game::close_set(side winner, std::optional<both<std::int64_t>> points, std::int64_t seq) {
  set_record done{winner, {}, {}};
  if (points) {
    done.home = points->home;
    done.away = points->away;
  }
  state.sets.push_back(done);
  state.points = state.turns = state.substitutions = state.timeouts = {};
  state.exchanges = {};
  state.expelled = {};
  state.court = state.starting;
  state.set_server = state.server = sdk::other(state.set_server);
  state.closed = seq;
  if (sets_won()[winner] >= sets_to_win()) state.decided = decision{winner, decided_by::play};
}

void game::win_point(side winner, std::int64_t seq) {
  if (!set_begun()) {
    state.window = state.closed;
    state.won = {};
  }
  ++state.points[winner];
  if (winner != state.server) rotate(winner);
  state.server = winner;
  if (const auto won = set_winner(state.points, target(sets_won()))) close_set(*won, state.points, seq);
}

void game::evolve(const rally& in, const event& e) {
  win_point(in.winner, e.seq);
  state.won[in.winner].push_back(e.seq);
}

void game::evolve(const serve& in, const event&) {
  state.server = in.side;
  if (!set_begun()) state.set_server = in.side;
}

void game::evolve(const lineup& in, const event&) {
  if (!set_begun()) state.starting[in.side] = in.players;
  state.court[in.side] = in.players;
}

void game::evolve(const substitution& in, const event&) {
  auto& court = state.court[in.side];
  std::replace(court.begin(), court.end(), in.off, in.on);
  if (in.exceptional) return;
  ++state.substitutions[in.side];
  for (exchange& one : state.exchanges[in.side])
    if (one.substitute == in.off && one.starter == in.on && !one.returned) {
      one.returned = true;
      return;
    }
  state.exchanges[in.side].push_back({in.off, in.on});
}

void game::evolve(const sanction& in, const event& e) {
  switch (in.kind) {
  case sanction_kind::warning:
    break;
  case sanction_kind::delay_warning:
    state.delay_warned[in.side] = true;
    break;
  case sanction_kind::expulsion:
    state.expelled[in.side].push_back(*in.player);
    break;
  case sanction_kind::disqualification:
    state.disqualified[in.side].push_back(*in.player);
    break;
  case sanction_kind::penalty:
  case sanction_kind::delay_penalty:
    win_point(sdk::other(in.side), e.seq);
    break;
  }
}

// The cancelled rallies are void in the log by now; what is left is the point of the rally that was stopped.
void game::evolve(const rotation_fault& in, const event& e) {
  if (in.point.value_or(!in.from_seq)) win_point(sdk::other(in.side), e.seq);
}

void game::evolve(const set_score& in, const event& e) {
  if (!in.home) return close_set(*in.winner, {}, e.seq);
  const both<std::int64_t> points{*in.home, *in.away};
  if (const auto winner = set_winner(points, target(sets_won()))) return close_set(*winner, points, e.seq);
  state.window = state.closed;
  state.won = {};
  state.points = points;
}

// 6.4: who refuses to play loses every set to nil; an incomplete team keeps its points, the opponent gets what it
// needs.
void game::evolve(const forfeit& in, const event& e) {
  const side winner = sdk::other(in.side);
  if (in.kind == forfeit_kind::default_ && in.scope == forfeit_scope::match) {
    state.sets.clear();
    state.carried = state.points = {};
  }
  do {
    both<std::int64_t> points = state.points;
    const std::int64_t needed = std::max(target(sets_won()), points[in.side] + 2);
    points[winner] = settings.cap ? std::min(needed, *settings.cap) : needed;
    close_set(winner, points, e.seq);
  } while (in.scope == forfeit_scope::match && sets_won()[winner] < sets_to_win());
  if (state.decided) state.decided = decision{winner, decided_by::forfeit};
}

void game::evolve(const retire& in, const event&) {
  state.decided = decision{sdk::other(in.side), decided_by::retirement};
}

void game::evolve(const baseline& in, const event& e) {
  volleyball::state fresh;
  fresh.starting = state.starting;
  fresh.disqualified = state.disqualified;
  fresh.delay_warned = state.delay_warned;
  fresh.server = fresh.set_server = settings.first_server;
  state = std::move(fresh);
  for (const baseline_set& one : in.sets.value_or(std::vector<baseline_set>{})) {
    const both<std::int64_t> points{one.home, one.away};
    if (const auto winner = set_winner(points, target(sets_won()))) close_set(*winner, points, e.seq);
    else state.points = points;
  }
  if (!in.sets && in.score) state.carried = *in.score;
  state.court = state.starting;
  state.window = state.closed = e.seq;
  if (in.server) state.server = *in.server;
  for (const side one : {side::home, side::away})
    if (sets_won()[one] >= sets_to_win()) state.decided = decision{one, decided_by::play};
}

} // namespace omnium::volleyball
