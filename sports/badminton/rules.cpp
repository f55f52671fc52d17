// What may happen now, and which law says no.
#include "sports/badminton/badminton.hpp"

#include <algorithm>

namespace omnium::badminton {

using sdk::accept;
using sdk::refuse;

std::optional<std::string> match_play::check_settings() const {
  if (settings.best_of % 2 == 0) return "A match is best of an odd number of games.";
  if (cap() < settings.points) return "A cap cannot lie below the points of a game.";
  return std::nullopt;
}

verdict match_play::undecided() const {
  if (!state.decided) return accept();
  return refuse("match_decided", "The match is decided; nothing can be played after that.").law("Law 7.1");
}

verdict match_play::decide(const lineup& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.players.size() == 2 && in.players[0] == in.players[1])
    return refuse("same_player_twice", "A pair is two players.").law("Law 6").at("players");
  if (game_begun() && !state.players[in.side].empty() && !e.umpired())
    return refuse("lineup_after_start", "The players choose their courts before the game.").law("Law 11");
  return accept();
}

verdict match_play::decide(const service& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  const side serving = in.side.value_or(state.server);
  const auto known = [&](side of, const std::string& player) {
    const auto& pair = state.players[of];
    return std::find(pair.begin(), pair.end(), player) != pair.end();
  };
  if (in.server && !known(serving, *in.server))
    return refuse("player_unknown", "That player is not in the line-up of the serving side.")
        .law("Law 11")
        .at("server");
  if (in.receiver && !known(sdk::other(serving), *in.receiver))
    return refuse("player_unknown", "That player is not in the line-up of the receiving side.")
        .law("Law 11")
        .at("receiver");
  return accept();
}

verdict match_play::decide(const card& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.card == card_kind::yellow && state.cards[in.side].yellow > 0 && !e.umpired())
    return refuse("already_warned", "A side that was warned is faulted the next time.").law("Law 16.7").at("card");
  return accept();
}

verdict match_play::decide(const challenge& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (state.challenges_lost[in.side] < settings.challenges || e.umpired()) return accept();
  return refuse("challenges_used", "That side has no challenge left.").law("Instant Review System");
}

verdict match_play::decide(const walkover&, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (game_begun() || !state.games.empty())
    return refuse("already_played", "A match that was played is ended by a retirement, not by a walkover.");
  return accept();
}

std::optional<std::string> match_play::baseline_fault(const baseline& in) const {
  both<std::int64_t> won;
  bool open = false;
  for (const game_score& one : in.games.value_or(std::vector<game_score>{})) {
    if (open) return "Only the last game may be in progress.";
    if (std::max(won.home, won.away) >= games_to_win()) return "There is a game after the match was won.";
    bool impossible = false;
    const auto winner = game_winner({one.home, one.away}, &impossible);
    if (impossible) return "No game ends or stands like that.";
    if (winner) ++won[*winner];
    else open = true;
  }
  if (!in.games && in.score) won = *in.score;
  if (in.score && *in.score != won) return "The games do not add up to the score.";
  if (std::min(won.home, won.away) >= games_to_win()) return "Only one side can win the match.";
  if (in.period && *in.period != 'G' + std::to_string(won.home + won.away + 1))
    return "The period is not the game that follows the score.";
  return std::nullopt;
}

verdict match_play::decide(const baseline& in, const event&) const {
  const auto fault = baseline_fault(in);
  return fault ? refuse("baseline_impossible", *fault).law("Law 7") : accept();
}

} // namespace omnium::badminton
