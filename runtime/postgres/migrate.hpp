#pragma once
// Brings a database's schema up to date. The SQL files of schema/ are part of the program. Safe from several nodes at
// once (an advisory lock makes one of them wait). Blocking; for start-up and `omnium migrate`.
#include "runtime/core/limits.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace omnium::pg {

struct sql_file {
  std::string_view name, text;
};
// schema/migrations in their order, and schema/functions (applied whenever their text changed).
const std::vector<sql_file>& migration_files();
const std::vector<sql_file>& function_files();

struct migrate_result {
  std::string error;                // empty: done
  std::vector<std::string> applied; // names, in order
};

// `owner_url`: a role that may create tables and roles. Refuses a database that a newer Omnium migrated, and one whose
// applied migration differs from ours. A table that another session holds is tried for so many times
// (limits::migration_lock_wait each, and as long between): beyond, `error` says so; what came before it stays applied.
migrate_result migrate(const std::string& owner_url, int lock_tries = limits::migration_lock_tries);

} // namespace omnium::pg
