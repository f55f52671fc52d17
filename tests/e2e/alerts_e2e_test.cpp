// Alerts and health of real servers: who follows whom after kill -9, and what a node says of itself.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/receiver.hpp"
#include "tests/support/within.hpp"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::receiver;
using steady = std::chrono::steady_clock;
using omnium::testing::within;

namespace {

bool leads(const server_process& node) {
  return node.output().find("this node does the alert service's work") != std::string::npos;
}

void raise(const database& db, const std::string& rule, const std::string& key) {
  db.run(fmt::format(
      "INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('{}', '{}', 1, 'detail', 'test')", rule, key));
}

std::string health_of(const std::string& readyz, const std::string& part, const std::string& member) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array parts;
  if (parser.parse(readyz).get(root) || (root["health"].get(parts) && root["items"].get(parts))) return {};
  for (auto one : parts)
    if (at(simdjson::minify(one), "/part") == part) return at(simdjson::minify(one), "/" + member);
  return {};
}

} // namespace

TEST_CASE("of two nodes one sends alerts, and the other does within ten seconds of kill -9") {
  database db;
  receiver hook(receiver::kind::http);
  hook.open();
  server_options options{
      .database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {"--alerts.webhook_url", hook.url()}};
  server_process first(options);
  first.start();
  REQUIRE(within(10s, [&] { return leads(first); }));
  server_process second(options);
  second.start();
  raise(db, "disk-low", "one");
  REQUIRE(within(10s, [&] { return hook.got().size() == 1; }));
  CHECK_FALSE(leads(second));
  first.kill_9();
  auto killed = steady::now();
  raise(db, "disk-low", "two");
  REQUIRE(within(10s, [&] { return hook.got().size() == 2; }));
  CHECK(steady::now() - killed < 10s);
  CHECK(leads(second));
  CHECK(hook.got()[1].find("\"key\" : \"two\"") != std::string::npos);
  std::this_thread::sleep_for(1s);
  CHECK(hook.got().size() == 2);
  CHECK(second.stop() == 0);
}

TEST_CASE("a node says how each of its parts is, and notices a database that became read-only") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  auto ask = [&] {
    auto answer = d.get("/readyz?verbose");
    return answer ? answer->body : std::string();
  };
  REQUIRE(within(15s, [&] { return health_of(ask(), "outbox reader", "state") == "ok"; }));
  auto text = ask();
  for (auto part :
       {"outbox reader", "janitor", "alert service", "watch", "committer/0", "disk", "outbox horizon", "commands"}) {
    INFO(part << " in " << text);
    CHECK(health_of(text, part, "state") == "ok");
    CHECK(!health_of(text, part, "since").empty());
  }
  CHECK(at(d.get("/readyz")->body, "/health").empty());
  auto fixture = d.new_match();
  db.read_only(true);
  REQUIRE(within(15s, [&] { return d.get("/readyz")->status == 503; }));
  REQUIRE(within(15s, [&] { return health_of(ask(), "database", "state") == "unavailable"; }));
  CHECK(ask().find("read-only") != std::string::npos);
  CHECK(health_of(ask(), "database", "reason") == "null"); // not for everybody
  CHECK(within(15s, [&] {
    return health_of(d.get("/ops/health")->body, "database", "reason").find("read-only") != std::string::npos;
  }));
  CHECK(d.match(fixture, fresh_id(), "match.note", R"({"text":"n"})").outcome == "try_again");
  CHECK(d.get("/metrics")->body.find("omnium_part_ok{part=\"database\"} 0") != std::string::npos);
  db.read_only(false);
  REQUIRE(within(15s, [&] { return d.get("/readyz")->status == 200; }));
  // What could not be written while it lasted is told now.
  REQUIRE(within(15s, [&] { return db.count("SELECT count(*) FROM alert WHERE rule = 'database-unavailable'") == 1; }));
  auto key = fresh_id();
  CHECK(within(15s, [&] { return d.match(fixture, key, "match.note", R"({"text":"n"})").outcome == "accepted"; }));
  CHECK(node.stop() == 0);
}

