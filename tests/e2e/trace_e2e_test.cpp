// Traces and logs of real servers: a W3C trace id in, out on the answer and the change, and found again by one
// question; and what a log line may hold.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <fmt/format.h>
#include <set>
#include <sstream>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string other_trace = "0af7651916cd43dd8448eb211c80319c";
const std::string goal = R"({"kind":"open_play","minute":5,"side":"home"})";

answered send_traced(desk& d, const std::string& id, const std::string& fixture, const std::string& key,
                     const std::string& code, const std::string& input) {
  return read_answer(
      d.http.request("POST", "/workflows/football/subjects/fixture/" + fixture + "/commands",
                     fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"desk"}})", key, code, input),
                     {{"Traceparent", "00-" + id + "-00f067aa0ba902b7-01"}}));
}

std::string asked(const std::string& url, const std::string& words) {
  auto said = ctl(url, "--json trace " + words);
  INFO(said.text);
  REQUIRE(said.status == 0);
  return said.text;
}

// A step's milliseconds after the command was received; nullopt: not known.
std::optional<double> step(const std::string& json, const std::string& name, int item = 0) {
  for (int i = 0; i < 6; ++i) {
    auto here = fmt::format("/items/{}/steps/{}", item, i);
    if (at(json, here + "/step") != name || at(json, here + "/at") == "null") continue;
    CHECK(at(json, here + "/at").size() == 27);
    return std::stod(at(json, here + "/ms"));
  }
  return std::nullopt;
}

// The next change on a socket that watches a match.
std::string next_change(omnium::wire::ws_client& socket) {
  for (std::string frame;;) {
    REQUIRE_FALSE(socket.receive(frame));
    if (at(frame, "/t") == "change") return frame;
  }
}

void watch(omnium::wire::ws_client& socket, const server_process& node, const std::string& fixture) {
  REQUIRE_FALSE(socket.open());
  REQUIRE_FALSE(socket.send(fmt::format(R"({{"t":"hello","token":"{}"}})", node.token())));
  REQUIRE_FALSE(socket.send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}"}})", fixture)));
  for (std::string frame;;) {
    REQUIRE_FALSE(socket.receive(frame));
    if (at(frame, "/t") == "snapshot") return;
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("{")) out.push_back(line);
  return out;
}

} // namespace

TEST_CASE(
    "a trace id is taken from traceparent, said on answer and change, and its whole way is told by one question") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  omnium::wire::ws_client screen(node.url());
  watch(screen, node, fixture);
  auto answer = send_traced(d, trace, fixture, "goal 1/&?", "football.goal", goal);
  REQUIRE(answer.outcome == "accepted");
  CHECK(at(answer.body, "/trace") == trace);
  auto change = next_change(screen);
  CHECK(at(change, "/trace") == trace);
  CHECK(at(change, "/item/key") == "goal 1/&?");

  auto told = asked(node.url(), trace);
  INFO(told);
  CHECK(at(told, "/items/1").empty());
  CHECK(at(told, "/items/0/code") == "football.goal");
  CHECK(at(told, "/items/0/key") == "goal 1/&?");
  CHECK(at(told, "/items/0/outcome") == "accepted");
  CHECK(at(told, "/items/0/seq") == std::to_string(answer.seq));
  CHECK(at(told, "/items/0/subject/ref") == fixture);
  CHECK(at(told, "/items/0/watchers") == "1");
  CHECK(at(told, "/items/0/remembered") == "true");
  CHECK(step(told, "received") == 0.0);
  CHECK(step(told, "decided").value() > 0);
  CHECK(step(told, "committed").value() > step(told, "decided").value());
  CHECK(step(told, "answered").value() >= step(told, "committed").value());
  CHECK(step(told, "read").value() > step(told, "decided").value());
  CHECK(step(told, "sent").value() >= step(told, "read").value());
  CHECK(at(asked(node.url(), "--key 'goal 1/&?'"), "/items/0/trace") == trace);

  // For a person: each step on a line of its own.
  auto shown = ctl(node.url(), "trace " + trace);
  for (auto word :
       {"football.goal  accepted", "received", "decided", "committed", "read from the outbox", "sent", "to 1 watching"})
    CHECK(shown.text.find(word) != std::string::npos);
}

