#include "runtime/postgres/migrate.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/postgres/schema_rows.hpp"

#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace omnium::pg {
namespace {

// "omnium" as a number: whoever migrates holds it to the end of its session.
constexpr const char* take_lock = "SELECT pg_advisory_lock(122529405924717)";

constexpr const char* prepare = R"(
  CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS schema_functions (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'omnium_app') THEN
      CREATE ROLE omnium_app LOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;  -- another database's migrator was faster
  END $$;
  DO $$ BEGIN
    EXECUTE format('GRANT omnium_app TO %I', current_user);
  EXCEPTION WHEN OTHERS THEN NULL;  -- a superuser needs no grant; without one the pools say so when they connect
  END $$;)";

// The first reason not to touch this database, or empty.
std::string refuse(const schema_rows::sums& applied) {
  std::map<std::string, std::string> ours;
  for (const auto& file : migration_files()) ours.emplace(file.name, hex(sha256(file.text)));
  for (const auto& [name, sha] : applied) {
    auto mine = ours.find(name);
    if (mine == ours.end())
      return fmt::format("This database was migrated by a newer Omnium ({}); this one will not touch it.", name);
    if (mine->second != sha)
      return fmt::format("Migration {} of this database is not the one this Omnium knows; nothing was changed.", name);
  }
  return {};
}

void apply_once(pqxx::connection& connection, const sql_file& file, const char* table) {
  pqxx::work tx(connection);
  tx.exec(fmt::format("SET LOCAL lock_timeout = '{}ms'", limits::migration_lock_wait.count()));
  tx.exec(std::string(file.text));
  tx.exec(fmt::format("INSERT INTO {0} (name, sha256) VALUES ({1}, {2}) ON CONFLICT (name) DO UPDATE SET sha256 = "
                      "excluded.sha256, applied_at = now()",
                      table, tx.quote(std::string(file.name)), tx.quote(hex(sha256(file.text)))));
  tx.commit();
}

// Another node's commands queue behind a wait for a table's lock, so that is short, and then they have the table for as
// long. A dump or a session that was left open holds it longer: after so many tries it is told.
void apply(pqxx::connection& connection, const sql_file& file, const char* table, int lock_tries) {
  for (int tries = 1;; ++tries) {
    try {
      return apply_once(connection, file, table);
    } catch (const pqxx::sql_error& error) {
      constexpr std::string_view lock_not_available = "55P03";
      if (sqlstate_of(error) != lock_not_available) throw;
      if (tries == lock_tries)
        throw std::runtime_error(
            fmt::format("{}: another session (a dump?) has held a table's lock for {} tries of {} ms; "
                        "nothing of it was changed",
                        file.name, tries, limits::migration_lock_wait.count()));
    }
    std::this_thread::sleep_for(limits::migration_lock_wait);
  }
}

migrate_result migrate_or_throw(const std::string& owner_url, int lock_tries) {
  migrate_result out;
  pqxx::connection connection(owner_url);
  {
    pqxx::nontransaction tx(connection);
    tx.exec(take_lock);
    tx.exec("SET client_min_messages = warning");
  }
  schema_rows before;
  {
    pqxx::work tx(connection);
    tx.exec(prepare);
    before = read_schema_rows(tx);
    tx.commit();
  }
  out.error = refuse(before.migrations);
  if (!out.error.empty()) return out;
  for (const auto& file : migration_files()) {
    if (before.migrations.contains(file.name)) continue;
    apply(connection, file, "schema_migration", lock_tries);
    out.applied.emplace_back(file.name);
  }
  for (const auto& file : function_files()) {
    if (before.has_function(file)) continue;
    apply(connection, file, "schema_functions", lock_tries);
    out.applied.emplace_back(file.name);
  }
  return out;
}

} // namespace

migrate_result migrate(const std::string& owner_url, int lock_tries) {
  try {
    return migrate_or_throw(owner_url, lock_tries);
  } catch (const std::exception& e) {
    std::string what = e.what();
    while (!what.empty() && what.back() == '\n') what.pop_back();
    return {fmt::format("The database could not be migrated: {}", what), {}};
  }
}

} // namespace omnium::pg
