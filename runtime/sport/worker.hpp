#pragma once
// A sport worker: one child process that runs a plugin release, and the thread that speaks with it.
// Sources: S-series, L10 (killable worker processes, 500 ms per ball); protocol in docs/worker-protocol.md.
#include "runtime/road/fold.hpp"
#include "runtime/sport/group.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace omnium::sport {

// The shapes of a run are the road's (runtime/road/fold.hpp); these names are theirs.
using road::event_verdict;
using road::run_mode;
using road::run_reply;
using road::run_request;

struct worker_options {
  std::string worker_program; // path of omnium-sport-worker
  std::string plugin_file;    // path of the release's .so
  std::string sport, version;
  std::string code_sha; // of the plugin's package; another one on the disk is not started. Empty: not looked at
  std::size_t memory_bytes_max = 512u * 1024 * 1024;
  std::chrono::milliseconds ball_wall_clock{500};
  std::chrono::milliseconds start_wall_clock{5000};
};

struct worker_status {
  int pid = 0; // 0: no process now
  std::uint64_t starts = 0, kills = 0, balls = 0;
};

// Owns one thread and at most one child process; restarts the process after a kill. Thread-safe.
class worker {
public:
  worker(worker_options options, std::function<void(std::string_view line)> log);
  ~worker(); // kills the process group, joins the thread
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Takes a group of runs; the supervisor hands over the next one only after `heard` was called with `free`. It is
  // called for what came together, on the worker's thread, or on the caller's for what cannot be run.
  using heard_fn = std::function<void(std::vector<heard_run> heard, bool free)>;
  void run(std::vector<std::shared_ptr<const run_request>> requests, heard_fn heard);
  worker_status status() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

// Asks a release to describe itself in a short-lived worker process (never in this process). Blocking; for start-up
// and installation. On failure `error` is a sentence.
struct description {
  bool ok = false;
  std::string json, error;
};
description describe(const worker_options& options);

} // namespace omnium::sport
