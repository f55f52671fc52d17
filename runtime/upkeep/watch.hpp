#pragma once
// A node's look at itself, every few seconds, on a thread and a connection of its own: are its loops alive and do they
// get work done, does the database take writes, who holds the outbox back, how slow are commands, how full is the disk.
// What it finds goes three ways: into process_beat (for everybody), into gauges (for Prometheus), and as signals (for
// the alerts). It writes with every look, so its write check is a real one.
#include "runtime/core/limits.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/session.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace omnium::upkeep {

struct watch_options {
  pg::target where; // of the application's role, with limits
  std::string node;
  std::string data_dir; // the file system it lies on is looked at
  std::chrono::milliseconds every = limits::watch_every;
  std::chrono::milliseconds silent_after = limits::alert_silent_after; // of the alert service
};

// One thing /readyz?verbose tells.
struct health_part {
  std::string name, state, reason; // state: ok or one word; reason empty: ok
  std::chrono::system_clock::time_point since;
};

class watch {
public:
  watch(watch_options options, ops::metrics& metrics, ops::raise_fn raise);
  ~watch();
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;

  std::vector<health_part> health() const; // as of the last look; any thread

private:
  using counts = std::vector<std::pair<double, std::uint64_t>>;
  struct sample {
    std::chrono::steady_clock::time_point at;
    counts commands, locks;
    double answers = 0, failing = 0;
  };
  void loop();
  void look(pg::session& mine);
  void look_at_loops(std::vector<ops::beat_view>& parts);
  void look_at_database(pg::session& mine, const std::vector<ops::beat_view>& parts);
  void look_at_outbox(pg::session::door& door);
  void look_at_alerts(pg::session::door& door);
  void look_at_disk();
  void look_at_commands();
  void say(const std::string& name, bool ok, const std::string& state, const std::string& reason);
  ops::gauge gauge_of(const std::string& name, const std::string& help, const ops::metric_labels& labels = {});

  watch_options options_;
  ops::metrics& metrics_;
  ops::raise_fn raise_;
  std::deque<sample> samples_; // of the last minute
  std::chrono::steady_clock::time_point sizes_at_{}, since_ = std::chrono::steady_clock::now();
  mutable std::mutex guard_;
  std::condition_variable wake_;
  std::vector<health_part> health_;
  bool stopping_ = false;
  std::thread thread_;
};

// The share of what fell between two counts at or below `bound`, 0 to 1; 1 when too few did to say. The bound is one of
// the buckets'.
double share_below(const std::vector<std::pair<double, std::uint64_t>>& before,
                   const std::vector<std::pair<double, std::uint64_t>>& after, double bound);

} // namespace omnium::upkeep
