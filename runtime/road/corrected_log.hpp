#pragma once
// The corrected log: what a fold sees after voids, amends, inserts and cancelled ranges. Pure.
// Source: sports.md (corrections), architecture.md (state, snapshots, corrections).
#include "runtime/road/log_item.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace omnium::road {

// One event for a sport to fold. `seq` is the event's id for life: the row that first brought it (for an inserted event
// the match.insert row), however often it is amended.
struct sport_event {
  std::int64_t seq = 0;
  std::string code;
  std::string input;
  std::string at;
  bool play = false;
  bool settled = false; // evolve only, also in a check: a fact that later corrections do not judge again
  bool fresh = false;   // in a check: what the correction itself brings, judged as if new
  friend bool operator==(const sport_event&, const sport_event&) = default;
};

// The corrected log of `log` (seq order, from 1 without holes). Rules:
//  - a row is void when an active row lists it in `voids`; a correction that is void has no effect (corrections can be
//  voided);
//  - match.amend (replaces = target): the target reads as the newest active amend's input;
//  - match.insert: its event stands directly before the target, several before one target in log order;
//  - match.void, match.amend, match.insert, match.cancel_range themselves are no sport events; neither are the
//    runtime's own rows (games.*, results.*, ops.*);
//  - match.baseline stays in the list as an event (code match.baseline): the sport sets its state from it.
std::vector<sport_event> corrected_log(const std::vector<log_item>& log);

// True for the codes that change how earlier rows read.
bool is_correction(const std::string& code);
// True for rows that a sport never sees.
bool is_runtime_row(const std::string& code);

} // namespace omnium::road
