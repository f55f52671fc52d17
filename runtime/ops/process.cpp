#include "runtime/ops/process.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

namespace omnium::ops {
namespace {

double entries_of(const char* folder) {
  std::error_code error;
  std::filesystem::directory_iterator all(folder, error);
  return error ? 0 : static_cast<double>(std::distance(begin(all), end(all)));
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

} // namespace

process_figures look_at_process() {
  process_figures out;
  double pages = 0;
  if (std::ifstream statm("/proc/self/statm"); statm >> pages >> pages) // the second: resident
    out.resident_bytes = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) == 0) out.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  out.threads = entries_of("/proc/self/task");
  out.open_descriptors = entries_of("/proc/self/fd");
  return out;
}

void measure_process(metrics_registry& registry) {
  auto resident = registry.make_gauge("omnium_process_resident_memory_bytes", "Memory of the server that is in RAM.");
  auto cpu = registry.make_counter("omnium_process_cpu_seconds_total", "Processor time of the server's threads.");
  auto threads = registry.make_gauge("omnium_process_threads", "Threads of the server.");
  auto descriptors = registry.make_gauge("omnium_process_open_fds", "Open descriptors of the server.");
  registry.before_exposition([=] {
    auto now = look_at_process();
    resident.set(now.resident_bytes);
    cpu.add(std::max(0.0, now.cpu_seconds - cpu.value()));
    threads.set(now.threads);
    descriptors.set(now.open_descriptors);
  });
}

} // namespace omnium::ops
