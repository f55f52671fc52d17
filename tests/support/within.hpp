#pragma once
// Waits for a condition, and no longer than it takes.
#include <chrono>
#include <thread>

namespace omnium::testing {

// Was it met before the limit? Asked every 10 ms, and once more at the end.
template<class Condition>
bool within(std::chrono::milliseconds limit, Condition&& met) {
  constexpr std::chrono::milliseconds look_every{10};
  for (auto until = std::chrono::steady_clock::now() + limit; std::chrono::steady_clock::now() < until;
       std::this_thread::sleep_for(look_every))
    if (met()) return true;
  return met();
}

} // namespace omnium::testing
