#pragma once
// What Postgres truly writes: bytes of log (WAL) between two moments of a private cluster, without the page images that
// follow a checkpoint. Tuple headers, indexes, the commit record and what else runs on the cluster are in it; a row
// that is updated in place counts only what changed of it.
#include "tests/support/database.hpp"

#include <fmt/format.h>
#include <string>

namespace omnium::testing {

inline std::string wal_now(const database& db) { return db.ask("SELECT pg_current_wal_flush_lsn()"); }

inline double wal_bytes(const database& db, const std::string& from, const std::string& to) {
  db.run("CREATE EXTENSION IF NOT EXISTS pg_walinspect");
  return std::stod(
      db.ask(fmt::format("SELECT sum(record_size) FROM pg_get_wal_stats('{}'::pg_lsn, '{}'::pg_lsn)", from, to)));
}

} // namespace omnium::testing
