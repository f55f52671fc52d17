#pragma once
// One live match or competition: a mailbox around road::subject. Owner of the subject; nobody else touches it.
#include "actors/actors.hpp"
#include "actors/context.hpp"

#include <atomic>
#include <caf/fwd.hpp>
#include <memory>
#include <string>

namespace omnium::actors {

// What an operator sees of a match actor without asking it. Written by the actor, read by the registry.
struct match_status {
  std::atomic<std::uint64_t> queue{0}, last_seq{0}, commands{0};
  std::atomic<int> phase{0};
  std::atomic<bool> quarantined{false};
};

std::string subject_key(const subject_ref& subject); // "fixture/<uuid>"

match_actor spawn_match(caf::actor_system& system, subject_ref subject, std::shared_ptr<const context> ctx,
                        matches_actor registry, sports_actor sports, std::shared_ptr<match_status> status);

} // namespace omnium::actors
