#include "runtime/postgres/rebase.hpp"

#include "runtime/postgres/sqlstate.hpp"

#include <chrono>
#include <fmt/format.h>
#include <pqxx/pqxx>
#include <thread>

namespace omnium::pg {
namespace {

constexpr int looks_max = 10;
constexpr auto look_pause = std::chrono::milliseconds(200);
constexpr const char* here = "(SELECT system_identifier::text FROM pg_control_system())";

} // namespace

std::string foreign_cursors(const std::string& owner_url) {
  try {
    pqxx::connection connection(owner_url);
    auto rows = pqxx::nontransaction(connection)
                    .exec(fmt::format("SELECT name FROM outbox_cursor WHERE cluster <> {} LIMIT 1", here));
    if (rows.empty()) return {};
    return fmt::format("This database comes from a dump of another cluster: the cursor \"{}\" means nothing here. Run "
                       "\"omnium migrate --rebase\" once, with no server running on it, then start again.",
                       rows[0][0].c_str());
  } catch (...) {
    return "The outbox cursors cannot be read: " + current_db_error().detail;
  }
}

std::string servers_on(const std::string& owner_url) {
  try {
    pqxx::connection connection(owner_url);
    pqxx::nontransaction tx(connection);
    pqxx::result rows;
    // A server that has just ended may leave sessions behind for a moment.
    for (int look = 0; look < looks_max; ++look) {
      if (look > 0) std::this_thread::sleep_for(look_pause);
      rows = tx.exec(
          "SELECT count(*), string_agg(DISTINCT application_name, ', '), string_agg(DISTINCT host(client_addr), "
          "', ') FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND "
          "application_name LIKE 'omnium-%'");
      if (rows[0][0].as<int>() == 0) return {};
    }
    return fmt::format("a server is running on this database: {} of its sessions are open ({}{}). Stop it first",
                       rows[0][0].c_str(), rows[0][1].c_str(),
                       rows[0][2].is_null() ? std::string() : std::string(", from ") + rows[0][2].c_str());
  } catch (...) {
    return "it cannot be seen whether a server is running: " + current_db_error().detail;
  }
}

std::string rebase(const std::string& owner_url) {
  if (auto why = servers_on(owner_url); !why.empty())
    return "The database was not rebased; nothing was changed: " + why + ".";
  try {
    pqxx::connection connection(owner_url);
    pqxx::work tx(connection);
    tx.exec("LOCK TABLE outbox_cursor, domain_event_row IN ACCESS EXCLUSIVE MODE");
    tx.exec(fmt::format(
        "UPDATE outbox_cursor c SET cluster = {}, xid = '0', id = CASE WHEN follows = 'domain_event' THEN coalesce("
        "(SELECT min(e.id) - 1 FROM domain_event e WHERE (e.xid, e.id) > (c.xid, c.id)), "
        "(SELECT max(e.id) FROM domain_event e), 0) ELSE id END WHERE cluster <> {}",
        here, here));
    tx.exec("UPDATE domain_event_row SET xid = '0' WHERE xid > '0'");
    tx.commit();
    return {};
  } catch (...) {
    return "The database could not be rebased; nothing was changed: " + current_db_error().detail;
  }
}

} // namespace omnium::pg
