// What each event does to the state.
#include "sports/volleyball/volleyball.hpp"

#include <algorithm>

namespace omnium::volleyball {

namespace {

constexpr char other_point = '-'; // of a penalty, or taken back
char mark_of(side winner) { return winner == side::home ? 'h' : 'a'; }

} // namespace

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
  auto& court = state.set.court[of];
  if (!court.empty()) std::rotate(court.begin(), court.begin() + 1, court.end());
  else state.set.turns[of] = (state.set.turns[of] + 1) % static_cast<std::int64_t>(court_size());
}

void game::close_set(side winner, std::optional<both<std::int64_t>> points) {
  set_record done{winner, {}, {}};
  if (points) {
    done.home = points->home;
    done.away = points->away;
  }
  state.sets.push_back(done);
  const set_state finished = std::exchange(state.set, set_state{});
  state.set.court = state.starting;
  state.set.first_server = state.set.server = sdk::other(finished.first_server);
  state.last = finished;
  if (sets_won()[winner] >= sets_to_win()) state.decided = decision{winner, decided_by::play};
}

// The first point of a set: what came before it stands for good.
void game::begin_set() {
  state.rallies.clear();
  state.won.clear();
  state.last.reset();
}

void game::win_point(side winner, std::int64_t seq, char mark) {
  if (state.last) begin_set();
  entered(seq);
  state.rallies.push_back(seq);
  state.won += mark;
  ++state.set.points[winner];
  if (winner != state.set.server) rotate(winner);
  state.set.server = winner;
  if (const auto won = set_winner(state.set.points, target(sets_won()))) close_set(*won, state.set.points);
}

void game::evolve(const rally& in, const event& e) { win_point(in.winner, e.seq, mark_of(in.winner)); }

void game::evolve(const serve& in, const event&) {
  state.set.server = in.side;
  if (!set_begun()) state.set.first_server = in.side;
}

void game::evolve(const lineup& in, const event&) {
  if (!set_begun()) state.starting[in.side] = in.players;
  state.set.court[in.side] = in.players;
}

void game::evolve(const substitution& in, const event&) {
  auto& court = state.set.court[in.side];
  std::replace(court.begin(), court.end(), in.off, in.on);
  if (in.exceptional) return;
  ++state.set.substitutions[in.side];
  for (exchange& one : state.set.exchanges[in.side])
    if (one.substitute == in.off && one.starter == in.on && !one.returned) {
      one.returned = true;
      return;
    }
  state.set.exchanges[in.side].push_back({in.off, in.on});
}

void game::evolve(const sanction& in, const event& e) {
  switch (in.kind) {
  case sanction_kind::warning:
    break;
  case sanction_kind::delay_warning:
    state.delay_warned[in.side] = true;
    break;
  case sanction_kind::expulsion:
    state.set.expelled[in.side].push_back(*in.player);
    break;
  case sanction_kind::disqualification:
    state.disqualified[in.side].push_back(*in.player);
    break;
  case sanction_kind::penalty:
  case sanction_kind::delay_penalty:
    win_point(sdk::other(in.side), e.seq, other_point);
    break;
  }
}

std::size_t game::place_of(std::int64_t seq) const {
  const auto& open = state.rallies;
  auto at = std::find(open.begin(), open.end(), seq);
  if (at == open.end() && std::any_of(open.begin(), open.end(), [&](std::int64_t one) { return one < seq; }))
    at = std::find_if(open.begin(), open.end(), [&](std::int64_t one) { return one > seq; });
  return static_cast<std::size_t>(at - open.begin());
}

// Takes back the side's rallies from a moment on; the opponent's stay (7.7.2). A set that was won with one of them goes
// on; one that the opponent has won by now, at the points that stand, ends.
void game::cancel_points(side of, std::int64_t from_seq) {
  const auto first = static_cast<std::ptrdiff_t>(place_of(from_seq));
  const std::int64_t cancelled = std::count(state.won.begin() + first, state.won.end(), mark_of(of));
  if (cancelled == 0) return;
  std::replace(state.won.begin() + first, state.won.end(), mark_of(of), other_point);
  if (state.last) {
    const side winner = state.sets.back().winner;
    state.sets.pop_back();
    state.set = *state.last;
    state.last.reset();
    state.decided.reset();
    state.set.points[of] -= cancelled;
    if (set_winner(state.set.points, target(sets_won())) == winner) close_set(winner, state.set.points);
    return;
  }
  state.set.points[of] -= cancelled;
  if (const auto winner = set_winner(state.set.points, target(sets_won()))) close_set(*winner, state.set.points);
}

void game::evolve(const rotation_fault& in, const event& e) {
  if (in.from_seq) cancel_points(in.side, *in.from_seq);
  const bool stopped = !in.from_seq || !state.last; // between two sets no rally was stopped
  if (in.point.value_or(!in.from_seq) && stopped && !state.decided) win_point(sdk::other(in.side), e.seq, other_point);
}

void game::evolve(const set_score& in, const event& e) {
  begin_set();
  entered(e.seq);
  if (!in.home) return close_set(*in.winner, {});
  const both<std::int64_t> points{*in.home, *in.away};
  if (const auto winner = set_winner(points, target(sets_won()))) close_set(*winner, points);
  else state.set.points = points;
}

// 6.4: who refuses to play loses every set to nil; an incomplete team keeps its points, the opponent gets what it
// needs.
void game::evolve(const forfeit& in, const event& e) {
  const side winner = sdk::other(in.side);
  if (in.kind == forfeit_kind::default_ && in.scope == forfeit_scope::match) {
    state.sets.clear();
    state.carried = state.set.points = {};
  }
  do {
    both<std::int64_t> points = state.set.points;
    const std::int64_t needed = std::max(target(sets_won()), points[in.side] + 2);
    points[winner] = settings.cap ? std::min(needed, *settings.cap) : needed;
    close_set(winner, points);
  } while (in.scope == forfeit_scope::match && sets_won()[winner] < sets_to_win());
  begin_set();
  entered(e.seq);
  if (state.decided) state.decided = decision{winner, decided_by::forfeit};
  if (!state.decided || match.live()) return;
  match.unplayed = true; // before the start there is nothing left that match.end could complete
  end_match(sdk::end_reason::forfeited, winner);
}

void game::evolve(const retire& in, const event&) {
  state.decided = decision{sdk::other(in.side), decided_by::retirement};
}

void game::evolve(const baseline& in, const event& e) {
  volleyball::state fresh;
  fresh.starting = state.starting;
  fresh.disqualified = state.disqualified;
  fresh.delay_warned = state.delay_warned;
  fresh.newest = state.newest;
  fresh.set.server = fresh.set.first_server = settings.first_server;
  state = std::move(fresh);
  for (const baseline_set& one : in.sets.value_or(std::vector<baseline_set>{})) {
    const both<std::int64_t> points{one.home, one.away};
    if (const auto winner = set_winner(points, target(sets_won()))) close_set(*winner, points);
    else state.set.points = points;
  }
  if (!in.sets && in.score) state.carried = *in.score;
  state.set.court = state.starting;
  begin_set();
  entered(e.seq);
  if (in.server) state.set.server = *in.server;
  for (const side one : {side::home, side::away})
    if (sets_won()[one] >= sets_to_win()) state.decided = decision{one, decided_by::play};
}

} // namespace omnium::volleyball
