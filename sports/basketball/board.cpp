// What a viewer sees.
#include "sports/basketball/basketball.hpp"

#include <algorithm>

namespace omnium::basketball {

// FIBA: four team fouls, also in overtime; the NBA penalises from the fifth, in overtime from the fourth one on.
std::int64_t game::bonus_after() const {
  if (settings.bonus_after) return *settings.bonus_after;
  return nba() && overtime(state.period) ? 3 : 4;
}

// FIBA: two in the first half, three in the second, one in each overtime (Art. 18). NBA: seven, and two in an overtime.
std::int64_t game::timeouts_max() const {
  if (overtime(state.period)) return nba() ? 2 : 1;
  if (nba()) return 7;
  return state.period * 2 <= settings.periods ? 2 : 3;
}

bool game::closing(const std::optional<std::string>& clock) const {
  if (nba() || state.period != settings.periods || !clock) return false;
  const std::size_t colon = clock->find(':');
  const std::string_view minutes{clock->data(), colon}, rest{clock->data() + colon + 1};
  const int minute = minutes.back() - '0';
  if (minutes.size() == 2 && minutes[0] != '0') return false;
  return minute < 2 || (minute == 2 && (rest == "00" || rest == "00.0"));
}

// A game that was completed is won by its score; a level one, where the settings let it stand, by nobody.
std::optional<sdk::match_result> game::result() const {
  if (!match.ended || match.ended->reason != sdk::end_reason::completed) return sdk::result_of(match, std::nullopt);
  const auto leader = total().home > total().away ? side::home : side::away;
  return sdk::result_of(match, sdk::match_result{level() ? std::nullopt : std::optional{leader}, "play"});
}

board game::scoreboard() const {
  board out;
  out.score = total();
  if (state.period > 0) out.period = name_of(state.period);
  for (std::size_t i = 0; i < state.periods.size(); ++i) {
    period_view& shown = out.periods.emplace_back();
    shown.period = name_of(static_cast<std::int64_t>(i + 1));
    shown.home = state.periods[i].home;
    shown.away = state.periods[i].away;
  }
  out.running = state.running;
  out.clock = state.clock;
  out.team_fouls = state.team_fouls;
  for (const side one : {side::home, side::away}) {
    out.bonus[one] = state.team_fouls[sdk::other(one)] >= bonus_after();
    std::int64_t left = timeouts_max() - state.timeouts[one];
    if (closing(state.clock)) left = std::min(left, late_timeouts_max - state.late_timeouts[one]);
    out.timeouts_left[one] = std::max<std::int64_t>(0, left);
  }
  out.arrow = state.arrow;
  out.result = result();
  std::string where;
  if (state.period > 0 && !match.ended) where = out.period + (state.clock ? " " + *state.clock : "");
  if (out.result && !out.result->winner) where = "drawn";
  out.line = sdk::list_line(match, std::to_string(out.score.home) + "–" + std::to_string(out.score.away), where,
                            out.result ? out.result->winner : std::nullopt);
  return out;
}

} // namespace omnium::basketball
