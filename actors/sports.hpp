#pragma once
// The sports branch of the supervision tree: one supervisor for each release of a sport, workers below it.
// OTP terms: sports -> sport/<code>/<release> (permanent, one_for_one) -> worker/<n> (permanent).
#include "actors/actors.hpp"
#include "actors/context.hpp"

#include <caf/fwd.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace omnium::actors {

// A worker as the supervisor sees it, so that tests can put a model in its place.
class worker_door {
public:
  virtual ~worker_door() = default;
  // As sport::worker::run: a group of runs at a time.
  virtual void run(std::vector<std::shared_ptr<const road::run_request>> requests, sport::worker::heard_fn heard) = 0;
  virtual sport::worker_status status() const = 0;
};
using worker_factory = std::function<std::unique_ptr<worker_door>(const sport::release& what, std::size_t number)>;

// Real worker processes, as the context says.
worker_factory process_workers(std::shared_ptr<const context> ctx);

sports_actor spawn_sports(caf::actor_system& system, std::shared_ptr<const context> ctx, worker_factory make);

} // namespace omnium::actors
