#pragma once
// Metrics behind a plain header: handles onto a prometheus-cpp registry, and the names the runtime measures.
// Any thread. Names start with omnium_, base units; no match id is ever a label. A default-made handle does nothing.
// Source: issue 2 item 9, contract section 3 (GET /metrics).
#include "runtime/core/answer.hpp"
#include "runtime/ops/beats.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
} // namespace prometheus

namespace omnium::ops {

class counter {
public:
  void add(double n = 1) const;
  double value() const;

private:
  friend class metrics_registry;
  prometheus::Counter* of_ = nullptr;
};

class gauge {
public:
  void set(double value) const;
  void add(double n) const;
  double value() const;

private:
  friend class metrics_registry;
  prometheus::Gauge* of_ = nullptr;
};

class histogram {
public:
  void observe(double value) const;
  void seconds(std::chrono::nanoseconds took) const { observe(std::chrono::duration<double>(took).count()); }
  // Upper bounds of the buckets with how many fell at or below each; the last is infinity.
  std::vector<std::pair<double, std::uint64_t>> counted() const;

private:
  friend class metrics_registry;
  prometheus::Histogram* of_ = nullptr;
};

using metric_labels = std::map<std::string, std::string>;

class metrics_registry {
public:
  metrics_registry();
  ~metrics_registry();
  metrics_registry(const metrics_registry&) = delete;
  metrics_registry& operator=(const metrics_registry&) = delete;

  // The same name and labels give the same metric again.
  counter make_counter(const std::string& name, const std::string& help, const metric_labels& labels = {});
  gauge make_gauge(const std::string& name, const std::string& help, const metric_labels& labels = {});
  histogram make_histogram(const std::string& name, const std::string& help, const std::vector<double>& bounds,
                           const metric_labels& labels = {});

  // Called before each exposition, for gauges that are looked up rather than kept.
  void before_exposition(std::function<void()> look);

  // Prometheus text exposition format 0.0.4.
  std::string expose();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

// Parts of a command's way, each with its own seconds (architecture.md, a command's way).
enum class stage : std::uint8_t { wire, queue, worker, database };

// What the runtime measures. One per process; handed down by reference.
struct metrics {
  metrics();
  metrics_registry registry;
  beat_board beats; // of every loop of this process

  std::array<counter, 5> answers;  // by outcome, as the enum counts
  std::array<histogram, 4> stages; // by stage
  histogram command_seconds;       // request read to answer handed to the socket
  histogram outside_seconds;       // request read to answer written, less what the database took; over HTTP
  histogram lock_wait_seconds, lock_hold_seconds;
  histogram batch_commands, batch_matches; // in one call of road.commit
  counter commit_calls;
  gauge subject_queue, commit_queue, worker_queue; // waiting now
  counter connections_refused;                     // beyond http.connections_max
  gauge http_sockets, live_sockets;
  counter live_frames, slow_consumers;
  gauge outbox_horizon_lag_seconds; // age of the oldest transaction that holds the reader back
  gauge outbox_lag_seconds;         // commit to handed-out, newest row
  counter outbox_rows;

  // Counts the outcome, and for try_again its reason.
  void answered(outcome what, const std::string& reason_code);
  void took(stage where, std::chrono::nanoseconds time) const { stages[static_cast<std::size_t>(where)].seconds(time); }
  void worker_killed(const std::string& sport);
  void http_answered(int status);
};

} // namespace omnium::ops
