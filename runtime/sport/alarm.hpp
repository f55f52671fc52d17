#pragma once
// Two descriptors a polling thread waits on: a wake-up from other threads, and an absolute deadline. Any thread may
// ring and set; one thread waits.
#include <chrono>

namespace omnium::sport {

class alarm_clock {
public:
  using clock = std::chrono::steady_clock;
  alarm_clock();
  ~alarm_clock();
  alarm_clock(const alarm_clock&) = delete;

  void ring();                          // the waiter wakes up now
  void wake_at(clock::time_point when); // and at this time, in place of the one set before; max(): never
  void hear();                          // the waiter has woken up: both are quiet again
  int ring_fd() const { return ring_; }
  int timer_fd() const { return timer_; }

private:
  int ring_, timer_;
};

} // namespace omnium::sport
