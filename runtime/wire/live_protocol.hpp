#pragma once
// The live socket's messages, taken apart and put together, and the order of answers. Pure; any thread.
// Source: contract section 4.
#include "runtime/wire/live.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace omnium::wire {

struct hello_message {
  std::string token, client;
};
struct command_message {
  std::string id;                  // raw JSON: a string or an integer
  std::string workflow, kind, ref; // as the path segments of the HTTP endpoint
  std::string body;                // raw JSON of the CommandIn
};
struct watch_message {
  std::string id;
  live_topic topic;
  std::optional<std::int64_t> have;
};
struct unwatch_message {
  live_topic topic;
};
struct pong_message {};
struct bad_message {
  std::string id; // where one could be read
  std::string code, message;
};
using client_message =
    std::variant<hello_message, command_message, watch_message, unwatch_message, pong_message, bad_message>;

// One text frame. Unknown `t`, unknown or repeated members, wrong types: a bad_message with a sentence.
client_message parse_client_message(std::string_view text);

bytes_ptr welcome_frame(std::string_view session, std::string_view node, std::int64_t beat_ms);
bytes_ptr answer_frame(std::string_view id, std::string_view answer);
bytes_ptr beat_frame(const std::vector<std::pair<live_topic, std::int64_t>>& versions);

// Keeps the answers of one socket in the order its commands came, subject by subject.
class answer_lanes {
public:
  // A place in the subject's line; `lane` names the subject.
  std::uint64_t open(const std::string& lane);
  // The answer for that place. Returns the frames that may go out now, in order: none while an earlier one is missing.
  std::vector<bytes_ptr> settle(const std::string& lane, std::uint64_t place, bytes_ptr frame);
  std::size_t waiting() const { return waiting_; }

private:
  struct line {
    std::uint64_t first = 0;
    std::deque<bytes_ptr> frames; // null: not answered yet
  };
  std::unordered_map<std::string, line> lines_;
  std::size_t waiting_ = 0;
};

} // namespace omnium::wire
