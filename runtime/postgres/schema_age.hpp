#pragma once
// Whether a database that took the place of another one under a running node (a dump was restored) is of an older
// version than this program, whose calls would mean something else to it.
// docs/decisions/2026-11-30-events-name-stills.md.
#include "runtime/postgres/session.hpp"

#include <string>

namespace omnium::pg {

// Why it is thought so; empty: it is not. A newer one is none: its functions take our calls. On the session's thread;
// an error of the connection is the session's.
std::string older_schema(session::door& door);

} // namespace omnium::pg
