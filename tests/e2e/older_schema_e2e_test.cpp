// A dump restored under a running node: one of this version is scored on, one of an older version is not written.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/within.hpp"

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::within;

namespace {

// As after a restore: the log has another file.
void take_place(const database& db) { db.run("VACUUM FULL timeline_item"); }
bool says(const server_process& server, const std::string& words) {
  return server.output().find(words) != std::string::npos;
}
const std::string another = "the database is another one than before", older = "the database is one of another version";

} // namespace

TEST_CASE("a node whose database became one of an older version ends, and its next start brings it up to date") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  const auto match = desk(server.url()).new_match();
  struct missing {
    const char *taken, *given_back;
  };
  const auto what =
      GENERATE(missing{"CREATE TABLE kept AS SELECT * FROM schema_migration WHERE name LIKE '0024%'; "
                       "DELETE FROM schema_migration WHERE name LIKE '0024%'",
                       "INSERT INTO schema_migration SELECT * FROM kept"},
               missing{"UPDATE schema_functions SET sha256 = 'x' WHERE name LIKE '%road%'", ""},
               missing{"DELETE FROM schema_functions WHERE name LIKE '%road%'", ""},
               missing{"ALTER TABLE schema_functions RENAME TO kept", "ALTER TABLE kept RENAME TO schema_functions"});
  db.run(what.taken);
  take_place(db);
  REQUIRE(within(20s, [&] { return says(server, older); }));
  REQUIRE(within(20s, [&] { return says(server, "stopped"); }));
  CHECK(server.stop() == 1);
  if (*what.given_back != '\0') db.run(what.given_back);
  server.start();
  CHECK(desk(server.url()).match(match, "k", "football.shot", R"({"minute":1,"side":"home"})").outcome == "accepted");
}

TEST_CASE("a node whose database was replaced by one of its own version, or of a newer one, goes on") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  const auto match = desk(server.url()).new_match();
  if (GENERATE(true, false))
    db.run("INSERT INTO schema_migration (name, sha256) VALUES ('9999_newer.sql', 'x'); UPDATE schema_functions SET "
           "sha256 = 'y'");
  take_place(db);
  REQUIRE(within(20s, [&] { return says(server, another); }));
  CHECK(desk(server.url()).match(match, "k", "football.shot", R"({"minute":1,"side":"home"})").outcome == "accepted");
  CHECK_FALSE(says(server, older));
  CHECK(server.stop() == 0);
}
