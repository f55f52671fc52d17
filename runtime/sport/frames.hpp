#pragma once
// The frames of the worker protocol (docs/worker-protocol.md) on the keeper's side: requests out, replies in. Nothing a
// worker sends is believed: every frame is bounded, is JSON, and fits where it stands.
#include "runtime/road/fold.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::sport {

inline constexpr std::size_t frame_head_bytes = 4; // u32 length, little endian

// Each with its head.
std::string encode_run(const road::run_request& request);
std::string encode_describe();

struct reply_frame {
  enum class kind : std::uint8_t {
    none,        // an object with nothing in it: a fault
    ready,       // loaded, `index` = its ABI
    start_error, // `text`: why there will be no worker
    playing,     // `index`: the ball it is in, since `us`
    accepted,    // `index`, `voids`, `scoreboard`
    refused,     // `index`, `why`
    event_error, // `index`, `text`: the sport failed on this event
    open_error,  // `text`: state or settings cannot be read
    done,        // `index` events played, `state`, `scoreboard`, `us`
    description  // `text`: the sport's own JSON
  } what = kind::none;
  std::size_t index = 0;
  std::int64_t us = 0;
  reason why;
  std::vector<std::int64_t> voids;
  std::string text, state, scoreboard;
};

// Collects bytes and gives whole frames. After a fault it gives nothing more.
class frame_reader {
public:
  frame_reader();
  ~frame_reader();
  frame_reader(frame_reader&&) = delete;

  // Reads what the socket has now. False: it was closed or broke.
  bool receive(int fd);
  std::optional<reply_frame> next();
  // Why what came is no protocol; empty while it is.
  const std::string& fault() const { return fault_; }
  void reset(); // for a new process

private:
  struct parsers;
  bool decode(std::string_view json, std::size_t room, reply_frame& out);
  std::unique_ptr<parsers> parsers_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0, end_ = 0;
  std::string fault_;
};

} // namespace omnium::sport
