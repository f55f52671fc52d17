// Sign-in, rights and limits as the wire keeps them, against a service and a directory in this process. Each line of
// the security table that needs no database is one test. Source: issue 5 item 1, known traps X1, X2.
#include "runtime/core/json.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_sign_in_support.hpp"

#include <simdjson.h>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;
using access::role;

namespace {

const uuid match = *parse_uuid("0190a0a0-0000-7000-8000-000000000001"), cup = make_uuid5({}, "cup");

struct guarded {
  explicit guarded(http_server_options options = {}) : server(std::move(options), inside, &measures, &hub, &gate) {
    REQUIRE(server.start().empty());
  }
  fake_service inside;
  quiet_hub hub;
  fake_gate gate;
  ops::metrics measures;
  http_server server;

  http_response get(const std::string& target, const std::string& token = {}) {
    http_client client(server.url());
    if (!token.empty()) client.always("Authorization", "Bearer " + token);
    return *client.request("GET", target);
  }
  http_response send(const std::string& token, const std::string& target = std::string(command_target)) {
    http_client client(server.url());
    if (!token.empty()) client.always("Authorization", "Bearer " + token);
    return *client.request("POST", target, command_body("k"));
  }
};

std::string at(const std::string& json, const std::string& pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element found;
  if (parser.parse(json).at_pointer(pointer).get(found)) return {};
  std::string_view text;
  return found.get(text) ? simdjson::minify(found) : std::string(text);
}

void check_refused(const http_response& answer, int status, const std::string& code) {
  INFO(answer.body);
  CHECK(answer.status == status);
  CHECK(at(answer.body, "/outcome") == "refused");
  CHECK(at(answer.body, "/reason/code") == code);
  CHECK(at(answer.body, "/subject/ref") == to_string(match));
  CHECK(at(answer.body, "/trace").size() == 32);
}

struct signed_in : ws_client {
  signed_in(const guarded& s, const std::string& token) : ws_client(s.server.url()) {
    REQUIRE_FALSE(open());
    send(R"({"t":"hello","token":")" + token + R"(","client":"test"})");
  }
  // The next message that is no beat.
  std::string next(std::chrono::milliseconds wait = 5s) {
    std::string text;
    auto until = std::chrono::steady_clock::now() + wait;
    do {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() <= 0 || receive(text, left)) return {};
    } while (text.starts_with(R"({"t":"beat")"));
    return text;
  }
  std::string command(const std::string& id = "1") {
    send(R"({"t":"command","id":)" + id + R"(,"workflow":"football","kind":"fixture","ref":")" + to_string(match) +
         R"(","body":)" + command_body("k" + id) + "}");
    return next();
  }
  std::string watch(const std::string& topic) {
    send(R"({"t":"watch","id":"w","topic":")" + topic + "\"}");
    return next();
  }
};

const std::string match_topic = "fixture/" + to_string(match);
const std::string watched = R"("t":"snapshot")", not_allowed_code = R"("code":"not_allowed")";
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("security: without a token only liveness, readiness, metrics and the desk's files are open") {
  guarded s;
  for (auto open : {"/livez", "/readyz", "/metrics", "/"}) CHECK(s.get(open).status == 200);
  for (auto shut : {"/fixtures", "/competitions", "/sports", "/workflows", "/ops/tree", "/ops/tokens",
                    "/fixtures/0190a0a0-0000-7000-8000-000000000001/state", "/participants"}) {
    INFO(shut);
    auto answer = s.get(shut);
    CHECK(answer.status == 401);
    CHECK(answer.header("WWW-Authenticate") == "Bearer realm=\"omnium\"");
    CHECK(answer.header("Content-Type") == "application/problem+json");
  }
  auto answer = s.send("");
  check_refused(answer, 401, "not_signed_in");
  CHECK(answer.header("WWW-Authenticate") == "Bearer realm=\"omnium\"");
  check_refused(s.send("", std::string(command_target) + ":preview"), 401, "not_signed_in");
  CHECK(s.inside.commands().empty());
}

