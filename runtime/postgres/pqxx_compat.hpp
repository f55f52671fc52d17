#pragma once
// libpqxx 6.4 (Debian 12) and 7.x (Debian 13) in one source: the differences stand here and nowhere else.
#include <pqxx/pqxx>

#include <cstddef>
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

// A parameter in Postgres' binary format, which the parameter's type says. `value` must live as long.
#if defined(PQXX_VERSION_MAJOR) && PQXX_VERSION_MAJOR >= 7
inline std::basic_string_view<std::byte> binary(std::string_view value) {
  return {reinterpret_cast<const std::byte*>(value.data()), value.size()};
}
#else
inline pqxx::binarystring binary(std::string_view value) { return {value.data(), value.size()}; }
#endif

// 6.x connects anew by itself in the middle of a call when its connection broke; that second wait would be nobody's to
// bound, and a prepared statement or an open outcome would be lost with it. 7.x never does.
inline void stay_broken(pqxx::connection& connection) {
#if defined(PQXX_VERSION_MAJOR) && PQXX_VERSION_MAJOR >= 7
  (void)connection;
#else
#include <pqxx/internal/ignore-deprecated-pre.hxx>
  connection.inhibit_reactivation(true);
#include <pqxx/internal/ignore-deprecated-post.hxx>
#endif
}

} // namespace omnium::pg
