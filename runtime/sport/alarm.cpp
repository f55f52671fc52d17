#include "runtime/sport/alarm.hpp"

#include <cstdint>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace omnium::sport {

static_assert(alarm_clock::clock::is_steady);

alarm_clock::alarm_clock()
    : ring_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}

alarm_clock::~alarm_clock() {
  close(ring_);
  close(timer_);
}

void alarm_clock::ring() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto wrote = ::write(ring_, &one, sizeof one); // fails only when it rings already
}

void alarm_clock::wake_at(clock::time_point when) {
  itimerspec at{};
  if (when != clock::time_point::max()) {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
    at.it_value.tv_sec = ns / 1'000'000'000;
    at.it_value.tv_nsec = ns % 1'000'000'000;
  }
  timerfd_settime(timer_, TFD_TIMER_ABSTIME, &at, nullptr);
}

void alarm_clock::hear() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto rings = ::read(ring_, &count, sizeof count);
  [[maybe_unused]] const auto fired = ::read(timer_, &count, sizeof count);
}

} // namespace omnium::sport
