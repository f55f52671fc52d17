#include "runtime/upkeep/leader.hpp"

#include "runtime/postgres/session_door.hpp"

namespace omnium::upkeep {

bool leader::holds(pg::session::door& door) {
  static const pg::statements::statement take{"leader_take", "SELECT pg_try_advisory_lock($1)"};
  // A connection that has not prepared this statement has never been asked.
  if (!door.prepared.contains(take.name)) held_ = false;
  if (!held_) held_ = door.run(take, lock_)[0][0].as<bool>();
  return held_;
}

} // namespace omnium::upkeep
