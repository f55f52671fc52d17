// The security table against the real server: each line one test. Source: issue 5 ("Shows"), known traps X1, X2, X8.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <zlib.h>

using namespace omnium;
using namespace omnium::e2e;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

struct stage {
  database db;
  temp_folder data;
  server_process server;
  std::unique_ptr<desk> admin;
  std::string fixture, competition;

  explicit stage(std::vector<std::string> more = {})
      : server({.database_url = db.url(), .data_dir = data.path() + "/data", .more = std::move(more)}) {
    server.start();
    admin = std::make_unique<desk>(server.url());
    fixture = admin->new_match();
    competition = at(admin->get("/fixtures/" + fixture)->body, "/competition");
  }
  std::string token(const std::string& role, const std::string& more = "") {
    auto body = fmt::format(R"({{"name":"{}","role":"{}"{}}})", fresh_id(), role, more);
    auto made = admin->http.request("POST", "/ops/tokens/create", body);
    REQUIRE(made->status == 200);
    return at(made->body, "/token");
  }
  answered note(const std::string& with, const std::string& of) const {
    desk one(server.url(), with);
    return one.match(of, fresh_id(), "match.note", R"({"text":"n"})");
  }
  int status(const std::string& target, const std::string& with) const {
    return desk(server.url(), with).get(target)->status;
  }
};

struct live_client : wire::ws_client {
  live_client(const std::string& url, const std::string& token) : ws_client(url) {
    REQUIRE_FALSE(open());
    send(fmt::format(R"({{"t":"hello","token":"{}"}})", token));
  }
  // Until a message with `part` came; empty: it did not.
  std::string until(const std::string& part, std::chrono::milliseconds wait = 5s) {
    std::string text;
    for (const auto end = steady::now() + wait; steady::now() < end;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - steady::now());
      if (receive(text, left)) return {};
      if (text.find(part) != std::string::npos) return text;
    }
    return {};
  }
};

int connect_to(const std::string& url) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

std::size_t resident_kib(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  std::size_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

} // namespace

TEST_CASE("security: no token, a wrong one, an expired one") {
  stage s;
  auto rows = [&] { return s.db.count("SELECT count(*) FROM timeline_item"); };
  const auto before = rows();
  for (const auto& bad : {std::string(), std::string("omn_") + std::string(43, 'A'), std::string("x")}) {
    auto no = s.note(bad, s.fixture);
    CHECK(no.status == 401);
    CHECK(no.outcome == "refused");
    CHECK(no.reason == "not_signed_in");
    for (auto target : {"/fixtures", "/sports", "/ops/tree", "/ops/tokens"}) CHECK(s.status(target, bad) == 401);
  }
  auto short_lived = s.token("scorer", R"(,"expires_in_s":1)");
  CHECK(s.note(short_lived, s.fixture).outcome == "accepted");
  live_client socket(s.server.url(), short_lived);
  CHECK_FALSE(socket.until("welcome").empty());
  std::this_thread::sleep_for(1100ms);
  CHECK(s.note(short_lived, s.fixture).status == 401);
  CHECK_FALSE(socket.until("not_signed_in", 3s).empty());
  CHECK(rows() == before + 1);
}

TEST_CASE(
    "security: a token revoked in the middle loses its socket, its reads and its commands within 5 s, on every node") {
  stage s;
  server_process other({.database_url = s.db.url()});
  other.start();
  auto token = s.token("scorer", R"(,"may_name_sender":true)");
  std::this_thread::sleep_for(1500ms); // the other node reads it
  live_client here(s.server.url(), token), there(other.url(), token);
  CHECK_FALSE(here.until("welcome").empty());
  CHECK_FALSE(there.until("welcome").empty());
  CHECK(s.note(token, s.fixture).outcome == "accepted");
  auto which = token.substr(0, 12);
  auto began = steady::now();
  CHECK(s.admin->http.request("POST", "/ops/tokens/revoke", fmt::format(R"({{"token":"{}"}})", which))->status == 200);
  CHECK(s.note(token, s.fixture).status == 401); // at once where it was revoked
  CHECK(s.status("/fixtures", token) == 401);
  CHECK_FALSE(here.until("not_signed_in", 5s).empty());
  CHECK_FALSE(there.until("not_signed_in", 5s).empty());
  CHECK(desk(other.url(), token).get("/fixtures")->status == 401);
  CHECK(steady::now() - began < 5s);
  CHECK(s.admin->http.request("POST", "/ops/tokens/revoke", fmt::format(R"({{"token":"{}"}})", which))->status == 404);
}