TEST_CASE("an operator lists, acknowledges and silences alerts with omnium ctl") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  auto ctl = [&](const std::string& words) {
    std::string out;
    auto* pipe = popen(fmt::format("'{}/bin/omnium' ctl --url {} --token {} {} 2>&1", OMNIUM_BINARY_DIR, node.url(),
                                   node.token(), words)
                           .c_str(),
                       "r");
    REQUIRE(pipe != nullptr);
    char buffer[4096];
    while (const auto got = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
    return std::to_string(pclose(pipe)) + " " + out;
  };
  raise(db, "disk-low", "somewhere");
  REQUIRE(within(10s, [&] { return ctl("alerts list").find("somewhere") != std::string::npos; }));
  auto id = db.ask("SELECT id FROM alert WHERE key = 'somewhere'");
  CHECK(ctl("alerts ack " + id).starts_with("0 done"));
  CHECK(!db.ask("SELECT acknowledged_by FROM alert WHERE key = 'somewhere'").empty());
  CHECK_FALSE(ctl("alerts ack 999999").starts_with("0 "));
  CHECK(ctl("alerts silence disk-low --minutes 5").starts_with("0 done"));
  CHECK(db.count("SELECT count(*) FROM alert_silence WHERE rule = 'disk-low' AND key = '*' AND until > now()") == 1);
  CHECK_FALSE(ctl("alerts silence disk-low --minutes 99999999").starts_with("0 "));
  CHECK_FALSE(ctl("alerts silence no-such-rule --minutes 5").starts_with("0 "));
  CHECK(at(desk(node.url()).get("/ops/alerts")->body, "/service_age_s") != "null");
}

TEST_CASE("an open transaction that holds the outbox back is an alert that names it") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  auto slow = db.connect();
  pqxx::work open(slow);
  open.exec("CREATE TABLE held (n int)");
  auto pid = open.exec("SELECT pg_backend_pid()")[0][0].as<std::string>();
  desk d(node.url());
  REQUIRE(within(20s, [&] {
    auto body = d.get("/ops/health")->body;
    return health_of(body, "outbox horizon", "reason").find("pid " + pid + " ") != std::string::npos;
  }));
  CHECK(d.get("/metrics")->body.find("omnium_part_ok{part=\"outbox horizon\"} 0") != std::string::npos);
  // While it is still open: what warns of the horizon does not wait for it.
  REQUIRE(within(
      20s, [&] { return db.count("SELECT count(*) FROM alert WHERE rule = 'outbox-lag' AND state = 'open'") == 1; }));
  open.abort();
  CHECK(db.ask("SELECT detail FROM alert WHERE rule = 'outbox-lag'").find("pid " + pid + " ") != std::string::npos);
}

TEST_CASE("systemd hears that the server is ready, that its loops turn, and that it stops") {
  omnium::testing::temp_folder folder;
  auto path = folder.path() + "/notify";
  int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un here{};
  here.sun_family = AF_UNIX;
  std::strncpy(here.sun_path, path.c_str(), sizeof here.sun_path - 1);
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&here), sizeof here) == 0);
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  ::setenv("WATCHDOG_USEC", "400000", 1);
  node.start();
  ::unsetenv("NOTIFY_SOCKET");
  ::unsetenv("WATCHDOG_USEC");
  std::string heard;
  auto listen = [&](const char* for_what) {
    return within(10s, [&] {
      char buffer[512];
      auto got = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (got > 0) heard.append(buffer, static_cast<std::size_t>(got)) += ' ';
      return heard.find(for_what) != std::string::npos;
    });
  };
  CHECK(listen("READY=1\nSTATUS=http://"));
  CHECK(listen("WATCHDOG=1"));
  CHECK(node.stop() == 0);
  CHECK(listen("STOPPING=1"));
  ::close(fd);
}

TEST_CASE("a database restored from a dump of another cluster is refused in words until it is rebased") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  REQUIRE(within(10s, [&] { return db.count("SELECT count(*) FROM outbox_cursor") == 1; }));
  REQUIRE(node.stop() == 0);
  db.run("UPDATE outbox_cursor SET cluster = 'the cluster of the dump'");
  std::string why;
  try {
    node.start();
  } catch (const std::runtime_error& e) {
    why = e.what();
  }
  CHECK(why.find("omnium migrate --rebase") != std::string::npos);
  auto rebase =
      fmt::format("'{}/bin/omnium' migrate --rebase --database.url \"{}\" > /dev/null", OMNIUM_BINARY_DIR, db.url());
  REQUIRE(std::system(rebase.c_str()) == 0);
  node.start();
  CHECK(node.stop() == 0);
}
