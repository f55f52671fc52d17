#pragma once
// Minutes: of what is told, of what the events' time says, and which of the two holds. Source: Law 7.
#include "sports/football/state.hpp"

namespace football {

// Minutes of play before a period and the length of it (Law 7.1; extra time: Law 10.2 and the competition).
int minutes_before(period which);
int minutes_of(period which);

// A minute beyond the running period's end is one of its added time: 95 in the second half is 90+5.
match_minute in_period(match_minute told, period which);

// Begins the period's clock: at the time of the event, or so that it shows `told` then.
void start_clock(state& match, period which, std::optional<match_minute> told, const sdk::event& e);

// Moves the clock to what the event tells or, where it tells nothing, to what its time says; never backwards.
void advance_clock(state& match, std::optional<match_minute> told, const sdk::event& e);

} // namespace football
