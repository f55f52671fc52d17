#include "sports/football/board.hpp"

#include "sports/football/shootout.hpp"

namespace football {
namespace {

constexpr std::size_t board_bytes_max = 2000; // of 2 KiB, and the number of older goals, which are only counted

std::string numbers(const sdk::both<int>& score) {
  return std::to_string(score.home) + "–" + std::to_string(score.away);
}

// The newest goals that fit beside all else that `out` shows.
void list_goals(const state& match, const sdk::match_life& life, board& out) {
  std::string rest;
  sdk::write_head(life, out, rest);
  std::size_t bytes = rest.size() + sdk::to_json(out).size(), from = match.goals.size();
  while (from > 0) {
    bytes += sdk::to_json(match.goals[from - 1]).size() + 1; // and a comma
    if (bytes > board_bytes_max) break;
    --from;
  }
  out.goals.assign(match.goals.begin() + static_cast<std::ptrdiff_t>(from), match.goals.end());
  out.goals_earlier = match.goals_earlier + static_cast<int>(from);
}

std::optional<sdk::side> ahead(const sdk::both<int>& score) {
  if (score.home == score.away) return {};
  return score.home > score.away ? sdk::side::home : sdk::side::away;
}

// Law 10.2 and 10.3; where officials said otherwise (an award, a forfeit), what they said.
std::optional<result> outcome(const state& match, const settings& competition, const sdk::match_life& life) {
  if (!life.ended) return {};
  const bool played_out = life.ended->reason == sdk::end_reason::completed;
  if (life.ended->winner) {
    const auto own = ahead(aggregate(match, competition));
    if (!played_out || own != life.ended->winner) return result{life.ended->winner, decided_by::officials};
  }
  if (life.ended->reason == sdk::end_reason::abandoned) return result{{}, decided_by::abandoned};
  if (life.ended->reason == sdk::end_reason::no_result) return result{{}, decided_by::no_result};
  if (!played_out) return result{{}, decided_by::officials};
  if (match.shootout && shootout_winner(*match.shootout))
    return result{shootout_winner(*match.shootout), decided_by::shootout};
  return result{ahead(aggregate(match, competition)),
                competition.first_leg ? decided_by::aggregate : decided_by::score};
}

std::string where(const state& match) {
  if (match.in_shootout()) return "penalties";
  if (match.in_play) return to_string(match.minute) + "'";
  switch (*match.period) {
  case period::H1:
    return "half-time";
  case period::H2:
    return "after 90 minutes";
  case period::ET1:
    return "half-time of extra time";
  case period::ET2:
    return "after extra time";
  case period::PSO:
    return "penalties";
  }
  return {};
}

std::string how_it_ended(const state& match) {
  if (match.period == period::ET1 || match.period == period::ET2) return "after extra time";
  return "full time";
}

std::string one_line(const state& match, const sdk::match_life& life, const std::optional<result>& decided) {
  std::string figures = numbers(match.score), place;
  if (match.shootout) figures += " (" + numbers(match.shootout->scored) + " on penalties)";
  else if (life.ended) place = how_it_ended(match);
  else if (match.period) place = where(match);
  const auto winner = decided ? decided->winner : std::nullopt;
  const auto out = sdk::list_line(life, figures, place, winner);
  return winner && decided->by == decided_by::aggregate ? out + " on aggregate" : out;
}

} // namespace

sdk::both<int> aggregate(const state& match, const settings& competition) {
  const auto first = competition.first_leg.value_or(sdk::both<int>{});
  return {match.score.home + first.home, match.score.away + first.away};
}

board show(const state& match, const settings& competition, const sdk::match_life& life) {
  board out;
  if (match.period) {
    out.period = sdk::name_of(*match.period);
    out.minute = match.minute;
  }
  out.score = {match.score.home, match.score.away};
  out.result = outcome(match, competition, life);
  out.line = one_line(match, life, out.result);
  if (match.shootout) {
    out.shootout = match.shootout->scored;
    out.shootout_kicks = match.shootout->marks;
  }
  out.cards = {match.squads.home.cards, match.squads.away.cards};
  out.in_play = match.in_play && !life.ended;
  out.added_time = match.added_time;
  if (competition.first_leg) out.aggregate = aggregate(match, competition);
  out.var = match.review;
  out.statistics = {match.squads.home.counts, match.squads.away.counts};
  list_goals(match, life, out);
  return out;
}

} // namespace football
