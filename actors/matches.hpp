#pragma once
// The registry: finds the actor of a subject, spawns it on first use, lets it sleep, and starts it anew after a crash.
// The only holder of match handles; correctness never rests on there being one actor a match (the row lock does that).
#include "actors/actors.hpp"
#include "actors/context.hpp"

#include <caf/fwd.hpp>
#include <memory>
#include <optional>
#include <string_view>

namespace omnium::actors {

// The match that "match/fixture/<uuid>" names in the tree, awake or not; nullopt: it names none.
std::optional<uuid> fixture_named(std::string_view part);

matches_actor spawn_matches(caf::actor_system& system, std::shared_ptr<const context> ctx, sports_actor sports);

} // namespace omnium::actors
