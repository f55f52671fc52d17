#pragma once
#include <chrono>
#include <string>

namespace omnium {
// 2026-10-05T14:03:11.250Z
std::string rfc3339_utc_ms(std::chrono::system_clock::time_point when);
std::string now_utc_ms();
// 32 lower-case hex digits from the system's random source. Any thread.
std::string make_trace_id();
}  // namespace omnium
