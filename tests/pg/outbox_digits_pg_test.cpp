// The order of the outbox where transaction ids get one digit more: 1000 comes after 999, as a number and not as a
// text.
#include "runtime/postgres/cluster.hpp"
#include "runtime/postgres/migrate.hpp"
#include "tests/catch.hpp"
#include "tests/pg/outbox_support.hpp"
#include "tests/support/database.hpp"

#include <fmt/format.h>
#include <pqxx/pqxx>

using namespace omnium;
using namespace std::chrono_literals;
using testing::screens_node;

namespace {

// A cluster of its own: its transaction ids are few, and nobody else uses them.
struct young_cluster {
  young_cluster() : cluster({.data_dir = folder.path()}) {
    REQUIRE(cluster.start() == "");
    REQUIRE(pg::migrate(cluster.owner_url()).error == "");
  }
  pqxx::connection connect() const { return pqxx::connection(cluster.owner_url()); }
  testing::temp_folder folder;
  pg::cluster cluster;
};

void make_match(pqxx::connection& to, const uuid& competition, const uuid& fixture) {
  pqxx::work tx(to);
  for (const auto& [id, what] : {std::pair(competition, "competition"), std::pair(fixture, "fixture")})
    tx.exec(fmt::format("INSERT INTO subject (id, kind) VALUES ('{}', '{}')", to_string(id), what));
  tx.exec(fmt::format("INSERT INTO competition (id, name) VALUES ('{}', 'Cup')", to_string(competition)));
  tx.exec(fmt::format("INSERT INTO fixture (id, competition_id, sport, release) VALUES ('{}', '{}', 'toy', '1')",
                      to_string(fixture), to_string(competition)));
  tx.commit();
}

// One transaction; its id.
std::int64_t ball(pqxx::connection& to, const uuid& fixture) {
  pqxx::work tx(to);
  auto seq = tx.exec(fmt::format("UPDATE fixture SET last_seq = last_seq + 1 WHERE id = '{}' RETURNING last_seq",
                                 to_string(fixture)))[0][0]
                 .as<std::int64_t>();
  auto xid = tx.exec(fmt::format("INSERT INTO domain_event (kind, fixture_id, seq, payload) VALUES ('toy.add', '{0}', "
                                 "{1}, '{{\"version\":{1},\"prev\":{2}}}') RETURNING xid::text",
                                 to_string(fixture), seq, seq - 1))[0][0]
                 .as<std::int64_t>();
  tx.commit();
  return xid;
}

// Uses transaction ids up until the next is `count` before one more digit; that first longer one.
std::int64_t near_one_more_digit(pqxx::connection& to, std::int64_t count) {
  pqxx::nontransaction tx(to);
  auto now = tx.exec("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")[0][0].as<std::int64_t>();
  std::int64_t edge = 1000;
  while (edge < now + count) edge *= 10;
  tx.exec(fmt::format("DO $$ BEGIN WHILE pg_current_xact_id()::text::bigint < {} LOOP COMMIT; END LOOP; END $$",
                      edge - count));
  return edge;
}

} // namespace

TEST_CASE("a backlog across the edge where transaction ids get one digit more is read in their order") {
  young_cluster young;
  auto competition = make_uuid7(), fixture = make_uuid7();
  auto to = young.connect(), holder = young.connect();
  make_match(to, competition, fixture);
  auto edge = near_one_more_digit(to, 60);
  screens_node here(young.cluster.app_url(), 10ms);
  auto screen = here.watch(fixture);
  auto asked = here.source.questions.load();
  std::int64_t before = 0, after = 0;
  {
    // An older transaction keeps all of it from the reader until it is more than one read brings.
    pqxx::work open(holder);
    open.exec("SELECT pg_current_xact_id()");
    while (after < 300) ++(ball(to, fixture) < edge ? before : after);
    CHECK(screen->versions().size() == 1); // the snapshot alone
  }
  CHECK(before > 20);
  CHECK(screen->reaches(before + after, 5s));
  CHECK(screen->unbroken(before + after));
  CHECK(here.source.questions == asked); // nothing was passed over and looked for in the log
}
