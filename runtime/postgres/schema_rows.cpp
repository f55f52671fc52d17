#include "runtime/postgres/schema_rows.hpp"

#include "runtime/core/hashing.hpp"

namespace omnium::pg {
namespace {

schema_rows::sums sums_of(pqxx::transaction_base& tx, const std::string& table) {
  schema_rows::sums out;
  for (const auto& row : tx.exec("SELECT name, sha256 FROM " + table)) out.emplace(row[0].c_str(), row[1].c_str());
  return out;
}

} // namespace

bool schema_rows::has_function(const sql_file& file) const {
  auto it = functions.find(file.name);
  return it != functions.end() && it->second == hex(sha256(file.text));
}

schema_rows read_schema_rows(pqxx::transaction_base& tx) {
  return {sums_of(tx, "schema_migration"), sums_of(tx, "schema_functions")};
}

} // namespace omnium::pg
