// What an accepted event does to the state. Asks nothing: it may be played from the log alone.
#include "sports/football/clock.hpp"
#include "sports/football/rules.hpp"
#include "sports/football/shootout.hpp"
#include "sports/football/squad.hpp"

namespace football {
namespace {

void keep(std::vector<std::int64_t>& seqs, std::int64_t newest, std::size_t most) {
  seqs.push_back(newest);
  if (seqs.size() > most) seqs.erase(seqs.begin());
}

} // namespace

void rules::happened(const sdk::event& e) { keep(state.reviewable, e.seq, reviewable_kept); }

void rules::milestone(const sdk::event& e) { keep(state.milestones, e.seq, milestones_kept); }

void rules::on_start(const sdk::event& e) { milestone(e); }

void rules::on_end(const sdk::match_end&, const sdk::event& e) {
  state.in_play = false;
  state.review.reset();
  milestone(e);
}

// The start of the first half starts the match, where nobody did before.
void rules::evolve(const period_input& in, const sdk::event& e) {
  milestone(e);
  if (in.action == period_action::end) {
    advance_clock(state, in.minute, e);
    state.in_play = false;
    return;
  }
  if (match.status == sdk::status::scheduled) match.status = sdk::status::live;
  state.period = in.period;
  state.in_play = true;
  state.added_time = 0;
  start_clock(state, in.period, in.minute, e);
  if (in.period == period::PSO) state.shootout.emplace();
}

void rules::evolve(const lineup_input& in, const sdk::event& e) {
  milestone(e);
  set_lineup(state.squads[in.side], in);
}

void rules::add_goal(sdk::side side, match_minute minute, std::optional<std::string> scorer, goal_kind kind,
                     const sdk::event& e) {
  advance_clock(state, minute, e);
  ++state.score[side];
  goal made{side, state.period ? in_period(minute, *state.period) : minute, {}, kind};
  if (scorer) made.scorer = std::move(*scorer);
  state.goals.push_back(std::move(made));
  if (state.goals.size() <= goals_kept) return;
  state.goals.erase(state.goals.begin());
  ++state.goals_earlier;
}

void rules::evolve(const goal_input& in, const sdk::event& e) {
  happened(e);
  add_goal(in.side, in.minute, in.scorer, in.kind, e);
}

void rules::evolve(const penalty_input& in, const sdk::event& e) {
  happened(e);
  if (in.result == kick_result::scored) add_goal(in.side, in.minute, in.taker, goal_kind::penalty, e);
  else advance_clock(state, in.minute, e);
}

void rules::evolve(const card_input& in, const sdk::event& e) {
  happened(e);
  advance_clock(state, in.minute, e);
  show_card(state.squads[in.side], in, state.kicks(), e.umpired());
}

void rules::evolve(const substitution_input& in, const sdk::event& e) {
  happened(e);
  // A change in the break is told by the minute the next period begins with: the clock stays.
  if (state.in_play) advance_clock(state, in.minute, e);
  substitute(state, in);
}

void rules::evolve(const shootout_kick_input& in, const sdk::event& e) {
  happened(e);
  take_kick(state, in);
}

void rules::evolve(const var_input& in, const sdk::event& e) {
  milestone(e);
  advance_clock(state, {}, e);
  if (in.decision == var_decision::check) state.review = review{in.about};
  else state.review.reset();
}

void rules::evolve(const added_time_input& in, const sdk::event& e) {
  happened(e);
  advance_clock(state, {}, e);
  state.added_time = in.minutes;
}

void rules::count(const count_input& in, int counts::*what, const sdk::event& e) {
  happened(e);
  advance_clock(state, in.minute, e);
  ++(state.squads[in.side].counts.*what);
}

void rules::evolve(const shot_input& in, const sdk::event& e) {
  happened(e);
  advance_clock(state, in.minute, e);
  ++state.squads[in.side].counts.shots;
  state.squads[in.side].counts.on_target += in.on_target ? 1 : 0;
}

void rules::evolve(const foul_input& in, const sdk::event& e) { count(in, &counts::fouls, e); }
void rules::evolve(const corner_input& in, const sdk::event& e) { count(in, &counts::corners, e); }
void rules::evolve(const offside_input& in, const sdk::event& e) { count(in, &counts::offsides, e); }

// The goals behind a score that is set are not known: they are counted, not listed.
void rules::evolve(const baseline_input& in, const sdk::event& e) {
  if (in.score) {
    state.score = *in.score;
    state.goals.clear();
    state.goals_earlier = in.score->home + in.score->away;
  }
  if (in.period) {
    state.period = in.period;
    state.in_play = in.in_play.value_or(true);
    state.added_time = 0;
    start_clock(state, *in.period, in.minute, e);
  } else if (in.in_play && state.period) {
    state.in_play = *in.in_play;
  }
  if (in.minute) state.minute = state.period ? in_period(*in.minute, *state.period) : *in.minute;
  if (state.period == period::PSO && !state.shootout) state.shootout.emplace();
  if (in.shootout) set_shootout(*state.shootout, *in.shootout, in.shootout_kicks);
  if (in.cards)
    for (const auto which : {sdk::side::home, sdk::side::away}) state.squads[which].cards = (*in.cards)[which];
  milestone(e);
}

} // namespace football
