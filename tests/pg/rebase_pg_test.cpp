// A dump restored elsewhere: refused in words, then put right without losing an event.
#include "runtime/postgres/rebase.hpp"
#include "runtime/postgres/session_door.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

using namespace omnium;

TEST_CASE("cursors of another cluster are refused, and a rebase loses no event and keeps their order") {
  auto db = testing::migrated_database();
  CHECK(pg::foreign_cursors(db->url()).empty());
  // As a dump brings them: ids of transactions that this cluster has not reached.
  db->run("INSERT INTO domain_event (xid, kind, seq, payload) SELECT (1000000 + n / 3)::text::xid8, 'k', n, '' FROM "
          "generate_series(1, 30) n");
  db->run("INSERT INTO outbox_cursor (name, follows, xid, id, cluster) SELECT 'feed', 'domain_event', xid, id, "
          "'another' FROM "
          "domain_event WHERE seq = 20");
  db->run("INSERT INTO outbox_cursor (name, follows, xid, id, cluster) VALUES ('done', 'domain_event', '2000000', 1, "
          "'another')");
  CHECK(pg::foreign_cursors(db->url()).find("omnium migrate --rebase") != std::string::npos);
  CHECK(pg::rebase(db->url()).empty());
  CHECK(pg::foreign_cursors(db->url()).empty());
  const std::string unread =
      "SELECT string_agg(e.seq::text, ' ' ORDER BY e.xid, e.id) FROM domain_event e, outbox_cursor c "
      "WHERE (e.xid, e.id) > (c.xid, c.id) AND c.name = ";
  CHECK(db->ask(unread + "'feed'") == "21 22 23 24 25 26 27 28 29 30");
  CHECK(db->ask(unread + "'done'").empty());
  CHECK(db->count("SELECT count(*) FROM domain_event WHERE xid < pg_snapshot_xmin(pg_current_snapshot())") == 30);
  CHECK(pg::rebase(db->url()).empty()); // once more changes nothing
  CHECK(db->ask(unread + "'feed'") == "21 22 23 24 25 26 27 28 29 30");
}

TEST_CASE("a rebase is refused in words, and changes nothing, while a server's session is open on the database") {
  auto db = testing::migrated_database();
  db->run(
      "INSERT INTO outbox_cursor (name, follows, xid, id, cluster) VALUES ('feed', 'domain_event', '5', 1, 'another')");
  pg::session server(pg::with_limits(db->app_url(), pg::read_limits, ""));
  CHECK_FALSE(server.run([](pg::session::door&) {}));
  const auto why = pg::rebase(db->url());
  CHECK(why.find("a server is running on this database") != std::string::npos);
  CHECK(why.find("omnium-read") != std::string::npos);
  CHECK(db->ask("SELECT cluster FROM outbox_cursor") == "another");
  // A person's session is none, and one of another database neither.
  auto other = testing::migrated_database();
  auto person = other->connect();
  CHECK(pg::rebase(other->url()).empty());
}
