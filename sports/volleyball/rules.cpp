// What may happen now, and which rule says no.
#include "sports/volleyball/volleyball.hpp"

#include <algorithm>
#include <set>

namespace omnium::volleyball {

using sdk::accept;
using sdk::refuse;

namespace {

bool holds(const std::vector<std::string>& list, const std::string& player) {
  return std::find(list.begin(), list.end(), player) != list.end();
}

} // namespace

std::optional<std::string> game::check_settings() const {
  const std::int64_t target = std::max(settings.points.value_or(beach() ? 21 : 25), settings.deciding_points);
  if (settings.cap && *settings.cap < target) return "A cap cannot lie below the points of a set.";
  return std::nullopt;
}

verdict game::undecided() const {
  if (!state.decided) return accept();
  return refuse("match_decided", "The match is decided; nothing can be played after that.").law("6.3");
}

verdict game::decide(const lineup& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.players.size() != court_size())
    return refuse("lineup_size", "A side has " + std::to_string(court_size()) + " players on the court.")
        .law("7.3")
        .at("players");
  std::set<std::string> all{in.players.begin(), in.players.end()};
  const std::size_t liberos = in.liberos ? in.liberos->size() : 0;
  if (in.liberos) all.insert(in.liberos->begin(), in.liberos->end());
  if (all.size() != in.players.size() + liberos)
    return refuse("player_twice", "A player has only one place in the line-up.").law("7.3").at("players");
  for (const std::string& player : in.players)
    if (holds(state.disqualified[in.side], player))
      return refuse("player_disqualified", "That player was disqualified for the match.").law("21.3.3").at("players");
  if (set_begun() && !e.umpired())
    return refuse("lineup_after_start", "The line-up is given before the first service of the set.").law("7.3");
  return accept();
}

// A starter leaves once and comes back only for the player who took the place; a substitute plays once (15.6).
verdict game::may_exchange(const substitution& in) const {
  const auto no_return = [](const char* sentence) { return refuse("no_return", sentence).law("15.6"); };
  for (const exchange& one : state.set.exchanges[in.side]) {
    const bool starter_off = one.starter == in.off, substitute_off = one.substitute == in.off;
    if (substitute_off && !one.returned && one.starter != in.on)
      return no_return("A substitute can be replaced only by the starter whose place it is.").at("on");
    if (substitute_off && !one.returned) return accept();
    if (starter_off && one.returned)
      return no_return("A starter who has come back cannot leave again in this set.").at("off");
    if (one.substitute == in.on) return no_return("A substitute enters the game once in a set.").at("on");
    if (one.starter == in.on && !one.returned)
      return no_return("A starter comes back only for the own substitute.").at("on");
  }
  return accept();
}

verdict game::decide(const substitution& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (beach()) return refuse("no_substitutions", "Beach volleyball has no substitutions.").law("Beach 4.1");
  if (in.off == in.on) return refuse("player_twice", "A player cannot replace himself.").at("on");
  const auto& court = state.set.court[in.side];
  if (!court.empty() && !holds(court, in.off))
    return refuse("player_not_on_court", "That player is not on the court.").law("15.5").at("off");
  if (holds(court, in.on))
    return refuse("player_on_court", "That player is on the court already.").law("15.5").at("on");
  if (holds(state.disqualified[in.side], in.on))
    return refuse("player_disqualified", "That player was disqualified for the match.").law("21.3.3").at("on");
  if (holds(state.set.expelled[in.side], in.on))
    return refuse("player_expelled", "That player was expelled for the set.").law("21.3.2").at("on");
  if (in.exceptional || e.umpired()) return accept();
  if (state.set.substitutions[in.side] >= settings.substitutions)
    return refuse("subs_exhausted", "That side has made its substitutions of this set.").law("15.6");
  return may_exchange(in);
}

verdict game::decide(const timeout& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (state.set.timeouts[in.side] < timeouts_max() || e.umpired()) return accept();
  return refuse("timeout_used", "That side has taken its time-outs of this set.").law("15.1");
}

verdict game::decide(const sanction& in, const event& e) const {
  if (auto no = undecided(); !no) return no;
  if (in.kind == sanction_kind::delay_warning && state.delay_warned[in.side] && !e.umpired())
    return refuse("delay_warned", "A second delay of the match is a penalty.").law("16.2");
  const bool personal = in.kind == sanction_kind::expulsion || in.kind == sanction_kind::disqualification;
  if (personal && !in.player)
    return refuse("player_missing", "Name the player who is sanctioned.").law("21.3").at("player");
  return accept();
}

verdict game::decide(const rotation_fault& in, const event&) const {
  if (state.decided && state.decided->by != decided_by::play) return undecided();
  if (!in.from_seq) return undecided();
  // Until the first point of the next set, the set just finished can still be put right.
  if (place_of(*in.from_seq) < state.rallies.size()) return accept();
  if (*in.from_seq > state.newest)
    return refuse("unknown_rally", "That rally has not been played.").law("7.7.2").at("from_seq");
  return refuse("fault_in_closed_set",
                "That is no rally of the set in progress or just won: the points of a finished set stand.")
      .law("7.7.2")
      .at("from_seq");
}

verdict game::decide(const set_score& in, const event&) const {
  if (auto no = undecided(); !no) return no;
  if (set_begun()) return refuse("set_in_progress", "Rallies of this set are entered already.");
  if (in.home.has_value() != in.away.has_value() || (!in.home && !in.winner))
    return refuse("points_missing", "Give the points of both sides, or the winner of the set.").at("home");
  if (!in.home) return accept();
  bool impossible = false;
  const auto winner = set_winner({*in.home, *in.away}, target(sets_won()), &impossible);
  if (impossible || (in.winner && in.winner != winner))
    return refuse("set_score_impossible", "No set ends or stands like that.").law("6.2").at("home");
  return accept();
}

std::optional<std::string> game::baseline_fault(const baseline& in) const {
  both<std::int64_t> won;
  bool open = false;
  for (const baseline_set& one : in.sets.value_or(std::vector<baseline_set>{})) {
    if (open) return "Only the last set may be in progress.";
    if (std::max(won.home, won.away) >= sets_to_win()) return "There is a set after the match was won.";
    bool impossible = false;
    const auto winner = set_winner({one.home, one.away}, target(won), &impossible);
    if (impossible) return "No set ends or stands like that.";
    if (winner) ++won[*winner];
    else open = true;
  }
  if (!in.sets && in.score) won = *in.score;
  if (in.score && *in.score != won) return "The sets do not add up to the score.";
  if (std::min(won.home, won.away) >= sets_to_win()) return "Only one side can win the match.";
  if (in.period && *in.period != 'S' + std::to_string(won.home + won.away + 1))
    return "The period is not the set that follows the score.";
  return std::nullopt;
}

verdict game::decide(const baseline& in, const event&) const {
  const auto fault = baseline_fault(in);
  return fault ? refuse("baseline_impossible", *fault).law("6") : accept();
}

} // namespace omnium::volleyball
