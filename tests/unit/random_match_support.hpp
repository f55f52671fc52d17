#pragma once
// Random play of a plugin with random corrections: what must hold of every sport whatever is sent to it.
#include "omnium/sport_test.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace omnium::test {

// Numbers that a property or a seed supplies; when they run out every roll is 0, so that a shrunk case stays short.
class dice {
public:
  explicit dice(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {}
  static dice of_seed(std::uint32_t seed, std::size_t rolls);
  bool empty() const { return at_ >= numbers_.size(); }
  std::uint32_t roll(std::uint32_t sides) { return empty() ? 0 : numbers_[at_++] % sides; }
  bool chance(std::uint32_t percent) { return roll(100) < percent; }
  const char* side() { return roll(2) == 0 ? "home" : "away"; }

private:
  std::vector<std::uint32_t> numbers_;
  std::size_t at_ = 0;
};

using random_command = std::function<std::pair<std::string, std::string>(dice&)>; // code, input

struct random_play {
  std::size_t plays = 0, refused = 0, corrections = 0, corrections_refused = 0;
  std::string fault; // the first thing that did not hold; empty: all did
};

// Plays until the dice are empty. Between plays it undoes (and compares state and scoreboard byte for byte with what
// they were), voids, amends and inserts. At the end it asks the harness for its check of the log.
random_play play_randomly(sdk::test::match& game, dice& from, const random_command& next,
                          std::uint32_t correct_percent);

// How a sport is played at random for its seeds.
struct long_plays {
  std::uint32_t seeds = 3;
  std::size_t rolls = 2400; // of a seed's dice
  std::uint32_t correct_percent = 35;
  std::size_t plays_min = 51; // at least so many plays were taken
};

// Checks a sport's matches as `begin` makes them: any short log folds alike however it is folded (a property, which
// shrinks), and so do long ones with at least 200 corrections each.
void check_folds_alike(const std::string& sport, const std::function<sdk::test::match()>& begin,
                       const long_plays& how = {});

} // namespace omnium::test
