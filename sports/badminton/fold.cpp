// What each event does to the state, and what a viewer sees.
#include "sports/badminton/badminton.hpp"

#include <algorithm>

namespace omnium::badminton {

both<std::int64_t> match_play::games_won() const {
  both<std::int64_t> won = state.carried;
  for (const game_score& one : state.games) ++won[one.home > one.away ? side::home : side::away];
  return won;
}

// 21 points with two of lead, or 30 (Law 7.2 to 7.5).
std::optional<side> match_play::game_winner(const both<std::int64_t>& points, bool* impossible) const {
  const std::int64_t high = std::max(points.home, points.away), low = std::min(points.home, points.away);
  if (impossible) *impossible = high > cap() || (high > settings.points && high - low > 2);
  if (high < settings.points || high == low || (high - low < 2 && high < cap())) return std::nullopt;
  return points.home > points.away ? side::home : side::away;
}

std::optional<std::string> match_play::player_in(side of, court where) const {
  const auto& pair = state.players[of];
  if (pair.empty()) return std::nullopt;
  return pair.size() == 2 && where == court::left ? pair[1] : pair[0];
}

void match_play::stand(side of, const std::string& player, court where) {
  auto& pair = state.players[of];
  if (pair.size() == 2 && player_in(of, where) != player) std::swap(pair[0], pair[1]);
}

void match_play::close_game(side winner) {
  state.games.push_back({state.points.home, state.points.away});
  state.points = {};
  state.interval = false;
  state.server = winner; // serves first in the next game (Law 7.6)
  if (games_won()[winner] >= games_to_win()) state.decided = decision{winner, decided_by::play};
}

void match_play::win_rally(side winner) {
  const std::int64_t middle = (settings.points + 1) / 2;
  const bool before = std::max(state.points.home, state.points.away) < middle;
  ++state.points[winner];
  // The serving side changes its courts with each point; the other one takes over the service where it stands (Law 11).
  auto& pair = state.players[winner];
  if (winner == state.server && pair.size() == 2) std::swap(pair[0], pair[1]);
  state.server = winner;
  state.interval = before && state.points[winner] == middle;
  if (game_winner(state.points)) close_game(winner);
}

void match_play::evolve(const service& in, const event&) {
  if (in.side) state.server = *in.side;
  const court where = court_of(state.server);
  if (in.server) stand(state.server, *in.server, where);
  if (in.receiver) stand(sdk::other(state.server), *in.receiver, where);
}

void match_play::evolve(const card& in, const event&) {
  card_count& count = state.cards[in.side];
  if (in.card == card_kind::yellow) ++count.yellow;
  if (in.card == card_kind::red) {
    ++count.red;
    win_rally(sdk::other(in.side));
  }
  if (in.card == card_kind::black) {
    ++count.black;
    state.decided = decision{sdk::other(in.side), decided_by::disqualification};
  }
}

void match_play::evolve(const challenge& in, const event&) {
  if (in.result == challenge_result::unsuccessful) ++state.challenges_lost[in.side];
}
void match_play::evolve(const retire& in, const event&) {
  state.decided = decision{sdk::other(in.side), decided_by::retirement};
}
// Nothing is left to play, nor was anything played: the match is over with it.
void match_play::evolve(const walkover& in, const event&) {
  const side winner = sdk::other(in.side);
  state.decided = decision{winner, decided_by::walkover};
  if (!match.live()) match.unplayed = true;
  end_match(sdk::end_reason::forfeited, winner);
}

void match_play::evolve(const baseline& in, const event&) {
  state.games.clear();
  state.carried = state.points = {};
  state.interval = false;
  state.decided.reset();
  for (const game_score& one : in.games.value_or(std::vector<game_score>{})) {
    state.points = {one.home, one.away};
    if (const auto winner = game_winner(state.points)) close_game(*winner);
  }
  if (!in.games && in.score) state.carried = *in.score;
  if (in.server) state.server = *in.server;
  for (const side one : {side::home, side::away})
    if (games_won()[one] >= games_to_win()) state.decided = decision{one, decided_by::play};
}

std::optional<sdk::match_result> match_play::result() const {
  std::optional<sdk::match_result> own;
  if (state.decided) own = {state.decided->winner, std::string{sdk::name_of(state.decided->by)}};
  return sdk::result_of(match, own);
}

std::string match_play::line() const {
  std::string text;
  const auto add = [&](std::int64_t home, std::int64_t away) {
    text += (text.empty() ? "" : " ") + std::to_string(home) + "–" + std::to_string(away);
  };
  for (const game_score& one : state.games) add(one.home, one.away);
  if (game_begun()) add(state.points.home, state.points.away);
  const auto how = state.decided ? state.decided->by : decided_by::play;
  if (how == decided_by::walkover) return "w/o, " + std::string{sdk::name_of(state.decided->winner)} + " won";
  if (text.empty()) add(games_won().home, games_won().away);
  if (how == decided_by::retirement) text += " ret.";
  if (how == decided_by::disqualification) text += " dsq.";
  const auto decided = result();
  return sdk::list_line(match, text, "", decided ? decided->winner : std::nullopt);
}

board match_play::scoreboard() const {
  board out;
  out.score = games_won();
  out.games = state.games;
  if (game_begun()) out.games.push_back({state.points.home, state.points.away});
  out.points = state.points;
  if (match.status != sdk::status::scheduled) {
    const std::int64_t finished = out.score.home + out.score.away;
    out.period = 'G' + std::to_string(std::max<std::int64_t>(1, finished + (!state.decided || game_begun() ? 1 : 0)));
  }
  if (!state.decided) {
    const court where = court_of(state.server);
    out.server.emplace(state.server);
    out.service_court.emplace(where);
    out.serving_player = player_in(state.server, where);
    out.receiving_player = player_in(sdk::other(state.server), where);
    out.interval = state.interval;
  }
  out.cards = state.cards;
  for (const side one : {side::home, side::away})
    out.challenges_left[one] = std::max<std::int64_t>(0, settings.challenges - state.challenges_lost[one]);
  out.result = result();
  out.line = line();
  return out;
}

} // namespace omnium::badminton
