// Substitutions (Law 3.2 numbers and opportunities, 3.3 procedure).
#include "sports/football/clock.hpp"
#include "sports/football/squad.hpp"

#include <cstdlib>

namespace football {
namespace {

// Extra time has come when the second half is over, also in the break before it.
bool extra_time(const state& match) {
  return match.period > period::H2 || (match.period == period::H2 && !match.in_play);
}

int substitutions_allowed(const state& match, const settings& competition, sdk::side which) {
  return competition.substitutions + (extra_time(match) ? competition.extra_time_substitutions : 0) +
         match.squads[sdk::other(which)].concussions;
}

// 0: any number.
int windows_allowed(const state& match, const settings& competition, sdk::side which) {
  if (competition.substitution_windows == 0) return 0;
  const bool extra = match.period > period::H2;
  return competition.substitution_windows + (extra ? competition.extra_time_windows : 0) +
         match.squads[sdk::other(which)].concussions;
}

match_minute in_period_of(const state& match, match_minute told) {
  return match.period ? in_period(told, *match.period) : told;
}

// Several substitutes who come on in one stoppage use one opportunity; a stoppage may reach into the next minute.
bool same_window(const state& match, const squad& side, match_minute minute) {
  if (!side.last_window || side.last_window->period != match.period) return false;
  return std::abs(side.last_window->minute.total() - minute.total()) <= 1;
}

// Half-time and the breaks around extra time count as no opportunity.
bool uses_window(const state& match, const squad& side, const substitution_input& in) {
  return match.ball_in_play() && !in.concussion && !same_window(match, side, in_period_of(match, in.minute));
}

sdk::verdict check_off(const squad& side, const substitution_input& in) {
  const player* off = find(side, in.off);
  if (off && off->where == whereabouts::substituted)
    return sdk::refuse(side.lineup ? "player_not_on_field" : "no_return", in.off + " was taken off before.")
        .law("Law 3.3")
        .at("off");
  return may_act(side, in.off, "off");
}

sdk::verdict check_on(const squad& side, const settings& competition, const substitution_input& in) {
  const player* on = find(side, in.on);
  if (on && on->sent_off) return sdk::refuse("player_sent_off", in.on + " has been sent off.").law("Law 12").at("on");
  if (on && on->where == whereabouts::on_field)
    return sdk::refuse("already_on_field", in.on + " is on the field already.").law("Law 3").at("on");
  if (on && on->where == whereabouts::substituted && !competition.return_substitutions)
    return sdk::refuse("no_return", in.on + " was taken off and takes no further part in the match.")
        .law("Law 3.3")
        .at("on");
  const bool named = on && on->where != whereabouts::unknown;
  if (side.lineup && side.bench && !named)
    return sdk::refuse("not_on_bench", in.on + " is not among the named substitutes.").law("Law 3.2").at("on");
  return sdk::accept();
}

sdk::verdict check_numbers(const state& match, const settings& competition, const substitution_input& in) {
  const squad& side = match.squads[in.side];
  if (in.concussion) {
    if (side.concussions < competition.concussion_substitutions) return sdk::accept();
    return sdk::refuse("subs_exhausted", "The concussion substitutes of this side are used up.")
        .law("Law 3.2")
        .at("concussion");
  }
  if (side.substitutions >= substitutions_allowed(match, competition, in.side))
    return sdk::refuse("subs_exhausted",
                       "This side has used its " + std::to_string(side.substitutions) + " substitutes.")
        .law("Law 3.2");
  const int windows = windows_allowed(match, competition, in.side);
  if (windows > 0 && uses_window(match, side, in) && side.windows >= windows)
    return sdk::refuse("sub_window_used", "This side has used its " + std::to_string(side.windows) +
                                              " opportunities to substitute; the breaks are left.")
        .law("Law 3.2");
  return sdk::accept();
}

// Law 10.3: during kicks from the penalty mark only a goalkeeper who cannot go on is replaced.
sdk::verdict check_shootout(const state& match, const substitution_input& in) {
  const squad& side = match.squads[in.side];
  const bool keeper = side.goalkeeper.empty() || side.goalkeeper == in.off;
  if (match.period != period::PSO || keeper || in.concussion) return sdk::accept();
  return sdk::refuse("keeper_only", "During the shoot-out only the goalkeeper may be replaced.")
      .law("Law 10.3")
      .at("off");
}

} // namespace

sdk::verdict check_substitution(const state& match, const settings& competition, const substitution_input& in) {
  if (in.on == in.off)
    return sdk::refuse("already_on_field", in.on + " cannot come on for himself.").law("Law 3").at("on");
  const squad& side = match.squads[in.side];
  return sdk::first_refusal(check_off(side, in), check_on(side, competition, in), check_shootout(match, in),
                            check_numbers(match, competition, in));
}

void substitute(state& match, const substitution_input& in) {
  squad& side = match.squads[in.side];
  if (in.concussion) {
    ++side.concussions;
  } else {
    ++side.substitutions;
    if (uses_window(match, side, in)) ++side.windows;
    if (match.in_play) side.last_window = window{*match.period, in_period_of(match, in.minute)};
  }
  if (player* off = know(side, in.off)) off->where = whereabouts::substituted;
  if (player* on = know(side, in.on)) on->where = whereabouts::on_field;
  if (side.goalkeeper == in.off) side.goalkeeper = in.on;
}

} // namespace football
