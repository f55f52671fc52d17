#include "tests/unit/random_match_support.hpp"

#include "tests/catch.hpp"
#include "tests/unit/random_commands_support.hpp"

#include <fmt/format.h>
#include <random>

namespace omnium::test {

namespace {

// Void of the event just played brings back exactly what was there: "nothing there", not a zero.
std::string undo_of(sdk::test::match& game, const std::pair<std::string, std::string>& command) {
  const std::string state = game.state(), board = game.scoreboard();
  const auto answer = game.play(command.first, command.second);
  if (!answer.accepted || !answer.voids.empty()) return {};
  if (!game.undo().accepted) return "the last event could not be undone: " + command.first;
  if (game.state() != state)
    return "undo of " + command.first + " left another state: " + game.state() + " was " + state;
  if (game.scoreboard() != board) return "undo of " + command.first + " left another scoreboard";
  if (!game.play(command.first, command.second).accepted) return command.first + " was refused after its undo";
  return {};
}

bool correct(sdk::test::match& game, dice& from, const random_command& next) {
  const auto& log = game.log();
  if (log.empty()) return false;
  const auto target = log[from.roll(static_cast<std::uint32_t>(log.size()))];
  switch (from.roll(4)) {
  case 0:
    return game.undo().accepted;
  case 1:
    return game.void_event(target.seq).accepted;
  case 2: {
    const auto other = next(from);
    return other.first == target.code && game.amend(target.seq, other.second).accepted;
  }
  default: {
    const auto made = next(from);
    return game.insert(target.seq, made.first, made.second).accepted;
  }
  }
}

} // namespace

dice dice::of_seed(std::uint32_t seed, std::size_t rolls) {
  std::mt19937 source{seed};
  std::vector<std::uint32_t> numbers(rolls);
  for (auto& number : numbers) number = static_cast<std::uint32_t>(source());
  return dice{std::move(numbers)};
}

random_play play_randomly(sdk::test::match& game, dice& from, const random_command& next,
                          std::uint32_t correct_percent) {
  random_play result;
  while (!from.empty() && result.fault.empty()) {
    if (from.chance(correct_percent)) {
      ++(correct(game, from, next) ? result.corrections : result.corrections_refused);
      continue;
    }
    const auto command = next(from);
    if (from.chance(10)) {
      result.fault = undo_of(game, command);
      continue;
    }
    const auto answer = game.play(command.first, command.second);
    ++(answer.accepted ? result.plays : result.refused);
    if (answer.code == "not_started") game.play("match.start"); // a correction took the start out
  }
  if (result.fault.empty()) result.fault = game.check();
  return result;
}

void check_folds_alike(const std::string& sport, const std::function<sdk::test::match()>& begin,
                       const long_plays& how) {
  const auto command = commands_of(sport);
  OMNIUM_PROPERTY(fmt::format("{}: any log", sport), [&](const std::vector<std::uint32_t>& numbers) {
    auto m = begin();
    dice from{numbers};
    RC_ASSERT(play_randomly(m, from, command, 30).fault == "");
  });
  for (std::uint32_t seed = 1; seed <= how.seeds; ++seed) {
    INFO(sport << ", seed " << seed);
    auto m = begin();
    dice from = dice::of_seed(seed, how.rolls);
    const auto done = play_randomly(m, from, command, how.correct_percent);
    CHECK(done.fault == "");
    CHECK(done.corrections + done.corrections_refused >= 200);
    CHECK(done.plays >= how.plays_min);
  }
}

} // namespace omnium::test
