// A session that holds a match's row: an operator sees who waits for it, and ends it; nobody else may.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/within.hpp"

#include <fmt/format.h>
#include <future>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::within;

namespace {

// Holds a match's row in a transaction of its own, as somebody at a prompt who forgot to commit.
struct holder {
  holder(const database& db, const std::string& fixture)
      : connection(db.url() + " application_name=prompt"), open(connection) {
    pid = open.exec("SELECT pg_backend_pid()")[0][0].as<int>();
    open.exec(fmt::format("SELECT 1 FROM fixture WHERE id = '{}' FOR UPDATE", fixture));
  }
  pqxx::connection connection;
  pqxx::work open;
  int pid = 0;
};

// A command that waits for that row, sent again until it is accepted.
std::future<answered> waiting_command(const std::string& url, const std::string& fixture) {
  return std::async(std::launch::async, [=] {
    desk d(url);
    answered last;
    for (int tries = 0; tries < 10 && last.outcome != "accepted"; ++tries)
      last = d.match(fixture, "held", "match.note", R"({"text":"x"})");
    return last;
  });
}

bool is_listed(const std::string& url, int pid) {
  auto page = desk(url).get("/ops/locks");
  return page && page->body.find(fmt::format("\"blocking_pid\":{},\"blocking\":\"prompt\",\"blocking_state\":\"idle in "
                                             "transaction\"",
                                             pid)) != std::string::npos;
}

answered end(const std::string& url, const std::string& token, const std::string& body) {
  return read_answer(desk(url, token).http.request("POST", "/ops/locks/end", body));
}

} // namespace

TEST_CASE("an operator ends the session that holds a match up, nobody below may, and the log says who did") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk admin(server.url());
  auto fixture = admin.new_match();
  auto token = [&](const char* role) {
    return admin.http.request("POST", "/ops/tokens/create", fmt::format(R"({{"name":"{0}-1","role":"{0}"}})", role))
        ->body;
  };
  auto made = token("operator");
  auto scorer = at(token("scorer"), "/token"), operating = at(made, "/token");
  holder prompt(db, fixture);
  auto body = fmt::format(R"({{"pid":{}}})", prompt.pid);
  CHECK(end(server.url(), operating, body).status == 404); // nobody waits for it
  auto waiting = waiting_command(server.url(), fixture);
  REQUIRE(within(5s, [&] { return is_listed(server.url(), prompt.pid); }));
  CHECK(end(server.url(), scorer, body).status == 403);
  CHECK(end(server.url(), "", body).status == 401);
  for (auto wrong : {"{}", R"({"pid":0})", R"({"pid":"1"})", R"({"pid":99999999999})"})
    CHECK(end(server.url(), operating, wrong).status == 400);
  REQUIRE(within(5s, [&] { return is_listed(server.url(), prompt.pid); }));              // none of those ended it
  REQUIRE(within(5s, [&] { return end(server.url(), operating, body).status == 200; })); // while somebody waits
  auto answer = waiting.get();
  CHECK(answer.outcome == "accepted");
  CHECK_THROWS(prompt.open.exec("SELECT 1"));
  auto line = fmt::format("database session {} (prompt of user omnium", prompt.pid);
  CHECK(within(2s, [&] { return server.output().find(line) != std::string::npos; }));
  CHECK(server.output().find("ended, asked for by token " + at(made, "/prefix")) != std::string::npos);
}

TEST_CASE("omnium ctl locks lists who waits for whom, and ends a session") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  auto fixture = desk(server.url()).new_match();
  holder prompt(db, fixture);
  auto free = ctl(server.url(), fmt::format("locks end {}", prompt.pid));
  CHECK(free.status == 1);
  CHECK(free.text.find(fmt::format("Nobody waits for session {} now.", prompt.pid)) != std::string::npos);
  auto waiting = waiting_command(server.url(), fixture);
  REQUIRE(within(5s, [&] { return ctl(server.url(), "locks").text.find("prompt") != std::string::npos; }));
  said ended;
  REQUIRE(within(5s, [&] { return (ended = ctl(server.url(), fmt::format("locks end {}", prompt.pid))).status == 0; }));
  CHECK(ended.text.find("ended: prompt of user omnium") != std::string::npos);
  CHECK(waiting.get().outcome == "accepted");
  CHECK(ctl(server.url(), "locks end").status != 0);
  CHECK(ctl(server.url(), "locks end nobody").status != 0);
}
