#pragma once
// Wall-clock time as text, and trace ids. Any thread.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace omnium {
// 2026-10-05T14:03:11.250Z
std::string rfc3339_utc_ms(std::chrono::system_clock::time_point when);
std::string now_utc_ms();
// True for an RFC 3339 date-time of a day that exists: any number of fraction digits, Z or a numeric offset, a leap
// second.
bool is_rfc3339(std::string_view text);
// The same with microseconds.
std::string rfc3339_utc_us(std::chrono::system_clock::time_point when);
// 32 lower-case hex digits: the second it was made in (8 digits), then from the system's random source, so that a trace
// can be found among rows kept by time, with no index that every ball would pay for.
std::string make_trace_id();
// The second in a trace id that was made by make_trace_id; of another's, any time at all.
std::chrono::system_clock::time_point time_in_trace_id(std::string_view trace);
// The trace id of a W3C traceparent header; nullopt when the header is not valid (then a new trace begins).
std::optional<std::string> trace_id_of(std::string_view traceparent);
} // namespace omnium
