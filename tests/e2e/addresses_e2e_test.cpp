// Every address the server has answers, and what a node says to operators has the published shape.
#include "runtime/wire/addresses.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/schema_check.hpp"

#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::schema;

namespace {

schema ops_schema() {
  std::stringstream text;
  text << std::ifstream(OMNIUM_SOURCE_DIR "/schema/json/ops.schema.json").rdbuf();
  return schema(text.str());
}

std::string filled(std::string_view form, const std::string& fixture, const std::string& competition) {
  std::string out(form);
  auto put = [&](const std::string& name, const std::string& value) {
    if (auto at = out.find(name); at != std::string::npos) out.replace(at, name.size(), value);
  };
  put("{id}", out.starts_with("/competitions") ? competition : fixture);
  put("{workflow}", "football");
  put("{kind}", "fixture");
  put("{ref}", fixture);
  put("{trace}", std::string(32, 'a'));
  return out;
}

} // namespace

TEST_CASE("every address of the list is answered by its own method, and a neighbour of it is not there") {
  server_process node({});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  auto competition = at(d.get("/fixtures/" + fixture)->body, "/competition");
  const std::string nothing = "There is nothing at this address.";
  for (const auto& one : omnium::wire::addresses) {
    auto target = filled(one.path, fixture, competition);
    INFO(one.method << " " << target);
    auto answer = d.http.request(one.method, target, one.method == "POST" ? "{}" : "");
    REQUIRE(answer);
    CHECK(answer->status != 405);
    CHECK(answer->body.find(nothing) == std::string::npos);
    auto other = d.http.request(one.method == "POST" ? "GET" : "POST", target, one.method == "POST" ? "" : "{}");
    REQUIRE(other);
    CHECK(other->status == 405);
  }
  for (auto target : {"/ops", "/ops/nothing", "/ops/tree/x", "/fixtures/x/y", "/sports/x", "/participants"}) {
    INFO(target);
    CHECK(d.get(target)->status == 404);
  }
}

TEST_CASE("what a node says to operators has the shape that is published") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  auto traced = d.match(fixture, "k", "match.note", R"({"text":"n"})");
  db.run("INSERT INTO command_failure (command_id, attempts, last_error, last_at) VALUES ('f', 1, 'e', now());"
         "INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('disk-low', 'one', 1, 'd', 't')");
  auto s = ops_schema();
  auto told = [&](const std::string& definition, const std::string& method, const std::string& target,
                  const std::string& body = {}) {
    auto answer = d.http.request(method, target, body);
    REQUIRE(answer);
    INFO(target << " " << answer->body);
    CHECK(answer->status == 200);
    CHECK(s.check(definition, answer->body) == "");
    return answer->body;
  };
  for (auto until = std::chrono::steady_clock::now() + 15s; std::chrono::steady_clock::now() < until;
       std::this_thread::sleep_for(50ms))
    if (db.count("SELECT count(*) FROM alert WHERE state = 'open'") == 1) break;
  told("Tree", "GET", "/ops/tree");
  CHECK(at(told("Matches", "GET", "/ops/matches"), "/items/0/name") == "match/fixture/" + fixture);
  told("Locks", "GET", "/ops/locks");
  CHECK(at(told("Failures", "GET", "/ops/failures"), "/items/0/key") == "f");
  told("Releases", "GET", "/ops/releases");
  told("Verdict", "GET", "/ops/verify/" + fixture);
  told("Health", "GET", "/ops/health");
  told("Readiness", "GET", "/readyz");
  told("Readiness", "GET", "/readyz?verbose");
  told("Trace", "GET", "/ops/trace/" + at(traced.body, "/trace"));
  told("Trace", "GET", "/ops/trace?key=k");
  told("Silenced", "POST", "/ops/alerts/silence", R"({"rule":"disk-low","minutes":5})");
  auto alerts = told("Alerts", "GET", "/ops/alerts");
  told("Acknowledged", "POST", "/ops/alerts/ack", fmt::format(R"({{"id":{}}})", at(alerts, "/items/0/id")));
  told("Restarted", "POST", "/ops/restart", R"({"name":"matches"})");
  d.http.request("POST", "/ops/tokens/create", R"({"name":"board","role":"viewer"})");
  told("Revoked", "POST", "/ops/tokens/revoke", R"({"token":"board"})");
}
