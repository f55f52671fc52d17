#pragma once
// A scenario file: who plays, how hard, for how long. Unknown keys are refused. Example: bench/scenarios/steady.toml.
#include <cstdint>
#include <string>
#include <vector>

namespace omnium::bench {

struct scenario {
  std::string name;
  std::string sport = "football";
  std::size_t matches = 100;  // live matches, 1 to 5000
  std::size_t desks = 1;      // senders of each match, 1 to 256
  std::size_t in_flight = 1;  // commands each desk has on the way, 1 to 64: 1 is a closed loop
  double seconds = 10;        // measured, after the warm-up; 0.5 to 3600
  double warm_up_seconds = 1; // not measured
};

struct read_scenario {
  scenario what;
  std::string error; // a sentence; empty: good
};
read_scenario load_scenario(const std::string& file);

} // namespace omnium::bench
