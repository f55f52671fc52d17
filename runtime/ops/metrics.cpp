#include "runtime/ops/metrics.hpp"

#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace omnium::ops {

void counter::add(double n) const {
  if (of_) of_->Increment(n);
}
double counter::value() const { return of_ ? of_->Value() : 0; }

void gauge::set(double value) const {
  if (of_) of_->Set(value);
}
void gauge::add(double n) const {
  if (of_) of_->Increment(n);
}
double gauge::value() const { return of_ ? of_->Value() : 0; }

void histogram::observe(double value) const {
  if (of_) of_->Observe(value);
}

std::vector<std::pair<double, std::uint64_t>> histogram::counted() const {
  std::vector<std::pair<double, std::uint64_t>> out;
  if (!of_) return out;
  for (const auto& bucket : of_->Collect().histogram.bucket)
    out.emplace_back(bucket.upper_bound, bucket.cumulative_count);
  return out;
}

struct metrics_registry::impl {
  prometheus::Registry registry;
  std::mutex lock;
  std::vector<std::function<void()>> looks;
};

metrics_registry::metrics_registry() : impl_(std::make_unique<impl>()) {}
metrics_registry::~metrics_registry() = default;

counter metrics_registry::make_counter(const std::string& name, const std::string& help, const metric_labels& labels) {
  counter made;
  made.of_ = &prometheus::BuildCounter().Name(name).Help(help).Register(impl_->registry).Add(labels);
  return made;
}

gauge metrics_registry::make_gauge(const std::string& name, const std::string& help, const metric_labels& labels) {
  gauge made;
  made.of_ = &prometheus::BuildGauge().Name(name).Help(help).Register(impl_->registry).Add(labels);
  return made;
}

histogram metrics_registry::make_histogram(const std::string& name, const std::string& help,
                                           const std::vector<double>& bounds, const metric_labels& labels) {
  histogram made;
  made.of_ = &prometheus::BuildHistogram().Name(name).Help(help).Register(impl_->registry).Add(labels, bounds);
  return made;
}

void metrics_registry::before_exposition(std::function<void()> look) {
  std::lock_guard hold(impl_->lock);
  impl_->looks.push_back(std::move(look));
}

std::string metrics_registry::expose() {
  std::lock_guard hold(impl_->lock);
  for (const auto& look : impl_->looks) look();
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

namespace {

// 50 µs to 10 s: a command takes about a millisecond, a lock limit is 2 s, a statement limit 5 s.
const std::vector<double> second_bounds = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02,
                                           0.03,    0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};
// Nearer to each other where what is not the database is asked to stay (0.5 ms, 2 ms).
const std::vector<double> outside_bounds = {0.0001, 0.0002, 0.0003, 0.0004, 0.0005, 0.00075, 0.001, 0.0015, 0.002,
                                            0.0025, 0.003,  0.004,  0.006,  0.01,   0.02,    0.05,  0.1,    1};
const std::vector<double> count_bounds = {1, 2, 4, 8, 16, 32, 64, 128};

} // namespace

metrics::metrics() {
  auto& r = registry;
  for (auto what : {outcome::accepted, outcome::duplicate, outcome::refused, outcome::conflict, outcome::try_again}) {
    answers[static_cast<std::size_t>(what)] = r.make_counter("omnium_answers_total", "Answers given, by outcome.",
                                                             {{"outcome", std::string(to_string(what))}});
  }
  constexpr const char* names[] = {"wire", "queue", "worker", "database"};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i] = r.make_histogram("omnium_stage_seconds", "Seconds a command spent in a stage of the road.",
                                 second_bounds, {{"stage", names[i]}});
  }
  command_seconds =
      r.make_histogram("omnium_command_seconds", "Seconds from a command read to its answer ready.", second_bounds);
  outside_seconds =
      r.make_histogram("omnium_outside_seconds",
                       "Seconds of a command over HTTP, read to written, less those in the database.", outside_bounds);
  lock_wait_seconds =
      r.make_histogram("omnium_lock_wait_seconds", "Seconds a commit waited for a match's row lock.", second_bounds);
  lock_hold_seconds =
      r.make_histogram("omnium_lock_hold_seconds", "Seconds a commit held a match's row lock.", second_bounds);
  batch_commands = r.make_histogram("omnium_commit_commands", "Commands in one call of road.commit.", count_bounds);
  batch_matches = r.make_histogram("omnium_commit_matches", "Matches in one call of road.commit.", count_bounds);
  commit_calls = r.make_counter("omnium_commit_calls_total", "Calls of road.commit.");
  constexpr const char* waiting = "Waiting now, by queue.";
  subject_queue = r.make_gauge("omnium_queue_length", waiting, {{"queue", "subject"}});
  commit_queue = r.make_gauge("omnium_queue_length", waiting, {{"queue", "commit"}});
  worker_queue = r.make_gauge("omnium_queue_length", waiting, {{"queue", "worker"}});
  connections_refused = r.make_counter("omnium_connections_refused_total", "Connections closed for being too many.");
  http_sockets = r.make_gauge("omnium_sockets", "Open sockets, by kind.", {{"kind", "http"}});
  live_sockets = r.make_gauge("omnium_sockets", "Open sockets, by kind.", {{"kind", "live"}});
  live_frames = r.make_counter("omnium_live_frames_total", "Frames queued for live sockets.");
  slow_consumers = r.make_counter("omnium_live_slow_consumers_total", "Live sockets closed for reading too slowly.");
  outbox_horizon_lag_seconds = r.make_gauge("omnium_outbox_horizon_lag_seconds",
                                            "Age of the oldest open transaction that holds the outbox back.");
  outbox_lag_seconds = r.make_gauge("omnium_outbox_lag_seconds", "Seconds from a change's commit to its hand-out.");
  outbox_rows = r.make_counter("omnium_outbox_rows_total", "Domain events handed out.");
}

void metrics::answered(outcome what, const std::string& reason_code) {
  answers[static_cast<std::size_t>(what)].add();
  if (what != outcome::try_again) return;
  registry.make_counter("omnium_try_again_total", "Answers try_again, by reason.", {{"reason", reason_code}}).add();
}

void metrics::worker_killed(const std::string& sport) {
  registry.make_counter("omnium_worker_kills_total", "Sport workers killed, by sport.", {{"sport", sport}}).add();
}

void metrics::http_answered(int status) {
  registry
      .make_counter("omnium_http_responses_total", "HTTP responses, by status.", {{"status", std::to_string(status)}})
      .add();
}

} // namespace omnium::ops
