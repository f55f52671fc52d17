#include "runtime/postgres/schema_age.hpp"

#include "runtime/postgres/schema_rows.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>

namespace omnium::pg {

std::string older_schema(session::door& door) {
  try {
    pqxx::nontransaction tx(door.connection);
    const auto in_it = read_schema_rows(tx);
    for (const auto& file : migration_files())
      if (!in_it.migrations.contains(file.name)) return fmt::format("{} is not in it", file.name);
    if (in_it.migrations.size() > migration_files().size()) return {};
    for (const auto& file : function_files())
      if (!in_it.has_function(file)) return fmt::format("{} is another one in it", file.name);
    return {};
  } catch (const pqxx::syntax_error& error) { // of class 42: a table or column is missing
    return fmt::format("its schema cannot be read: {}", error.what());
  } catch (const pqxx::insufficient_privilege& error) {
    return fmt::format("its schema cannot be read: {}", error.what());
  }
}

} // namespace omnium::pg
