#pragma once
// A run as it comes down the channel. Texts are views into the frame or the parser; JSON parts stay raw for the plugin.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::worker {

enum class mode : std::uint8_t { describe, decide, replay, check };

struct run_event {
  std::int64_t seq = 0;
  std::string_view code, at, input;
  bool settled = false; // check: evolve only
  bool fresh = false;   // check: what the correction is about; the others are asked again
};

struct request {
  worker::mode mode = mode::describe;
  bool keep_refused = false;
  std::string_view settings, state; // empty: none
  std::vector<run_event> events;
};

// False: `fault` says what is wrong with the frame. `data` is followed by simdjson's padding.
class request_reader {
public:
  request_reader();
  ~request_reader();
  request_reader(const request_reader&) = delete;
  bool read(const char* data, std::size_t size, std::size_t capacity, request& out, std::string& fault);

private:
  struct impl;
  impl* impl_;
};

} // namespace omnium::worker
