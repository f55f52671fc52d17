// What a viewer sees.
#include "sports/tennis/tennis.hpp"

#include <algorithm>

#include <charconv>

namespace omnium::tennis {

namespace {

constexpr std::string_view point_names[] = {"0", "15", "30", "40"};

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::optional<std::int64_t> points_named(const std::string& text) {
  for (std::int64_t i = 0; i < 4; ++i)
    if (text == point_names[i]) return i;
  return text == "AD" ? std::optional<std::int64_t>{4} : std::nullopt;
}

std::string dashed(std::int64_t home, std::int64_t away) { return std::to_string(home) + "–" + std::to_string(away); }

} // namespace

// The points behind what a scoreboard shows; nullopt: no unfinished game stands so.
std::optional<both<std::int64_t>> game::points_of(const both<std::string>& shown, bool tiebreak) const {
  const auto read = tiebreak ? whole_number : points_named;
  const auto home = read(shown.home), away = read(shown.away);
  if (!home || !away) return std::nullopt;
  const std::int64_t high = std::max(*home, *away), low = std::min(*home, *away);
  if (tiebreak) {
    if (high >= rules_now().tiebreak_points && high - low >= 2) return std::nullopt;
  } else if (high == 4 && (low != 3 || settings.no_ad)) {
    return std::nullopt;
  }
  return both<std::int64_t>{*home, *away};
}

both<std::string> game::shown_points() const {
  if (in_tiebreak()) return {std::to_string(state.points.home), std::to_string(state.points.away)};
  const auto name = [](std::int64_t points) { return std::string{points > 3 ? "AD" : point_names[points]}; };
  return {name(state.points.home), name(state.points.away)};
}

std::optional<std::string> game::serving_player() const {
  const side server = server_now();
  const auto& pair = state.players[server];
  if (pair.empty()) return std::nullopt;
  return pair[turn_of(server) % pair.size()];
}

std::optional<sdk::match_result> game::result() const {
  std::optional<sdk::match_result> own;
  if (state.decided) own = {state.decided->winner, std::string{sdk::name_of(state.decided->by)}};
  return sdk::result_of(match, own);
}

std::string game::line() const {
  std::string text;
  for (const set_score& one : state.sets) text += (text.empty() ? "" : " ") + dashed(one.home, one.away);
  if (!state.decided && set_begun()) {
    if (!rules_now().match_tiebreak) text += (text.empty() ? "" : " ") + dashed(state.games.home, state.games.away);
    const auto points = shown_points();
    text += (text.empty() ? "(" : " (") + points.home + "–" + points.away + ")";
  }
  const auto how = state.decided ? state.decided->by : decided_by::play;
  if (how == decided_by::walkover) return "w/o, " + std::string{sdk::name_of(state.decided->winner)} + " won";
  if (text.empty()) text = dashed(sets_won().home, sets_won().away);
  if (how == decided_by::retirement) text += " ret.";
  if (how == decided_by::default_) text += " def.";
  const auto decided = result();
  return sdk::list_line(match, text, "", decided ? decided->winner : std::nullopt);
}

board game::scoreboard() const {
  board out;
  out.score = sets_won();
  out.sets = state.sets;
  const bool playing = !state.decided;
  if (set_begun()) {
    set_score now{state.games.home, state.games.away, {}};
    if (in_tiebreak()) now.tiebreak = state.points;
    out.sets.push_back(now);
  }
  if (match.status != sdk::status::scheduled)
    out.period =
        'S' +
        std::to_string(std::max<std::int64_t>(1, out.score.home + out.score.away + (playing || set_begun() ? 1 : 0)));
  if (playing) {
    out.game.emplace(shown_points());
    out.server.emplace(server_now());
    out.serving_player = serving_player();
    out.tiebreak = in_tiebreak();
    out.faults = state.faults;
  }
  out.points = state.won;
  out.result = result();
  out.line = line();
  return out;
}

} // namespace omnium::tennis