TEST_CASE("one trace may hold several commands, whatever became of each") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  CHECK(send_traced(d, trace, fixture, "a", "football.goal", goal).outcome == "accepted");
  CHECK(send_traced(d, trace, fixture, "b", "football.goal", R"({"side":"nobody"})").outcome == "refused");
  CHECK(send_traced(d, other_trace, fixture, "a", "football.goal", goal).outcome == "duplicate");
  auto told = asked(node.url(), trace);
  INFO(told);
  CHECK(at(told, "/items/0/key") == "a");
  CHECK(at(told, "/items/1/key") == "b");
  CHECK(at(told, "/items/1/outcome") == "refused");
  CHECK(at(told, "/items/1/seq") == "null");
  CHECK(step(told, "committed", 1).has_value()); // a rule's no is kept
  CHECK_FALSE(step(told, "sent", 1).has_value());
  CHECK(at(told, "/items/2").empty());
  auto again = asked(node.url(), other_trace);
  CHECK(at(again, "/items/0/outcome") == "duplicate");
  CHECK_FALSE(step(again, "committed").has_value());
  CHECK(at(asked(node.url(), "--key a"), "/items/1/outcome") == "duplicate");
  // What is no trace id, and what nobody sent.
  CHECK(ctl(node.url(), "trace nonsense").status == 1);
  CHECK(ctl(node.url(), "trace " + std::string(32, 'f')).status == 1);
  CHECK(ctl(node.url(), "trace").status == 2);
  CHECK(d.get("/ops/trace/" + trace + "?hours=0")->status == 400);
  CHECK(d.get("/ops/trace/" + trace + "?hours=721")->status == 400);
  CHECK(d.get("/ops/trace?key=")->status == 400);
}

TEST_CASE("a trace is found in its rows when the node that took it is gone, and by a node that only read it") {
  database db;
  server_options options{.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}};
  server_process first(options), second(options);
  first.start();
  desk d(first.url());
  auto fixture = d.new_match();
  second.start();
  omnium::wire::ws_client screen(second.url());
  watch(screen, second, fixture);
  REQUIRE(send_traced(d, trace, fixture, "a", "football.goal", goal).outcome == "accepted");
  auto own = d.match(fixture, "b", "match.note", R"({"text":"n"})");
  REQUIRE(own.outcome == "accepted");
  auto made_here = at(own.body, "/trace");
  CHECK(at(next_change(screen), "/trace") == trace);
  CHECK(at(next_change(screen), "/trace") == made_here);
  first.kill_9();
  for (const auto& id : {trace, made_here}) {
    auto told = asked(second.url(), id);
    INFO(told);
    CHECK(at(told, "/items/0/outcome") == "accepted");
    CHECK(at(told, "/items/0/remembered") == "false");
    CHECK(step(told, "received") == 0.0);
    CHECK_FALSE(step(told, "decided").has_value());
    CHECK(step(told, "committed").value() > 0);
    CHECK(step(told, "read").value() > 0);
    CHECK(step(told, "sent").value() > 0);
    CHECK(at(told, "/items/0/watchers") == "1");
  }
  // Long ago: another's id is looked for as far back as asked, one made here where its time says.
  db.run("UPDATE command SET received_at = received_at - interval '3 days' WHERE command_id = 'a'");
  CHECK(ctl(second.url(), "trace " + trace).status == 1);
  CHECK(at(asked(second.url(), trace + " --hours 100"), "/items/0/key") == "a");
}

TEST_CASE("a match's newest commands are told with their times by one question, whoever took them") {
  database db;
  server_options options{.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}};
  server_process first(options), second(options);
  first.start();
  second.start();
  desk here(first.url()), there(second.url());
  auto fixture = here.new_match(), other = here.new_match();
  REQUIRE(here.match(fixture, "a", "football.goal", goal).outcome == "accepted");
  REQUIRE(there.match(fixture, "b", "football.goal", goal).outcome == "accepted");
  REQUIRE(here.match(fixture, "c", "football.goal", R"({"side":"nobody"})").outcome == "refused");
  REQUIRE(here.match(other, "d", "football.goal", goal).outcome == "accepted");
  const auto signed_in = " --token " + first.token();
  auto told = asked(first.url(), "--match " + fixture + signed_in);
  INFO(told);
  std::string keys;
  int n = 0, newest = 0; // how many; where "a" stands
  for (; !at(told, fmt::format("/items/{}", n)).empty(); ++n) {
    CHECK(at(told, fmt::format("/items/{}/subject/ref", n)) == fixture);
    const auto key = at(told, fmt::format("/items/{}/key", n));
    if (key == "a") newest = n;
    if (key.size() == 1) keys += key;
  }
  CHECK(keys == "abc"); // what began the match comes before
  CHECK(n > 3);
  CHECK(step(told, "answered", newest).has_value());
  CHECK(step(told, "committed", newest + 1).has_value()); // the other node's, from its rows
  CHECK_FALSE(step(told, "answered", newest + 1).has_value());
  CHECK(at(told, fmt::format("/items/{}/outcome", newest + 2)) == "refused");
  CHECK(ctl(first.url(), "trace --match nonsense" + signed_in).status == 2);
  CHECK(ctl(first.url(), "trace --key a --match " + fixture).status == 2);
  CHECK(here.get("/ops/trace?hours=3&match=" + fixture)->status == 400);
  CHECK(here.get("/ops/trace?match=" + omnium::e2e::fresh_id())->status == 404);
}

