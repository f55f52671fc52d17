// The embedded cluster: made, stopped, found again; what a killed server or an interrupted start leaves behind.
#include "runtime/core/limits.hpp"
#include "runtime/postgres/cluster.hpp"
#include "tests/catch.hpp"
#include "tests/support/database.hpp"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <pqxx/pqxx>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace omnium;
using namespace std::chrono_literals;
using omnium::testing::temp_folder;
namespace fs = std::filesystem;

namespace {

std::string ask(const pg::cluster& where, const std::string& sql) {
  pqxx::connection connection(where.owner_url());
  auto rows = pqxx::nontransaction(connection).exec(sql);
  return rows.empty() ? std::string{} : rows[0][0].c_str();
}

pid_t pid_in(const std::string& data) {
  std::ifstream file(data + "/pg/postmaster.pid");
  pid_t out = 0;
  file >> out;
  return out;
}

// A server that starts the cluster and is killed: nothing of it is stopped.
void start_and_die(const std::string& data) {
  auto child = ::fork();
  if (child == 0) {
    auto* doomed = new pg::cluster({.data_dir = data});
    ::_exit(doomed->start().empty() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

} // namespace

TEST_CASE("the cluster is told neither our secrets nor whom the service manager listens to") {
  temp_folder folder;
  ::setenv("OMNIUM_ALERTS_WEBHOOK_SECRET", "ours", 1);
  ::setenv("NOTIFY_SOCKET", (folder.path() + "/notify").c_str(), 1);
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  pg::cluster cluster({.data_dir = folder.path() + "/data"});
  auto why = cluster.start();
  for (auto* name : {"OMNIUM_ALERTS_WEBHOOK_SECRET", "NOTIFY_SOCKET", "WATCHDOG_USEC"}) ::unsetenv(name);
  REQUIRE(why == "");
  pqxx::connection connection(cluster.owner_url());
  pqxx::nontransaction tx(connection);
  tx.exec("CREATE TEMP TABLE its (line text)");
  tx.exec("COPY its FROM PROGRAM 'env' (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')");
  auto lines = [&](const char* like) {
    return tx.exec(fmt::format("SELECT count(*) FROM its WHERE line LIKE '{}'", like))[0][0].as<int>();
  };
  CHECK(lines("PATH=%") == 1);
  CHECK(lines("OMNIUM%") + lines("NOTIFY%") + lines("WATCHDOG%") == 0);
}

TEST_CASE("a cluster is made once, keeps what was written, and belongs to one server") {
  temp_folder folder;
  auto data = folder.path() + "/data";
  {
    pg::cluster cluster({.data_dir = data});
    REQUIRE(cluster.start() == "");
    ask(cluster, "CREATE TABLE kept AS SELECT 42 AS n");
    REQUIRE(ask(cluster, "SHOW fsync") == "on");
    REQUIRE(ask(cluster, "SHOW synchronous_commit") == "on");
    REQUIRE(ask(cluster, "SHOW listen_addresses") == "");
    pg::cluster second({.data_dir = data});
    REQUIRE(second.start().find("Another Omnium") != std::string::npos);
    second.stop();
    REQUIRE(ask(cluster, "SELECT n FROM kept") == "42");
  }
  REQUIRE_FALSE(fs::exists(data + "/pg/postmaster.pid"));
  pg::cluster again({.data_dir = data});
  REQUIRE(again.start() == "");
  REQUIRE(ask(again, "SELECT n FROM kept") == "42");
}

TEST_CASE("the cluster of a killed server is adopted, and stopped by its new owner") {
  temp_folder folder;
  auto data = folder.path() + "/data";
  start_and_die(data);
  auto pid = pid_in(data);
  REQUIRE(pid > 1);
  pg::cluster next({.data_dir = data});
  REQUIRE(next.start() == "");
  REQUIRE(next.pid() == pid);
  REQUIRE(ask(next, "SELECT 1") == "1");
  next.stop();
  REQUIRE_FALSE(fs::exists(data + "/pg/postmaster.pid"));
}

TEST_CASE("what a crash leaves behind is no obstacle") {
  temp_folder folder;
  auto data = folder.path() + "/data";
  start_and_die(data);
  ::kill(pid_in(data), SIGKILL); // the postmaster; its backends notice and leave
  {
    pg::cluster cluster({.data_dir = data});
    REQUIRE(cluster.start() == "");
  }
  // The pid in the file is somebody else's by now.
  std::ofstream(data + "/pg/postmaster.pid") << ::getpid() << "\n" << data << "/pg\n1\n5432\n/tmp\n\n1 1\nready\n";
  // And an initdb that was interrupted.
  fs::create_directories(data + "/pg.new/base");
  pg::cluster cluster({.data_dir = data});
  REQUIRE(cluster.start() == "");
  REQUIRE(cluster.pid() != ::getpid());
}

TEST_CASE("a cluster of another major version is named, not touched") {
  temp_folder folder;
  auto data = folder.path() + "/data";
  fs::create_directories(data + "/pg");
  std::ofstream(data + "/pg/PG_VERSION") << "9\n";
  pg::cluster cluster({.data_dir = data});
  auto why = cluster.start();
  REQUIRE(why.find("made by Postgres 9") != std::string::npos);
  REQUIRE(why.find("pg_upgrade") != std::string::npos);
}

TEST_CASE("a deep data folder and one that the cluster's user cannot enter work as well") {
  temp_folder folder;
  auto closed = folder.path() + "/closed";
  fs::create_directories(closed);
  ::chmod(closed.c_str(), 0700);
  auto deep = closed + "/" + std::string(60, 'a') + "/" + std::string(60, 'b');
  pg::cluster cluster({.data_dir = deep});
  REQUIRE(cluster.start() == "");
  REQUIRE(ask(cluster, "SELECT 1") == "1");
  cluster.stop();
  if (fs::is_symlink(deep + "/pg")) fs::remove_all(fs::read_symlink(deep + "/pg"));
}

TEST_CASE("the cluster's log moves aside when it is over its bound, and goes on") {
  temp_folder folder;
  auto data = folder.path() + "/data";
  pg::cluster cluster({.data_dir = data});
  REQUIRE(cluster.start() == "");
  auto log = data + "/postgres.log";
  cluster.bound_log();
  REQUIRE_FALSE(fs::exists(log + ".1"));
  std::ofstream(log, std::ios::app) << std::string(limits::cluster_log_bytes_max + 1, 'x');
  cluster.bound_log();
  REQUIRE(fs::file_size(log + ".1") > limits::cluster_log_bytes_max);
  REQUIRE(fs::file_size(log) == 0);
  ask(cluster, "DO $$ BEGIN RAISE WARNING 'still written'; END $$");
  std::ifstream in(log);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  REQUIRE(text.find("still written") != std::string::npos);
}

TEST_CASE("wherever the cluster lies and listens, the data folder leads there") {
  temp_folder folder;
  auto hidden = folder.path() + "/hidden", data = hidden + "/data"; // of its owner alone, not of the cluster's user
  fs::create_directory(hidden);
  REQUIRE(::chmod(hidden.c_str(), 0700) == 0);
  pg::cluster cluster({.data_dir = data});
  REQUIRE(cluster.start() == "");
  CHECK((cluster.data_folder() == data + "/pg") == (::geteuid() != 0));
  CHECK(fs::equivalent(data + "/pg", cluster.data_folder()));
  CHECK(fs::equivalent(data + "/run", cluster.socket_folder()));
  // As a backup's command has it.
  CHECK(pqxx::connection(fmt::format("host='{}/run' user=omnium dbname=omnium", data)).is_open());
  cluster.stop();
  if (::geteuid() == 0)
    for (const auto& gone : {cluster.data_folder(), cluster.socket_folder()}) fs::remove_all(gone);
}
