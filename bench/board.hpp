#pragma once
// What the actors of one run share: when it is measured, what was counted, and the latencies over time. Thread-safe.
#include "bench/histogram.hpp"
#include "bench/history.hpp"
#include "bench/scenario.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace omnium::bench {

using steady = std::chrono::steady_clock;

inline constexpr std::size_t intervals_max = 600; // of the plot; a longer run has longer intervals

struct interval {
  histogram latency; // of accepted commands that were due in it
  std::uint64_t accepted = 0, other = 0;
};

class board {
public:
  explicit board(const scenario& of) : what(of) {}

  // Before the desks start.
  void set_times(steady::time_point begin, steady::time_point end) {
    begin_ = begin;
    end_ = end;
    width_ = std::max<steady::duration>(std::chrono::seconds(1), (end - begin) / static_cast<int>(intervals_max));
    intervals_.resize(static_cast<std::size_t>((end - begin + width_ - steady::duration(1)) / width_));
  }
  bool measured(steady::time_point at) const { return at >= begin_ && at < end_; }

  // A last word. `due`: when it was meant to be sent, which is what latency counts from.
  void answered(word what_word, steady::time_point due, steady::time_point at) {
    ++words[static_cast<std::size_t>(what_word)];
    if (!measured(at)) return;
    std::lock_guard hold(lock_);
    ++measured_words_[static_cast<std::size_t>(what_word)];
    auto& in = intervals_[static_cast<std::size_t>((at - begin_) / width_)];
    ++(what_word == word::accepted ? in.accepted : in.other);
    if (what_word != word::accepted) return;
    in.latency.add(at - due);
  }

  const scenario& what;
  std::array<std::atomic<std::uint64_t>, 6> words{}; // by word, from the first command on
  std::atomic<std::uint64_t> sent{0}, tries_again{0}, cut{0}, backlog{0};
  std::atomic<std::size_t> open_sockets{0}, desks_done{0};

  // After the run.
  const std::vector<interval>& intervals() const { return intervals_; }
  double interval_seconds() const { return std::chrono::duration<double>(width_).count(); }
  std::array<std::uint64_t, 6> measured_words() const { return measured_words_; }
  histogram latency() const {
    histogram all;
    for (const auto& in : intervals_) all.add(in.latency);
    return all;
  }

private:
  steady::time_point begin_{}, end_{};
  steady::duration width_{std::chrono::seconds(1)};
  std::mutex lock_;
  std::vector<interval> intervals_;
  std::array<std::uint64_t, 6> measured_words_{};
};

} // namespace omnium::bench
