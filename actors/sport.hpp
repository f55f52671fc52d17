#pragma once
// The supervisor of one sport release: keeps its workers busy, fresh balls first, and opens a breaker when they keep
// dying.
#include "actors/sports.hpp"

namespace omnium::actors {

// A worker's deaths are its own business (it starts a new process by itself); what is counted here is intensity: more
// than `intensity` deaths within `period` with no good run between opens the breaker, which answers unavailable until a
// probe.
struct restart_intensity {
  std::size_t intensity = 10;
  std::chrono::milliseconds period{5000};
  std::chrono::milliseconds open_for{1000}; // doubled with every failed probe, up to open_max
  std::chrono::milliseconds open_max{30000};
};

sport_actor spawn_sport(caf::actor_system& system, std::shared_ptr<const context> ctx, const sport::release& what,
                        worker_factory make, restart_intensity limits = {});

} // namespace omnium::actors
