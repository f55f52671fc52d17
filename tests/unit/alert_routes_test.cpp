// What goes into the log of an alert, and what a connection text may look like.
#include "runtime/ops/log.hpp"
#include "runtime/postgres/conninfo.hpp"
#include "runtime/upkeep/routes.hpp"
#include "tests/catch.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace omnium;

TEST_CASE("an alert in the log says what it is about in full, and one that closed is no error") {
  char name[] = "/tmp/omnium_alert_XXXXXX";
  ::close(::mkstemp(name));
  REQUIRE(ops::start_log(ops::log_level::info, name).empty());
  auto route = upkeep::log_route();
  for (auto what : {"opened", "again", "closed"})
    CHECK(route
              ->send({1, fmt::format(R"({{"what":"{}","alert":{{"severity":"page","rule":"disk-low","key":"node",)"
                                     R"("count":3,"sentence":"A disk is nearly full.","detail":"7 MiB are free."}}}})",
                                     what)})
              .empty());
  ops::stop_log();
  std::ifstream in(name);
  for (auto [what, level] : {std::pair{"opened", "error"}, std::pair{"again", "error"}, std::pair{"closed", "info"}}) {
    std::string line;
    REQUIRE(std::getline(in, line));
    INFO(line);
    CHECK(
        line.find(fmt::format(
            R"("level":"{}","msg":"alert: [page] disk-low node {}: A disk is nearly full. (3 times) 7 MiB are free.")",
            level, what)) != std::string::npos);
  }
  std::remove(name);
}

TEST_CASE("a connection text that no driver could read is told without repeating it") {
  for (auto good : {"postgresql://u:p@h:5432/d", "postgres:///d?host=/run", "host=h dbname=d", ""}) {
    INFO(good);
    CHECK(pg::conninfo_fault(good).empty());
  }
  for (auto bad : {"nonsense", "mysql://u:hush@h/d", "hots=h password=hush", "postgresql://h:x/d?y=hush"}) {
    INFO(bad);
    CHECK(pg::conninfo_fault(bad).ends_with("."));
    CHECK(pg::conninfo_fault(bad).find("hush") == std::string::npos);
  }
}
