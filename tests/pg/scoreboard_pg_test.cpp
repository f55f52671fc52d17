// The scoreboard's row: what a ball writes of it, and how rows of the schema before get there.
#include "runtime/postgres/migrate.hpp"
#include "tests/catch.hpp"
#include "tests/pg/outbox_support.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/wal.hpp"
#include "tests/support/within.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <future>
#include <map>
#include <memory>
#include <thread>

using namespace omnium;
using kind = road::batch_result::kind;
using testing::road_bench;

namespace {

// As a Test match shows it after three innings: 600 bytes that no ball changes, 150 that it does.
std::string board_at(int ball) {
  std::string innings;
  for (int i = 0; i < 3; ++i)
    innings += fmt::format(R"({{"batting":"home","runs":416,"overs":"104.0","more":"{}"}},)", std::string(140, 'x'));
  return fmt::format(
      R"({{"status":"live","line":"416/0d, {0}.1","innings":[{1}{{"runs":{0}}}],"bowler":{{"balls":{0}}}}})",
      100 + ball, innings);
}

struct board_bench : road_bench {
  board_bench() : road_bench(1) {}
  std::map<uuid, std::int64_t> seqs;

  void play(const std::vector<uuid>& matches, int ball) {
    std::vector<pending> sent;
    for (const auto& id : matches) {
      auto b = batch(id, seqs[id], {fmt::format("{}-{}", to_string(id), seqs[id])});
      b->scoreboard = board_at(ball);
      ++seqs[id];
      sent.push_back(send(std::move(b)));
    }
    for (auto& answer : sent) REQUIRE(answer.get().what == kind::committed);
  }
  // Bytes that the rows of the scoreboards took in the database's log from a place on: the one in the middle of all
  // updates, page images left out; and how many of the updates were not made in place.
  std::pair<double, std::int64_t> written(const std::string& from) const {
    const auto of_board =
        fmt::format("FROM pg_get_wal_records_info('{}', pg_current_wal_flush_lsn()) WHERE block_ref LIKE "
                    "'%/' || pg_relation_filenode('fixture_board') || ' %' AND resource_manager = 'Heap' "
                    "AND record_type LIKE '%UPDATE%'",
                    from);
    return {
        std::stod(db.ask("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY record_length - fpi_length) " + of_board)),
        db.count("SELECT count(*) " + of_board + " AND record_type <> 'HOT_UPDATE'")};
  }
};

// The tables as 0021_event_months.sql and 0003_state.sql made them, with what the rows hold now, and no trace of the
// migrations since.
void take_back(const testing::database& db) {
  db.run(R"(
    BEGIN;
    DROP VIEW domain_event;
    ALTER TABLE domain_event_row DROP COLUMN still_id;
    ALTER TABLE domain_event_row RENAME TO domain_event;
    DROP FUNCTION domain_event_insert;
    DROP TABLE scoreboard_still;
    CREATE TABLE before (fixture_id uuid PRIMARY KEY, seq bigint NOT NULL, text text NOT NULL) WITH (fillfactor = 50);
    INSERT INTO before SELECT fixture_id, seq, text FROM fixture_scoreboard;
    DROP VIEW fixture_scoreboard;
    DROP TABLE fixture_board;
    ALTER TABLE before RENAME TO fixture_scoreboard;
    GRANT SELECT, INSERT, UPDATE ON fixture_scoreboard TO omnium_app;
    DELETE FROM schema_migration WHERE name >= '0022';
    DELETE FROM schema_functions WHERE name LIKE '%road%' OR name LIKE '%months%';
    COMMIT)");
}

// A call of road.commit as the version before makes it: a command for each match, the scoreboard as one text.
std::string before_parts(board_bench& b, std::vector<uuid> matches) {
  std::sort(matches.begin(), matches.end());
  std::string rows;
  for (const auto& id : matches) {
    const auto seq = b.seqs[id]++;
    rows += fmt::format("{}('{}'::uuid, {}::bigint, {})", rows.empty() ? "" : ",", to_string(id), seq,
                        rows.empty() ? 1 : 2);
  }
  return fmt::format(R"(
    DO $$ BEGIN
      ASSERT (SELECT bool_and(c.what = 'committed') FROM
        (SELECT array_agg(id) id, array_agg(seq) was, array_agg(seq + 1) seq, array_agg(n) n, array_agg(id || ':' || seq) key
           FROM (VALUES {}) v(id, seq, n)) m,
        road.commit(true, m.id, m.id, m.was, m.seq, m.seq, array_fill(NULL::text, ARRAY[cardinality(m.id)]),
          array_fill('{{"line":"whole"}}'::text, ARRAY[cardinality(m.id)]), m.n, m.key,
          array_fill('t'::text, ARRAY[cardinality(m.id)]), array_fill(sha256('x'), ARRAY[cardinality(m.id)]), m.seq,
          array_fill('{{}}'::text, ARRAY[cardinality(m.id)]), array_fill(now(), ARRAY[cardinality(m.id)]),
          array_fill('toy.add'::text, ARRAY[cardinality(m.id)]), array_fill(true, ARRAY[cardinality(m.id)]),
          array_fill('{{}}'::text, ARRAY[cardinality(m.id)]), array_fill(NULL::text, ARRAY[cardinality(m.id)]),
          array_fill(NULL::bigint, ARRAY[cardinality(m.id)]), array_fill(repeat('a', 32), ARRAY[cardinality(m.id)]),
          array_fill('{{}}'::text, ARRAY[cardinality(m.id)]), ARRAY[]::int[], ARRAY[]::bigint[], ARRAY[]::text[],
          ARRAY[]::text[], ARRAY[]::text[]) c);
    END $$)",
                     rows);
}

} // namespace

