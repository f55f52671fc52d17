#pragma once
// A match with all that is kept beside its log, read as one statement sees it: a check needs no lock, and a ball that
// is committed meanwhile is in all of it or in none. Blocking, on the session's thread.
#include "runtime/postgres/session.hpp"
#include "runtime/road/match_check.hpp"

#include <optional>

namespace omnium::pg {

// nullopt: there is no such match.
std::optional<road::stored_match> read_stored(session::door& door, const uuid& fixture);

} // namespace omnium::pg
