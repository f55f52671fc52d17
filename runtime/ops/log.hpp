#pragma once
// The log: one JSON object a line on standard error. Any thread; lines are written by a thread of their own, so that a
// slow reader of the log never holds up the road (beyond the queue's bound the oldest lines go, and are counted).
// Never log inputs, names, tokens: codes, ids and sentences only. Source: issue 5 item 3.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::ops {

enum class log_level : std::uint8_t { debug, info, warn, error, off };
bool parse_log_level(std::string_view text, log_level& out); // debug | info | warn | error | off

// Empty members are left out of the line.
struct log_fields {
  std::string_view trace, match, command, sport, release, code;
};

// Starts the writer; without a call, lines go to standard error directly. `file` empty: standard error. A file that
// cannot be opened (its folder must be there) is a sentence in the result; logging then stays as it was.
std::string start_log(log_level level, const std::string& file = {});
// Opens the log's file anew, after another program renamed it. A sentence: it could not, the old one is written on.
std::string reopen_log();
// What start_log would say of this file, found out without making it. Empty: nothing.
std::string log_file_fault(const std::string& file);
void set_log_level(log_level level);
void stop_log(); // writes what waits

void log(log_level level, std::string_view msg, const log_fields& fields = {});
inline void log_debug(std::string_view msg, const log_fields& f = {}) { log(log_level::debug, msg, f); }
inline void log_info(std::string_view msg, const log_fields& f = {}) { log(log_level::info, msg, f); }
inline void log_warn(std::string_view msg, const log_fields& f = {}) { log(log_level::warn, msg, f); }
inline void log_error(std::string_view msg, const log_fields& f = {}) { log(log_level::error, msg, f); }

// The line without its end, for tests and for other sinks. Control characters and invalid UTF-8 never reach a line raw.
std::string format_log_line(std::string_view ts, log_level level, std::string_view msg, const log_fields& fields);

// Lets one line through per period and counts the rest: `static log_limit limit{1s}; if (limit.due()) log_warn(…)`.
class log_limit {
public:
  explicit log_limit(std::chrono::nanoseconds period) : period_(period) {}
  bool due();
  std::uint64_t skipped() const { return skipped_.load(std::memory_order_relaxed); } // since the last line let through

private:
  std::chrono::nanoseconds period_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::uint64_t> counting_{0}, skipped_{0};
};

} // namespace omnium::ops
