#include "runtime/postgres/schema_age.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/postgres/migrate.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>
#include <map>

namespace omnium::pg {
namespace {

const statements::statement migrations{"schema_migrations", "SELECT name, sha256 FROM schema_migration"};
const statements::statement functions{"schema_functions", "SELECT name, sha256 FROM schema_functions"};

std::map<std::string, std::string, std::less<>> known(session::door& door, const statements::statement& which) {
  std::map<std::string, std::string, std::less<>> out;
  for (const auto& row : door.run(which)) out.emplace(row[0].c_str(), row[1].c_str());
  return out;
}

} // namespace

std::string older_schema(session::door& door) {
  try {
    const auto applied = known(door, migrations), made = known(door, functions);
    for (const auto& file : migration_files())
      if (!applied.contains(file.name)) return fmt::format("{} is not in it", file.name);
    if (applied.size() > migration_files().size()) return {};
    for (const auto& file : function_files())
      if (auto it = made.find(file.name); it == made.end() || it->second != hex(sha256(file.text)))
        return fmt::format("{} is another one in it", file.name);
    return {};
  } catch (const pqxx::syntax_error& error) { // of class 42: a table or column is missing
    return fmt::format("its schema cannot be read: {}", error.what());
  } catch (const pqxx::insufficient_privilege& error) {
    return fmt::format("its schema cannot be read: {}", error.what());
  }
}

} // namespace omnium::pg
