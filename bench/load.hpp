#pragma once
// Desks under load: one thread, one epoll, one kept-alive HTTP connection a desk. Each desk sends its next command when
// an answer came (closed loop) and keeps `in_flight` of them on the way. Loopback only.
#include "bench/histogram.hpp"
#include "bench/scenario.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace omnium::bench {

struct load_result {
  double seconds = 0;                     // measured
  std::array<std::uint64_t, 5> answers{}; // by outcome: accepted, duplicate, refused, conflict, try_again
  std::uint64_t broken = 0;               // connections that died
  histogram latency;                      // accepted only: send to answer
  std::vector<std::string> fixtures;
  std::string error; // a sentence; empty: it ran
  double accepted_per_s() const { return seconds > 0 ? static_cast<double>(answers[0]) / seconds : 0; }
};

// Creates the matches through the road, warms up, measures.
load_result run_load(const std::string& url, const scenario& what);

} // namespace omnium::bench
