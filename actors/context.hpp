#pragma once
// What every actor of this process shares: doors to the plain world. Outlives the actor system.
#include "actors/scheduling.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/ops/raise.hpp"
#include "runtime/ops/trace_book.hpp"
#include "runtime/road/store.hpp"
#include "runtime/road/subject_ports.hpp"
#include "runtime/sport/reaper.hpp"
#include "runtime/sport/releases.hpp"
#include "runtime/sport/worker.hpp"

#include "runtime/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace omnium::actors {

struct context {
  road::store* store = nullptr;
  const road::rule_book* rules = nullptr;
  // A release on this node's disk, nullopt: it is not there. Any thread.
  std::function<std::optional<sport::release>(const std::string& sport, const std::string& version)> find_release;
  ops::metrics* metrics = nullptr;              // where measurements go
  ops::trace_book* traces = nullptr;            // where the times of commands go; null: nowhere
  std::function<void(const subject_ref&)> ring; // a subject's change was committed
  ops::raise_fn raise;                          // something is wrong
  mutable host_door hosts;                      // for threads that tell actors something
  mutable sport::reaper reaper;                 // of sport workers
  std::string worker_program;
  std::size_t workers_per_release = 2;
  std::chrono::milliseconds ball_wall_clock = limits::ball_wall_clock;
  std::chrono::milliseconds subject_idle = limits::subject_idle;
  std::chrono::milliseconds quarantine_look = limits::quarantine_look;
};

} // namespace omnium::actors
