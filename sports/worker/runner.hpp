#pragma once
// Plays one run on the plugin and writes what came of it as frames (docs/worker-protocol.md).
#include "omnium/sport_abi.h"
#include "sports/worker/channel.hpp"
#include "sports/worker/request.hpp"

#include <string>
#include <string_view>

namespace omnium::worker {

class runner {
public:
  runner(const omnium_sport_api& api, channel& out, std::size_t reply_bytes_max);
  void run(const request& what);

private:
  int call(std::size_t index, int (*what)(void*, const omnium_sport_host*));
  int play(std::size_t index, const run_event& what, std::uint32_t flags);
  bool play_events(const request& what);
  bool decide(std::size_t index, run_event what);
  bool check(std::size_t index, const run_event& what, bool keep_refused);
  bool say_error(std::size_t index);
  void describe();
  void finish(std::size_t done, std::int64_t since_us);
  void say_event(std::size_t index, std::string_view verdict);
  static void write(void* self, const char* data, std::size_t size);

  const omnium_sport_api& api_;
  channel& channel_;
  std::size_t reply_bytes_max_;
  omnium_sport_host host_{};
  void* session_ = nullptr;
  std::string said_;      // by the plugin in the current call
  bool too_long_ = false; // it said more than fits into a frame
  std::string frame_;
  std::int64_t first_seq_ = 0; // decide: of the first event; a refused event uses no number
  std::int64_t accepted_ = 0;
  std::size_t done_ = 0;
};

} // namespace omnium::worker