TEST_CASE("security: a wrong token, a piece of one, and an odd header are 401") {
  guarded s;
  auto token = s.gate.add(role::admin);
  for (auto wrong :
       {access::make_token_text(), token.substr(0, 46), token + "x", std::string("x"), token + " " + token}) {
    auto answer = s.send(wrong);
    check_refused(answer, 401, "not_signed_in");
    CHECK(has(std::string(answer.header("WWW-Authenticate")), "invalid_token"));
    CHECK(s.get("/sports", wrong).status == 401);
  }
  http_client client(s.server.url());
  CHECK(client.request("GET", "/sports", {}, {{"Authorization", "Basic " + token}})->status == 401);
  CHECK(client.request("GET", "/sports", {}, {{"Authorization", token}})->status == 401);
  CHECK(client.request("GET", "/sports", {}, {{"X-Token", token}})->status == 401);
  CHECK(client.request("GET", "/sports", {}, {{"Authorization", "bearer " + token}})->status == 200);
  auto twice = http_headers{{"Authorization", "Bearer " + token}, {"Authorization", "Bearer x"}};
  CHECK(client.request("GET", "/sports", {}, twice)->status == 401);
}

TEST_CASE("security: an expired token is 401, to the moment") {
  hand_clock time;
  guarded s({.clock = time.clock()});
  access::token what;
  what.name = "anna";
  what.is = role::scorer;
  what.expires = time.clock().wall() + 300ms;
  auto token = s.gate.add(what);
  http_client client(s.server.url());
  client.always("Authorization", "Bearer " + token);
  CHECK(client.request("GET", "/sports")->status == 200);
  signed_in socket(s, token);
  CHECK(has(socket.next(), "welcome"));
  time.advance(299ms);
  CHECK(client.request("GET", "/sports")->status == 200);
  time.advance(2ms);
  CHECK(client.request("GET", "/sports")->status == 401); // on the same connection
  CHECK(socket.next(2s) == R"({"t":"bye","reason":"not_signed_in"})");
}

TEST_CASE("security: a token revoked in the middle takes its connections and its socket along") {
  guarded s;
  auto token = s.gate.add(role::scorer), other = s.gate.add(role::scorer, "berta");
  http_client client(s.server.url());
  client.always("Authorization", "Bearer " + token);
  CHECK(client.request("POST", command_target, command_body("a"))->status == 200);
  signed_in socket(s, token), untouched(s, other);
  CHECK(has(socket.next(), "welcome"));
  CHECK(has(untouched.next(), "welcome"));
  CHECK(has(socket.watch(match_topic), watched));
  s.gate.revoke(token);
  CHECK(client.request("POST", command_target, command_body("b"))->status == 401);
  CHECK(socket.next(2s) == R"({"t":"bye","reason":"not_signed_in"})");
  CHECK(socket.next(2s).empty());
  CHECK(socket.close_code() == 1008);
  CHECK(has(untouched.command(), R"("outcome":"accepted")"));
  CHECK(s.inside.commands().size() == 2);
}

TEST_CASE("security: a role too low is 403 not_allowed, over HTTP and on the socket") {
  guarded s;
  auto viewer = s.gate.add(role::viewer), scorer = s.gate.add(role::scorer, "b"), op = s.gate.add(role::operator_, "c");
  const std::string create = "/workflows/games/subjects/competition/" + to_string(match) + "/commands";
  check_refused(s.send(viewer), 403, "not_allowed");
  check_refused(s.send(viewer, std::string(command_target) + ":preview"), 403, "not_allowed");
  check_refused(s.send(scorer, create), 403, "not_allowed");
  CHECK(s.send(s.gate.add(role::integrator, "d"), create).status == 200);
  CHECK(s.get("/sports", viewer).status == 200);
  CHECK(s.get("/ops/tree", scorer).status == 403);
  CHECK(s.get("/ops/tree", op).status == 200);
  CHECK(s.get("/ops/tokens", op).status == 403);
  http_client client(s.server.url());
  client.always("Authorization", "Bearer " + scorer);
  CHECK(client.request("POST", "/ops/restart", "{}")->status == 403);
  CHECK(client.request("POST", "/ops/tokens/create", "{}")->status == 403);
  signed_in socket(s, viewer), operators(s, op);
  CHECK(has(socket.next(), "welcome"));
  CHECK(has(operators.next(), "welcome"));
  CHECK(has(socket.watch(match_topic), watched));
  CHECK(has(socket.watch("ops"), not_allowed_code));
  CHECK(has(operators.watch("ops"), watched));
  CHECK(has(socket.command(), not_allowed_code));
  CHECK(s.inside.commands().size() == 1);
}