TEST_CASE("a change that is repaired from the log carries its trace, too") {
  server_process node({});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  auto before = at(d.get("/fixtures/" + fixture)->body, "/version");
  REQUIRE(send_traced(d, trace, fixture, "a", "football.goal", goal).outcome == "accepted");
  omnium::wire::ws_client screen(node.url());
  REQUIRE_FALSE(screen.open());
  REQUIRE_FALSE(screen.send(fmt::format(R"({{"t":"hello","token":"{}"}})", node.token())));
  REQUIRE_FALSE(screen.send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}","have":{}}})", fixture, before)));
  auto change = next_change(screen);
  CHECK(at(change, "/trace") == trace);
  CHECK(at(change, "/scoreboard/score/home") == "1");
}

TEST_CASE("a log line is one JSON object of the members it may have, and holds no name, no input and no token") {
  database db;
  server_process node({.database_url = db.url(),
                       .data_dir = {},
                       .sports_dir = {},
                       .more = {"--log.level", "debug", "--retention.days", "1"}});
  node.start();
  desk d(node.url());
  auto fixture = d.new_match();
  const std::string marker = "Zaphod";
  auto note = fmt::format(R"({{"text":"{}"}})", marker);
  CHECK(d.match(fixture, "fine", "match.note", note).outcome == "accepted");
  CHECK(d.match(fixture, "odd", "football.goal", note).outcome == "refused");
  CHECK(d.match(fixture, "none", "football." + marker, note).outcome == "refused");
  d.http.request("POST", "/workflows/football/subjects/fixture/" + fixture + "/commands", "{\"" + marker);
  d.get("/fixtures/" + marker + "?sport=" + marker);
  desk stranger(node.url(), "omn_" + marker);
  CHECK(stranger.get("/fixtures")->status == 401);
  // A row that the database refuses, and a database that takes none.
  db.run(
      fmt::format("ALTER TABLE timeline_item ADD CONSTRAINT no_such_text CHECK (input NOT LIKE '%{}-two%')", marker));
  d.match(fixture, "two", "match.note", fmt::format(R"({{"text":"{}-two"}})", marker));
  db.read_only(true);
  auto failed = steady::now() + 10s;
  while (send_traced(d, trace, fixture, "late", "football.goal", goal).outcome != "try_again" && steady::now() < failed)
    std::this_thread::sleep_for(50ms);
  db.read_only(false);
  std::string found;
  for (auto until = steady::now() + 5s; found.empty() && steady::now() < until; std::this_thread::sleep_for(50ms))
    for (const auto& line : lines_of(node.output()))
      if (at(line, "/trace") == trace) found = line;
  INFO(node.output());
  REQUIRE(!found.empty());
  CHECK(at(found, "/match") == "fixture/" + fixture);
  CHECK(at(found, "/command") == "late");
  CHECK(at(found, "/code") == "database_unavailable");
  CHECK(at(found, "/level") == "warn");
  CHECK(node.stop() == 0);
  const std::set<std::string> known{"ts", "level", "msg", "trace", "match", "command", "sport", "release", "code"};
  simdjson::dom::parser parser;
  auto lines = lines_of(node.output());
  CHECK(lines.size() >= 5);
  for (const auto& line : lines) {
    INFO(line);
    simdjson::dom::object object;
    REQUIRE_FALSE(parser.parse(line).get(object));
    for (auto field : object) {
      CHECK(known.count(std::string(field.key)) == 1);
      CHECK(field.value.is_string());
    }
    for (auto must : {"/ts", "/level", "/msg"}) CHECK(!at(line, must).empty());
  }
  CHECK(node.output().find(marker) == std::string::npos);
  auto token_line = node.output().find("/?token="); // the address with the first token is printed, not logged
  auto text = node.output();
  if (token_line != std::string::npos) text.erase(token_line, text.find('\n', token_line) - token_line);
  CHECK(text.find(node.token()) == std::string::npos);
}
