// What may happen now, and which rule says no.
#include "sports/curling/curling.hpp"

namespace omnium::curling {

using sdk::accept;
using sdk::first_refusal;
using sdk::refuse;

std::optional<std::string> game::check_settings() const {
  if (settings.ends && *settings.ends != 8 && *settings.ends != 10) return "A game has 8 or 10 scheduled ends.";
  if (std::cmp_greater(settings.minimum_ends, scheduled())) return "minimum_ends is more than the scheduled ends.";
  return std::nullopt;
}

verdict game::not_conceded() const {
  if (!state.conceded) return accept();
  return refuse("conceded", "The game was conceded; nothing can be added to it.").law("R11(a)");
}

// Ends whose power play is the other side's than the hammer: nothing but the officials' word brings that about.
std::size_t game::power_plays_without_hammer() const {
  const auto apart = [](std::optional<side> called, std::optional<side> hammer) {
    return called && hammer && *called != *hammer;
  };
  std::size_t count = apart(state.power_play, state.hammer) ? 1 : 0;
  for (const end_record& one : state.ends) count += apart(one.power_play, one.hammer) ? 1 : 0;
  return count;
}

verdict game::decide(const set_hammer& in, const event& e) const {
  if (auto no = not_conceded(); !no) return no;
  if (in.end && static_cast<std::size_t>(*in.end) > state.ends.size() + 1)
    return refuse("no_such_end", "That end has not come yet.").at("end");
  // It may move the hammers of later ends too: the fold of a copy says so.
  game then = *this;
  then.evolve(in, e);
  if (then.power_plays_without_hammer() > power_plays_without_hammer() && !e.umpired())
    return refuse("power_play_called", "The other side has called the power play of an end that it would have without "
                                       "the hammer then: undo the power play first.")
        .law("R16")
        .at("side");
  return accept();
}

verdict game::decide(const start_end&, const event&) const {
  if (auto no = not_conceded(); !no) return no;
  if (state.open && !state.announced) return refuse("end_in_progress", "The end in progress has no score yet.");
  if (!all_played()) return accept();
  if (level())
    return refuse("tie_needs_extra_end", "The ends are played and the score is level: announce an extra end.")
        .law("R11(a)");
  return refuse("game_over", "All ends are played and the game is decided.").law("R11(a)");
}

verdict game::decide(const stone& in, const event& e) const {
  if (auto no = not_conceded(); !no) return no;
  if (!state.open) return refuse("end_not_started", "No end is in progress.");
  if (state.stones[in.side] >= stones_per_side() && !e.umpired())
    return refuse("stones_exhausted", "That side has delivered all its stones of this end.")
        .law(mixed() ? "R16" : "R3");
  return accept();
}

verdict game::decide(const end_score& in, const event&) const {
  if (auto no = not_conceded(); !no) return no;
  if (in.points > 0 && !in.side) return refuse("side_missing", "Points need the side that scored them.").at("side");
  if (in.points == 0 && in.side)
    return refuse("blank_end_side", "A blank end has no side: nobody scored in it.").law("R11(b)").at("side");
  if (!state.open) {
    const bool scored = in.side && in.points > 0 && !state.ends.empty();
    const auto& other = !scored                  ? std::optional<std::int64_t>{}
                        : *in.side == side::home ? state.ends.back().away
                                                 : state.ends.back().home;
    if (other.value_or(0) > 0) return refuse("both_score", "Only one side can score in an end.").law("R11(b)");
    return refuse("end_not_started", "No end is in progress.");
  }
  if (in.points > points_max())
    return refuse("end_points_max", "A side can score at most " + std::to_string(points_max()) + " points in an end.")
        .law(mixed() ? "R16" : "R11(b)")
        .at("points");
  return accept();
}

verdict game::decide(const timeout& in, const event& e) const {
  if (auto no = not_conceded(); !no) return no;
  const bool extra = in_extra();
  const std::int64_t used = extra ? state.extra_timeouts[in.side] : state.timeouts[in.side];
  if (used < (extra ? settings.extra_end_timeouts : settings.timeouts) || e.umpired()) return accept();
  return refuse("timeout_used", extra ? "That side has taken its time-out of this extra end."
                                      : "That side has taken its time-out of this game.")
      .law("C7");
}

verdict game::decide(const power_play& in, const event& e) const {
  if (!mixed()) return refuse("not_mixed_doubles", "Only mixed doubles has a power play.").law("R16");
  if (auto no = not_conceded(); !no) return no;
  if (in_extra()) return refuse("power_play_extra_end", "An extra end has no power play.").law("R16");
  if (state.power_play_used[in.side])
    return refuse("power_play_used", "That side has used its power play of this game.").law("R16");
  if (state.hammer != in.side && !e.umpired())
    return refuse("power_play_without_hammer", "Only the side with the decision on placement may call a power play.")
        .law("R16")
        .at("side");
  if (state.power_play) return refuse("power_play_called", "This end has a power play already.").law("R16");
  if (state.open && state.stones.home + state.stones.away > 0 && !e.umpired())
    return refuse("power_play_late", "A power play is called before the first stone of the end.").law("R16");
  return accept();
}

verdict game::decide(const concede&, const event& e) const {
  if (auto no = not_conceded(); !no) return no;
  if (decided() && !e.umpired())
    return refuse("game_over", "All ends are played and the game is decided: it cannot be conceded any more.")
        .law("R11(a)");
  if (std::cmp_less(state.ends.size(), settings.minimum_ends) && !e.umpired())
    return refuse("minimum_ends", "At least " + std::to_string(settings.minimum_ends) +
                                      " ends must be completed before a side may concede.")
        .law("R11(a)");
  return accept();
}

verdict game::decide(const extra_end&, const event&) const {
  if (auto no = not_conceded(); !no) return no;
  if (state.open) return refuse("end_in_progress", "The end in progress has no score yet.");
  if (state.ends.size() < scheduled())
    return refuse("ends_remaining", "The scheduled ends are not all played.").law("R11(a)");
  if (!level()) return refuse("not_level", "An extra end is played only when the score is level.").law("R11(a)");
  if (state.ends.size() >= ends_max)
    return refuse("too_many_ends", "A game has at most " + std::to_string(ends_max) + " ends.");
  return accept();
}

verdict game::decide(const baseline& in, const event&) const {
  if (in.period && !period_index(*in.period))
    return refuse("period_unknown", "There is no such end in this game.").at("period");
  if (!in.ends) return accept();
  both<std::int64_t> sum;
  for (const baseline_end& one : *in.ends) {
    if (one.home > 0 && one.away > 0)
      return refuse("both_score", "Only one side can score in an end.").law("R11(b)").at("ends");
    if (std::max(one.home, one.away) > points_max())
      return refuse("end_points_max", "A side can score at most " + std::to_string(points_max()) + " points in an end.")
          .law(mixed() ? "R16" : "R11(b)")
          .at("ends");
    sum.home += one.home;
    sum.away += one.away;
  }
  if (in.score && *in.score != sum)
    return refuse("baseline_mismatch", "The ends do not add up to the score.").at("score");
  if (in.period && *period_index(*in.period) + 1 < in.ends->size())
    return refuse("baseline_mismatch", "More ends are given than the period says are played.").at("period");
  return accept();
}

verdict game::may_end(const sdk::match_end& in, const event& e) const {
  if (in.reason != sdk::end_reason::completed || state.conceded || e.umpired()) return accept();
  if (level() && !state.ends.empty()) // where nothing was played there is nothing to decide
    return refuse("tie_needs_extra_end",
                  "The score is level: a tie needs an extra end, and is not completed without one.")
        .law("R11(a)");
  if (std::cmp_less(state.ends.size(), settings.minimum_ends) && state.ends.size() < scheduled())
    return refuse("minimum_ends", "At least " + std::to_string(settings.minimum_ends) + " ends must be completed.")
        .law("R11(a)");
  return accept();
}

} // namespace omnium::curling
