#include "runtime/postgres/sqlstate.hpp"

#include "runtime/postgres/pqxx_compat.hpp"

#include <array>

namespace omnium::pg {
namespace {

constexpr std::array table{
    sqlstate_entry{"", db_fault::other, false},
    sqlstate_entry{"08", db_fault::unavailable, true},      // connection exception
    sqlstate_entry{"22", db_fault::constraint, false},      // data exception
    sqlstate_entry{"23", db_fault::constraint, false},      // integrity constraint violation
    sqlstate_entry{"23505", db_fault::unique, false},       // unique_violation
    sqlstate_entry{"25006", db_fault::unavailable, true},   // read_only_sql_transaction: a demoted primary
    sqlstate_entry{"25P03", db_fault::unavailable, true},   // idle_in_transaction_session_timeout: the session is gone
    sqlstate_entry{"40001", db_fault::deadlock, false},     // serialization_failure
    sqlstate_entry{"40P01", db_fault::deadlock, false},     // deadlock_detected
    sqlstate_entry{"53", db_fault::unavailable, true},      // insufficient resources: disk, memory, connections
    sqlstate_entry{"55P03", db_fault::lock_timeout, false}, // lock_not_available
    sqlstate_entry{"57014", db_fault::statement_timeout, false},
    sqlstate_entry{"57P", db_fault::unavailable, true}, // shutdown, crash, cannot connect now
    sqlstate_entry{"58", db_fault::unavailable, true},  // system error: I/O
};

// The first line: what Postgres adds below it (DETAIL: the failing row) holds names and inputs, which stay out of logs.
std::string trimmed(const char* text) {
  std::string out = std::string(text).substr(0, std::string_view(text).find('\n'));
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

db_error lost(const std::exception& e) { return {db_fault::unavailable, true, true, "08006", trimmed(e.what())}; }

db_error answered(std::string state, const std::exception& e) {
  const auto& entry = classify_sqlstate(state);
  db_error out{entry.fault, entry.drop_connection, false, std::move(state), trimmed(e.what())};
  // A session ended by the server while it committed may have committed (57P01 and its kin).
  out.outcome_unknown = out.state.starts_with("57P") || out.state.starts_with("08");
  return out;
}

} // namespace

const sqlstate_entry& classify_sqlstate(std::string_view state) {
  const sqlstate_entry* best = &table.front();
  for (const auto& entry : table)
    if (state.starts_with(entry.prefix) && entry.prefix.size() >= best->prefix.size()) best = &entry;
  return *best;
}

std::string_view code_of(db_fault fault) {
  switch (fault) {
  case db_fault::lock_timeout:
    return "lock_timeout";
  case db_fault::deadlock:
    return "deadlock";
  case db_fault::statement_timeout:
    return "statement_timeout";
  default:
    return "database_unavailable";
  }
}

std::string_view sentence_of(db_fault fault) {
  switch (fault) {
  case db_fault::lock_timeout:
    return "Another writer held this match for too long; send the command again with the same key.";
  case db_fault::deadlock:
    return "Two writers waited for each other; send the command again with the same key.";
  case db_fault::statement_timeout:
    return "The database took too long; send the command again with the same key.";
  default:
    return "The database is not available; send the command again with the same key.";
  }
}

// The order matters for 6.x: these classes are siblings there, and broken_connection is the base of what a server's
// FATAL is.
db_error current_db_error() {
  try {
    throw;
  } catch (const pqxx::deadlock_detected& e) {
    return answered("40P01", e);
  } catch (const pqxx::serialization_failure& e) {
    return answered("40001", e);
  } catch (const pqxx::statement_completion_unknown& e) {
    return lost(e);
  } catch (const pqxx::in_doubt_error& e) {
    return lost(e);
  } catch (const pqxx::broken_connection& e) {
    return lost(e);
  } catch (const pqxx::sql_error& e) {
    auto state = sqlstate_of(e);
    // A FATAL that ended the session comes without a SQLSTATE in 6.x: the connection is gone.
    return state.empty() ? lost(e) : answered(std::move(state), e);
  } catch (const std::exception& e) {
    return {db_fault::other, true, true, "", trimmed(e.what())};
  }
}

} // namespace omnium::pg
