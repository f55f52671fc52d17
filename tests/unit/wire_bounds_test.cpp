// Deadlines, the connection bound, and the graceful stop. Source: issue 2 items 9 and 10, known traps P5, P11.
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

void wait_until_gone(const running_server& s, std::size_t left = 0) { CHECK(s.server.await_connections(left, 5s)); }

} // namespace

TEST_CASE("a header that does not come in time is 408 and closed, even when bytes keep dribbling in") {
  hand_clock time;
  running_server s({.header_deadline = 150ms, .clock = time.clock()});
  raw_socket silent(s.server), half(s.server), dribble(s.server);
  half.send("GET /livez HTTP/1.1\r\nHo");
  std::string sent = "GET /livez HTTP/1.1\r\nA: ";
  dribble.send(sent);
  let_it_turn(s.server);
  for (int i = 0; i < 10; ++i) { // a byte each 14 ms keeps no connection open
    time.advance(14ms);
    dribble.send("a");
    let_it_turn(s.server);
  }
  CHECK(s.server.connections() >= 3);
  time.advance(14ms);
  CHECK(half.rest().starts_with("HTTP/1.1 408 "));
  CHECK(silent.rest().empty());
  CHECK_FALSE(silent.timed_out);
  CHECK(dribble.rest().find("408") != std::string::npos);
  wait_until_gone(s);
}

TEST_CASE("a body that does not come in time is 408 with the one answer body, and nothing of it is used") {
  hand_clock time;
  running_server s({.body_deadline = 150ms, .clock = time.clock()});
  raw_socket a(s.server);
  auto whole = post(command_body("k"));
  a.send(whole.substr(0, whole.size() - 3));
  let_it_turn(s.server);
  time.advance(151ms);
  auto text = a.rest();
  CHECK(text.starts_with("HTTP/1.1 408 "));
  CHECK(text.find("\"outcome\":\"") != std::string::npos);
  CHECK(s.inside.commands().empty());
}

TEST_CASE("an idle connection is closed after its time, one that waits for its answer is not") {
  hand_clock time;
  running_server s({.idle_timeout = 150ms, .clock = time.clock()});
  raw_socket idle(s.server), waiting(s.server);
  s.inside.hold(true);
  idle.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  waiting.send(post(command_body("k")));
  CHECK(s.inside.await_waiting(1));
  let_it_turn(s.server);
  time.advance(151ms);
  CHECK(count(idle.rest(), "HTTP/1.1 200 ") == 1);
  CHECK_FALSE(idle.timed_out);
  time.advance(300ms);
  let_it_turn(s.server);
  s.inside.hold(false);
  CHECK(count(waiting.until("\"seq\":1"), "HTTP/1.1 200 ") == 1);
}

TEST_CASE("what a command took outside the database is measured as one, read to written") {
  hand_clock time;
  running_server s({.clock = time.clock()});
  s.inside.in_database = 30ms;
  s.inside.hold(true);
  raw_socket desk(s.server);
  desk.send(post(command_body("k")));
  CHECK(s.inside.await_waiting(1));
  let_it_turn(s.server);
  time.advance(50ms);
  s.inside.hold(false);
  CHECK(count(desk.until("\"seq\":1"), "HTTP/1.1 200 ") == 1);
  let_it_turn(s.server);
  const auto page = s.measures.registry.expose();
  INFO(page);
  CHECK(count(page, "omnium_outside_seconds_bucket{le=\"0.01\"} 0\n") == 1);
  CHECK(count(page, "omnium_outside_seconds_bucket{le=\"0.02\"} 1\n") == 1);
}

TEST_CASE("a connection beyond the bound is told 503 and closed; after the others left it is served") {
  running_server s({.connections_max = 3});
  {
    std::vector<raw_socket> held;
    for (int i = 0; i < 3; ++i) held.emplace_back(s.server);
    for (auto& a : held) {
      a.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
      CHECK(a.until("\"up\"}").starts_with("HTTP/1.1 200 "));
    }
    raw_socket extra(s.server);
    auto text = extra.rest();
    CHECK(text.starts_with("HTTP/1.1 503 "));
    CHECK(text.find("Retry-After: ") != std::string::npos);
    CHECK(s.measures.connections_refused.value() == 1);
  }
  wait_until_gone(s);
  CHECK(s.client().request("GET", "/livez")->status == 200);
}

TEST_CASE("a thousand connections are served side by side, and all their descriptors come back") {
  running_server s;
  auto before = open_descriptors();
  {
    std::vector<raw_socket> all;
    for (int i = 0; i < 1000; ++i) all.emplace_back(s.server);
    for (int i = 0; i < 1000; ++i) all[static_cast<std::size_t>(i)].send(post(command_body("k" + std::to_string(i))));
    std::size_t served = 0;
    for (auto& a : all) served += count(a.until("\"trace\""), "HTTP/1.1 200 ");
    CHECK(served == 1000);
    CHECK(s.inside.commands().size() == 1000);
  }
  wait_until_gone(s);
  CHECK(open_descriptors() == before);
}