TEST_CASE("a ball writes of its scoreboard what it changed, in place, not what stands still") {
  board_bench b;
  b.db.run("CREATE EXTENSION IF NOT EXISTS pg_walinspect");
  const auto matches = b.make_fixtures(40);
  b.play(matches, 0); // their rows are made, close together
  REQUIRE(b.db.count("SELECT min(octet_length(text)) FROM fixture_scoreboard") > 600);
  SECTION("one match in a call") {
    const auto from = testing::wal_now(b.db);
    for (int ball = 1; ball <= 20; ++ball) b.play({matches[0]}, ball);
    const auto [bytes, moved] = b.written(from);
    CHECK(bytes < 300);
    CHECK(moved == 0);
  }
  SECTION("many matches in a call") {
    const auto from = testing::wal_now(b.db);
    for (int ball = 1; ball <= 5; ++ball) b.play(matches, ball);
    const auto [bytes, moved] = b.written(from);
    CHECK(bytes < 300);
    CHECK(moved == 0);
  }
  for (const auto& id : {matches[0], matches[39]}) {
    const auto now =
        b.db.ask(fmt::format("SELECT seq || text FROM fixture_scoreboard WHERE fixture_id = '{}'", to_string(id)));
    const auto balls = b.seqs[id];
    CHECK(now == std::to_string(balls) + board_at(static_cast<int>(balls) - 1));
  }
}

TEST_CASE("a scoreboard that lost its row gets one with the next ball, alone and beside others") {
  board_bench b;
  const auto matches = b.make_fixtures(3);
  b.play(matches, 0);
  b.db.run(fmt::format("DELETE FROM fixture_board WHERE fixture_id = '{}'", to_string(matches[1])));
  b.play(matches, 1);
  CHECK(b.db.count("SELECT count(*) FROM fixture_scoreboard WHERE seq = 2") == 3);
  CHECK(b.db.count("SELECT count(DISTINCT text) FROM fixture_scoreboard") == 1);
  b.db.run("DELETE FROM fixture_board");
  b.play({matches[2]}, 2);
  CHECK(b.db.ask("SELECT seq || text FROM fixture_scoreboard") == "3" + board_at(2));
}

TEST_CASE("scoreboards of the schema before are migrated by two nodes at once, under a node that goes on") {
  board_bench b;
  const auto matches = b.make_fixtures(3);
  b.play(matches, 7);
  const std::string all =
      "SELECT string_agg(fixture_id || ' ' || seq || ' ' || text, E'\\n' ORDER BY fixture_id) FROM fixture_scoreboard";
  const auto right = b.db.ask(all);
  testing::screens_node here(b.db.app_url()); // its statements are prepared before, and go on after
  auto screen = here.watch(matches[0]);
  take_back(b.db);
  REQUIRE(b.db.ask(all) == right);
  pg::migrate_result one, two;
  std::thread other([&] { two = pg::migrate(b.db.url()); });
  one = pg::migrate(b.db.url());
  other.join();
  CHECK(one.error + two.error == "");
  // Three migrations, the functions of the road and of the months, each once.
  CHECK(one.applied.size() + two.applied.size() == 5);
  CHECK(b.db.ask(all) == right);
  // The application's role reads and writes it, over connections that were open all the while.
  b.play(matches, 8);
  b.play({matches[0]}, 9);
  CHECK(b.db.ask(fmt::format("SELECT seq || text FROM fixture_scoreboard WHERE fixture_id = '{}'",
                             to_string(matches[0]))) == "3" + board_at(9));
  CHECK(b.db.count("SELECT count(*) FROM fixture_board WHERE still <> ''") == 3);
  here.reader.ring();
  CHECK(screen->reaches(3, std::chrono::seconds(5)));
  CHECK(screen->unbroken(3));
  // So does the program before this one, which names no parts: one match in a call, and two.
  b.db.run(before_parts(b, {matches[1]}));
  b.db.run(before_parts(b, {matches[1], matches[2]}));
  for (const auto& id : {matches[1], matches[2]})
    CHECK(b.db.ask(fmt::format("SELECT seq || text FROM fixture_scoreboard WHERE fixture_id = '{}'", to_string(id))) ==
          std::to_string(b.seqs[id]) + R"({"line":"whole"})");
}

TEST_CASE("a table that a dump holds is not waited for at the cost of everybody else") {
  board_bench b;
  take_back(b.db);
  auto dump = b.db.connect();
  auto held = std::make_unique<pqxx::work>(dump);
  held->exec("LOCK TABLE domain_event IN ACCESS SHARE MODE");
  auto refused = std::async(std::launch::async, [&] { return pg::migrate(b.db.url(), 2); });
  const bool in_time = refused.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  if (!in_time) held.reset();
  CHECK(in_time);
  CHECK_THAT(refused.get().error, Catch::Contains("0024_") && Catch::Contains("another session"));
  // It goes on by itself where the dump ends within the tries.
  auto patient = std::async(std::launch::async, [&] { return pg::migrate(b.db.url()); });
  REQUIRE(testing::within(std::chrono::seconds(10), [&] {
    return b.db.count("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'domain_event'::regclass") > 0;
  }));
  held.reset();
  CHECK(patient.get().error == "");
  CHECK(b.db.count("SELECT count(*) FROM domain_event_row") == b.db.count("SELECT count(*) FROM domain_event"));
}
