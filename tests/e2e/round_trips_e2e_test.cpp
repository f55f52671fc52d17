// One round trip to the database for an accepted command, as the database counts them.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <pqxx/pqxx>

using namespace omnium;
using namespace omnium::e2e;

namespace {

// Line 5 of postmaster.pid: the folder of the cluster's socket.
std::string owner_url(const std::string& data) {
  std::ifstream in(data + "/pg/postmaster.pid");
  std::string line;
  for (int n = 0; n < 5; ++n) std::getline(in, line);
  return fmt::format("host='{}' port=5432 user=omnium dbname=omnium", line);
}

std::map<std::string, long> calls(pqxx::connection& connection) {
  std::map<std::string, long> out;
  pqxx::nontransaction tx(connection);
  for (const auto& row :
       tx.exec("SELECT s.query, sum(s.calls)::bigint FROM pg_stat_statements s JOIN pg_roles r ON r.oid "
               "= s.userid WHERE r.rolname = 'omnium_app' GROUP BY 1"))
    out[row[0].c_str()] = row[1].as<long>();
  return out;
}

} // namespace

TEST_CASE("an accepted command of a match that is awake is one round trip to the database") {
  temp_folder folder;
  auto data = folder.path() + "/omnium";
  server_process server({.data_dir = data});
  server.start();
  pqxx::connection connection(owner_url(data));
  pqxx::nontransaction(connection).exec("CREATE EXTENSION pg_stat_statements");
  desk d(server.url());
  auto fixture = d.new_match();
  constexpr long balls = 300;
  auto shot = [&](const std::string& key) {
    return d.match(fixture, key, "football.shot", R"({"side":"home","minute":3})").outcome;
  };
  REQUIRE(shot("awake") == "accepted");
  auto before = calls(connection);
  for (long n = 0; n < balls; ++n) REQUIRE(shot(fmt::format("s{}", n)) == "accepted");
  auto after = calls(connection);
  long road = 0, other = 0;
  for (const auto& [query, count] : after) {
    auto grown = count - before[query];
    if (query.find("road.commit") != std::string::npos) road += grown;
    else if (query.find("domain_event") == std::string::npos) { // the outbox reader's, on its own connection
      INFO(query << ": " << grown);
      other += grown;
    }
  }
  CHECK(road == balls);
  CHECK(other <= balls / 10); // loops of the house (readiness, leaders), by time and not by command
  REQUIRE(server.stop() == 0);
}
