#pragma once
// A sport worker: one child process that runs a plugin release, and the thread that speaks with it.
// Sources: S-series, L10 (killable worker processes, 500 ms per ball); protocol in docs/worker-protocol.md.
#include "runtime/core/answer.hpp"
#include "runtime/road/corrected_log.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace omnium::sport {

enum class run_mode : std::uint8_t {
  decide,   // fresh balls: decide, then evolve; one verdict and scoreboard for each; wall clock per ball
  replay,   // the log's truth: evolve only; final state and scoreboard; budget per event
  check     // a corrected log: decide and evolve all; verdicts only of the refused (what a correction would break)
};

struct run_request {
  run_mode mode = run_mode::decide;
  std::string settings;                          // JSON object, "{}" for none
  std::string state;                             // JSON; empty: the sport's initial state
  std::vector<road::sport_event> events;
};

struct event_verdict {
  std::size_t index = 0;                         // into run_request::events
  bool accepted = false;
  reason why;                                    // when refused: code, message, at, law
  std::vector<std::int64_t> voids;               // earlier events this one makes void (e.g. an overturned review)
  bool refold = false;                           // voids is not empty: fold the corrected log again
  std::string scoreboard;                        // after this event (decide mode, accepted)
};

struct run_reply {
  enum class kind : std::uint8_t {
    ok,
    killed,      // over the wall clock: process killed; `index` is the event it was in
    broken,      // process died, or spoke garbage; `index` is the event it was in
    unavailable  // no process could be started (breaker open, release missing, stopping)
  } what = kind::ok;
  std::vector<event_verdict> verdicts;           // decide: of all events before `index`; check: of the refused
  std::size_t index = 0;
  std::string state, scoreboard;                 // ok only: after the last accepted event
  std::string error;                             // a sentence for killed, broken, unavailable; and for a replay that cannot fold
  std::chrono::microseconds worked{};            // wall clock in the worker's turn
};

struct worker_options {
  std::string worker_program;                    // path of omnium-sport-worker
  std::string plugin_file;                       // path of the release's .so
  std::string sport, version;
  std::size_t memory_bytes_max = 512u * 1024 * 1024;
  std::chrono::milliseconds ball_wall_clock{500};
  std::chrono::milliseconds start_wall_clock{5000};
};

struct worker_status {
  int pid = 0;                                   // 0: no process now
  std::uint64_t starts = 0, kills = 0, balls = 0;
};

// Owns one thread and at most one child process; restarts the process after a kill. Thread-safe.
class worker {
public:
  worker(worker_options options, std::function<void(std::string_view line)> log);
  ~worker();                                     // kills the process group, joins the thread
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Takes one request; the supervisor hands the next one only after `done` was called (on the worker's thread).
  void run(std::shared_ptr<const run_request> request, std::function<void(run_reply)> done);
  worker_status status() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

// Asks a release to describe itself in a short-lived worker process (never in this process). Blocking; for start-up
// and installation. On failure `error` is a sentence.
struct description { bool ok = false; std::string json, error; };
description describe(const worker_options& options);

}  // namespace omnium::sport
