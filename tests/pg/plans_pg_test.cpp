// Plans are kept for the life of a connection. Those made while the tables were empty must still be right when they are
// full, or a fresh server slows down with every command until somebody analyses its tables.
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

#include <fmt/format.h>

using namespace omnium;
using testing::road_bench;

TEST_CASE("on fresh tables the road finds every row by an index, never by a scan of the table") {
  road_bench bench(1);
  auto ids = bench.make_fixtures(3);
  const std::string scans =
      "SELECT sum(seq_scan)::bigint FROM pg_stat_user_tables WHERE relname IN ('command', 'timeline_item', "
      "'fixture', 'fixture_board', 'scoreboard_still', 'match_snapshot', 'subject', 'competition') OR relname LIKE "
      "'domain_event%'";
  bench.store.reset(); // a connection that ends hands its counts in
  auto before = bench.db.count(scans);
  bench.store = bench.open_store(1);
  for (int n = 1; n <= 20; ++n) {
    std::vector<road_bench::pending> sent;
    for (const auto& id : ids) { // more than one match ready: the call for several is planned as well
      auto b = bench.batch(id, n - 1, {fmt::format("{}-{}", to_string(id), n)});
      b->scoreboard = fmt::format(R"({{"sets":["{}",{}]}})", std::string(130, 'x'), n); // kept, and named by events
      b->commands[0].event = fmt::format(R"({{"version":{},"scoreboard":{}}})", n, b->scoreboard);
      sent.push_back(bench.send(std::move(b)));
    }
    for (auto& answer : sent) REQUIRE(answer.get().what == road::batch_result::kind::committed);
    bench.find_keys({subject_kind::fixture, ids[0]}, {"never sent"}, true);
  }
  bench.load(ids[0]);
  bench.store.reset();
  REQUIRE(bench.db.count(scans) == before);
  REQUIRE(bench.db.count("SELECT count(*) FROM domain_event_row WHERE still_id IS NOT NULL") == 3 * 11);
  REQUIRE(bench.db.count("SELECT count(*) FROM scoreboard_still") == 3);
}
