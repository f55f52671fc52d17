#pragma once
// Small pieces that the parts of `subject` share.
#include "runtime/road/correction.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/subject.hpp"

#include <set>
#include <string>
#include <vector>

namespace omnium::road {

// A try_again of this code came from an error, and leaves a row in command_failure; the others are only a wait.
inline bool is_error(std::string_view code) {
  return code != "lock_timeout" && code != "overloaded" && code != "shutting_down";
}

inline std::string release_name(const head& h) { return h.sport + "@" + h.release; }

// A correction (or the preview of any command) on its way through the worker. Two passes at most: the corrected log is
// checked with its new row; what the old log already refuses (facts that later corrections overtook) is not held
// against it.
struct subject::correction_run {
  correction plan;
  std::vector<log_item> log;         // the whole log, without the new row
  std::vector<sport_event> events;   // the corrected log with the new row
  std::set<std::int64_t> old_faults; // seqs that the log refuses without the new row
  enum class pass : std::uint8_t { log, decide, check, old_log, recheck, rebuild, opening } at = pass::log;
  std::vector<event_verdict> refused;
  bool overturn = false;                // the sport's own verdict voided earlier events
  std::optional<release_facts> move_to; // results.set_release: the log is checked on this release
  std::optional<games_change> made;     // games.create_fixture: what is written when the sport can open it
};

// The row that a finished command writes, with what the command itself says filled in.
inline log_item row_of(const command& cmd, std::int64_t seq, bool play) {
  log_item row;
  row.seq = seq;
  row.code = cmd.code;
  row.play = play;
  row.input = cmd.input;
  row.sender = cmd.sender;
  row.key = cmd.key;
  row.at = cmd.received_at;
  row.trace = cmd.trace;
  return row;
}

inline std::vector<log_item> rows_after(std::vector<log_item> log, std::int64_t seq) {
  std::erase_if(log, [seq](const log_item& row) { return row.seq <= seq; });
  return log;
}

} // namespace omnium::road
