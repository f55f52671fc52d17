// Every malformed thing gets a clear answer or a close, and the server goes on. Source: issue 2 item 10, known traps
// X6, X7.
#include "runtime/core/limits.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

#include <random>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;

namespace {

// The body's members with one replaced by raw text.
std::string body_with(std::string_view member, std::string_view raw) {
  std::string out = "{";
  for (auto [name, value] :
       {std::pair{"key", "\"k\""}, {"code", "\"football.goal\""}, {"input", "{}"}, {"sender", "\"d\""}}) {
    if (out.size() > 1) out += ',';
    out.append("\"").append(name).append("\":").append(member == name ? raw : value);
  }
  return out + "}";
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

void check_goes_on(running_server& s) {
  auto client = s.client();
  auto r = client.request("POST", command_target, command_body("after"));
  REQUIRE(r);
  CHECK(r->status == 200);
}

} // namespace

TEST_CASE("a malformed command is refused with bad_shape, the server goes on, and nothing reached the service") {
  running_server s;
  auto client = s.client();
  std::vector<std::pair<const char*, std::string>> bodies = {
      {"no JSON", "hello"},
      {"nothing", ""},
      {"cut short", R"({"key":"k","code":"football.goal","input":{)"},
      {"two values", body_with("", "") + "{}"},
      {"a comma too many", R"({"key":"k","code":"c","input":{},"sender":"d",})"},
      {"single quotes", "{'key':'k'}"},
      {"a comment", "/* x */" + body_with("", "")},
      {"an array", "[" + body_with("", "") + "]"},
      {"duplicate member", R"({"key":"k","key":"k","code":"c","input":{},"sender":"d"})"},
      {"duplicate member inside", body_with("input", R"({"a":1,"a":2})")},
      {"duplicate member by escape", body_with("input", R"({"a":1,"\u0061":2})")},
      {"NaN", body_with("input", R"({"a":NaN})")},
      {"Infinity", body_with("input", R"({"a":Infinity})")},
      {"minus Infinity", body_with("input", R"({"a":-Infinity})")},
      {"a number out of range", body_with("input", R"({"a":1e999})")},
      {"a leading zero", body_with("input", R"({"a":01})")},
      {"lone high surrogate", body_with("input", R"({"a":"\ud800"})")},
      {"lone low surrogate", body_with("input", R"({"a":"\udc00x"})")},
      {"surrogates in the wrong order", body_with("input", R"({"a":"\udc00\ud800"})")},
      {"NUL by escape", body_with("input", R"({"a":"\u0000"})")},
      {"NUL in a name", body_with("input", R"({"\u0000":1})")},
      {"NUL raw", body_with("input", std::string("{\"a\":\"\0\"}", 9))},
      {"a control character raw", body_with("input", "{\"a\":\"\x01\"}")},
      {"broken UTF-8", body_with("input", "{\"a\":\"\xff\"}")},
      {"overlong UTF-8", body_with("input", "{\"a\":\"\xc0\xaf\"}")},
      {"a surrogate in UTF-8", body_with("input", "{\"a\":\"\xed\xa0\x80\"}")},
      {"a byte order mark", "\xef\xbb\xbf" + body_with("", "")},
      {"too deep", body_with("input", "{\"a\":" + nested(limits::json_depth_max) + "}")},
      {"very deep", body_with("input", "{\"a\":" + nested(20'000) + "}")},
      {"unknown member", R"({"key":"k","code":"c","input":{},"sender":"d","colour":1})"},
      {"key is a number", body_with("key", "7")},
      {"key is empty", body_with("key", "\"\"")},
      {"key is too long", body_with("key", "\"" + std::string(201, 'k') + "\"")},
      {"key is not ASCII", body_with("key", "\"k\u00e9\"")},
      {"key is null", body_with("key", "null")},
      {"code is an object", body_with("code", "{}")},
      {"input is a list", body_with("input", "[]")},
      {"input is null", body_with("input", "null")},
      {"sender is empty", body_with("sender", "\"\"")},
      {"sender is too long", body_with("sender", "\"" + std::string(101, 'd') + "\"")},
      {"no key", R"({"code":"c","input":{},"sender":"d"})"},
      {"no input", R"({"key":"k","code":"c","sender":"d"})"},
      {"saw is a list", R"({"key":"k","code":"c","input":{},"sender":"d","saw":[]})"},
      {"saw.play is a text", R"({"key":"k","code":"c","input":{},"sender":"d","saw":{"play":"1"}})"},
      {"saw.play is negative", R"({"key":"k","code":"c","input":{},"sender":"d","saw":{"play":-1}})"},
      {"saw.play is a fraction", R"({"key":"k","code":"c","input":{},"sender":"d","saw":{"play":1.5}})"},
      {"saw.rows names no uuid", R"({"key":"k","code":"c","input":{},"sender":"d","saw":{"rows":{"x":1}}})"},
      {"sent_at is no time", R"({"key":"k","code":"c","input":{},"sender":"d","sent_at":"yesterday"})"},
  };
  for (const auto& [what, body] : bodies) {
    INFO(what);
    auto r = client.request("POST", command_target, body);
    REQUIRE(r);
    CHECK(r->status == 400);
    CHECK(r->header("content-type") == "application/json");
    CHECK(r->body.find("\"outcome\":\"refused\"") != std::string::npos);
    CHECK(r->body.find("\"code\":\"bad_shape\"") != std::string::npos);
    CHECK(r->body.find("\"message\":\"") != std::string::npos);
  }
  auto two = client.request("POST", command_target, command_body("one"), {{"Idempotency-Key", "two"}});
  CHECK(two->status == 400);
  CHECK(s.inside.commands().empty());
  CHECK(s.server.connections() == 1);
  check_goes_on(s);
}

TEST_CASE("a body of 64 KiB is taken, one byte more is too_large, said or not said beforehand") {
  running_server s;
  auto client = s.client();
  auto filled = [](std::size_t size) {
    auto start = std::string(R"({"key":"k","code":"c","sender":"d","input":{"a":")");
    return start + std::string(size - start.size() - 3, 'x') + "\"}}";
  };
  CHECK(client.request("POST", command_target, filled(limits::body_bytes_max))->status == 200);
  auto over = client.request("POST", command_target, filled(limits::body_bytes_max + 1));
  REQUIRE(over);
  CHECK(over->status == 413);
  CHECK(over->body.find("too_large") != std::string::npos);
  CHECK(over->body.find("\"outcome\":\"refused\"") != std::string::npos);

  std::string head =
      "POST " + std::string(command_target) + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  raw_socket claims(s.server); // a claim of 8 GB is answered without waiting for a byte of it
  claims.send(head + "Content-Length: 8000000000\r\n\r\n");
  CHECK(claims.rest().starts_with("HTTP/1.1 413 "));
  raw_socket chunks(s.server);
  chunks.send(head + "Transfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 80; ++i) chunks.send("400\r\n" + std::string(1024, 'x') + "\r\n");
  CHECK(chunks.rest().starts_with("HTTP/1.1 413 "));
  raw_socket one_chunk(s.server);
  one_chunk.send(head + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFF0\r\n");
  CHECK(one_chunk.rest().starts_with("HTTP/1.1 413 "));
  CHECK(s.inside.commands().size() == 1);
  check_goes_on(s);
}

TEST_CASE("what is not HTTP gets 400 or a close, at once") {
  running_server s;
  std::string head =
      "POST " + std::string(command_target) + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  std::vector<std::pair<const char*, std::string>> garbage = {
      {"a TLS hello", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)},
      {"zeroes", std::string(64, '\0')},
      {"words", "hello there, server\r\n\r\n"},
      {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {"no version", "GET /livez\r\nHost: x\r\n\r\n"},
      {"a version to come", "GET /livez HTTP/3.0\r\nHost: x\r\n\r\n"},
      {"no target", "GET  HTTP/1.1\r\nHost: x\r\n\r\n"},
      {"a target with a space", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"},
      {"a relative target", "GET livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"},
      {"a fragment", "GET /livez#a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"},
      {"no host", "GET /livez HTTP/1.1\r\n\r\n"},
      {"two hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"a header without a name", "GET /livez HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n"},
      {"a header without a colon", "GET /livez HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"},
      {"a space before the colon", "GET /livez HTTP/1.1\r\nHost: x\r\nA : v\r\n\r\n"},
      {"a bare line feed", "GET /livez HTTP/1.1\nHost: x\n\n\n\n"},
      {"a control character in a header", "GET /livez HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n"},
      {"two lengths", head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"},
      {"a negative length", head + "Content-Length: -1\r\n\r\n{}"},
      {"a length in words", head + "Content-Length: two\r\n\r\n{}"},
      {"a length that overflows", head + "Content-Length: 99999999999999999999999\r\n\r\n{}"},
      {"length and chunks", head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunks and length", head + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n"},
      {"an unknown coding", head + "Transfer-Encoding: gzip\r\n\r\n{}"},
      {"chunked twice", head + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"},
      {"a bad chunk size", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"},
      {"a chunk that runs over", head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n"},
      {"an unknown expectation", head + "Expect: the best\r\nContent-Length: 2\r\n\r\n{}"},
  };
  for (const auto& [what, bytes] : garbage) {
    INFO(what);
    raw_socket a(s.server);
    a.send(bytes);
    a.finish_sending();
    auto text = a.rest(3s);
    CHECK_FALSE(a.timed_out);
    INFO(text);
    if (!text.empty()) CHECK((text.starts_with("HTTP/1.1 4") || text.starts_with("HTTP/1.1 5")));
    CHECK(count(text, "HTTP/1.1 200") == 0);
  }
  CHECK(s.inside.commands().empty());
  check_goes_on(s);
}

TEST_CASE("a request smuggled behind an unclear length is never carried out") {
  running_server s;
  auto hidden = post(command_body("smuggled"));
  std::string head =
      "POST " + std::string(command_target) + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  for (const auto& framing :
       {std::string("Transfer-Encoding: gzip\r\n"), std::string("Transfer-Encoding: xchunked\r\n"),
        "Content-Length: " + std::to_string(hidden.size()) + "\r\nTransfer-Encoding: chunked\r\n",
        std::string("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n")}) {
    INFO(framing);
    raw_socket a(s.server);
    a.send(head + framing + "\r\n" + hidden);
    a.finish_sending();
    CHECK(count(a.rest(), "HTTP/1.1 ") <= 1);
  }
  CHECK(s.inside.commands().empty());
}

TEST_CASE("a request cut at any byte is answered or closed, and never carried out") {
  running_server s;
  auto whole = post(command_body("k"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    raw_socket a(s.server);
    a.send(whole.substr(0, size));
    a.finish_sending();
    auto text = a.rest();
    CHECK_FALSE(a.timed_out);
    if (size > 0) CHECK(text.starts_with("HTTP/1.1 400 "));
    else CHECK(text.empty());
  }
  CHECK(s.inside.commands().empty());
  raw_socket a(s.server); // and one whole request after all of that
  a.send(whole);
  a.finish_sending();
  CHECK(a.rest().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a request sent one byte at a time is carried out once") {
  running_server s;
  raw_socket a(s.server);
  for (char c : "\r\n\r\n" + post(command_body("k"), "Connection: close\r\n")) a.send({&c, 1});
  CHECK(a.rest().starts_with("HTTP/1.1 200 "));
  CHECK(s.inside.commands().size() == 1);
}

TEST_CASE("a header larger than its bound is 431, however it grows") {
  running_server s({.header_bytes_max = 4096});
  std::vector<std::string> heads = {"GET /" + std::string(5000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n",
                                    "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(5000, 'a') + "\r\n\r\n",
                                    std::string(100'000, 'a')};
  std::string many = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 1000; ++i) many += "A: b\r\n";
  heads.push_back(many + "\r\n");
  for (const auto& head : heads) {
    INFO(head.substr(0, 60));
    raw_socket a(s.server);
    a.send(head);
    auto text = a.rest();
    CHECK((text.starts_with("HTTP/1.1 431 ") || text.starts_with("HTTP/1.1 400 ")));
  }
  raw_socket fits(s.server);
  fits.send("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nA: " + std::string(3500, 'a') + "\r\n\r\n");
  CHECK(fits.rest().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("random bytes and randomly damaged requests never stop the server or leak a descriptor") {
  running_server s({.header_deadline = 50ms, .body_deadline = 50ms, .idle_timeout = 50ms});
  std::mt19937 random(20261005);
  auto whole = post(command_body("k"),
                    "Idempotency-Key: k\r\nTraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n");
  auto before = open_descriptors();
  for (int round = 0; round < 600; ++round) {
    auto bytes = whole;
    if (round % 3 == 0) {
      for (auto& c : bytes) c = static_cast<char>(random());
    } else {
      for (auto i = random() % 8 + 1; i > 0; --i) bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    raw_socket a(s.server);
    a.send(bytes);
    if (round % 2 == 0) a.finish_sending();
    if (round % 5 != 0) a.rest(2s); // some leave without reading
    REQUIRE_FALSE(a.timed_out);
  }
  check_goes_on(s);
  CHECK(s.server.await_connections(0, 3s));
  CHECK(open_descriptors() == before);
}
