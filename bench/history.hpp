#pragma once
// What the desks sent and were answered, what was found saved afterwards, and the verdict over both. A pure function
// over a history: no I/O, no clock. Any thread. Source: issue 6 item 2, contract section 2, decisions C2, C4, C5, L3.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omnium::bench {

// What came of one attempt to send a command. `unknown`: the connection died before an answer came.
enum class word : std::uint8_t { accepted, duplicate, refused, conflict, try_again, unknown };
std::string_view to_string(word what);

struct attempt {
  word what = word::unknown;
  std::int64_t seq = 0; // the answer's; 0: null
  std::string reason;   // the reason's code; empty: null
  std::string body;     // the exact answer, kept for accepted, duplicate and refused
};

struct sent_command {
  std::string key, subject; // subject: uuid of a fixture (or competition)
  std::vector<attempt> attempts;
};

struct log_row {
  std::string subject;
  std::int64_t seq = 0;
  std::string key;
};
struct command_row {
  std::string key, subject;
  bool accepted = false;
  std::int64_t seq = 0; // 0: null
  std::string answer;
};
struct event_row { // of domain_event
  std::string subject;
  std::int64_t seq = 0;
};

// A change as a watching screen received it. `key_hash`: std::hash of the item's key.
struct seen_change {
  std::int64_t version = 0, prev = 0;
  std::size_t key_hash = 0;
};
struct watcher_history {
  std::string subject;
  std::int64_t from = 0; // the version it held when it began to watch
  std::vector<seen_change> changes;
  std::vector<std::int64_t> skipped; // versions that a snapshot stood for after it had been cut off, ascending
  bool to_the_end = true; // false: it was cut off by its own slowness, or by a fault put in, and need not have seen all
};

struct history {
  std::vector<sent_command> sent;
  std::vector<watcher_history> watchers;
  // What was found at the end.
  std::vector<log_row> log;
  std::map<std::string, std::int64_t> versions;  // fixture.last_seq
  bool has_commands = false, has_events = false; // false: these tables could not be read (no database was named)
  std::vector<command_row> commands;
  std::vector<event_row> events;
};

enum class fault_kind : std::uint8_t {
  accepted_lost,        // answered accepted, and no log row has its key
  accepted_elsewhere,   // answered accepted with another seq or subject than its log row
  logged_twice,         // two log rows of one key
  row_without_sender,   // a log row of a key nobody sent
  row_without_answer,   // a log row of a key that was only ever refused a place (try_again that wrote nothing)
  row_of_a_refusal,     // a log row of a key whose last word was refused or conflict
  hole,                 // seqs of a subject are not 1, 2, 3 …
  version_differs,      // the subject's last_seq is not its newest row's
  answered_twice,       // accepted more than once: every sending after the first is a duplicate
  answers_contradict,   // accepted and refused for one key
  duplicate_differs,    // `first` is not the first answer byte for byte
  duplicate_unfounded,  // duplicate of what was never finished
  answer_not_saved,     // a finished answer without a command row
  saved_answer_differs, // the command row holds another answer, seq or subject
  refusal_wrote,        // the command row of a refusal has a seq, or says accepted
  unfinished_saved,     // a command row of a key that was refused at the door, or conflicted, or only try_again
  event_missing,        // a log row without its domain event
  event_twice,          // two domain events of one log row
  event_without_row,    // a domain event of no log row
  watcher_gap,          // a version is missing between two that a watcher received
  watcher_disorder,     // a version came again, or after a later one
  watcher_missed_end,   // the newest version never reached a watcher
  watcher_other_item,   // a change carried another item than the log has at that version
};
std::string_view to_string(fault_kind kind);

struct fault {
  fault_kind kind{};
  std::string sentence;
};
struct verdict {
  std::vector<fault> faults; // the first faults_kept of them
  std::map<fault_kind, std::uint64_t> counts;
  // What was looked at. `unfinished`: commands without a last word.
  std::uint64_t commands = 0, accepted = 0, refused = 0, conflicts = 0, unfinished = 0, rows = 0, changes = 0;
  bool good() const { return counts.empty(); }
};
inline constexpr std::size_t faults_kept = 50; // beyond: counted only

verdict check(const history& what);

} // namespace omnium::bench
