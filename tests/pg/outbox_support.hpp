#pragma once
// What a node stands on for its screens, without its server: read pool, topic source, hub and reader on a real
// database; and a watcher that remembers what it was shown.
#include "runtime/ops/metrics.hpp"
#include "runtime/outbox/hub.hpp"
#include "runtime/outbox/reader.hpp"
#include "runtime/outbox/topic_source_pg.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace omnium::testing {

// One screen. Frames as they came; versions read from them.
class screen final : public wire::live_sink {
public:
  void send(wire::bytes_ptr frame) override;
  std::vector<std::string> frames() const;
  // Versions of the changes; a snapshot of v as -v - 1.
  std::vector<std::int64_t> versions() const;
  // Waits until the newest frame's version is this one (or a later one).
  bool reaches(std::int64_t version, std::chrono::milliseconds within) const;
  // One snapshot first, then every version up to `upto`, each once and in order.
  bool unbroken(std::int64_t upto) const;

private:
  mutable std::mutex guard_;
  mutable std::condition_variable changed_;
  std::vector<std::string> frames_;
};
using screen_ptr = std::shared_ptr<screen>;

// Counts the questions, so that a test can tell what the reader brought from what was repaired.
class counted_source final : public outbox::topic_source {
public:
  explicit counted_source(outbox::topic_source& inner) : inner_(inner) {}
  void ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
           std::function<void(outbox::topic_answer)> done) override {
    ++questions;
    inner_.ask(topic, have, std::move(done));
  }
  std::atomic<int> questions{0};

private:
  outbox::topic_source& inner_;
};

struct screens_node {
  explicit screens_node(const std::string& app_url, std::chrono::milliseconds poll = std::chrono::milliseconds(250))
      : where(pg::with_limits(app_url, pg::read_limits, {})), pool(where, 2, 4096), database(pool), source(database),
        hub(source), reader({where, poll}, hub, &metrics) {}
  // Watches a match; returns when the first frame is there.
  screen_ptr watch(const uuid& fixture, std::optional<std::int64_t> have = std::nullopt);

  ops::metrics metrics;
  pg::target where;
  pg::executor pool;
  outbox::topic_source_pg database;
  counted_source source;
  outbox::hub hub;
  outbox::reader reader;
};

// The value of a metric in the exposition.
double metric(ops::metrics& of, const std::string& name);

} // namespace omnium::testing