TEST_CASE("security: a token of another competition, and a role too low") {
  stage s;
  auto second = s.admin->new_match();
  auto inside = s.token("scorer", fmt::format(R"(,"competitions":["{}"])", s.competition));
  CHECK(s.note(inside, s.fixture).outcome == "accepted");
  auto no = s.note(inside, second);
  CHECK(no.status == 403);
  CHECK(no.reason == "not_allowed");
  CHECK(s.status("/fixtures/" + second, inside) == 403);
  CHECK(s.status("/fixtures/" + second + "/timeline", inside) == 403);
  CHECK(s.status("/fixtures/" + second + "/state", inside) == 403);
  auto list = desk(s.server.url(), inside).get("/fixtures")->body;
  CHECK(list.find(s.fixture) != std::string::npos);
  CHECK(list.find(second) == std::string::npos);
  auto competitions = desk(s.server.url(), inside).get("/competitions")->body;
  CHECK(at(competitions, "/items/0/id") == s.competition);
  CHECK(at(competitions, "/items/1").empty());
  live_client socket(s.server.url(), inside);
  CHECK_FALSE(socket.until("welcome").empty());
  socket.send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}"}})", second));
  CHECK_FALSE(socket.until("not_allowed").empty());
  socket.send(fmt::format(R"({{"t":"watch","id":2,"topic":"fixture/{}"}})", s.fixture));
  CHECK_FALSE(socket.until("snapshot").empty());
  auto by_match = s.token("viewer", fmt::format(R"(,"fixtures":["{}"])", second));
  CHECK(s.status("/fixtures/" + second, by_match) == 200);
  CHECK(s.status("/fixtures/" + s.fixture, by_match) == 403);
  CHECK(s.note(by_match, second).status == 403); // a viewer
  CHECK(s.status("/ops/tree", s.token("integrator")) == 403);
  CHECK(s.status("/ops/tree", s.token("operator")) == 200);
  CHECK(s.status("/ops/tokens", s.token("operator")) == 403);
  desk scorer(s.server.url(), s.token("scorer"));
  auto created =
      scorer.send("games", "competition", fresh_id(),
                  fmt::format(R"({{"key":"{}","code":"games.create_competition","input":{{"name":"C"}},"sender":"x"}})",
                              fresh_id()));
  CHECK(created.status == 403);
}

TEST_CASE(
    "security: a page of another origin neither sends commands nor opens the socket, and none is matched by its end") {
  stage s;
  const auto port = s.server.url().substr(s.server.url().rfind(':'));
  auto send = [&](const std::string& origin) {
    return s.admin->http
        .request("POST", "/workflows/football/subjects/fixture/" + s.fixture + "/commands",
                 fmt::format(R"({{"key":"{}","code":"match.note","input":{{"text":"n"}},"sender":"x"}})", fresh_id()),
                 {{"Origin", origin}})
        ->status;
  };
  for (const auto& foreign :
       {std::string("http://evil.example"), "http://127.0.0.1" + port + ".evil.example", "https://127.0.0.1" + port,
        std::string("http://127.0.0.1"), "http://x127.0.0.1" + port, std::string("null")}) {
    INFO(foreign);
    CHECK(send(foreign) == 403);
    wire::ws_client socket(s.server.url());
    CHECK(socket.open("/live", {{"Origin", foreign}}));
    CHECK(socket.status() == 403);
  }
  CHECK(send("http://127.0.0.1" + port) == 200);
  wire::ws_client socket(s.server.url());
  CHECK_FALSE(socket.open("/live", {{"Origin", "http://127.0.0.1" + port}}));
}

