#include "tests/support/database.hpp"

#include "runtime/postgres/cluster.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace omnium::testing {
namespace {

struct shared_cluster {
  shared_cluster() : cluster({.data_dir = folder.path()}) {
    if (auto why = cluster.start(); !why.empty()) throw std::runtime_error(why);
  }
  temp_folder folder;
  pg::cluster cluster;
};

pg::cluster& the_cluster() {
  static shared_cluster one;
  return one.cluster;
}

} // namespace

temp_folder::temp_folder() {
  std::string form = "/tmp/omnium-test-XXXXXX";
  if (::mkdtemp(form.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = form;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all | std::filesystem::perms::group_exec |
                                          std::filesystem::perms::others_exec);
}

temp_folder::~temp_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

database::database(const std::string& like) {
  static std::atomic<int> number{0};
  name_ = fmt::format("test_{}_{}", ::getpid(), ++number);
  auto owner = the_cluster().owner_url();
  pqxx::connection admin(owner);
  pqxx::nontransaction(admin).exec(fmt::format("CREATE DATABASE {} TEMPLATE {}", name_, like));
  url_ = owner.substr(0, owner.find("dbname=")) + "dbname=" + name_;
}

database::~database() {
  try {
    pqxx::connection admin(the_cluster().owner_url());
    pqxx::nontransaction(admin).exec(fmt::format("DROP DATABASE IF EXISTS {} WITH (FORCE)", name_));
  } catch (const std::exception&) {
    // The cluster goes with the program, and the database with it.
  }
}

std::string database::ask(const std::string& sql) const {
  auto connection = connect();
  auto rows = pqxx::nontransaction(connection).exec(sql);
  return rows.empty() || rows[0][0].is_null() ? std::string{} : rows[0][0].c_str();
}

void database::run(const std::string& sql) const {
  auto connection = connect();
  pqxx::nontransaction(connection).exec(sql);
}

void database::read_only(bool on) const {
  pqxx::connection elsewhere(the_cluster().owner_url());
  pqxx::nontransaction tx(elsewhere);
  tx.exec(fmt::format("ALTER DATABASE {} SET default_transaction_read_only = {}", name_, on ? "on" : "off"));
  tx.exec(fmt::format("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", name_));
}

void database::wrap_commit(const std::string& before, const std::string& after) const {
  auto args = ask("SELECT pg_get_function_arguments('road.commit'::regproc)");
  auto names = ask("SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, (SELECT pronargs FROM pg_proc "
                   "WHERE oid = 'road.commit'::regproc)) n");
  run("ALTER FUNCTION road.commit RENAME TO commit_inner");
  run(fmt::format("CREATE FUNCTION road.commit({}) RETURNS TABLE (i int, what text, last_seq bigint, detail text) "
                  "LANGUAGE plpgsql VOLATILE AS $f$ BEGIN {} "
                  "RETURN QUERY SELECT * FROM road.commit_inner({}); {} END $f$",
                  args, before, names, after));
}

void database::edit_commit(const std::string& what, const std::string& by) const {
  auto text = ask("SELECT pg_get_functiondef('road.commit'::regproc)");
  if (text.find(what) == std::string::npos) throw std::runtime_error("road.commit has no \"" + what + "\"");
  for (auto from = text.find(what); from != std::string::npos; from = text.find(what, from + by.size()))
    text.replace(from, what.size(), by);
  run(text);
}

std::string database::app_url() const {
  auto url = url_;
  return url.replace(url.find("user=omnium "), 12, "user=omnium_app ");
}

} // namespace omnium::testing