TEST_CASE("a client that resets with commands in flight loses only its answers") {
  running_server s;
  s.inside.hold(true);
  {
    raw_socket a(s.server);
    for (int i = 0; i < 10; ++i) a.send(post(command_body("k" + std::to_string(i))));
    CHECK(s.inside.await_waiting(10));
  }
  s.inside.hold(false);
  wait_until_gone(s);
  CHECK(s.inside.commands().size() == 10);
  CHECK(s.client().request("POST", command_target, command_body("after"))->status == 200);
}

TEST_CASE("a stop lets what is in flight finish, answers what comes after with shutting_down, and ends early") {
  running_server s;
  s.inside.hold(true);
  raw_socket flying(s.server), open(s.server);
  for (int i = 0; i < 5; ++i) flying.send(post(command_body("k" + std::to_string(i))));
  open.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  open.until("\"up\"}");
  CHECK(s.inside.await_waiting(5));
  s.server.begin_stop();
  auto knock = s.client().request("GET", "/livez").error.what;
  for (int i = 0; i < 200 && knock != net_error::kind::connect; ++i)
    knock = s.client().request("GET", "/livez").error.what;
  CHECK(knock == net_error::kind::connect); // the door is closed
  open.send(post(command_body("late")));
  auto late = open.until("\"trace\"");
  CHECK(late.starts_with("HTTP/1.1 503 "));
  CHECK(late.find("\"code\":\"shutting_down\"") != std::string::npos);
  CHECK(late.find("\"outcome\":\"try_again\"") != std::string::npos);
  CHECK(late.find("\"key\":\"late\"") != std::string::npos);
  CHECK(late.find("Retry-After: ") != std::string::npos);
  CHECK(late.find("Connection: close") != std::string::npos);
  auto began = steady_clock::now();
  s.inside.delay = 20ms; // a service that takes its time over each
  s.inside.hold(false);
  s.server.stop(8s);
  CHECK(steady_clock::now() - began < 4s);
  auto text = flying.rest();
  CHECK(count(text, "HTTP/1.1 200 ") == 5);
  CHECK(count(text, "Connection: close") == 1);
  CHECK(s.inside.commands().size() == 5);
}

TEST_CASE("readiness is 503 during a stop, liveness is not") {
  running_server s;
  raw_socket a(s.server), b(s.server);
  for (auto* one : {&a, &b}) {
    one->send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    one->until("\"up\"}");
  }
  s.server.begin_stop(); // the io thread takes it before it reads what is sent from now on
  a.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(a.rest().starts_with("HTTP/1.1 503 "));
  b.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(b.rest().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a stop ends within its bound though an answer never comes and a request stays half sent") {
  auto s = std::make_unique<running_server>();
  s->inside.hold(true);
  raw_socket stuck(s->server), half(s->server);
  stuck.send(post(command_body("k")));
  half.send("POST " + std::string(command_target));
  CHECK(s->inside.await_waiting(1));
  auto began = steady_clock::now();
  s->server.stop(400ms);
  CHECK(steady_clock::now() - began < 2s);
  s->inside.hold(false); // the answer comes after the server is down: it is dropped
  CHECK(s->inside.await_idle());
  s.reset();
}

TEST_CASE("a server can be stopped twice, at once, or never started") {
  fake_service inside;
  { http_server never({}, inside); }
  http_server twice({}, inside);
  REQUIRE(twice.start().empty());
  twice.stop(0ms);
  twice.stop(0ms);
  http_server taken({.port = 1}, inside);
  http_server nowhere({.listen = "not an address"}, inside);
  CHECK_FALSE(nowhere.start().empty());
  http_server first({}, inside);
  REQUIRE(first.start().empty());
  http_server second({.port = first.port()}, inside);
  CHECK(second.start().find("cannot listen") != std::string::npos);
}

TEST_CASE("twenty stops under load all end, and every command that was taken was answered or dropped once") {
  for (int round = 0; round < 20; ++round) {
    running_server s;
    std::atomic<bool> over{false};
    std::vector<std::thread> clients;
    for (int i = 0; i < 3; ++i) {
      clients.emplace_back([&, i] {
        auto client = s.client();
        for (int n = 0; !over; ++n) {
          auto r =
              client.request("POST", command_target, command_body("k" + std::to_string(i) + "-" + std::to_string(n)));
          if (!r) return;
          if (r->status != 200 && r->status != 503) return;
        }
      });
    }
    CHECK(s.inside.await_commands(3));
    auto began = steady_clock::now();
    s.server.stop(5s);
    CHECK(steady_clock::now() - began < 3s);
    over = true;
    for (auto& t : clients) t.join();
  }
}