TEST_CASE("security: a token is in no log, no metric and no address but the desk's first") {
  stage s({"--log.level", "debug"});
  auto token = s.token("admin");
  for (auto target :
       {"/fixtures?token=", "/ops/tree?token=", "/readyz?access_token=", "/metrics?token=", "/live?token="})
    CHECK(s.status(target + token, token) == 401);
  CHECK(s.status("/?token=" + token, "") == 200);
  s.note(token, s.fixture);
  s.note("omn_" + std::string(43, 'B'), s.fixture);
  live_client socket(s.server.url(), token);
  CHECK_FALSE(socket.until("welcome").empty());
  auto metrics = s.admin->get("/metrics")->body;
  CHECK(metrics.find("omn_") == std::string::npos);
  CHECK(metrics.find("omnium_access_refused_total{reason=\"not_signed_in\"}") != std::string::npos);
  CHECK(s.admin->get("/ops/tokens")->body.find(token) == std::string::npos);
  CHECK(s.db.count(fmt::format("SELECT count(*) FROM access_token t WHERE t::text LIKE '%{}%'", token.substr(12))) ==
        0);
  s.server.stop();
  auto log = s.server.output();
  auto ready = log.find("Omnium is ready at ");
  CHECK(log.find(token) == std::string::npos);
  CHECK(log.find("omn_") > ready);                    // the first one stands in the address that is printed,
  CHECK(log.find("omn_") == log.rfind("omn_"));       // once,
  CHECK(log.find("/?token=omn_", ready) != log.npos); // and there only
}

