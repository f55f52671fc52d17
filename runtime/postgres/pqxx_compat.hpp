#pragma once
// libpqxx 6.4 (Debian 12) and 7.x (Debian 13) in one source: the differences stand here and nowhere else.
#include <pqxx/pqxx>

#include <string>
#include <string_view>

namespace omnium::pg {

// The SQLSTATE of a libpqxx error that is a server's answer. In 6.x deadlock and serialisation failures are no
// sql_error and know no SQLSTATE; their classes say it.
inline std::string sqlstate_of(const pqxx::sql_error& e) {
#if defined(PQXX_VERSION_MAJOR) && PQXX_VERSION_MAJOR >= 7
  return std::string(e.sqlstate());
#else
  return e.sqlstate();
#endif
}

} // namespace omnium::pg
