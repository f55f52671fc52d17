#pragma once
// A scenario file: who plays, how hard, for how long, and what goes wrong meanwhile. Unknown keys are refused, every
// number has bounds (they stand beside it). Examples: bench/scenarios.
#include <cstdint>
#include <string>
#include <vector>

namespace omnium::bench {

enum class transport_kind : std::uint8_t { http, live };
enum class trouble_kind : std::uint8_t {
  worker_kill,    // SIGKILL to a sport worker of the server the bench started
  cut,            // a tenth of the desks' connections are cut
  server_kill,    // SIGKILL to the server the bench started, then it is started again
  server_restart, // SIGTERM to it, then it is started again
};

struct scenario {
  std::string name;
  std::vector<std::string> sports = {"football"};    // match i plays sports[i mod n]
  transport_kind transport = transport_kind::http;   // of the desks; watchers are always on /live
  std::size_t matches = 100;                         // 1 to 5000
  std::size_t desks = 1;                             // senders of each match, 1 to 256; more than 1: football only
  std::size_t in_flight = 1;                         // commands a desk has on the way, 1 to 64; 1 is a closed loop
  double rate = 0;                                   // commands a second over all desks; 0: closed loop; to 1e6
  double load = 0;                                   // instead of rate: this share of a closed loop's, measured first
  double seconds = 10;                               // measured, after the warm-up; 0.5 to 3600
  double warm_up_seconds = 1;                        // not measured; 0 to 60
  std::uint64_t commands_max = 5'000'000;            // then no further one is sent; 1 to 50e6
  double watchers = 0;                               // sockets that watch, for each match; 0 to 100
  std::size_t slow_readers = 0;                      // sockets that watch and never read; 0 to 200
  double duplicates_percent = 0;                     // accepted commands that are sent again; 0 to 100
  double corrections_percent = 0;                    // commands that are a void, amend or insert; football only
  double refused_percent = 0, conflicts_percent = 0; // commands that must be refused by a rule, or conflict
  std::vector<trouble_kind> faults;                  // in turn, one every `fault_every_seconds`
  double fault_every_seconds = 2;                    // 0.2 to 600
  std::uint64_t seed = 1;                            // of everything drawn by lot
};

struct read_scenario {
  scenario what;
  std::string error; // a sentence; empty: good
};
read_scenario load_scenario(const std::string& file);

} // namespace omnium::bench
