#pragma once
// How long a change took from its sender's answer to a screen. Two threads: one notes answers, one notes what is shown.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace omnium::testing {

class latency_book {
public:
  using clock = std::chrono::steady_clock;
  // `match` is the caller's number of the match.
  void answered(std::size_t match, std::int64_t version, clock::time_point at = clock::now()) {
    std::lock_guard lock(guard_);
    auto& one = open_[{match, version}];
    one.answered = at;
    for (auto shown : std::exchange(one.early, {})) took_.push_back(ms(shown, at));
  }
  // A change may be shown before its sender has the answer: that took no time.
  void shown(std::size_t match, std::int64_t version, clock::time_point at = clock::now()) {
    std::lock_guard lock(guard_);
    auto& one = open_[{match, version}];
    if (one.answered == clock::time_point{}) one.early.push_back(at);
    else took_.push_back(ms(at, one.answered));
  }
  std::size_t count() const {
    std::lock_guard lock(guard_);
    return took_.size();
  }
  // In milliseconds; `part` 0.99 is p99, 1 the longest. Forgets everything.
  std::vector<double> take(std::vector<double> parts) {
    std::lock_guard lock(guard_);
    std::sort(took_.begin(), took_.end());
    for (auto& part : parts)
      part =
          took_.empty()
              ? 0
              : took_[std::min(took_.size() - 1, static_cast<std::size_t>(part * static_cast<double>(took_.size())))];
    took_.clear();
    open_.clear();
    return parts;
  }

private:
  struct entry {
    clock::time_point answered{};
    std::vector<clock::time_point> early;
  };
  static double ms(clock::time_point to, clock::time_point from) {
    return std::max(0.0, std::chrono::duration<double, std::milli>(to - from).count());
  }
  mutable std::mutex guard_;
  std::map<std::pair<std::size_t, std::int64_t>, entry> open_;
  std::vector<double> took_;
};

} // namespace omnium::testing
