// The HTTP side against a service in this process: routes, methods, types, order. Source: contract sections 2 and 3.
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;

TEST_CASE("a command goes in parsed and comes back as the service's answer, on one connection") {
  running_server s;
  auto client = s.client();
  for (int i = 1; i <= 3; ++i) {
    auto r = client.request("POST", command_target, command_body("k" + std::to_string(i)));
    REQUIRE(r);
    CHECK(r->status == 200);
    CHECK(r->header("content-type") == "application/json");
    CHECK(r->body.find("\"seq\":" + std::to_string(i)) != std::string::npos);
  }
  REQUIRE(s.inside.commands().size() == 3);
  CHECK(s.inside.commands()[0]->workflow == "football");
  CHECK(s.inside.commands()[0]->input == R"({"team":"home"})");
  CHECK(s.server.connections() == 1);
}

TEST_CASE("the key may come in the header, and the trace in traceparent") {
  running_server s;
  auto client = s.client();
  auto r = client.request(
      "POST", command_target, R"({"code":"football.goal","input":{},"sender":"d"})",
      {{"Idempotency-Key", "from-header"}, {"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}});
  REQUIRE(r);
  CHECK(r->status == 200);
  CHECK(r->body.find("from-header") != std::string::npos);
  CHECK(r->body.find("0af7651916cd43dd8448eb211c80319c") != std::string::npos);
}

TEST_CASE("a preview needs no key and is not a command") {
  running_server s;
  auto client = s.client();
  auto r = client.request("POST", std::string(command_target) + ":preview",
                          R"({"code":"football.goal","input":{},"sender":"d"})");
  REQUIRE(r);
  CHECK(r->status == 200);
  CHECK(r->body.find("\"would\":\"accepted\"") != std::string::npos);
  CHECK(s.inside.commands().empty());
}

TEST_CASE("a command refused at the door is one answer body with the contract's status") {
  running_server s;
  auto client = s.client();
  struct bad {
    std::string target, body;
    int status;
    std::string code;
  };
  std::string ref = "0190a0a0-0000-7000-8000-000000000001";
  std::vector<bad> all = {
      {std::string(command_target), "{", 400, "bad_shape"},
      {std::string(command_target), "[]", 400, "bad_shape"},
      {std::string(command_target), "", 400, "bad_shape"},
      {std::string(command_target), R"({"code":"a","input":{},"sender":"d"})", 400, "bad_shape"},
      {"/workflows/football/subjects/planet/" + ref + "/commands", command_body("k"), 404, "unknown_subject"},
      {"/workflows/football/subjects/fixture/nine/commands", command_body("k"), 404, "unknown_subject"},
      {"/workflows/Foot%20ball/subjects/fixture/" + ref + "/commands", command_body("k"), 404, "unknown_command"},
  };
  for (const auto& one : all) {
    INFO(one.target << " " << one.body);
    auto r = client.request("POST", one.target, one.body);
    REQUIRE(r);
    CHECK(r->status == one.status);
    CHECK(r->body.find("\"outcome\":\"refused\"") != std::string::npos);
    CHECK(r->body.find("\"code\":\"" + one.code + "\"") != std::string::npos);
    CHECK(r->body.find("\"trace\":\"") != std::string::npos);
  }
  CHECK(s.inside.commands().empty());
  CHECK(s.measures.answers[static_cast<std::size_t>(outcome::refused)].value() == static_cast<double>(all.size()));
}

TEST_CASE("a command needs exactly one JSON content type and no compression, and loses nothing for it") {
  running_server s;
  auto client = s.client();
  for (auto headers :
       std::vector<http_headers>{{{"Content-Type", "text/plain"}},
                                 {{"Content-Type", "application/x-www-form-urlencoded"}},
                                 {{"Content-Type", "application/json; charset=latin-1"}},
                                 {{"Content-Type", "application/jsonx"}},
                                 {{"Content-Type", ""}},
                                 {{"Content-Encoding", "gzip"}},
                                 {{"Content-Type", "application/json"}, {"Content-Type", "text/plain"}}}) {
    auto r = client.request("POST", command_target, command_body("k"), headers);
    REQUIRE(r);
    CHECK(r->status == 415);
    CHECK(r->body.find("\"bad_shape\"") != std::string::npos);
    CHECK(r->body.find("\"subject\":{\"kind\":\"fixture\"") != std::string::npos);
  }
  for (auto type : {"application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\""}) {
    auto r = client.request("POST", command_target, command_body("k"), {{"Content-Type", type}});
    REQUIRE(r);
    CHECK(r->status == 200);
  }
  CHECK(s.server.connections() == 1); // still the same connection
}

TEST_CASE("two unequal Idempotency-Key headers are refused, two equal ones are one") {
  running_server s;
  raw_socket a(s.server);
  a.send(post(command_body("k"), "Idempotency-Key: k\r\nIdempotency-Key: other\r\n"));
  a.send(post(command_body("k"), "Idempotency-Key: k\r\nIdempotency-Key: k\r\nConnection: close\r\n"));
  auto text = a.rest();
  CHECK(count(text, "HTTP/1.1 400 ") == 1);
  CHECK(count(text, "HTTP/1.1 200 ") == 1);
}

TEST_CASE("a method an address does not know is 405 and says which it knows") {
  running_server s;
  auto client = s.client();
  auto check = [&](const char* method, std::string_view target, const char* allow) {
    INFO(method << " " << target);
    auto r = client.request(method, target);
    REQUIRE(r);
    CHECK(r->status == 405);
    CHECK(r->header("allow") == allow);
    CHECK(r->header("content-type") == "application/problem+json");
  };
  check("GET", command_target, "POST, OPTIONS");
  check("PUT", command_target, "POST, OPTIONS");
  check("DELETE", "/fixtures", "GET, HEAD, OPTIONS");
  check("POST", "/fixtures", "GET, HEAD, OPTIONS");
  check("POST", "/", "GET, HEAD, OPTIONS");
  check("BREW", "/sports", "GET, HEAD, OPTIONS");
}

TEST_CASE("reads reach the service decoded, with the raw query, and HEAD is GET without a body") {
  running_server s;
  auto client = s.client();
  auto r = client.request("GET", "/fixtures/a%2Db/timeline?after=3&x=%41");
  REQUIRE(r);
  CHECK(r->body == R"({"path":"/fixtures/a-b/timeline","query":"after=3&x=%41"})");
  auto h = client.request("HEAD", "/fixtures/a%2Db/timeline?after=3&x=%41");
  REQUIRE(h);
  CHECK(h->status == 200);
  CHECK(h->body.empty());
  CHECK(h->header("content-length") == std::to_string(r->body.size()));
  auto tag = client.request("GET", "/fixtures/etag", {}, {{"If-None-Match", "\"7\""}});
  REQUIRE(tag);
  CHECK(tag->status == 304);
  CHECK(tag->header("etag") == "\"7\"");
  auto absolute = client.request("GET", "http://elsewhere:1/sports");
  REQUIRE(absolute);
  CHECK(absolute->body.find("\"/sports\"") != std::string::npos);
}

TEST_CASE("what is not there is 404 problem details, what is malformed 400") {
  running_server s;
  auto client = s.client();
  auto status = [&](std::string_view target) {
    auto r = client.request("GET", target);
    REQUIRE(r);
    CHECK(r->header("content-type") == "application/problem+json");
    CHECK(r->body.find("\"status\":" + std::to_string(r->status)) != std::string::npos);
    return r->status;
  };
  CHECK(status("/nowhere") == 404);
  CHECK(status("//fixtures") == 404);
  CHECK(status("/fixtures/%zz") == 400);
  CHECK(status("/fixtures/%00") == 400);
  CHECK(status("/fixtures/%0a") == 400);
  CHECK(status("/fixtures/%") == 400);
  CHECK(status("/live") == 404); // no hub in this server
}

TEST_CASE("an Accept header that takes no JSON is 406, and any that takes it is not") {
  running_server s;
  auto client = s.client();
  for (auto accept : {"text/html", "application/json;q=0", "image/*, text/*"}) {
    CHECK(client.request("GET", "/sports", {}, {{"Accept", accept}})->status == 406);
    CHECK(client.request("POST", command_target, command_body("k"), {{"Accept", accept}})->status == 406);
  }
  for (auto accept : {"*/*", "text/html, */*;q=0.1", "application/json", "application/*", "Application/Json;q=0.5"}) {
    CHECK(client.request("GET", "/sports", {}, {{"Accept", accept}})->status == 200);
  }
  CHECK(client.request("GET", "/metrics", {}, {{"Accept", "text/plain"}})->status == 200);
  CHECK(s.inside.commands().empty());
}

TEST_CASE("liveness, metrics and the status page are the wire's own") {
  running_server s;
  auto client = s.client();
  CHECK(client.request("GET", "/livez")->body == R"({"status":"up"})");
  auto metrics = client.request("GET", "/metrics");
  CHECK(metrics->header("content-type").starts_with("text/plain; version=0.0.4"));
  CHECK(metrics->body.find("omnium_sockets{kind=\"http\"} 1") != std::string::npos);
  CHECK(metrics->body.find("omnium_http_responses_total{status=\"200\"} 1") != std::string::npos);
  auto page = client.request("GET", "/");
  CHECK(page->status == 200);
  CHECK(page->header("content-type") == "text/html; charset=utf-8");
  CHECK(page->body.find("Omnium") != std::string::npos);
}

TEST_CASE("pipelined commands of one subject are in flight together and answered in order") {
  running_server s;
  s.inside.hold(true);
  raw_socket a(s.server);
  for (int i = 0; i < 20; ++i) a.send(post(command_body("k" + std::to_string(i))));
  CHECK(s.inside.await_waiting(20));
  s.inside.hold(false);
  a.send("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  auto text = a.rest();
  CHECK(count(text, "HTTP/1.1 200 ") == 21);
  std::size_t at = 0;
  for (int i = 0; i < 20; ++i) {
    auto found = text.find("\"key\":\"k" + std::to_string(i) + "\"", at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
  CHECK(text.find("\"status\":\"up\"") > at);
}

TEST_CASE("a pipelined request for another address waits until the one before it is answered") {
  running_server s;
  s.inside.hold(true);
  raw_socket a(s.server);
  a.send(post(command_body("k1")));
  a.send(post(command_body("k2"), {},
              "/workflows/football/subjects/fixture/0190a0a0-0000-7000-8000-000000000002/commands"));
  a.send("GET /fixtures HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  CHECK(s.inside.await_waiting(1));
  let_it_turn(s.server);
  CHECK(s.inside.waiting() == 1);
  s.inside.hold(false);
  auto text = a.rest();
  CHECK(count(text, "HTTP/1.1 200 ") == 3);
  CHECK(text.find("\"k1\"") < text.find("\"k2\""));
  CHECK(text.find("\"k2\"") < text.find("/fixtures"));
}

TEST_CASE("no more than the bound of pipelined commands is taken at once, and all are answered") {
  running_server s({.pipeline_len_max = 4});
  s.inside.hold(true);
  raw_socket a(s.server);
  std::string all;
  for (int i = 0; i < 40; ++i)
    all += post(command_body("k" + std::to_string(i)), i == 39 ? "Connection: close\r\n" : "");
  a.send(all);
  CHECK(s.inside.await_waiting(4));
  let_it_turn(s.server);
  CHECK(s.inside.waiting() == 4);
  s.inside.hold(false);
  CHECK(count(a.rest(), "HTTP/1.1 200 ") == 40);
}

TEST_CASE("a chunked body and one that waits for 100 Continue are read like any other") {
  running_server s;
  raw_socket a(s.server);
  std::string head =
      "POST " + std::string(command_target) + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  auto body = command_body("k1");
  a.send(head + "Transfer-Encoding: chunked\r\n\r\n");
  for (char c : body) a.send(std::string("1;ext=1\r\n") + c + "\r\n");
  a.send("0\r\nTrailer: x\r\n\r\n");
  CHECK(a.until("\"seq\":1").find("200 OK") != std::string::npos);
  body = command_body("k2");
  a.send(head + "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
  CHECK(a.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  a.send(body);
  CHECK(a.until("\"seq\":2").find("200 OK") != std::string::npos);
}

TEST_CASE("a refusal that needs no body is said before it is sent") {
  running_server s;
  raw_socket a(s.server);
  a.send("POST " + std::string(command_target) +
         " HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n");
  auto text = a.rest();
  CHECK(text.starts_with("HTTP/1.1 415 "));
  CHECK(text.find("Connection: close") != std::string::npos);
}

TEST_CASE("HTTP/1.0 is answered and closed, unless it asks to stay") {
  running_server s;
  raw_socket a(s.server);
  a.send("GET /livez HTTP/1.0\r\n\r\n");
  CHECK(a.rest().starts_with("HTTP/1.0 200 OK"));
  raw_socket b(s.server);
  b.send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  CHECK(b.until("\"up\"}").find("Connection: keep-alive") != std::string::npos);
  b.send("GET /livez HTTP/1.0\r\n\r\n");
  CHECK(count(b.rest(), "200 OK") == 1);
}

TEST_CASE("a page of another origin may neither send commands nor be told it might") {
  running_server s({.allowed_origins = {"https://desk.example"}});
  auto client = s.client();
  auto send = [&](const char* origin) {
    return client.request("POST", command_target, command_body("k"), {{"Origin", origin}});
  };
  for (auto origin : {"https://evil.example", "https://desk.example.evil.example", "http://desk.example",
                      "https://desk.example:444", "null"}) {
    INFO(origin);
    auto r = send(origin);
    CHECK(r->status == 403);
    CHECK(r->body.find("not_allowed") != std::string::npos);
    CHECK(r->header("access-control-allow-origin").empty());
    auto ask =
        client.request("OPTIONS", command_target, {}, {{"Origin", origin}, {"Access-Control-Request-Method", "POST"}});
    CHECK(ask->status == 204);
    CHECK(ask->header("access-control-allow-origin").empty());
  }
  CHECK(s.inside.commands().empty());
  CHECK(send("https://desk.example")->status == 200);
  auto ask = client.request("OPTIONS", command_target, {},
                            {{"Origin", "https://desk.example"}, {"Access-Control-Request-Method", "POST"}});
  CHECK(ask->header("access-control-allow-origin") == "https://desk.example");
  CHECK(ask->header("access-control-allow-methods") == "POST, OPTIONS");
  CHECK(ask->header("allow") == "POST, OPTIONS");
}

TEST_CASE("without a list the server's own address on this machine is the allowed origin") {
  running_server s;
  auto client = s.client();
  auto port = std::to_string(s.server.port());
  CHECK(client.request("POST", command_target, command_body("k"), {{"Origin", "http://127.0.0.1:" + port}})->status ==
        200);
  CHECK(client.request("POST", command_target, command_body("k"), {{"Origin", "http://localhost:" + port}})->status ==
        200);
  CHECK(client.request("POST", command_target, command_body("k"), {{"Origin", "http://localhost:1"}})->status == 403);
}

TEST_CASE("an OPTIONS for the whole server is answered") {
  running_server s;
  raw_socket a(s.server);
  a.send("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  auto text = a.rest();
  CHECK(text.starts_with("HTTP/1.1 204 "));
  CHECK(text.find("Content-Length") == std::string::npos);
}

TEST_CASE("a large reply arrives whole, and a client that reads none of it is cut") {
  running_server s({.write_deadline = 200ms});
  auto client = s.client();
  CHECK(client.request("GET", "/fixtures/large")->body.size() == 20'000'000);
  client.close();
  raw_socket stuck(s.server);
  stuck.send("GET /fixtures/large HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(s.server.await_connections(0, 3s)); // the peer never closed: the server did
}
