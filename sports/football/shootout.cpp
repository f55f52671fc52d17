#include "sports/football/shootout.hpp"

#include "sports/football/squad.hpp"

namespace football {
namespace {

constexpr int kicks_each = 5;

// How many of a side kick in a round: a side with more players than its opponents reduces to their number, before or
// during the kicks (Law 10.3). Whom it leaves out is not told.
std::size_t kickers(const state& match) {
  return std::max<std::size_t>(1, std::min(on_field(match.squads.home), on_field(match.squads.away)));
}

// The round is over once all who may kick have kicked, not counting who was sent off since: then any order begins
// again (Law 10.3).
bool round_over(const state& match, sdk::side which) {
  const auto& takers = match.shootout->takers[which];
  const auto left_out = std::count_if(takers.begin(), takers.end(), [&](const std::string& name) {
    const player* who = find(match.squads[which], name);
    return who && who->sent_off;
  });
  return takers.size() - static_cast<std::size_t>(left_out) >= kickers(match);
}

bool kicked_this_round(const state& match, const shootout_kick_input& in) {
  const auto& takers = match.shootout->takers[in.side];
  return !round_over(match, in.side) && std::find(takers.begin(), takers.end(), *in.taker) != takers.end();
}

sdk::verdict out_of_turn(std::string message, std::string_view member) {
  return sdk::refuse("kick_order", std::move(message)).law("Law 10.3").at(member);
}

} // namespace

// After five kicks each the sides go on one by one: the lead counts once both have taken as many. Before, a lead that
// the other side's kicks left cannot reach decides.
std::optional<sdk::side> shootout_winner(const shootout& kicks) {
  const int lead = kicks.scored.home - kicks.scored.away;
  const int home_left = std::max(0, kicks_each - kicks.kicks.home);
  const int away_left = std::max(0, kicks_each - kicks.kicks.away);
  if (home_left + away_left == 0 && kicks.kicks.home != kicks.kicks.away) return {};
  if (lead > away_left) return sdk::side::home;
  if (-lead > home_left) return sdk::side::away;
  return {};
}

sdk::verdict check_kick(const state& match, const shootout_kick_input& in) {
  if (!match.in_shootout() || !match.shootout)
    return sdk::refuse("not_in_play", "The shoot-out has not begun.").law("Law 10.3");
  if (shootout_winner(*match.shootout))
    return sdk::refuse("shootout_decided", "The shoot-out is decided: no kick is left to take.").law("Law 10.3");
  if (match.shootout->last == in.side)
    return out_of_turn("The kicks are taken alternately: it is the other side's turn.", "side");
  if (!in.taker) return sdk::accept();
  if (auto no = may_act(match.squads[in.side], *in.taker, "taker"); !no) return no;
  if (kicked_this_round(match, in))
    return out_of_turn(*in.taker + " has kicked already: all others of the side come first.", "taker");
  return sdk::accept();
}

void take_kick(state& match, const shootout_kick_input& in) {
  if (!match.shootout) match.shootout.emplace();
  shootout& kicks = *match.shootout;
  if (round_over(match, in.side)) kicks.takers[in.side].clear();
  kicks.last = in.side;
  ++kicks.kicks[in.side];
  kicks.scored[in.side] += in.result == kick_result::scored ? 1 : 0;
  std::string& marks = kicks.marks[in.side];
  marks += in.result == kick_result::scored ? 'o' : 'x';
  if (marks.size() > marks_kept) marks.erase(0, marks.size() - marks_kept);
  // A kick whose taker is not told counts as one by somebody who had not kicked yet.
  kicks.takers[in.side].push_back(in.taker.value_or(""));
}

void set_shootout(shootout& kicks, sdk::both<int> scored, const std::optional<sdk::both<int>>& taken) {
  const int each = std::max(scored.home, scored.away);
  kicks = {};
  kicks.scored = scored;
  kicks.kicks = taken.value_or(sdk::both<int>{each, each});
}

} // namespace football