TEST_CASE("security: a token limited to another competition or match reaches neither reads, commands nor topics") {
  guarded s;
  s.gate.place(match, cup);
  access::token what;
  what.is = role::scorer;
  what.competitions = {cup};
  what.name = "inside";
  auto inside = s.gate.add(what);
  what.competitions = {make_uuid5({}, "another")};
  what.name = "outside";
  auto outside = s.gate.add(what);
  what.competitions = {};
  what.fixtures = {make_uuid5({}, "another match")};
  what.name = "match";
  auto another = s.gate.add(what);
  const std::string read = "/fixtures/" + to_string(match);
  CHECK(s.send(inside).status == 200);
  CHECK(s.get(read + "/timeline", inside).status == 200);
  CHECK(s.gate.asked == 1); // and never again: a match keeps its competition
  for (const auto& token : {outside, another}) {
    check_refused(s.send(token), 403, "not_allowed");
    CHECK(s.get(read, token).status == 403);
    CHECK(s.get("/competitions/" + to_string(cup), token).status == 403);
    CHECK(s.get("/fixtures", token).status == 200); // shows what lies inside its limits
    signed_in socket(s, token);
    CHECK(has(socket.next(), "welcome"));
    CHECK(has(socket.watch(match_topic), not_allowed_code));
    CHECK(has(socket.watch("competition/" + to_string(cup)), not_allowed_code));
    CHECK(has(socket.command(), not_allowed_code));
  }
  CHECK(s.inside.commands().size() == 1);
}

TEST_CASE(
    "commands that wait for their match's competition go on in their order, and a database that is away is try_again") {
  guarded s;
  s.gate.place(match, cup);
  access::token what;
  what.is = role::scorer;
  what.name = "anna";
  what.competitions = {cup};
  auto token = s.gate.add(what);
  raw_socket raw(s.server);
  std::string all;
  for (int i = 0; i < 20; ++i)
    all += post(command_body("k" + std::to_string(i)), "Authorization: Bearer " + token + "\r\n");
  raw.send(all);
  std::string got;
  while (count(got, "\"outcome\":\"accepted\"") < 20) {
    auto more = raw.until("\"trace\"", 3s);
    if (more.empty()) break;
    got += more;
  }
  auto commands = s.inside.commands();
  REQUIRE(commands.size() == 20);
  for (int i = 0; i < 20; ++i) CHECK(commands[static_cast<std::size_t>(i)]->key == "k" + std::to_string(i));
  CHECK(s.gate.asked == 1);

  guarded far;
  far.gate.away = true;
  auto same = far.gate.add(what);
  auto answer = far.send(same);
  CHECK(answer.status == 503);
  CHECK(at(answer.body, "/outcome") == "try_again");
  CHECK(at(answer.body, "/reason/code") == "database_unavailable");
  CHECK_FALSE(answer.header("Retry-After").empty());
  CHECK(far.get("/fixtures/" + to_string(match), same).status == 503);
}

TEST_CASE("the sender is the token's own name, unless it may name another") {
  guarded s;
  access::token what;
  what.is = role::scorer;
  what.name = "Anna at desk 1";
  auto own = s.gate.add(what);
  what.name = "feed";
  what.may_name_sender = true;
  auto naming = s.gate.add(what);
  s.send(own);
  s.send(naming);
  signed_in socket(s, own);
  CHECK(has(socket.next(), "welcome"));
  CHECK(has(socket.command(), "accepted"));
  auto commands = s.inside.commands();
  REQUIRE(commands.size() == 3);
  CHECK(commands[0]->sender == "Anna at desk 1");
  CHECK(commands[1]->sender == "desk-1");
  CHECK(commands[2]->sender == "Anna at desk 1");
}

TEST_CASE("security: a token in an address is refused wherever it is, even beside a good one in the header") {
  guarded s;
  auto token = s.gate.add(role::admin);
  for (auto target : {"/fixtures?token=", "/sports?x=", "/ops/tree?access_token=", "/readyz?token=", "/metrics?token=",
                      "/live?token="}) {
    INFO(target);
    CHECK(s.get(target + token).status == 401);
    CHECK(s.get(target + token, token).status == 401);
  }
  check_refused(s.send(token, std::string(command_target) + "?token=" + token), 401, "not_signed_in");
  CHECK(s.get("/?token=" + token).status == 200); // the desk's first page takes it out of its address
  CHECK_FALSE(has(s.measures.registry.expose(), "omn_"));
  ws_client socket(s.server.url());
  CHECK(socket.open("/live?token=" + token));
  CHECK(socket.status() == 401);
}

