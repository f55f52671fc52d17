// What may happen now, and which rule says no.
#include "sports/tennis/tennis.hpp"

#include <algorithm>

namespace omnium::tennis {

using sdk::accept;
using sdk::refuse;

std::optional<std::string> game::check_settings() const {
  if (settings.best_of % 2 == 0) return "A match is best of 1, 3 or 5 sets.";
  if (settings.tiebreak_at && *settings.tiebreak_at + 1 < settings.games_per_set)
    return "A tie-break cannot come before a side is one game from the set.";
  return std::nullopt;
}

verdict game::undecided() const {
  if (!state.decided) return accept();
  return refuse("match_decided", "The match is decided; nothing can be played after that.").law("Rule 7");
}

verdict game::decide(const fault& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (in.side && *in.side != server_now())
    return refuse("not_server", "Only the server can serve a fault.").law("Rule 19").at("side");
  return accept();
}

verdict game::decide(const serve_fix& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.server && in.side && *in.server != *in.side)
    return refuse("server_unclear", "server and side name different sides.").at("side");
  const side from_now = in.server ? *in.server : in.side ? *in.side : sdk::other(server_now());
  if (in.player) {
    const auto& pair = state.players[from_now];
    if (std::find(pair.begin(), pair.end(), *in.player) == pair.end())
      return refuse("player_unknown", "That player is not in the line-up of the side.").at("player");
  }
  const bool odd = (state.points.home + state.points.away) % 2 == 1;
  if (in_tiebreak() && odd && from_now != server_now() && !e.umpired())
    return refuse("order_stands", "In a tie-break an error found after an odd number of points stands.").law("Rule 27");
  return accept();
}

verdict game::decide(const lineup& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.players.size() == 2 && in.players[0] == in.players[1])
    return refuse("same_player_twice", "A pair is two players.").at("players");
  if (set_begun() && !state.players[in.side].empty() && !e.umpired())
    return refuse("order_of_serving", "The order of serving is chosen at the start of a set.").law("Rule 15");
  return accept();
}

verdict game::decide(const violation& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (in.penalty == penalty::fault && in.side != server_now())
    return refuse("not_server", "Only the server can lose a serve.").law("Rule 29").at("penalty");
  return accept();
}

verdict game::decide(const retire& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (in.side.has_value() == in.winner.has_value())
    return refuse("side_missing", "Name the side that retires, or the side that wins.").at("side");
  return accept();
}

verdict game::decide(const walkover& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (in.side.has_value() == in.winner.has_value())
    return refuse("side_missing", "Name the side that does not play, or the side that wins.").at("side");
  if (set_begun() || !state.sets.empty())
    return refuse("already_played", "A match that was played is ended by a retirement, not by a walkover.");
  return accept();
}

// The first thing that cannot be in what a baseline says; the members may leave out what is not known.
std::optional<std::string> game::baseline_fault(const baseline& in) const {
  both<std::int64_t> won;
  bool open = false;
  for (const set_score& one : in.sets.value_or(std::vector<set_score>{})) {
    if (open) return "Only the last set may be in progress.";
    if (std::max(won.home, won.away) >= sets_to_win()) return "There is a set after the match was won.";
    const auto winner = set_winner(one, rules_of_set(won));
    if (winner) ++won[*winner];
    else open = true;
  }
  if (!in.sets && in.score) won = *in.score;
  if (in.score && *in.score != won) return "The sets do not add up to the score.";
  if (won.home >= sets_to_win() && won.away >= sets_to_win()) return "Only one side can win the match.";
  if (in.period && *in.period != 'S' + std::to_string(won.home + won.away + 1))
    return "The period is not the set that follows the score.";
  return std::nullopt;
}

verdict game::decide(const baseline& in, const event&) const {
  if (const auto fault = baseline_fault(in)) return refuse("baseline_impossible", *fault).law("Rules 5 to 7");
  if (!in.game) return accept();
  // Whether the points are a tie-break's is known only when the rest is set: the fold of a copy says so.
  game set = *this;
  baseline rest = in;
  rest.game.reset();
  set.evolve(rest, event{});
  if (!points_of(*in.game, set.in_tiebreak()))
    return refuse("baseline_impossible", "The game's points are none that a game can have.").law("Rule 5").at("game");
  return accept();
}

} // namespace omnium::tennis
