#pragma once
// What the server says of itself (GET /metrics, Prometheus text): its histograms, and what a stretch of time added to
// them; its memory. Pure.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::bench {

// Seconds up to which a bucket counts (the last: infinity), and how many are at most that.
using bucket_counts = std::vector<std::pair<double, double>>;

struct server_times {
  // "wire", "queue", "worker", "database", "command", "outside", "lock_wait", "lock_hold"
  std::map<std::string, bucket_counts> of;
  double resident_bytes = 0; // its process's memory; 0: it does not say
};

server_times read_server_times(std::string_view metrics_text);

struct stage_time {
  std::string name;
  double count = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0;
};
// What came between two readings, in the command's order. A percentile lies within its bucket by even spread.
std::vector<stage_time> between(const server_times& before, const server_times& after);

} // namespace omnium::bench
