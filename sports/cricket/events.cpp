// Toss, penalty runs, replacements, powerplays, the outcome, and the sport's part in the shared commands.
#include "sports/cricket/game.hpp"

#include <algorithm>
#include <cctype>

namespace omnium::cricket {

verdict game::decide(const toss&, const event&) const {
  if (state.toss) return sdk::refuse("toss_done", "The toss was recorded already; amend it.").law("Law 13.4");
  if (state.now) return sdk::refuse("toss_done", "An innings has begun.").law("Law 13.4");
  return sdk::accept();
}

void game::evolve(const toss& in, const event&) { state.toss = in; }

// --- penalty runs (Law 41.17)
// -----------------------------------------------------------------------------------------

verdict game::decide(const penalty_runs& in, const event& e) const {
  if (!in.on_strike || e.umpired()) return sdk::accept();
  if (!laws_->captain_chooses_striker)
    return sdk::refuse("strike_by_ends", "After short running the batters return to their original ends.")
        .law("Law 18.5.2")
        .at("on_strike");
  if (!in_play() || (state.now->at.size() == 2 && state.now->in(*in.on_strike) == nullptr))
    return sdk::refuse("not_at_crease", *in.on_strike + " is not at the wicket.").law("Law 18.13").at("on_strike");
  return sdk::accept();
}

// Law 41.17.4: runs to a side that is not batting go to its most recently completed innings; false when it has none.
bool game::award_to_closed(side to, std::int64_t runs, bool during) {
  auto lines = read_lines(state.lines);
  const auto mine = [&](const innings_line& line) { return line.batting == to; };
  const auto last = std::find_if(lines.rbegin(), lines.rend(), mine);
  if (last == lines.rend()) return false;
  last->runs += runs;
  last->extras.penalty += runs;
  if (last->kind == innings_kind::normal) state.totals[to] += runs;
  state.lines = sdk::to_json(lines);
  state.told = {};
  for (const auto& line : lines)
    if (line.kind == innings_kind::normal) tell(line);
  // The chase's target moves with the total it answers; one that was announced moves only with an award made since.
  if (state.now && state.now->last && state.now->target && (during || !state.now->official)) *state.now->target += runs;
  return true;
}

void game::evolve(const penalty_runs& in, const event&) {
  const bool batting = state.now && state.now->batting == in.to;
  const bool pre = in.when == award_time::pre;
  if (batting && (!pre || in_play())) {
    state.now->runs += in.runs;
    state.now->extras.penalty += in.runs;
  } else if (pre || !award_to_closed(in.to, in.runs, in.when == award_time::during)) {
    state.pending[in.to] += in.runs;
  }
  if (in.on_strike && state.now) state.now->on_strike = in.on_strike;
  settle();
}

// --- replacements
// -----------------------------------------------------------------------------------------------------

verdict game::decide(const replacement& in, const event& e) const {
  if (in.in == in.out) return sdk::refuse("same_player", "A player cannot replace himself or herself.").at("in");
  if (e.umpired()) return sdk::accept();
  const auto gone = [&](const std::string& name) {
    return std::find(state.replaced.begin(), state.replaced.end(), name) != state.replaced.end();
  };
  for (const auto* name : {&in.in, &in.out})
    if (gone(*name))
      return sdk::refuse("player_replaced", *name + " was replaced and takes no further part in the match.")
          .law("Law 1.2")
          .at(name == &in.in ? "in" : "out");
  if (!in.role || !state.now) return sdk::accept();
  const auto& now = *state.now;
  const auto& bowlers = now.over.bowlers;
  if (in.role == player_role::bowler && now.over.open && !bowlers.empty() && bowlers.back() != in.out)
    return sdk::refuse("not_bowling", in.out + " is not bowling this over.").law("Law 17.8").at("out");
  if (in.role == player_role::batter && now.in(in.out) == nullptr)
    return sdk::refuse("not_at_crease", in.out + " is not at the wicket.").law("Law 25.4").at("out");
  return sdk::accept();
}

void game::evolve(const replacement& in, const event&) {
  auto* now = state.now ? &*state.now : nullptr;
  if (!in.role && state.replaced.size() < 2 * players_max) state.replaced.push_back(in.out);
  if (now == nullptr) return;
  const bool bowls = now->over.open && !now->over.bowlers.empty() && now->over.bowlers.back() == in.out;
  if (bowls && in.role != player_role::batter) now->over.relieved = true;
  if (in.role == player_role::bowler) suspend(now, in.out, in.reason);
  if (now->in(in.out) != nullptr && in.role != player_role::bowler) fall(*now, in.out, dismissal::retired_hurt, {}, {});
  settle();
}

verdict game::decide(const powerplay&, const event&) const {
  if (!in_play()) return sdk::refuse("no_innings", "No innings is in progress.");
  if (state.now->powerplays.size() >= 10)
    return sdk::refuse("too_many_powerplays", "An innings has at most ten powerplays.");
  return sdk::accept();
}

void game::evolve(const powerplay& in, const event&) {
  if (state.now && state.now->powerplays.size() < 10) state.now->powerplays.push_back(in);
}

// --- the outcome
// ------------------------------------------------------------------------------------------------------

verdict game::decide(const outcome& in, const event&) const {
  const bool tie_break = in.eliminator || in.bowl_out;
  if (!in.winner && !in.result && !tie_break)
    return sdk::refuse("outcome_missing", "Say who won, or that it is a tie, a draw or no result.").law("Law 16");
  if ((in.winner && in.result) || (tie_break && in.result && in.result != outcome_result::tie) ||
      (tie_break && in.winner))
    return sdk::refuse("outcome_contradicts",
                       "A winner and another result exclude each other; a tie names who won it later.")
        .law("Law 16");
  // Of a match of which nothing was played only that can be said: that there was no result.
  if (match.status == sdk::status::scheduled && in.result != outcome_result::no_result)
    return sdk::refuse("not_started", "The match has not started: nobody has won it.").law("Law 16");
  return sdk::accept();
}

void game::evolve(const outcome& in, const event&) {
  state.outcome = in;
  settle();
}

// Law 12.5.2: play for the day used to end with a wicket in the last over; by the 4th Edition that over is finished.
// "stumps" and "close of play" say that the day is over; any other reason (light, rain, an interval) stops play at
// once.
verdict game::may_suspend(const sdk::match_suspend& in, const event& e) const {
  std::string reason;
  for (const char c : in.reason)
    reason += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool close = reason == "stumps" || reason == "close of play";
  if (!close || !laws_->last_over_is_completed || e.umpired() || !in_play()) return sdk::accept();
  if (!state.now->over.open || !state.now->over.broken) return sdk::accept();
  return sdk::refuse("over_not_complete", "The last over of the day is completed although a wicket fell in it.")
      .law("Law 12.5.2");
}

// What the end of the match says where no outcome was recorded, or another winner was.
void game::on_end(const sdk::match_end& in, const event&) {
  const bool other_winner = in.winner && in.winner != state.result.winner;
  if (state.outcome && !other_winner) return;
  outcome said;
  const bool drawn = innings_per_side() == 2 && state.now; // Law 16.5: begun and not decided
  switch (in.reason) {
  case sdk::end_reason::conceded:
  case sdk::end_reason::forfeited:
  case sdk::end_reason::awarded:
    said.winner = in.winner;
    said.method = in.reason == sdk::end_reason::awarded    ? "Awarded"
                  : in.reason == sdk::end_reason::conceded ? "Conceded"
                                                           : "Forfeited";
    break;
  case sdk::end_reason::no_result:
    if (in.winner) said.winner = in.winner;
    else said.result = outcome_result::no_result;
    break;
  case sdk::end_reason::completed:
  case sdk::end_reason::abandoned:
    if (state.result.decided() && !other_winner) return;
    if (in.winner) said.winner = in.winner;
    else said.result = drawn ? outcome_result::draw : outcome_result::no_result;
  }
  state.outcome = said;
  settle();
}

} // namespace omnium::cricket
