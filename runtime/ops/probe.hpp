#pragma once
// Where the road reports what it measures. A plain interface, so that the road and the actors need no metrics library.
#include <chrono>
#include <cstddef>
#include <string_view>

namespace omnium::ops {

// Thread-safe; every call is cheap (no lock shared between matches, no allocation in the steady state).
class probe {
public:
  virtual ~probe() = default;
  virtual void answered(std::string_view outcome, std::string_view reason) = 0;
  virtual void stage(std::string_view name, std::chrono::nanoseconds took) = 0;    // wire, queue, worker, database, total
  virtual void batch(std::size_t commands) = 0;
  virtual void worker_killed(std::string_view sport, std::string_view why) = 0;
  virtual void gauge(std::string_view name, double value) = 0;                     // live_matches, queue_length, workers
  virtual void quarantined(std::string_view subject, std::string_view why) = 0;
};

}  // namespace omnium::ops
