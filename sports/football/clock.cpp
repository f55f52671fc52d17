#include "sports/football/clock.hpp"

namespace football {
namespace {

constexpr std::int64_t minute_ms = 60'000;
// Added time that a clock alone may show. An event that is put in later carries the time of its entry, not of the act:
// what is further off is not believed.
constexpr int added_by_time_max = 30;

std::optional<match_minute> minute_by_time(const state& match, const sdk::event& e) {
  const auto now = e.at_ms();
  if (!match.in_play || match.began_ms == 0 || now < match.began_ms) return {};
  const auto passed = (now - match.began_ms) / minute_ms;
  if (passed >= minutes_of(*match.period) + added_by_time_max) return {};
  return in_period({minutes_before(*match.period) + static_cast<int>(passed) + 1, 0}, *match.period);
}

} // namespace

int minutes_before(period which) {
  switch (which) {
  case period::H1:
    return 0;
  case period::H2:
    return 45;
  case period::ET1:
    return 90;
  case period::ET2:
    return 105;
  case period::PSO:
    return 120;
  }
  return 0;
}

int minutes_of(period which) { return which == period::H1 || which == period::H2 ? 45 : which == period::PSO ? 0 : 15; }

match_minute in_period(match_minute told, period which) {
  const int last = minutes_before(which) + minutes_of(which);
  if (which == period::PSO || told.added > 0 || told.minute <= last) return told;
  return {last, told.minute - last};
}

void start_clock(state& match, period which, std::optional<match_minute> told, const sdk::event& e) {
  const match_minute first{minutes_before(which) + 1, 0};
  if (which == period::PSO) return; // kicks have no minute: the clock stays where play ended
  const match_minute shown = told.value_or(first);
  match.minute = std::max(match.minute, in_period(shown, which));
  match.began_ms = e.at_ms() == 0 ? 0 : e.at_ms() - std::int64_t{shown.total() - first.minute} * minute_ms;
}

void advance_clock(state& match, std::optional<match_minute> told, const sdk::event& e) {
  if (!match.period || match.period == period::PSO) return;
  const auto now = told ? std::optional{in_period(*told, *match.period)} : minute_by_time(match, e);
  if (now) match.minute = std::max(match.minute, *now);
}

} // namespace football
