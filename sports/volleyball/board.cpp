// What a viewer sees.
#include "sports/volleyball/volleyball.hpp"

#include <algorithm>

namespace omnium::volleyball {

std::vector<std::string> game::rotation(side of) const {
  if (!state.set.court[of].empty()) return state.set.court[of];
  const auto size = static_cast<std::int64_t>(court_size());
  std::vector<std::string> places;
  for (std::int64_t i = 0; i < size; ++i) places.push_back(std::to_string((state.set.turns[of] + i) % size + 1));
  return places;
}

std::optional<sdk::match_result> game::result() const {
  std::optional<sdk::match_result> own;
  if (state.decided) own = {state.decided->winner, std::string{sdk::name_of(state.decided->by)}};
  return sdk::result_of(match, own);
}

std::string game::line() const {
  const auto won = sets_won();
  std::string text = std::to_string(won.home) + "–" + std::to_string(won.away);
  if (!state.decided && set_begun())
    text += " (" + std::to_string(state.set.points.home) + "–" + std::to_string(state.set.points.away) + ")";
  if (state.decided && state.decided->by == decided_by::retirement) text += " ret.";
  if (state.decided && state.decided->by == decided_by::forfeit) text += " forfeit";
  const auto decided = result();
  if (match.unplayed && state.decided) return text + ", " + std::string{sdk::name_of(decided->winner.value())} + " won";
  return sdk::list_line(match, text, "", decided ? decided->winner : std::nullopt);
}

board game::scoreboard() const {
  board out;
  out.score = sets_won();
  for (const set_record& one : state.sets) {
    set_view& shown = out.sets.emplace_back();
    shown.home = one.home;
    shown.away = one.away;
  }
  if (set_begun()) {
    set_view& shown = out.sets.emplace_back();
    shown.home.emplace(state.set.points.home);
    shown.away.emplace(state.set.points.away);
  }
  out.points = state.set.points;
  if (match.status != sdk::status::scheduled) {
    const std::int64_t finished = out.score.home + out.score.away;
    out.period = 'S' + std::to_string(std::max<std::int64_t>(1, finished + (!state.decided || set_begun() ? 1 : 0)));
  }
  if (!state.decided) out.server.emplace(state.set.server);
  for (const side one : {side::home, side::away}) {
    out.rotation[one] = rotation(one);
    out.timeouts_left[one] = std::max<std::int64_t>(0, timeouts_max() - state.set.timeouts[one]);
    out.substitutions_left[one] = std::max<std::int64_t>(0, substitutions_max() - state.set.substitutions[one]);
  }
  out.result = result();
  out.line = line();
  return out;
}

} // namespace omnium::volleyball
