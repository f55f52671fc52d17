#pragma once
// One scenario against one server: makes the matches, seats the desks and watchers, plays, puts the faults in, and
// checks the history at the end.
#include "bench/board.hpp"
#include "bench/history.hpp"
#include "bench/own_server.hpp"
#include "bench/scenario.hpp"
#include "bench/server_times.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace omnium::bench {

struct run_options {
  std::string url, token;
  std::string database;         // libpq connection string; empty: the log is read through HTTP
  own_server* server = nullptr; // needed by scenarios of faults
  bool check = true, progress = true;
};

struct trouble_done {
  double at_seconds = 0; // after the measured time began
  std::string what;
};

struct memory_at {
  double at_seconds = 0, bytes = 0; // the server's resident memory
};

struct run_result {
  scenario what;
  double seconds = 0; // measured
  std::array<std::uint64_t, 6> words{};
  std::uint64_t tries_again = 0, cut = 0, backlog = 0; // backlog: due and never sent (set rate)
  histogram latency;
  std::vector<interval> intervals;
  double interval_seconds = 1;
  std::vector<stage_time> stages;
  double bytes_before_matches = 0;
  std::vector<memory_at> memory; // at the start and the end of the measured time, and between
  std::vector<trouble_done> troubles;
  std::size_t slow_readers_cut = 0;
  bool checked = false, from_database = false;
  verdict found;
  std::string error; // a sentence; empty: it ran to its end
  double accepted_per_s() const { return seconds > 0 ? static_cast<double>(words[0]) / seconds : 0; }
  bool good() const { return error.empty() && (!checked || found.good()); }
};

run_result run_scenario(const scenario& what, const run_options& options);

} // namespace omnium::bench
