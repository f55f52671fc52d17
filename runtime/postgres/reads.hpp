#pragma once
// The reads of the contract (section 3) that the database answers. One function a request; run on the read pool, where
// a busy match can never hold them up. Lists are {"items":[…],"next":cursor|null}; cursors are opaque to clients.
#include "runtime/core/uuid.hpp"
#include "runtime/postgres/pqxx_compat.hpp"

#include <optional>
#include <string>
#include <vector>

namespace omnium::pg {

struct read_query {
  std::string path;          // decoded, e.g. /fixtures/<uuid>/timeline
  std::string query;         // raw, after the '?'
  std::string if_none_match; // header, or empty
  // Of lists: show only these competitions and their matches, and these matches. nullopt: all.
  struct inside {
    std::vector<uuid> competitions, fixtures;
  };
  std::optional<inside> only;
};

struct read_answer {
  int status = 200; // 200, 304, 400, 404
  std::string etag; // strong, quotes included; empty: none
  std::string body; // JSON; a problem (RFC 9457) where status >= 400
};

// True when `path` is one of: /fixtures, /fixtures/{id}, /fixtures/{id}/timeline, /competitions, /competitions/{id}.
bool is_database_read(std::string_view path);

// Throws what libpqxx throws; the caller is the pool's border, which turns it into a 503.
read_answer run_read(pqxx::connection& connection, const read_query& what);

// The "version" member of a fixture's or competition's JSON as run_read prints it.
std::int64_t version_in(const std::string& body);

} // namespace omnium::pg
