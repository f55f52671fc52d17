// What a viewer sees.
#include "sports/curling/curling.hpp"

namespace omnium::curling {

std::size_t game::scheduled() const {
  return static_cast<std::size_t>(settings.ends.value_or(settings.format == format::team ? 10 : 8));
}

both<std::int64_t> game::total() const {
  both<std::int64_t> sum = state.carried;
  for (const end_record& one : state.ends) {
    sum.home += one.home.value_or(0);
    sum.away += one.away.value_or(0);
  }
  return sum;
}

bool game::level() const { return total().home == total().away; }

std::optional<sdk::match_result> game::decided() const {
  if (state.conceded) return sdk::match_result{sdk::other(*state.conceded), "concession"};
  const bool completed = match.ended && match.ended->reason == sdk::end_reason::completed;
  if (level() || !(completed || (!match.ended && all_played()))) return std::nullopt;
  return sdk::match_result{total().home > total().away ? side::home : side::away, "play"};
}

std::optional<side> game::winner() const {
  const auto known = sdk::result_of(match, decided());
  return known ? known->winner : std::nullopt;
}

std::string game::end_label(std::size_t index) const {
  if (index < scheduled()) return 'E' + std::to_string(index + 1);
  return "EE" + std::to_string(index - scheduled() + 1);
}

// The index of the end that a period names; nullopt: no end of this game is called so.
std::optional<std::size_t> game::period_index(const std::string& name) const {
  for (std::size_t i = 0; i < ends_max; ++i)
    if (end_label(i) == name) return i;
  return std::nullopt;
}

std::string game::period() const {
  if (state.open) return end_label(state.ends.size());
  return state.ends.empty() ? std::string{} : end_label(state.ends.size() - 1);
}

end_view game::view(std::size_t index) const {
  end_view made;
  if (index >= state.ends.size()) {
    if (index == state.ends.size() && !state.conceded && !match.ended) {
      made.hammer = state.hammer;
      made.power_play = state.power_play;
      made.out_of_turn = state.out_of_turn;
    }
    return made;
  }
  const end_record& one = state.ends[index];
  made.home = one.home;
  made.away = one.away;
  made.hammer = one.hammer;
  made.blank = one.home == 0 && one.away == 0;
  made.played = true;
  made.power_play = one.power_play;
  made.out_of_turn = one.out_of_turn;
  return made;
}

board game::scoreboard() const {
  board out;
  out.period = period();
  out.score = total();
  const std::size_t shown = std::max(scheduled(), state.ends.size() + (state.open ? 1 : 0));
  for (std::size_t i = 0; i < shown; ++i) out.ends.push_back(view(i));
  if (!state.conceded) out.hammer = state.hammer;
  out.stones_thrown = state.stones.home + state.stones.away;
  for (const side one : {side::home, side::away}) {
    const bool extra = in_extra() && state.open;
    const std::int64_t left =
        extra ? settings.extra_end_timeouts - state.extra_timeouts[one] : settings.timeouts - state.timeouts[one];
    out.timeouts_left[one] = std::max<std::int64_t>(left, 0);
  }
  if (mixed()) out.power_play_left = both<bool>{!state.power_play_used.home, !state.power_play_used.away};
  out.conceded = state.conceded;
  out.winner = winner();
  if (match.ended) out.result = sdk::result_of(match, decided());
  const std::string where = out.conceded && !out.period.empty() ? out.period + ", conceded" : out.period;
  out.line =
      sdk::list_line(match, std::to_string(out.score.home) + "–" + std::to_string(out.score.away), where, out.winner);
  return out;
}

} // namespace omnium::curling
