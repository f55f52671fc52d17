#pragma once
// The libpqxx side of a session, for the adapters of this folder only.
#include "runtime/postgres/pqxx_compat.hpp"
#include "runtime/postgres/session.hpp"

#include <atomic>
#include <unordered_set>

namespace omnium::pg {

// Statements sent by all sessions of this process: one is one round trip (autocommit; the first use of a statement on a
// connection prepares it and costs one more).
inline std::atomic<std::uint64_t> round_trips{0};

struct session::door {
  explicit door(const std::string& url) : connection(url) { stay_broken(connection); }
  pqxx::connection connection;
  std::unordered_set<std::string> prepared;

  template<class... Values>
  pqxx::result run(const statements::statement& what, const Values&... values) {
    if (prepared.insert(what.name).second) connection.prepare(what.name, what.text);
    pqxx::nontransaction tx(connection);
    round_trips.fetch_add(1, std::memory_order_relaxed);
    return tx.exec_prepared(what.name, values...);
  }

  // The same, and then as if it had never been: what a preview asks.
  template<class... Values>
  pqxx::result try_out(const statements::statement& what, const Values&... values) {
    if (prepared.insert(what.name).second) connection.prepare(what.name, what.text);
    pqxx::work tx(connection);
    auto out = tx.exec_prepared(what.name, values...);
    tx.abort();
    return out;
  }
};

} // namespace omnium::pg
