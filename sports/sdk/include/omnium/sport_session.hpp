#pragma once
// One session of a built plugin in this process, an event at a time: what sport_test.hpp plays a match with, for tests
// that keep the log themselves.
#include "omnium/sport_loader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace omnium::sdk::test {

struct answer {
  bool accepted = false;
  std::string code, message, at, law; // of a refusal
  std::vector<std::int64_t> voids;
  std::int64_t seq = 0; // accepted: the log row it made
};

// One event of the corrected log. `voids`: the events this one made void.
struct logged {
  std::int64_t seq = 0;
  std::string code, input, at;
  std::vector<std::int64_t> voids;
};

inline constexpr std::uint32_t evolve_flag = OMNIUM_SPORT_EVOLVE;
inline constexpr std::uint32_t both_flags = OMNIUM_SPORT_DECIDE | OMNIUM_SPORT_EVOLVE;
inline constexpr std::uint32_t again_flags = both_flags | OMNIUM_SPORT_AGAIN;

// Every error becomes a std::runtime_error with the plugin's sentence. The plugin outlives it.
class session {
public:
  // An empty state: the sport's initial one.
  session(const omnium_sport_api& api, const std::string& settings, const std::string& state);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  answer play(const logged& what, std::uint32_t flags);
  std::string state() const { return written(api_->state); }
  std::string scoreboard() const { return written(api_->scoreboard); }

private:
  std::string written(int (*what)(void*, const omnium_sport_host*)) const;
  const omnium_sport_api* api_;
  void* self_;
};

// The JSON text at a pointer of `text`, strings without quotes; "" where there is nothing.
std::string json_at(const std::string& text, const std::string& pointer);

} // namespace omnium::sdk::test
