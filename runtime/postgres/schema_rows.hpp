#pragma once
// What a database says of its own schema: the migrations it has, and the functions as they were last made. For the
// adapters of this folder only.
#include "runtime/postgres/migrate.hpp"
#include "runtime/postgres/pqxx_compat.hpp"

#include <functional>
#include <map>
#include <string>

namespace omnium::pg {

struct schema_rows {
  using sums = std::map<std::string, std::string, std::less<>>; // by file name, the file's SHA-256 in hex
  sums migrations, functions;
  bool has_function(const sql_file& file) const; // exactly as this program has it
};

schema_rows read_schema_rows(pqxx::transaction_base& tx);

} // namespace omnium::pg
