#pragma once
// Reading what a server sent: answers of commands, and changes of a watched match. Any thread.
#include "bench/history.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace omnium::bench {

// The answer as the history keeps it, and retry_after_ms (0: null). What is no answer at all reads as `unknown`.
std::pair<attempt, int> read_answer(std::string body);

// A frame of a live socket: the command's id and the answer's text. False: another frame.
bool take_live_answer(std::string_view frame, std::uint64_t& id, std::string& answer);

// A change of a watched match. Nullopt: another frame.
std::optional<seen_change> read_change(std::string_view frame);
// The version of a snapshot. Nullopt: another frame.
std::optional<std::int64_t> read_snapshot(std::string_view frame);

} // namespace omnium::bench
