// What each event does to the state.
#include "sports/tennis/tennis.hpp"

#include <algorithm>

namespace omnium::tennis {

both<std::int64_t> game::sets_won() const {
  both<std::int64_t> won = state.carried;
  for (const set_score& one : state.sets) ++won[one.home > one.away ? side::home : side::away];
  return won;
}

bool game::deciding_set(const both<std::int64_t>& won) const {
  return won.home == won.away && won.home == sets_to_win() - 1;
}

game::set_rules game::rules_of_set(const both<std::int64_t>& won) const {
  set_rules rules;
  rules.tiebreak_points = settings.tiebreak_points;
  if (settings.set_tiebreaks) rules.tiebreak_at = settings.tiebreak_at.value_or(settings.games_per_set);
  if (!deciding_set(won)) return rules;
  switch (settings.final_set) {
  case last_set::tiebreak:
    break;
  case last_set::advantage:
    rules.tiebreak_at.reset();
    break;
  case last_set::tiebreak_10:
    rules.tiebreak_at = settings.tiebreak_at.value_or(settings.games_per_set);
    rules.tiebreak_points = settings.match_tiebreak_points;
    break;
  case last_set::tiebreak_at_12:
    rules.tiebreak_at = 12;
    break;
  case last_set::match_tiebreak:
    rules.match_tiebreak = true;
    rules.tiebreak_points = settings.match_tiebreak_points;
    break;
  }
  return rules;
}

bool game::in_tiebreak() const {
  const set_rules rules = rules_now();
  return rules.match_tiebreak ||
         (rules.tiebreak_at && state.games.home == *rules.tiebreak_at && state.games.away == *rules.tiebreak_at);
}

bool game::set_begun() const { return state.games.home + state.games.away + state.points.home + state.points.away > 0; }

// In a tie-break the side that begins serves one point, then each side serves two (Rule 5b).
side game::server_now() const {
  if (!in_tiebreak()) return state.server;
  const std::int64_t turn = (state.points.home + state.points.away + 1) / 2;
  return turn % 2 == 0 ? state.server : sdk::other(state.server);
}

// How many service turns the side has had in this set before this one; in doubles its two players take them in turn.
std::size_t game::turn_of(side server) const {
  std::int64_t turn = state.service_games[server];
  if (in_tiebreak()) turn += (state.points.home + state.points.away + 1) / 2 / 2;
  return static_cast<std::size_t>(turn);
}

// Who has won a set that stands at these games; a tie-break's points belong to it.
std::optional<side> game::set_winner(const set_score& games, const set_rules& rules) const {
  const auto leader = games.home > games.away ? side::home : side::away;
  const std::int64_t high = std::max(games.home, games.away), low = std::min(games.home, games.away);
  if (rules.match_tiebreak) return high == 1 && low == 0 ? std::optional{leader} : std::nullopt;
  if (high >= settings.games_per_set && high - low >= 2) return leader;
  if (rules.tiebreak_at && high == *rules.tiebreak_at + 1 && low == *rules.tiebreak_at) return leader;
  return std::nullopt;
}

void game::win_set(side winner, std::optional<both<std::int64_t>> tiebreak) {
  const side began = state.server;
  state.sets.push_back({state.games.home, state.games.away, tiebreak});
  state.games = state.points = {};
  state.service_games = {};
  state.server = sdk::other(began); // also after a tie-break: who served first in it receives first (Rule 14)
  if (sets_won()[winner] >= sets_to_win()) decide_match(winner, decided_by::play);
}

void game::win_game(side winner) {
  const set_rules rules = rules_now();
  const bool tiebreak = in_tiebreak();
  const auto points = state.points;
  ++state.games[winner];
  state.faults = 0;
  if (tiebreak) return win_set(winner, points);
  state.points = {};
  if (set_winner({state.games.home, state.games.away, {}}, rules)) return win_set(winner, {});
  ++state.service_games[state.server];
  state.server = sdk::other(state.server);
}

void game::win_point(side winner) {
  const bool tiebreak = in_tiebreak();
  const std::int64_t needed = tiebreak ? rules_now().tiebreak_points : 4;
  const std::int64_t lead = settings.no_ad && !tiebreak ? 1 : 2;
  ++state.points[winner];
  ++state.won[winner];
  state.faults = 0;
  const std::int64_t mine = state.points[winner], theirs = state.points[sdk::other(winner)];
  if (mine >= needed && mine - theirs >= lead) return win_game(winner);
  // Deuce comes again and again: the count stays small, only who leads matters (Rule 5a).
  if (!tiebreak && mine == theirs && mine > 3) state.points = {3, 3};
}

void game::evolve(const point& in, const event&) {
  const side server = server_now();
  if (in.how == "ace" && in.winner == server) ++state.aces[server];
  if (in.how == "double_fault" && in.winner != server) ++state.double_faults[server];
  win_point(in.winner);
}

void game::add_fault() {
  if (state.faults == 0) {
    state.faults = 1;
    return;
  }
  const side server = server_now(); // the second one loses the point (Rule 24)
  ++state.double_faults[server];
  win_point(sdk::other(server));
}

void game::evolve(const let& in, const event&) {
  if (in.kind == let_kind::point) state.faults = 0; // the whole point is played again (Rule 23)
}

void game::evolve(const serve_fix& in, const event&) {
  const side from_now = in.server ? *in.server : in.side ? *in.side : sdk::other(server_now());
  if (from_now != server_now()) {
    state.server = sdk::other(state.server); // in a tie-break its order turns round from here
    state.faults = 0;                        // a fault served by the wrong player does not stand (Rule 27)
  }
  if (!in.player) return;
  const auto& pair = state.players[from_now];
  if (pair.size() == 2 && pair[turn_of(from_now) % 2] != *in.player) ++state.service_games[from_now];
}

// Warning, point, game for the code; for time a warning, then a fault of the server or a point of the receiver.
tennis::penalty game::schedule(const violation& in) const {
  if (in.penalty) return *in.penalty;
  if (in.kind == violation_kind::time) {
    if (state.time_violations[in.side] == 0) return penalty::warning;
    return in.side == server_now() ? penalty::fault : penalty::point;
  }
  const std::int64_t before = state.code_violations[in.side];
  return before == 0 ? penalty::warning : before == 1 ? penalty::point : penalty::game;
}

void game::evolve(const violation& in, const event&) {
  const tennis::penalty step = schedule(in);
  ++(in.kind == violation_kind::time ? state.time_violations : state.code_violations)[in.side];
  switch (step) {
  case penalty::warning:
    break;
  case penalty::fault:
    add_fault();
    break;
  case penalty::point:
    win_point(sdk::other(in.side));
    break;
  case penalty::game:
    win_game(sdk::other(in.side));
    break;
  case penalty::default_:
    decide_match(sdk::other(in.side), decided_by::default_);
    break;
  }
}

void game::evolve(const retire& in, const event&) {
  decide_match(in.winner ? *in.winner : sdk::other(*in.side), decided_by::retirement);
}
// Nothing is left to play, nor was anything played: the match is over with it.
void game::evolve(const walkover& in, const event&) {
  const side winner = in.winner ? *in.winner : sdk::other(*in.side);
  decide_match(winner, decided_by::walkover);
  if (!match.live()) match.unplayed = true;
  end_match(sdk::end_reason::forfeited, winner);
}

void game::evolve(const baseline& in, const event&) {
  state.sets.clear();
  state.carried = state.games = state.points = state.service_games = {};
  state.faults = 0;
  state.decided.reset();
  for (const set_score& one : in.sets.value_or(std::vector<set_score>{})) {
    if (set_winner(one, rules_now())) {
      state.sets.push_back(one);
      continue;
    }
    state.games = {one.home, one.away};
    if (one.tiebreak && in_tiebreak()) state.points = *one.tiebreak;
  }
  if (!in.sets && in.score) state.carried = *in.score;
  if (in.server) state.server = *in.server;
  if (in.game) state.points = points_of(*in.game, in_tiebreak()).value_or(state.points);
  if (in.server && in.server != server_now()) state.server = sdk::other(state.server); // it names who serves now
  for (const side one : {side::home, side::away})
    if (sets_won()[one] >= sets_to_win()) decide_match(one, decided_by::play);
}

} // namespace omnium::tennis
