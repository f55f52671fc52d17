#pragma once
// How work that nobody waits for is spread so that nobody notices it: steps of about a millisecond, and after each a
// rest that is many times as long as the step took. What a step takes is measured from outside, so where others keep
// the processors, the disk or the database busy it works less. Owned by one thread.
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace omnium::upkeep {

// A step rests 49 times as long as it took: 2 % of a connection's time is work. Where that would be more than 250 ms,
// it rests 250 ms, or 4 times as long as it took if that is more: so that even on a machine where each step is late the
// rows of a day go within the day. At most rest_max in any case.
struct pace_options {
  std::chrono::nanoseconds step{std::chrono::milliseconds(1)}; // a step should take about this long
  std::uint64_t rows_min = 100, rows_max = 500;                // of a step, whatever it takes
  int rest = 49, rest_least = 4;                               // times the step's length
  std::chrono::nanoseconds rest_enough{std::chrono::milliseconds(250)}, rest_max{std::chrono::seconds(10)};
};

class pace {
public:
  explicit pace(const pace_options& options) : options_(options) {}
  // The most rows of the next step.
  std::uint64_t rows() const { return rows_; }
  // `full`: the step found as many rows as it may take. A step that was short of rows says nothing about their number.
  std::chrono::nanoseconds rest_after(std::chrono::nanoseconds took, bool full) {
    if (took > 2 * options_.step) rows_ = std::max(rows_ / 2, options_.rows_min);
    else if (full && took < options_.step) rows_ = std::min(rows_ + rows_ / 8, options_.rows_max);
    auto enough = std::max(options_.rest_enough, took * options_.rest_least);
    return std::min({took * options_.rest, enough, options_.rest_max});
  }

private:
  pace_options options_;
  std::uint64_t rows_ = options_.rows_min;
};

} // namespace omnium::upkeep
