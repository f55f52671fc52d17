// The reads of the contract on a real Postgres: pages without a hole or a repeat, and bad requests told as such.
#include "runtime/postgres/reads.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

#include <fmt/format.h>
#include <set>
#include <simdjson.h>

using namespace omnium;
using testing::road_bench;

namespace {

struct page {
  std::vector<std::string> ids;
  std::string next;
};

page read_page(pqxx::connection& connection, const std::string& query) {
  auto answer = pg::run_read(connection, {"/fixtures", query, ""});
  REQUIRE(answer.status == 200);
  simdjson::dom::parser parser;
  simdjson::dom::element root = parser.parse(answer.body);
  page out;
  for (simdjson::dom::element item : root["items"]) out.ids.emplace_back(std::string_view(item["id"]));
  std::string_view next;
  if (!root["next"].get(next)) out.next = next;
  return out;
}

} // namespace

TEST_CASE("pages of the match list hold every match once, those without a start last") {
  road_bench bench;
  bench.make_fixtures(6);
  bench.db.run("UPDATE fixture SET starts_at = '2026-10-05T14:00:00Z'::timestamptz WHERE id IN (SELECT id FROM fixture "
               "ORDER BY id LIMIT 4)");
  auto connection = bench.db.connect();
  auto whole = read_page(connection, "limit=200");
  REQUIRE(whole.ids.size() == 7);
  REQUIRE(whole.next.empty());
  std::vector<std::string> walked;
  std::string cursor;
  do {
    auto part = read_page(connection, "limit=2" + (cursor.empty() ? "" : "&cursor=" + cursor));
    walked.insert(walked.end(), part.ids.begin(), part.ids.end());
    cursor = part.next;
  } while (!cursor.empty());
  REQUIRE(walked == whole.ids);
  REQUIRE(read_page(connection, "sport=nothing").ids.empty());
}

TEST_CASE("a bad read is the client's error, not the database's") {
  road_bench bench;
  auto connection = bench.db.connect();
  for (const auto* query : {"limit=0", "limit=x", "cursor=1", "competition=1", "sport=%ff", "status=%00", "nothing=1"})
    REQUIRE(pg::run_read(connection, {"/fixtures", query, ""}).status == 400);
  REQUIRE(pg::run_read(connection, {"/fixtures/1", "", ""}).status == 404);
  REQUIRE(pg::run_read(connection, {"/fixtures/" + to_string(make_uuid7()) + "/timeline", "", ""}).status == 404);
}
