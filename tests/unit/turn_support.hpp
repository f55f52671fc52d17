#pragma once
// What a sport's turn costs over a whole match: state read, one event judged and folded, state and scoreboard written,
// as a worker does it for an event that travels alone.
#include "omnium/sport_loader.hpp"

#include <string>
#include <vector>

namespace omnium::test {

struct played_event {
  std::string code, input;
};

class turn_plugin {
public:
  explicit turn_plugin(const std::string& package); // a release's folder
  // Plays one event that must be accepted; state and board are those after it.
  void turn(std::string& state, std::string& board, const played_event& what, const std::string& settings = "{}",
            std::int64_t seq = 1) const;
  // What opening a session on a state says; empty: it opens.
  std::string fault_of(const std::string& state) const;

private:
  sdk::loaded_plugin loaded_;
};

struct match_cost {
  std::size_t events = 0, window = 0;     // events counted, and how many of them at each end are compared
  double first_us = 0, last_us = 0;       // median turn of the first and the last `window` events, least of the rounds
  double first_bytes = 0, last_bytes = 0; // mean of input and scoreboard: what an event writes that a sport decides
  std::size_t state_max = 0, board_max = 0;
};

// Plays the match again and again: what else runs on the machine only ever adds to a round, so the least of the rounds
// is the cost. `only`: the code to count; empty: all. Windows are 100 events, or a third of a shorter match.
match_cost cost_of(const std::string& package, const std::string& settings, const std::vector<played_event>& match,
                   const std::string& only = {});
void report_cost(const std::string& what, const match_cost& cost); // one line on stdout

} // namespace omnium::test
