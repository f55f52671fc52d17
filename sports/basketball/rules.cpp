// What may happen now, and which article says no.
#include "sports/basketball/basketball.hpp"

#include <algorithm>
#include <set>

namespace omnium::basketball {

using sdk::accept;
using sdk::first_refusal;
using sdk::refuse;

namespace {

bool holds(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

} // namespace

verdict game::in_play() const {
  if (state.running) return accept();
  return refuse("not_in_play", "No period is in progress.").law("Art. 8");
}

// May this player of the side act in play? Nobody named, or nothing known of the side: yes.
verdict game::may_play(side of, const std::optional<std::string>& name, const event& e, const char* member) const {
  if (!name || e.umpired()) return accept();
  const player* one = find(of, *name);
  if (one != nullptr && one->disqualified)
    return refuse("player_disqualified", "That player was disqualified.").law("Art. 38").at(member);
  if (one != nullptr && out(*one))
    return refuse("player_fouled_out", "That player has committed the limit of fouls.").law("Art. 40").at(member);
  if (find(sdk::other(of), *name) != nullptr)
    return refuse("player_of_other_side", "That player belongs to the other side.").at(member);
  if (one == nullptr && state.players[of].size() >= roster_max)
    return refuse("roster_full", "The side has no place for another player.").law("Art. 4").at(member);
  if (!state.court[of].empty() && !holds(state.court[of], *name))
    return refuse("player_not_on_court", "That player is not on the court.").law("Art. 4").at(member);
  return accept();
}

verdict game::decide(const period_change& in, const event& e) const {
  const std::int64_t number = number_of(in.period).value_or(0);
  if (in.action == period_action::end) {
    if (!state.running) return refuse("not_in_play", "No period is in progress.").law("Art. 8");
    if (number != state.period)
      return refuse("period_order", "The period in progress is " + name_of(state.period) + ".")
          .law("Art. 8")
          .at("period");
    return accept();
  }
  if (state.running) return refuse("period_running", name_of(state.period) + " has not ended.").law("Art. 8");
  if (number != state.period + 1)
    return refuse("period_order", "The next period is " + name_of(state.period + 1) + ".").law("Art. 8").at("period");
  if (static_cast<std::size_t>(number) > periods_max)
    return refuse("too_many_periods", "A game has no more periods.").at("period");
  if (overtime(number) && !level() && !e.umpired())
    return refuse("overtime_not_level", "Overtime is played only when the score is level.").law("Art. 8");
  return accept();
}

verdict game::decide(const lineup& in, const event&) const {
  std::set<std::string> all{in.starters.begin(), in.starters.end()};
  std::size_t named = in.starters.size();
  if (in.bench) {
    all.insert(in.bench->begin(), in.bench->end());
    named += in.bench->size();
  }
  if (all.size() != named)
    return refuse("player_twice", "A player has only one place in the line-up.").law("Art. 4").at("starters");
  std::size_t known = all.size();
  for (const auto& [name, one] : state.players[in.side]) known += all.count(name) == 0;
  if (known > roster_max)
    return refuse("roster_full", "The side has no place for another player.").law("Art. 4").at("bench");
  for (const std::string& name : in.starters) {
    if (find(sdk::other(in.side), name) != nullptr)
      return refuse("player_of_other_side", "That player belongs to the other side.").at("starters");
    if (const player* one = find(in.side, name); one != nullptr && out(*one))
      return refuse("player_fouled_out", "That player is out of the game.").law("Art. 40").at("starters");
  }
  return accept();
}

verdict game::decide(const score& in, const event& e) const {
  if (in.assist && in.player == in.assist && !e.umpired())
    return refuse("own_assist", "A player cannot assist himself.").at("assist");
  return first_refusal(in_play(), may_play(in.side, in.player, e, "player"), may_play(in.side, in.assist, e, "assist"));
}

verdict game::decide(const miss& in, const event& e) const {
  return first_refusal(in_play(), may_play(in.side, in.player, e, "player"));
}

verdict game::may_count(const counted_event& in, const event& e) const {
  return first_refusal(in_play(), may_play(in.side, in.player, e, "player"));
}

// Free throws for a technical foul in an interval come before the next period begins (Art. 36).
verdict game::decide(const free_throw& in, const event& e) const {
  if (in.period && number_of(*in.period).value_or(0) > state.period + 1)
    return refuse("period_order", "That period has not come yet.").at("period");
  if (in.number && in.of && *in.number > *in.of)
    return refuse("throw_number", "There are not so many free throws.").law("Art. 43").at("number");
  return may_play(in.side, in.player, e, "player");
}

verdict game::decide(const foul& in, const event& e) const {
  if (in.kind == foul_kind::bench_technical) return accept();
  const bool interval =
      in.kind == foul_kind::technical || in.kind == foul_kind::unsportsmanlike || in.kind == foul_kind::disqualifying;
  if (!interval)
    if (auto no = in_play(); !no) return no;
  // A technical or disqualifying foul can be called on a player who sits on the bench.
  auto no = may_play(in.side, in.player, e, "player");
  if (!no && no.code() == "player_not_on_court" && interval) return accept();
  return no;
}

verdict game::decide(const timeout& in, const event& e) const {
  if (state.period == 0) return in_play();
  if (e.umpired()) return accept();
  if (state.timeouts[in.side] >= timeouts_max())
    return refuse("timeout_used", "That side has no time-out left in this half or overtime.").law("Art. 18");
  if (closing(in.clock) && state.late_timeouts[in.side] >= late_timeouts_max)
    return refuse("timeout_used", "That side has taken two time-outs in the last two minutes: the third lapsed there.")
        .law("Art. 18.2.5");
  return accept();
}

verdict game::decide(const substitution& in, const event& e) const {
  if (in.off == in.on) return refuse("player_twice", "A player cannot replace himself.").at("on");
  if (e.umpired()) return accept();
  const auto& court = state.court[in.side];
  if (!court.empty() && !holds(court, in.off))
    return refuse("player_not_on_court", "That player is not on the court.").law("Art. 19").at("off");
  if (holds(court, in.on))
    return refuse("player_on_court", "That player is on the court already.").law("Art. 19").at("on");
  const auto no = may_play(in.side, in.on, e, "on");
  return no || no.code() == "player_not_on_court" ? accept() : no;
}

verdict game::decide(const baseline& in, const event&) const {
  both<std::int64_t> sum;
  std::int64_t expected = 1;
  for (const baseline_period& one : in.periods.value_or(std::vector<baseline_period>{})) {
    if (number_of(one.period) != expected++)
      return refuse("period_order", "The periods are given from the first one on.").at("periods");
    sum.home += one.home;
    sum.away += one.away;
  }
  const std::int64_t given = expected - 1;
  if (in.score && in.periods && *in.score != sum)
    return refuse("baseline_mismatch", "The periods do not add up to the score.").at("score");
  if (in.period && (!number_of(*in.period) || *number_of(*in.period) < given))
    return refuse("baseline_mismatch", "More periods are given than the period says are begun.").at("period");
  return accept();
}

// A game may be ended early by who has the lead; a level one is not complete at any time.
verdict game::may_end(const sdk::match_end& in, const event& e) const {
  const bool played = state.period > 0 || total().home > 0; // where nothing was, there is nothing to decide
  if (in.reason != sdk::end_reason::completed || settings.ties || !level() || !played || e.umpired()) return accept();
  return refuse("level_needs_overtime", "The score is level: an overtime decides.").law("Art. 8");
}

} // namespace omnium::basketball
