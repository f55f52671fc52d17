#pragma once
// A match of a built plugin, played in this process by a sport's own tests. It does with the log what the runtime does:
// numbers events, folds again after a void or an amend, refuses what would break a later event.
//
//   omnium::sdk::test::match m(OMNIUM_BINARY_DIR "/sports/football/1.0.0");
//   m.play("match.start");
//   REQUIRE(m.play("football.goal", R"({"side":"home","minute":3,"kind":"open_play"})").accepted);
//   REQUIRE(m.board("/score/home") == "1");
//   REQUIRE(m.check() == "");
#include "omnium/sport_session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omnium::sdk::test {

struct bounds {
  std::size_t state_bytes = 16 * 1024, scoreboard_bytes = 2 * 1024;
};

// Any call throws std::runtime_error, with the plugin's own sentence, where the plugin reports an error.
class match {
public:
  // A package folder, or a plugin file.
  explicit match(const std::string& package, std::string settings = {});
  ~match();
  match(match&&) noexcept;

  answer play(const std::string& code, const std::string& input = "{}", const std::string& at = {});
  answer would(const std::string& code, const std::string& input = "{}") const; // asks, changes nothing

  // Corrections as the runtime makes them. A correction that a later event does not survive is refused
  // (`breaks_later`, the event's seq in `seq`) and changes nothing.
  answer undo(); // void of the last event
  answer void_event(std::int64_t seq);
  answer amend(std::int64_t seq, const std::string& input);
  answer insert(std::int64_t before, const std::string& code, const std::string& input);

  std::string state() const;
  std::string scoreboard() const;
  std::string describe() const;
  // The JSON text at a pointer of the scoreboard or the state, strings without quotes; "" where there is nothing.
  std::string board(const std::string& pointer) const;
  std::string in_state(const std::string& pointer) const;
  const std::vector<logged>& log() const; // corrected: what a fold sees

  // Everything that must hold of any sport and any log; empty, or a sentence naming the first thing that does not:
  // the state now = the fold of the log from scratch; at every step the state read back from its JSON writes the same
  // bytes and plays on alike; deciding alone changes nothing; state and scoreboard are JSON and within bounds; the
  // scoreboard has a status and a line.
  std::string check(bounds limit = {}) const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace omnium::sdk::test
