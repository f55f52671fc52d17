#pragma once
// What Linux says of this process, as metrics that are looked up before each exposition: memory, processor time,
// descriptors, threads. Source: proc(5).
#include "runtime/ops/metrics.hpp"

namespace omnium::ops {

struct process_figures {
  double resident_bytes = 0; // memory that is in RAM, with shared pages
  double cpu_seconds = 0;    // user and system, of all threads, since the start
  double threads = 0, open_descriptors = 0;
};
process_figures look_at_process(); // this one; a figure that cannot be read is 0

void measure_process(metrics_registry& registry);

} // namespace omnium::ops
