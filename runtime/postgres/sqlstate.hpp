#pragma once
// SQLSTATE -> the road's words, in one table. Source: PostgreSQL, Appendix A (error codes); contract section 2.
#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::pg {

enum class db_fault : std::uint8_t {
  none,
  lock_timeout,      // 55P03
  deadlock,          // 40P01, 40001
  statement_timeout, // 57014
  unavailable,       // 08xxx, 25006 (read-only: demoted), 53xxx, 57P0x, no connection: the connection is dropped
  unique,            // 23505
  constraint,        // 23xxx otherwise, 22xxx: what was asked cannot be stored
  other
};

struct sqlstate_entry {
  std::string_view prefix; // of the SQLSTATE; the longest match wins
  db_fault fault;
  bool drop_connection; // it is no use for the next call
};

const sqlstate_entry& classify_sqlstate(std::string_view state);
// The try_again code and sentence of the contract.
std::string_view code_of(db_fault fault);
std::string_view sentence_of(db_fault fault);

// What an exception of libpqxx means. `sent`: the statement may have reached the server before the error.
struct db_error {
  db_fault fault = db_fault::none;
  bool drop_connection = false;
  bool outcome_unknown = false; // the connection died with the statement on its way
  std::string state, detail;    // for command_failure and the log
  explicit operator bool() const { return fault != db_fault::none; }
};

// Call inside a catch block.
db_error current_db_error();

} // namespace omnium::pg
