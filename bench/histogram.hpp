#pragma once
// Latencies in buckets of equal relative width (HDR style): 64 steps for each doubling, from 1 µs to about 2 minutes,
// so that a percentile is right to within 1.1 %. One owner.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

namespace omnium::bench {

class histogram {
public:
  void add(std::chrono::nanoseconds took) {
    auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(took.count() / 1000, 0));
    ++counts_[bucket(us)];
    ++total_;
    max_us_ = std::max(max_us_, us);
  }
  void add(const histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    max_us_ = std::max(max_us_, other.max_us_);
  }
  std::uint64_t total() const { return total_; }
  double max() const { return static_cast<double>(max_us_) / 1000.0; } // milliseconds
  // Milliseconds below which `share` (0 to 1) of the values lie.
  double percentile(double share) const {
    auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > wanted || (seen == total_ && total_ > 0)) return middle(i) / 1000.0;
    }
    return 0;
  }

private:
  static constexpr std::size_t steps = 64;
  static std::size_t bucket(std::uint64_t us) {
    if (us < steps) return static_cast<std::size_t>(us);
    auto shift = static_cast<std::size_t>(std::bit_width(us)) - 7; // keeps the top 7 bits
    auto at = (shift + 1) * steps + static_cast<std::size_t>(us >> shift) - steps;
    return at < counts ? at : counts - 1;
  }
  static double middle(std::size_t at) {
    if (at < steps) return static_cast<double>(at) + 0.5;
    auto shift = at / steps - 1;
    return (static_cast<double>(at % steps + steps) + 0.5) * static_cast<double>(std::uint64_t{1} << shift);
  }
  static constexpr std::size_t counts = 22 * steps;
  std::array<std::uint64_t, counts> counts_{};
  std::uint64_t total_ = 0, max_us_ = 0;
};

} // namespace omnium::bench
