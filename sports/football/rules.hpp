#pragma once
// Football as a sport of the SDK. Sources: IFAB Laws of the Game; the refusals' codes are the sport's vocabulary.
// `umpire` in an input accepts what the officials let stand, against any law; what no match can hold (a period that
// ends before it began, play before the start) stays refused.
#include "sports/football/board.hpp"
#include "sports/football/state.hpp"

namespace football {

class rules : public sdk::sport<football::state, football::settings> {
public:
  sdk::verdict decide(const period_input& in, const sdk::event& e) const;
  sdk::verdict decide(const lineup_input& in, const sdk::event& e) const;
  sdk::verdict decide(const goal_input& in, const sdk::event& e) const;
  sdk::verdict decide(const penalty_input& in, const sdk::event& e) const;
  sdk::verdict decide(const card_input& in, const sdk::event& e) const;
  sdk::verdict decide(const substitution_input& in, const sdk::event& e) const;
  sdk::verdict decide(const shootout_kick_input& in, const sdk::event& e) const;
  sdk::verdict decide(const var_input& in, const sdk::event& e) const;
  sdk::verdict decide(const added_time_input& in, const sdk::event& e) const;
  sdk::verdict decide(const shot_input& in, const sdk::event& e) const;
  sdk::verdict decide(const count_input& in, const sdk::event& e) const;
  sdk::verdict decide(const baseline_input& in, const sdk::event& e) const;

  void evolve(const period_input& in, const sdk::event& e);
  void evolve(const lineup_input& in, const sdk::event& e);
  void evolve(const goal_input& in, const sdk::event& e);
  void evolve(const penalty_input& in, const sdk::event& e);
  void evolve(const card_input& in, const sdk::event& e);
  void evolve(const substitution_input& in, const sdk::event& e);
  void evolve(const shootout_kick_input& in, const sdk::event& e);
  void evolve(const var_input& in, const sdk::event& e);
  void evolve(const added_time_input& in, const sdk::event& e);
  void evolve(const shot_input& in, const sdk::event& e);
  void evolve(const foul_input& in, const sdk::event& e);
  void evolve(const corner_input& in, const sdk::event& e);
  void evolve(const offside_input& in, const sdk::event& e);
  void evolve(const baseline_input& in, const sdk::event& e);

  sdk::verdict not_live(const sdk::event& e) const;
  sdk::verdict may_end(const sdk::match_end& in, const sdk::event& e) const;
  void on_start(const sdk::event& e);
  void on_end(const sdk::match_end& in, const sdk::event& e);

  board scoreboard() const { return show(state, settings, match); }

private:
  sdk::verdict in_play() const;
  sdk::verdict no_open_review() const;
  sdk::verdict check_start(period which) const;
  sdk::verdict check_end(period which) const;
  sdk::verdict check_scorer(const goal_input& in) const;
  void add_goal(sdk::side side, match_minute minute, std::optional<std::string> scorer, goal_kind kind,
                const sdk::event& e);
  void count(const count_input& in, int counts::*what, const sdk::event& e);
  void happened(const sdk::event& e); // in play: a review may be about it
  void milestone(const sdk::event& e);
};

} // namespace football
