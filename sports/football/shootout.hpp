#pragma once
// Penalties (penalty shoot-out). Law 10.3.
#include "sports/football/state.hpp"

namespace football {

// The side that has won, once no order of the kicks left could change it.
std::optional<sdk::side> shootout_winner(const shootout& kicks);

sdk::verdict check_kick(const state& match, const shootout_kick_input& in);
void take_kick(state& match, const shootout_kick_input& in);

// After a loss of the record: the totals, and the kicks taken where they are known (else as many each as the leader
// has scored). Either side may kick next.
void set_shootout(shootout& kicks, sdk::both<int> scored, const std::optional<sdk::both<int>>& taken);

} // namespace football
