#pragma once
// The matches a scenario plays: made through the road like any other. Blocking; one thread.
#include "bench/history.hpp"
#include "bench/scenario.hpp"
#include "runtime/wire/http_client.hpp"

#include <string>
#include <vector>

namespace omnium::bench {

struct made_matches {
  std::vector<std::string> fixtures, sports; // side by side
  std::vector<std::int64_t> versions;        // their last_seq after the opening
  std::vector<sent_command> sent;            // the openings' commands
  std::string error;                         // a sentence; empty: all are live
};
made_matches make_matches(wire::http_client& http, const scenario& what);

} // namespace omnium::bench