TEST_CASE("security: 1 KB that inflates to 64 MB is cut off, in a command and on the socket, and memory stays flat") {
  stage s({"--live.compression", "true"});
  const auto before = resident_kib(s.server.pid());
  std::string zeros(64 << 20, '0');
  auto squeeze = [&](int bits) {
    z_stream z{};
    deflateInit2(&z, 9, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY);
    std::string out(1 << 20, '\0');
    z.next_in = reinterpret_cast<Bytef*>(zeros.data());
    z.avail_in = static_cast<uInt>(zeros.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, bits < 0 ? Z_SYNC_FLUSH : Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
  };
  auto zipped = squeeze(15 + 16);
  REQUIRE(zipped.size() < 70'000); // 64 MB at the best ratio there is; 1 KB of it is enough for the bound below
  auto answer = s.admin->http.request("POST", "/workflows/football/subjects/fixture/" + s.fixture + "/commands",
                                      zipped.substr(0, 1024), {{"Content-Encoding", "gzip"}});
  CHECK(answer->status == 415);
  for (int i = 0; i < 8; ++i) {
    wire::ws_client socket(s.server.url());
    REQUIRE_FALSE(socket.open("/live", {{"Sec-WebSocket-Extensions", "permessage-deflate"}}));
    auto frame = squeeze(-11);
    socket.send_frame(wire::ws_client::opcode::text, frame.substr(0, frame.size() - 4), true, true, 4);
    std::string text;
    while (!socket.receive(text, 5s)) {
    }
    CHECK(socket.close_code() == 1009);
  }
  CHECK(resident_kib(s.server.pid()) < before + 24 * 1024);
  CHECK(s.note(s.server.token(), s.fixture).outcome == "accepted");
}

TEST_CASE("security: ten thousand half-open connections, and whoever has a token is served") {
  stage s;
  // As many as this machine's descriptors allow, in this program and in the server.
  rlimit most{};
  ::getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &most);
  const std::size_t wanted = std::min<std::size_t>(10'000, most.rlim_max - 1'000);
  const auto before = resident_kib(s.server.pid());
  std::vector<int> open;
  for (std::size_t i = 0; i < wanted; ++i) {
    const int fd = connect_to(s.server.url());
    if (fd < 0) break;
    open.push_back(fd);
    if (i % 2 == 0) CHECK(::send(fd, "POST /workflows", 15, MSG_NOSIGNAL) == 15); // half of them with half a request
  }
  CHECK(open.size() == wanted);
  INFO(open.size() << " connections");
  desk one(s.server.url());
  for (int i = 0; i < 20; ++i) {
    auto began = steady::now();
    CHECK(one.match(s.fixture, fresh_id(), "match.note", R"({"text":"n"})").outcome == "accepted");
    CHECK(steady::now() - began < 1s);
  }
  CHECK(resident_kib(s.server.pid()) < before + 400 * 1024);
  for (int fd : open) ::close(fd);
  CHECK(s.status("/fixtures", s.server.token()) == 200);
}

TEST_CASE("security: a header sent a byte at a time is cut at its deadline, and nobody waits for it") {
  stage s({"--http.header_deadline_ms", "400"});
  std::vector<int> slow;
  for (int i = 0; i < 200; ++i) slow.push_back(connect_to(s.server.url()));
  const std::string head = "GET /fixtures HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(200, 'a');
  const auto began = steady::now();
  std::size_t at_byte = 0;
  desk one(s.server.url());
  while (steady::now() - began < 900ms) {
    for (int fd : slow) ::send(fd, &head[at_byte % head.size()], 1, MSG_NOSIGNAL);
    ++at_byte;
    CHECK(one.match(s.fixture, fresh_id(), "match.note", R"({"text":"n"})").outcome == "accepted");
    std::this_thread::sleep_for(20ms);
  }
  int cut = 0;
  for (int fd : slow) {
    std::string got(1024, '\0');
    timeval wait{2, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    const auto size = ::recv(fd, got.data(), got.size(), 0);
    cut += size == 0 || (size < 0 && errno == ECONNRESET) || (size > 0 && got.starts_with("HTTP/1.1 408"));
    ::close(fd);
  }
  CHECK(cut == 200);
}

TEST_CASE("security: no path leads out of the desk's folder, signed in or not") {
  temp_folder site;
  ::mkdir((site.path() + "/www").c_str(), 0755);
  std::ofstream(site.path() + "/www/index.html") << "<p>desk";
  std::ofstream(site.path() + "/secret.txt") << "secret";
  stage s({"--http.static_dir", site.path() + "/www"});
  for (auto path : {"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/.%2e/secret.txt",
                    "/x/../../secret.txt", "//../secret.txt", "/%2e%2e%2fsecret.txt", "/..\\secret.txt",
                    "/%5c..%5csecret.txt", "/./../secret.txt", "/%00/../secret.txt", "/....//secret.txt", "/etc/passwd",
                    "/../../../../../../etc/passwd", "/fixtures/../../secret.txt", "/ops/../secret.txt"}) {
    INFO(path);
    for (const auto& with : {std::string(), s.server.token()}) {
      auto answer = desk(s.server.url(), with).get(path);
      REQUIRE(answer);
      CHECK(answer->status >= 400);
      CHECK(answer->body.find("secret") == std::string::npos);
      CHECK(answer->body.find("root:") == std::string::npos);
    }
  }
  auto page = desk(s.server.url(), "").get("/");
  CHECK(page->status == 200);
  auto rules = std::string(page->header("Content-Security-Policy"));
  CHECK(rules.find("default-src 'none'") != std::string::npos);
  CHECK(rules.find("unsafe") == std::string::npos);
  CHECK(page->header("X-Content-Type-Options") == "nosniff");
  CHECK(page->header("Referrer-Policy") == "no-referrer");
  CHECK(page->header("X-Frame-Options") == "DENY");
}

TEST_CASE(
    "the first token is made once for a data folder, kept for its owner alone, and printed again while it is valid") {
  database db;
  temp_folder data;
  const auto folder = data.path() + "/data";
  server_process server({.database_url = db.url(), .data_dir = folder});
  server.start();
  const auto first = server.token();
  CHECK(first.size() == 47);
  struct stat info {};
  REQUIRE(::stat((folder + "/first-token").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  server.stop();
  server.start();
  CHECK(server.token() == first);
  CHECK(db.count("SELECT count(*) FROM access_token") == 1);
  // The tools of this machine find it by themselves.
  ::unsetenv("OMNIUM_TOKEN");
  auto tools = fmt::format("ctl --url {} --data {} ", server.url(), folder);
  CHECK(omnium_says(tools + "matches").status == 0);
  auto made = omnium_says(tools + "tokens create --name boss --role admin");
  CHECK(made.status == 0);
  CHECK(made.text.find("omn_") != std::string::npos);
  CHECK(omnium_says(tools + "tokens create --name boss --role viewer").status == 1); // a name in use
  CHECK(omnium_says(tools + "tokens create --name x --role king").status != 0);
  CHECK(omnium_says(tools + "tokens create --name x --role operator --competition " + fresh_id()).status == 1);
  CHECK(omnium_says(tools + "tokens list").text.find("boss") != std::string::npos);
  auto listed = omnium_says(tools + "--json tokens list").text;
  CHECK(at(listed, "/items/0/name") == "boss");
  CHECK(at(listed, "/items/0/may_name_sender") == "true");
  // Revoked on purpose: not made anew while there is another admin.
  CHECK(omnium_says(tools + "tokens revoke " + first.substr(0, 12)).status == 0);
  CHECK(omnium_says(tools + "matches").status == 1);
  server.stop();
  server.start();
  CHECK(server.token().empty());
  CHECK(server.output().find("?token=") == std::string::npos);
  db.run("UPDATE access_token SET revoked_at = now() WHERE name = 'boss'");
  server.stop();
  server.start();
  CHECK(server.token().size() == 47); // nobody else could let anybody in
  CHECK(server.token() != first);
  // Another node's folder on the same database, a folder that lost its file, a restored database: nobody is let in anew
  // while somebody could let them in, and the start says how it is done.
  const auto rows = db.count("SELECT count(*) FROM access_token");
  server_process other({.database_url = db.url()});
  other.start();
  CHECK(other.output().find("?token=") == std::string::npos);
  CHECK(other.output().find("omnium ctl tokens create") != std::string::npos);
  CHECK(other.output().find("--new-first-token") != std::string::npos);
  CHECK(db.count("SELECT count(*) FROM access_token") == rows);
  // It has a data folder all the same, and watches its disk.
  const auto disk = [&] {
    return omnium_says("ctl --url " + other.url() + " --token " + server.token() + " health").text;
  };
  for (int i = 0; i < 100 && disk().find("\ndisk ") == std::string::npos; ++i) std::this_thread::sleep_for(100ms);
  CHECK(disk().find("\ndisk ") != std::string::npos);
  // Who lost them all asks for one.
  REQUIRE(other.stop() == 0);
  server_process lost({.database_url = db.url(), .more = {"--new-first-token"}});
  lost.start();
  CHECK(lost.output().find("?token=omn_") != std::string::npos);
  CHECK(lost.token() != server.token());
  CHECK(db.count("SELECT count(*) FROM access_token") == rows + 1);
}

TEST_CASE("two nodes that start at once on a fresh database make one first token") {
  database db;
  server_process one({.database_url = db.url()}), two({.database_url = db.url()});
  std::thread other([&] { one.start(); });
  two.start();
  other.join();
  CHECK(db.count("SELECT count(*) FROM access_token") == 1);
}

TEST_CASE("without TLS or a proxy the server refuses to listen beyond loopback, and without sign-in always") {
  auto serve = [](const std::string& words) { return omnium_says("serve --check-config " + words); };
  CHECK(serve("").status == 0);
  CHECK(serve("--http.listen 0.0.0.0").status == 2);
  CHECK(serve("--http.listen 0.0.0.0").text.find("http.behind_proxy") != std::string::npos);
  CHECK(serve("--http.listen 0.0.0.0 --http.behind_proxy true").status == 0);
  CHECK(serve("--http.listen 0.0.0.0 --http.behind_proxy true --auth.required false").status == 2);
  CHECK(serve("--auth.required false").status == 0);
  stage s({"--auth.required", "false"});
  CHECK(s.server.token().empty());
  CHECK(s.note("", s.fixture).outcome == "accepted");
  CHECK(s.status("/ops/tree", "") == 200);
}

TEST_CASE("SIGHUP takes over the settings that can change, and a bad file changes nothing") {
  temp_folder folder;
  const auto file = folder.path() + "/omnium.toml";
  auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write("[log]\nlevel = \"warn\"\n");
  stage s({"--config", file});
  auto lines = [&](const std::string& part) {
    int found = 0;
    const auto log = s.server.output();
    for (auto at_char = log.find(part); at_char != log.npos; at_char = log.find(part, at_char + 1)) ++found;
    return found;
  };
  auto reloaded = [&](const std::string& part) {
    const auto before = lines(part);
    ::kill(s.server.pid(), SIGHUP);
    for (int i = 0; i < 100 && lines(part) == before; ++i) std::this_thread::sleep_for(20ms);
    return lines(part) == before + 1;
  };
  live_client socket(s.server.url(), s.server.token());
  CHECK_FALSE(socket.until("welcome").empty());
  write("[log]\nlevel = \"info\"\n[limits]\nrequests_per_s = 1\nrequests_burst = 3\n");
  CHECK(reloaded("the configuration was reloaded"));
  int limited = 0;
  for (int i = 0; i < 20; ++i) limited += s.status("/sports", s.server.token()) == 429;
  CHECK(limited > 10);
  write("[log]\nlevel = \"loud\"\n");
  CHECK(reloaded("the configuration was not reloaded"));
  write("[limits]\nrequests_per_s = 0\n[http]\nidle_timeout_ms = 1000\n");
  CHECK(reloaded("the configuration was reloaded"));
  CHECK(lines("http.idle_timeout_ms changes at the next start only") == 1);
  CHECK(s.status("/sports", s.server.token()) == 200);
  socket.send(fmt::format(R"({{"t":"watch","id":2,"topic":"fixture/{}"}})", s.fixture));
  CHECK_FALSE(socket.until("snapshot").empty());
}
