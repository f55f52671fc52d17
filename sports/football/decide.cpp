// May this happen now? Each question names its law.
#include "sports/football/rules.hpp"
#include "sports/football/shootout.hpp"
#include "sports/football/squad.hpp"

namespace football {
namespace {

// What a law refuses, the officials' word accepts.
sdk::verdict unless_umpired(sdk::verdict asked, const sdk::event& e) { return e.umpired() ? sdk::accept() : asked; }

sdk::verdict not_in_play(std::string message, std::string law) {
  return sdk::refuse("not_in_play", std::move(message)).law(std::move(law));
}

std::optional<sdk::verdict> check_person(const squad& side, const std::optional<std::string>& name,
                                         std::string_view member) {
  if (!name) return {};
  return may_act(side, *name, member);
}

// Law 7 (two halves), Law 10 (extra time and the shoot-out come after them, as the competition says).
bool may_follow(std::optional<period> before, period next) {
  switch (next) {
  case period::H1:
    return !before;
  case period::H2:
    return before == period::H1;
  case period::ET1:
    return before == period::H2;
  case period::ET2:
    return before == period::ET1;
  case period::PSO:
    return before == period::H2 || before == period::ET2;
  }
  return false;
}

} // namespace

sdk::verdict rules::not_live(const sdk::event&) const {
  if (match.suspended) return sdk::default_not_live(match);
  if (match.status == sdk::status::scheduled) return not_in_play("The match has not started.", "Law 8");
  return not_in_play("The match has ended.", "Law 7");
}

sdk::verdict rules::in_play() const {
  if (state.ball_in_play()) return sdk::accept();
  if (state.in_shootout()) return not_in_play("The match is in its shoot-out: only its kicks are taken.", "Law 10.3");
  return not_in_play("No period is running.", "Law 7");
}

sdk::verdict rules::no_open_review() const {
  if (!state.review) return sdk::accept();
  return sdk::refuse("var_open", "The video check of event " + std::to_string(state.review->about) +
                                     " is open: its decision comes first.")
      .law("VAR protocol");
}

// --- periods ------------------------------------------------------------------------------------------------------

sdk::verdict rules::check_start(period which) const {
  if (state.in_play)
    return sdk::refuse("period_running", std::string{sdk::name_of(*state.period)} + " is still running.")
        .law("Law 7")
        .at("period");
  if (!may_follow(state.period, which))
    return sdk::refuse("period_order", std::string{sdk::name_of(which)} + " cannot begin now.")
        .law("Law 7")
        .at("period");
  return sdk::accept();
}

sdk::verdict rules::check_end(period which) const {
  if (!state.in_play || state.period != which)
    return sdk::refuse("period_not_running", std::string{sdk::name_of(which)} + " is not running.")
        .law("Law 7")
        .at("period");
  return sdk::accept();
}

sdk::verdict rules::decide(const period_input& in, const sdk::event& e) const {
  if (match.suspended) return not_live(e);
  const bool starts = in.action == period_action::start;
  if (!match.live() && !(starts && in.period == period::H1)) return not_live(e);
  if (auto no = starts ? check_start(in.period) : check_end(in.period); !no) {
    // Officials may leave a period out; they cannot run two at once, or end one that does not run.
    if (no.code() != "period_order" || !e.umpired()) return no;
  }
  if (auto no = no_open_review(); !no) return unless_umpired(no, e);
  if (starts && in.period == period::PSO) {
    const auto goals = aggregate(state, settings);
    if (goals.home != goals.away)
      return unless_umpired(
          sdk::refuse("shootout_not_level", "The scores are not level: there is no shoot-out.").law("Law 10.3"), e);
  }
  if (!starts && in.period == period::PSO && !shootout_winner(*state.shootout))
    return unless_umpired(sdk::refuse("shootout_undecided", "The shoot-out is not decided yet.").law("Law 10.3"), e);
  return sdk::accept();
}

sdk::verdict rules::may_end(const sdk::match_end& in, const sdk::event& e) const {
  if (in.reason != sdk::end_reason::completed) return sdk::accept();
  if (auto no = no_open_review(); !no) return unless_umpired(no, e);
  const bool open_kicks = state.period == period::PSO && state.shootout && !shootout_winner(*state.shootout);
  if (open_kicks)
    return unless_umpired(sdk::refuse("shootout_undecided", "The shoot-out is not decided yet.").law("Law 10.3"), e);
  return sdk::accept();
}

// --- people -------------------------------------------------------------------------------------------------------

sdk::verdict rules::decide(const lineup_input& in, const sdk::event& e) const {
  if (state.began())
    return unless_umpired(
        sdk::refuse("lineup_closed", "The match has kicked off: players change by substitution now.").law("Law 3.3"),
        e);
  return check_lineup(in);
}

// Before kick-off a player can be sent off, not cautioned (Law 12: action before the start); after it in play and
// breaks.
sdk::verdict rules::decide(const card_input& in, const sdk::event& e) const {
  if (match.suspended) return not_live(e);
  const bool before_start = match.status == sdk::status::scheduled;
  if (before_start && in.card != card_colour::red) return unless_umpired(not_live(e), e);
  return unless_umpired(check_card(state.squads[in.side], in, state.kicks(), e.again), e);
}

sdk::verdict rules::decide(const substitution_input& in, const sdk::event& e) const {
  if (!state.began())
    return not_in_play("Before kick-off the line-up is sent again: that is no substitution.", "Law 3.3");
  return unless_umpired(check_substitution(state, settings, in), e);
}

// --- goals --------------------------------------------------------------------------------------------------------

// `side` is credited; an own goal's scorer belongs to the other one (Law 10.1: the ball is in his own side's goal).
sdk::verdict rules::check_scorer(const goal_input& in) const {
  const bool own = in.kind == goal_kind::own_goal;
  const sdk::side of = own ? sdk::other(in.side) : in.side;
  if (in.scorer && plays_for_other(state.squads[of], state.squads[sdk::other(of)], *in.scorer)) {
    const std::string why = own ? " plays for the side that is credited: that is no own goal."
                                : " plays for the other side: a goal of his for this one is an own_goal.";
    return sdk::refuse("own_goal_side", *in.scorer + why).law("Law 10.1").at("side");
  }
  if (auto no = check_person(state.squads[of], in.scorer, "scorer"); no && !*no) return *no;
  if (own) return sdk::accept();
  if (in.assist && in.assist == in.scorer)
    return sdk::refuse("assist_by_scorer", *in.scorer + " cannot assist his own goal.").at("assist");
  return check_person(state.squads[of], in.assist, "assist").value_or(sdk::accept());
}

sdk::verdict rules::decide(const goal_input& in, const sdk::event& e) const {
  return unless_umpired(sdk::first_refusal(in_play(), no_open_review(), check_scorer(in)), e);
}

sdk::verdict rules::decide(const penalty_input& in, const sdk::event& e) const {
  return unless_umpired(
      sdk::first_refusal(in_play(), no_open_review(), may_act(state.squads[in.side], in.taker, "taker")), e);
}

sdk::verdict rules::decide(const shootout_kick_input& in, const sdk::event& e) const {
  return unless_umpired(sdk::first_refusal(no_open_review(), check_kick(state, in)), e);
}

// --- the rest -----------------------------------------------------------------------------------------------------

// A check stays open until it is confirmed or overturned; a decision without a check before it stands for both. Asked
// again after a correction, a review stands also where what it was about is gone: it was overturned, or made void.
sdk::verdict rules::decide(const var_input& in, const sdk::event& e) const {
  const auto among = [&](const std::vector<std::int64_t>& seqs) {
    return std::find(seqs.begin(), seqs.end(), in.about) != seqs.end();
  };
  if (among(state.milestones))
    return sdk::refuse("var_not_reviewable", "Only what happened in play can be reviewed.")
        .law("VAR protocol")
        .at("about");
  if (!among(state.reviewable) && !e.again)
    return sdk::refuse("var_unknown_event", "Before this review there is no event " + std::to_string(in.about) + '.')
        .law("VAR protocol")
        .at("about");
  const bool same = state.review && state.review->about == in.about;
  if (state.review && (in.decision == var_decision::check || !same)) return no_open_review();
  if (in.decision != var_decision::overturned) return sdk::accept();
  return sdk::accept().voids({in.about});
}

sdk::verdict rules::decide(const added_time_input&, const sdk::event& e) const { return unless_umpired(in_play(), e); }

sdk::verdict rules::decide(const shot_input&, const sdk::event& e) const { return unless_umpired(in_play(), e); }

sdk::verdict rules::decide(const count_input&, const sdk::event& e) const { return unless_umpired(in_play(), e); }

sdk::verdict rules::decide(const baseline_input& in, const sdk::event&) const {
  const auto more = [](const sdk::both<int>& scored, const sdk::both<int>& taken) {
    return scored.home > taken.home || scored.away > taken.away;
  };
  if (in.shootout && in.shootout_kicks && more(*in.shootout, *in.shootout_kicks))
    return sdk::refuse("baseline_mismatch", "More kicks are scored than were taken.").law("Law 10.3").at("shootout");
  if (in.shootout && in.period.value_or(state.period.value_or(period::H1)) != period::PSO)
    return sdk::refuse("period_order", "A shoot-out's score needs the period PSO.").law("Law 10.3").at("shootout");
  return sdk::accept();
}

} // namespace football
