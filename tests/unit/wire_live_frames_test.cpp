// How a live socket is opened and what it carries: origins, the handshake, frames against the rules, sizes, and readers
// that are too slow. Source: contract section 4, known traps X1, X2.
#include "runtime/core/limits.hpp"
#include "tests/unit/wire_live_support.hpp"

#include <zlib.h>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using std::chrono::steady_clock;

TEST_CASE("only pages of an allowed origin open the socket, programs without an origin too") {
  live_server s({.allowed_origins = {"https://desk.example"}});
  for (auto origin : {"https://evil.example", "https://desk.example.evil.example", "http://desk.example", "null",
                      "https://desk.example:443"}) {
    INFO(origin);
    ws_client c(s.server.url());
    CHECK(c.open("/live", {{"Origin", origin}}));
    CHECK(c.status() == 403);
  }
  ws_client c(s.server.url());
  CHECK_FALSE(c.open("/live", {{"Origin", "https://desk.example"}}));
  CHECK(s.server.connections() >= 1);
}

TEST_CASE("a request for the socket that is no good handshake is refused, and the server goes on") {
  live_server s;
  auto client = http_client(s.server.url());
  CHECK(client.request("GET", "/live")->status == 426);
  CHECK(client.request("POST", "/live")->status == 405);
  for (auto headers : {"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12\r\nSec-WebSocket-Key: "
                       "AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                       "AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\nearly"}) {
    raw_socket a(s.server);
    a.send("GET /live HTTP/1.1\r\nHost: x\r\n" + std::string(headers));
    auto text = a.rest();
    CHECK(text.starts_with("HTTP/1.1 4"));
  }
  live_client c(s);
  CHECK(s.measures.live_sockets.value() == 1);
}

TEST_CASE("a message over the bound is closed with 1009, and so is one cut into fragments") {
  live_server s;
  std::string large(limits::live_message_bytes_max + 1, 'x');
  live_client a(s), b(s);
  a.send(large);
  CHECK(a.next().empty());
  CHECK(a.close_code() == 1009);
  for (int i = 0; i < 100; ++i) {
    if (b.send_frame(i == 0 ? ws_client::opcode::text : ws_client::opcode::continuation, std::string(1024, 'x'), false))
      break;
  }
  CHECK(b.next().empty());
  CHECK(b.close_code() == 1009);
}

TEST_CASE("fragments with pings between them make one message") {
  live_server s;
  live_client c(s);
  auto text = send_command("1", command_body("k"));
  for (std::size_t i = 0; i < text.size(); i += 10) {
    c.send_frame(i == 0 ? ws_client::opcode::text : ws_client::opcode::continuation, text.substr(i, 10),
                 i + 10 >= text.size());
    c.send_frame(ws_client::opcode::ping, "p");
  }
  CHECK(c.next().find("accepted") != std::string::npos);
}

TEST_CASE("a binary message, broken UTF-8 and a broken frame end the socket with the right code") {
  live_server s;
  live_client binary(s), utf8(s), unmasked(s), reserved(s), garbage(s);
  binary.send_frame(ws_client::opcode::binary, "{}");
  CHECK(binary.next() == R"({"t":"bye","reason":"unsupported_data"})");
  CHECK(binary.next().empty());
  CHECK(binary.close_code() == 1003);
  utf8.send("\xff\xfe");
  CHECK(utf8.next().empty());
  CHECK(utf8.close_code() == 1007);
  unmasked.send_frame(ws_client::opcode::text, "{}", true, false);
  CHECK(unmasked.next().empty());
  CHECK(unmasked.close_code() == 1002);
  reserved.send_frame(ws_client::opcode::text, "{}", true, true, 7);
  CHECK(reserved.next().empty());
  CHECK(reserved.close_code() == 1002);
  garbage.send_raw(std::string(200, '\xff'));
  CHECK(garbage.next().empty());
  CHECK(s.server.await_connections(0, 5s));
}

TEST_CASE("a frame that inflates past the bound is closed with 1009, when compression is on") {
  live_server s({.live = {.compression = true}});
  ws_client c(s.server.url());
  REQUIRE_FALSE(c.open("/live", {{"Sec-WebSocket-Extensions", "permessage-deflate; server_no_context_takeover"}}));
  std::string plain(64u * 1024 * 1024, ' '), packed(200'000, '\0');
  z_stream z{};
  REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(plain.data());
  z.avail_in = static_cast<uInt>(plain.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_SYNC_FLUSH);
  packed.resize(z.total_out - 4);
  deflateEnd(&z);
  REQUIRE(packed.size() < 70'000);
  c.send_frame(ws_client::opcode::text, packed, true, true, 4);
  std::string text;
  while (!c.receive(text, 5s)) {
  }
  CHECK(c.close_code() == 1009);
}

TEST_CASE("compression is not offered by default") {
  live_server s;
  raw_socket a(s.server);
  a.send("GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
  auto head = a.until("\r\n\r\n");
  CHECK(head.starts_with("HTTP/1.1 101 "));
  CHECK(head.find("deflate") == std::string::npos);
}

TEST_CASE("a slow consumer is told so and closed, its memory bounded, and nobody else notices") {
  live_server s({.live = {.slow_wall_clock = 3s}});
  live_client stuck(s), good(s);
  stuck.send(watch());
  good.send(watch());
  stuck.next();
  good.next();
  auto frame = change_frame(topic, "{\"version\":8,\"prev\":7,\"item\":\"" + std::string(4096, 'x') + "\"}");
  constexpr int rounds = 3000; // some 12 MB
  std::atomic<int> taken{0};   // by the good one, which is never more than a few behind
  std::thread reader([&] {
    for (int i = 0; i < rounds; ++i) {
      if (good.next() != *frame) break;
      taken = i + 1;
      taken.notify_one();
    }
    taken = rounds;
    taken.notify_one();
  });
  for (int i = 0; i < rounds; ++i) {
    s.hub.publish(topic, frame);
    for (int seen = taken; seen < i - 50; seen = taken) taken.wait(seen);
  }
  reader.join();
  CHECK(s.measures.slow_consumers.value() == 1);
  CHECK(s.hub.watchers(topic) == 1);
  CHECK(good.close_code() == 0);
  int whole = 0; // now it reads on: whole frames, then the reason
  std::string text;
  while (!stuck.receive(text, 5s) && text == *frame) ++whole;
  CHECK(text == R"({"t":"bye","reason":"slow_consumer"})");
  CHECK(stuck.receive(text, 5s));
  CHECK(stuck.close_code() == 1013);
  CHECK(whole < 500);
}

TEST_CASE("one frame larger than the whole bound reaches who reads; who does not is cut as soon") {
  live_server s({.live = {.queue_bytes_max = 64 << 10, .slow_wall_clock = 3s}});
  live_client c(s), stuck(s);
  for (auto* one : {&c, &stuck}) one->send(watch()), one->next();
  auto large = change_frame(topic, "{\"item\":\"" + std::string(300'000, 'x') + "\"}");
  auto small = change_frame(topic, "{\"version\":9}");
  s.hub.publish(topic, large);
  s.hub.publish(topic, small);
  CHECK(c.next() == *large);
  CHECK(c.next() == *small);
  int published = 0;
  for (; s.measures.slow_consumers.value() == 0 && published < 1000; ++published) {
    s.hub.publish(topic, large);
    CHECK(c.next() == *large);
  }
  CHECK(published < 40); // 40 of them are 12 MB: more than two sockets' buffers hold
  CHECK(s.measures.slow_consumers.value() == 1);
  CHECK(c.close_code() == 0);
}

TEST_CASE("a slow consumer that never reads again is cut") {
  hand_clock time;
  live_server s({.live = {.queue_frames_max = 8, .slow_wall_clock = 100ms}, .clock = time.clock()});
  live_client stuck(s);
  stuck.send(watch());
  stuck.next();
  auto frame = change_frame(topic, "{\"item\":\"" + std::string(60'000, 'x') + "\"}");
  for (int i = 0; i < 1000 && s.measures.slow_consumers.value() == 0; ++i) {
    s.hub.publish(topic, frame);
    let_it_turn(s.server);
  }
  CHECK(s.measures.slow_consumers.value() == 1);
  time.advance(99ms);
  let_it_turn(s.server);
  CHECK(s.server.connections() >= 1);
  time.advance(2ms);
  CHECK(s.server.await_connections(0, 5s));
}

TEST_CASE("frames from any thread are counted before they are posted: a burst past the bound is cut once") {
  live_server s;
  live_client c(s);
  c.send(watch());
  c.next();
  auto frame = change_frame(topic, "{\"version\":8}");
  constexpr std::size_t burst = 20'000;
  for (std::size_t i = 0; i < burst; ++i) s.hub.publish(topic, frame);
  std::size_t got = 0;
  for (std::string text; got < burst && !c.receive(text, 5s);) got += text == *frame;
  CHECK(s.measures.slow_consumers.value() == (got < burst ? 1 : 0));
}

TEST_CASE("a thousand sockets watch one topic, each gets the change, and all come and go without a leak") {
  live_server s;
  auto before = open_descriptors();
  for (int wave = 0; wave < 2; ++wave) {
    std::vector<std::unique_ptr<live_client>> all;
    for (int i = 0; i < 1000; ++i) {
      all.push_back(std::make_unique<live_client>(s));
      all.back()->send(watch());
    }
    for (auto& c : all) REQUIRE(c->next().starts_with(R"({"t":"snapshot")"));
    auto frame = change_frame(topic, "{\"version\":8,\"prev\":7}");
    s.hub.publish(topic, frame);
    for (auto& c : all) REQUIRE(c->next() == *frame);
  }
  CHECK(s.server.await_connections(0, 10s));
  CHECK(open_descriptors() == before);
  CHECK(s.hub.watchers(topic) == 0);
}
