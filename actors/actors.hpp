#pragma once
// Every actor that another source file can reach, with one sentence per message.
#include "actors/messages.hpp"

#include <caf/typed_actor.hpp>

namespace omnium::actors {

using match_actor = caf::typed_actor<
    caf::reacts_to<submit_atom, ticket_msg>,     // a command (or preview) for this subject; answered through its ticket
    caf::reacts_to<state_atom, state_query_msg>, // the folded state, as soon as the head stands
    caf::reacts_to<loaded_atom, std::uint64_t, loaded_msg>, // the store's answer to a load, with its operation number
    caf::reacts_to<ran_atom, std::uint64_t, run_reply_msg>, // the sport worker's answer
    caf::reacts_to<commit_atom, std::uint64_t, batch_result_msg>, // what became of a batch
    caf::reacts_to<keys_atom, std::uint64_t, keys_msg>,           // keys looked up under the row lock
    caf::reacts_to<tick_atom>,   // its own clock: asks the registry for sleep when idle
    caf::reacts_to<again_atom>,  // likewise: a quarantined match is raised and tried again
    caf::reacts_to<forget_atom>, // the database is another one: nothing known of the match holds
    caf::reacts_to<sleep_atom>,  // the registry let go of it: write a snapshot and end
    caf::reacts_to<stop_atom>>;  // answer what waits shutting_down, finish what is in flight, end

using matches_actor = caf::typed_actor<
    caf::reacts_to<submit_atom, ticket_msg>,       // hands a command to its subject's actor, spawning it on first use
    caf::reacts_to<state_atom, state_query_msg>,   // likewise a question for the folded state
    caf::reacts_to<idle_atom, std::string>,        // a match with this key has nothing to do: it may sleep
    caf::replies_to<tree_atom>::with<std::string>, // JSON object of this branch
    caf::replies_to<list_atom>::with<std::string>, // JSON array of the live match actors
    caf::replies_to<restart_atom, std::string>::with<bool>, // lets go of one match actor ("match/<key>", also one that
                                                            // sleeps) or of all ("matches"), to be rebuilt by whoever
                                                            // asks next; false: no such name
    caf::reacts_to<forget_atom>,             // the database is another one: every match begins anew from it
    caf::replies_to<stop_atom>::with<bool>>; // stops every match; answered when the last one ended

using sports_actor = caf::typed_actor<
    caf::reacts_to<run_atom, run_job_msg>,         // hands a run to its release's supervisor, started on first use
    caf::replies_to<tree_atom>::with<std::string>, // JSON object of this branch: releases, workers, process ids, kills
    caf::replies_to<restart_atom, std::string>::with<bool>, // replaces the workers below a name; false: no such name
    caf::reacts_to<stop_atom>>;                             // ends all workers

using sport_actor =
    caf::typed_actor<caf::reacts_to<run_atom, run_job_msg>, // one run for this release; fresh balls before replays
                     caf::reacts_to<ran_atom, std::uint64_t, group_heard_msg>, // what came of the group of this number
                     caf::reacts_to<tick_atom>,                                // the breaker's half-open probe is due
                     caf::replies_to<tree_atom>::with<std::string>,            // JSON object of this supervisor
                     caf::replies_to<restart_atom, std::string>::with<bool>,   // replaces "worker/<n>", or all ("")
                     caf::reacts_to<stop_atom>>;                               // ends

} // namespace omnium::actors