TEST_CASE("security: a socket whose hello has no good token is told so and closed") {
  guarded s;
  for (auto bad : {std::string(), access::make_token_text(), std::string("x")}) {
    signed_in socket(s, bad);
    CHECK(socket.next() == R"({"t":"bye","reason":"not_signed_in"})");
    CHECK(socket.next().empty());
    CHECK(socket.close_code() == 1008);
  }
}

TEST_CASE("a caller that asks for too much is told 429, for a command try_again, and others are not hurt") {
  guarded s({.bounds = {.requests_per_s = 0.1, .requests_burst = 10}, .behind_proxy = true});
  auto token = s.gate.add(role::scorer), other = s.gate.add(role::scorer, "b");
  auto ask = [&](const std::string& mine, const std::string& from, bool command) {
    http_client client(s.server.url());
    client.always("Authorization", "Bearer " + mine);
    client.always("X-Forwarded-For", from);
    return *(command ? client.request("POST", command_target, command_body("k")) : client.request("GET", "/sports"));
  };
  auto ask_for = [&](const char* target, const std::string& from) {
    return *http_client(s.server.url()).request("GET", target, {}, {{"X-Forwarded-For", from}});
  };
  int good = 0;
  for (int i = 0; i < 10; ++i) good += ask(token, "10.0.0." + std::to_string(i), false).status == 200;
  CHECK(good == 10);
  auto too_much = ask(token, "10.0.1.1", false);
  CHECK(too_much.status == 429);
  CHECK_FALSE(too_much.header("Retry-After").empty());
  CHECK(too_much.header("Content-Type") == "application/problem+json");
  auto later = ask(token, "10.0.1.2", true);
  CHECK(later.status == 503);
  CHECK(at(later.body, "/outcome") == "try_again");
  CHECK(at(later.body, "/reason/code") == "overloaded");
  CHECK_FALSE(later.header("Retry-After").empty());
  CHECK(ask(other, "10.0.1.3", true).status == 200);
  // Probes and scrapes are never too much, and use nothing up.
  for (int i = 0; i < 30; ++i) {
    CHECK(ask_for("/readyz", "10.5.5.5").status == 200);
    CHECK(ask_for("/metrics", "10.5.5.5").status == 200);
  }
  CHECK(ask(other, "10.5.5.5", true).status == 200);
  // One address with many tokens, and one that only claims to be another.
  for (int i = 0; i < 10; ++i) ask(s.gate.add(role::viewer, "v" + std::to_string(i)), "10.9.9.9", false);
  CHECK(ask(s.gate.add(role::viewer, "w"), "1.2.3.4, 10.9.9.9", false).status == 429);
  s.server.set_bounds({});
  bool free = false;
  for (int i = 0; i < 100 && !free; ++i) free = ask(token, "10.9.9.9", true).status == 200;
  CHECK(free);
}

TEST_CASE("an address may open so many connections, and a token so many sockets") {
  guarded s({.bounds = {.connections_max = 3, .live_sockets_max = 1}});
  auto token = s.gate.add(role::viewer);
  signed_in first(s, token), second(s, token);
  CHECK(has(first.next(), "welcome"));
  CHECK(second.next() == R"({"t":"bye","reason":"too_many_sockets"})");
  CHECK(second.next().empty());
  CHECK(second.close_code() == 1013);
  raw_socket a(s.server), b(s.server);
  raw_socket one_more(s.server);
  auto told = one_more.rest(2s);
  CHECK(told.starts_with("HTTP/1.1 429 "));
  CHECK(has(told, "Retry-After: 1"));
  first.close();
  CHECK(s.server.await_connections(2, 3s));
  signed_in again(s, token);
  CHECK(has(again.next(1s), "welcome"));
}

TEST_CASE("security: a request without a token is refused before its body is read") {
  guarded s;
  raw_socket raw(s.server);
  raw.send("POST " + std::string(command_target) +
           " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\nExpect: "
           "100-continue\r\n\r\n");
  auto told = raw.rest(2s);
  CHECK(told.starts_with("HTTP/1.1 401 "));
  CHECK_FALSE(has(told, "100 Continue"));
}
