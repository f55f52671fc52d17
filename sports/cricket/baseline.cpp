// Starting again in the middle: the score as the scoreboard showed it, in one command. Known-traps M1.
#include "sports/cricket/game.hpp"

#include <charconv>

namespace omnium::cricket {

namespace {

// "19.4"; nothing when it is written otherwise, or no innings has so many overs and an over so many balls.
std::optional<over_count> overs_from(std::string_view text, std::int64_t balls_per_over) {
  over_count out;
  const auto* end = text.data() + text.size();
  const auto whole = std::from_chars(text.data(), end, out.overs);
  if (whole.ec != std::errc{} || whole.ptr == end || *whole.ptr != '.') return {};
  const auto part = std::from_chars(whole.ptr + 1, end, out.balls);
  if (part.ec != std::errc{} || part.ptr != end || out.overs < 0 || out.balls < 0) return {};
  if (out.overs > overs_max || out.balls >= balls_per_over) return {};
  return out;
}

std::int64_t balls_per_over(const baseline_innings& from, const settings& known) {
  return from.balls_per_over.value_or(known.balls_per_over);
}

std::optional<over_count> overs_of(const baseline_innings& from, const settings& known) {
  const auto each = balls_per_over(from, known);
  if (from.overs) return overs_from(*from.overs, each);
  return over_count{from.balls / each, from.balls % each};
}

innings plain(const baseline_innings& from, const settings& known) {
  innings now;
  now.batting = from.batting;
  now.kind = from.kind;
  now.runs = from.runs;
  now.wickets = from.wickets;
  now.balls = from.balls;
  now.extras = from.extras;
  now.balls_per_over = balls_per_over(from, known);
  now.limit = from.overs_limit ? from.overs_limit : known.overs_limit;
  now.target = from.target;
  now.last = now.official = from.target.has_value();
  if (from.declared) now.ended = end_reason::declared;
  const auto overs = overs_of(from, known).value_or(over_count{});
  now.overs = overs.overs;
  now.over.balls = overs.balls;
  now.over.deliveries = overs.balls;
  now.over.open = overs.balls > 0;
  return now;
}

} // namespace

verdict game::decide(const baseline& in, const event&) const {
  for (std::size_t i = 0; i < in.innings.size(); ++i) {
    const auto& one = in.innings[i];
    const auto at = "innings/" + std::to_string(i);
    const auto overs = overs_of(one, settings);
    if (!overs) return sdk::refuse("overs_unclear", "Overs are written like 19.4.").at(at + "/overs");
    if (auto no = whole_overs(one.overs_limit, balls_per_over(one, settings), at + "/overs_limit"); !no) return no;
    if (one.extras.total() > one.runs)
      return sdk::refuse("extras_above_runs", "The extras are more than the runs.").at(at + "/extras");
    if (one.wickets >= players())
      return sdk::refuse("too_many_wickets", "A side loses at most one wicket fewer than it has players.")
          .at(at + "/wickets");
    const bool last = i + 1 == in.innings.size();
    if (last && overs->balls > 0 && !in.bowling && !one.closed && !one.declared)
      return sdk::refuse("bowling_missing", "An over is in progress: say who bowls it.").at("bowling");
  }
  return sdk::accept();
}

innings game::restored(const baseline& from) const {
  auto now = plain(from.innings.back(), settings);
  for (const auto& card : from.batting) {
    now.at.push_back({.batter = card.batter,
                      .number = ++now.used_batters,
                      .runs = card.runs,
                      .balls = card.balls,
                      .fours = card.fours,
                      .sixes = card.sixes});
  }
  if (from.bowling) {
    const auto& card = *from.bowling;
    now.bowler = bowling_card{.bowler = card.bowler,
                              .number = ++now.used_bowlers,
                              .balls = card.balls,
                              .maidens = card.maidens,
                              .runs = card.runs,
                              .wickets = card.wickets};
    now.over.bowlers.push_back(card.bowler);
    now.over.conceded = card.runs > 0 ? 1 : 0; // not known: no maiden is claimed for this over
  }
  if (from.innings.back().closed && !now.complete(players())) now.ended = end_reason::end_of_match;
  return now;
}

void game::evolve(const baseline& in, const event&) {
  if (in.innings.empty()) return;
  auto kept = std::move(state.toss);
  state = {};
  state.toss = std::move(kept);
  both<std::int64_t> begun;
  std::int64_t normal = 0, super = 0;
  for (std::size_t i = 0; i < in.innings.size(); ++i) {
    const auto& one = in.innings[i];
    const bool last = i + 1 == in.innings.size();
    freeze();
    state.now = last ? restored(in) : plain(one, settings);
    auto& now = *state.now;
    now.number = one.kind == innings_kind::super_over ? ++super : ++normal;
    if (one.kind == innings_kind::normal) ++begun[one.batting];
    if (!last && !now.complete(players())) now.ended = end_reason::end_of_match;
    const auto other = sdk::other(one.batting);
    const auto each = innings_per_side();
    if (now.target || one.kind == innings_kind::super_over || begun[one.batting] < each || begun[other] < each)
      continue;
    now.last = true;
    now.target = std::max<std::int64_t>(1, state.totals[other] - state.totals[one.batting] + 1);
  }
  settle();
}

} // namespace omnium::cricket
