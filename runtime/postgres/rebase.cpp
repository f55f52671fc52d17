#include "runtime/postgres/rebase.hpp"

#include "runtime/postgres/sqlstate.hpp"

#include <fmt/format.h>
#include <pqxx/pqxx>

namespace omnium::pg {
namespace {

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

std::string rebase(const std::string& owner_url) {
  try {
    pqxx::connection connection(owner_url);
    pqxx::work tx(connection);
    tx.exec("LOCK TABLE outbox_cursor, domain_event IN ACCESS EXCLUSIVE MODE");
    tx.exec(fmt::format(
        "UPDATE outbox_cursor c SET cluster = {}, xid = '0', id = CASE WHEN follows = 'domain_event' THEN coalesce("
        "(SELECT min(e.id) - 1 FROM domain_event e WHERE (e.xid, e.id) > (c.xid, c.id)), "
        "(SELECT max(e.id) FROM domain_event e), 0) ELSE id END WHERE cluster <> {}",
        here, here));
    tx.exec("UPDATE domain_event SET xid = '0' WHERE xid > '0'");
    tx.commit();
    return {};
  } catch (...) {
    return "The database could not be rebased; nothing was changed: " + current_db_error().detail;
  }
}

} // namespace omnium::pg
