// Who won, and by how much. Law 16; targets, super overs and bowl-outs by the playing conditions.
#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

void game::settle() {
  const auto t = count();
  state.result = state.outcome ? stated(*state.outcome, t) : derive(t);
}

// The side that bats last: its target, its wickets in hand, or how many it fell short.
result game::derive_chase(const innings& chase) const {
  result r;
  const auto target = chase.target.value_or(0);
  if (chase.target_reached()) {
    r.winner = chase.batting;
    r.by.emplace();
    if (chase.ahead) r.by->runs = chase.runs - (target - 1);
    else r.by->wickets = players() - 1 - chase.wickets;
    return r;
  }
  const bool finished = chase.all_out(players()) || chase.overs_up() || chase.ended == end_reason::all_out ||
                        chase.ended == end_reason::overs;
  if (!finished) { // time ran out: a match of two innings a side is drawn, one of limited overs waits for its outcome
    r.draw = chase.ended.has_value() && innings_per_side() == 2 && !chase.official;
    return r;
  }
  if (chase.runs == target - 1) {
    r.tie = true;
  } else {
    r.winner = sdk::other(chase.batting);
    r.by = margin{.runs = target - 1 - chase.runs};
  }
  return r;
}

// A tie stays a tie; a super over that was won decides it.
void game::decide_tie(result& tied, const tally& t) const {
  if (t.super.size() < 2 || t.super.size() % 2 == 1) return;
  const auto *first = t.super[t.super.size() - 2], *second = t.super.back();
  if (!second->closed || first->runs == second->runs) return;
  tied.winner = first->runs > second->runs ? first->batting : second->batting;
  tied.decider = "super_over";
}

result game::derive(const tally& t) const {
  result r;
  if (!state.now || t.normal.empty()) return r;
  const auto& now = *state.now;
  if (!t.super.empty()) {
    r.tie = true;
    decide_tie(r, t);
  } else if (now.last) {
    r = derive_chase(now);
  } else if (const auto lead = sdk::other(now.batting);
             now.complete(players()) && t.begun[now.batting] == 2 && t.begun[lead] == 1 &&
             t.totals[lead] > t.totals[now.batting] && now.ended.value_or(end_reason::all_out) == end_reason::all_out) {
    r.winner = lead;
    r.by = margin{.innings = 1, .runs = t.totals[lead] - t.totals[now.batting]};
  } else {
    r.draw = now.ended == end_reason::end_of_match && innings_per_side() == 2;
  }
  if (r.decided() && !r.draw) r.method = state.method;
  return r;
}

// The margin of a side that was said to have won; nothing where the scores do not show one (awarded, level scores).
std::optional<margin> game::margin_of(side winner, const tally& t) const {
  if (t.normal.empty()) return {};
  const auto loser = sdk::other(winner);
  if (t.begun[winner] < t.begun[loser] && t.totals[winner] > t.totals[loser])
    return margin{.innings = 1, .runs = t.totals[winner] - t.totals[loser]};
  const auto& last = *t.normal.back();
  const auto answer = sdk::other(last.batting);
  const auto derived = t.totals[answer] - (t.totals[last.batting] - last.runs) + 1;
  const auto short_of = last.target.value_or(derived) - 1 - last.runs;
  if (last.batting == loser) return short_of > 0 ? std::optional(margin{.runs = short_of}) : std::nullopt;
  if (short_of >= 0) return {};
  if (state.now && state.now->ahead) return margin{.runs = -short_of};
  return margin{.wickets = players() - 1 - last.wickets};
}

result game::stated(const outcome& what, const tally& t) const {
  result r;
  r.method = what.method ? what.method : state.method;
  if (what.winner) {
    r.winner = what.winner;
    const auto awarded = {"Awarded", "Conceded", "Forfeited"};
    if (std::find(awarded.begin(), awarded.end(), r.method.value_or("")) == awarded.end())
      r.by = margin_of(*what.winner, t);
    return r;
  }
  r.draw = what.result == outcome_result::draw;
  r.no_result = what.result == outcome_result::no_result;
  r.tie = what.result == outcome_result::tie || what.eliminator || what.bowl_out;
  if (!r.tie) {
    r.method = what.method;
    return r;
  }
  if (what.eliminator || what.bowl_out) {
    r.winner = what.eliminator ? what.eliminator : what.bowl_out;
    r.decider = what.eliminator ? "super_over" : "bowl_out";
  } else {
    decide_tie(r, t);
  }
  return r;
}

} // namespace omnium::cricket
