// The live socket against a hub and a service in this process. Source: contract section 4, known traps O13 to O17, X1,
// X2.
#include "runtime/core/limits.hpp"
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

#include <map>
#include <zlib.h>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

// Answers a watch with a snapshot of version `have` or 0, and sends what it is told to every watcher.
class fake_hub : public live_hub {
public:
  void subscribe(const live_topic& topic, std::optional<std::int64_t> have, const std::string& id,
                 const live_sink_ptr& sink) override {
    std::lock_guard hold(lock_);
    if (topic.id == uuid{} && topic.what != live_topic::kind::ops)
      return sink->send(error_frame(id, "unknown_subject", "No."));
    watchers_[topic][sink.get()] = sink;
    ++subscribed_;
    if (!have) sink->send(snapshot_frame(topic, 7, R"({"status":"live"})"));
  }
  void unsubscribe(const live_topic& topic, const live_sink* sink) override {
    std::lock_guard hold(lock_);
    watchers_[topic].erase(sink);
    left_.notify_all();
  }
  void leave(const live_sink* sink) override {
    std::lock_guard hold(lock_);
    for (auto& [topic, all] : watchers_) all.erase(sink);
    left_.notify_all();
  }
  // Waits until so many are left; false: they were not in five seconds.
  bool await_watchers(const live_topic& topic, std::size_t count) {
    std::unique_lock hold(lock_);
    return left_.wait_for(hold, 5s, [&] { return watchers_[topic].size() == count; });
  }
  std::optional<std::int64_t> version(const live_topic&) const override { return 7; }

  void publish(const live_topic& topic, const bytes_ptr& frame) {
    std::lock_guard hold(lock_);
    for (auto& [key, sink] : watchers_[topic]) sink->send(frame);
  }
  std::size_t watchers(const live_topic& topic) {
    std::lock_guard hold(lock_);
    return watchers_[topic].size();
  }
  std::size_t subscribed() {
    std::lock_guard hold(lock_);
    return subscribed_;
  }

private:
  std::mutex lock_;
  std::condition_variable left_;
  std::map<live_topic, std::map<const live_sink*, live_sink_ptr>> watchers_;
  std::size_t subscribed_ = 0;
};

struct live_server {
  explicit live_server(http_server_options options = {}) : server(std::move(options), inside, &measures, &hub) {
    REQUIRE(server.start().empty());
  }
  fake_service inside;
  fake_hub hub;
  ops::metrics measures;
  http_server server;
};

struct live_client : ws_client {
  explicit live_client(const live_server& s, bool hello = true) : ws_client(s.server.url()) {
    REQUIRE_FALSE(open());
    if (!hello) return;
    send(R"({"t":"hello","token":"","client":"test"})");
    welcome = next();
    REQUIRE(welcome.find(R"("t":"welcome")") != std::string::npos);
  }
  // The next message that is no beat; empty: the end, or nothing came.
  std::string next(std::chrono::milliseconds wait = 5s) {
    std::string text;
    const auto until = steady_clock::now() + wait;
    do {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now());
      if (left.count() <= 0 || receive(text, left)) return {};
    } while (text.starts_with(R"({"t":"beat")"));
    return text;
  }
  std::string welcome;
};

const std::string topic_text = "fixture/0190a0a0-0000-7000-8000-000000000001";
const live_topic topic = *parse_topic(topic_text);

std::string watch(const std::string& more = "") {
  return R"({"t":"watch","id":"w","topic":")" + topic_text + "\"" + more + "}";
}

std::string send_command(const std::string& id, const std::string& body,
                         const std::string& ref = "0190a0a0-0000-7000-8000-000000000001") {
  return R"({"t":"command","id":)" + id + R"(,"workflow":"football","kind":"fixture","ref":")" + ref + R"(","body":)" +
         body + "}";
}

} // namespace

TEST_CASE("a socket is welcomed with its session, the node and the beat, under the subprotocol") {
  live_server s({.live = {.node = "node-a", .beat = 1234ms}});
  live_client c(s);
  CHECK(c.protocol() == "omnium.v1");
  CHECK(c.welcome.find(R"("node":"node-a","beat_ms":1234)") != std::string::npos);
  CHECK(s.measures.live_sockets.value() == 1);
  CHECK(s.measures.http_sockets.value() == 0);
}

TEST_CASE("anything before hello ends the socket, and so does no hello at all") {
  live_server s({.live = {.hello_deadline = 150ms}});
  for (auto first : {watch(), std::string("{}"), std::string("x"), std::string(R"({"t":"pong"})")}) {
    live_client c(s, false);
    c.send(first);
    CHECK(c.next() == R"({"t":"bye","reason":"hello_first"})");
    CHECK(c.next().empty());
    CHECK(c.close_code() == 1008);
  }
  live_client silent(s, false);
  CHECK(silent.next() == R"({"t":"bye","reason":"no_hello"})");
  CHECK(silent.next().empty());
  CHECK(silent.close_code() == 1008);
  CHECK(s.hub.subscribed() == 0);
}

TEST_CASE("a command is answered with its id and the one answer body, also when it is refused at the door") {
  live_server s;
  live_client c(s);
  c.send(send_command("\"a\"", command_body("k1")));
  CHECK(c.next().starts_with(R"({"t":"answer","id":"a","answer":{"outcome":"accepted","key":"k1")"));
  c.send(send_command("17", R"({"code":"x"})"));
  auto refused = c.next();
  CHECK(refused.starts_with(R"({"t":"answer","id":17,"answer":{"outcome":"refused")"));
  CHECK(refused.find("bad_shape") != std::string::npos);
  c.send(send_command("\"b\"", R"({"key":"k","code":"c","input":{"a":"\u0000"},"sender":"d"})"));
  CHECK(c.next().find("bad_shape") != std::string::npos);
  c.send(send_command("\"c\"", command_body("k2"), "nine"));
  CHECK(c.next().find("unknown_subject") != std::string::npos);
  CHECK(s.inside.commands().size() == 1);
}

TEST_CASE(
    "commands on one subject are answered in the order sent, though one is refused at the door while others wait") {
  live_server s;
  live_client c(s);
  s.inside.hold(true);
  c.send(send_command("1", command_body("k1")));
  c.send(send_command("2", "{}"));
  c.send(send_command("3", command_body("k3")));
  c.send(send_command("4", "{}", "0190a0a0-0000-7000-8000-000000000002")); // another subject waits for nobody
  CHECK(c.next().starts_with(R"({"t":"answer","id":4,)"));
  s.inside.hold(false);
  CHECK(c.next().starts_with(R"({"t":"answer","id":1,)"));
  CHECK(c.next().starts_with(R"({"t":"answer","id":2,)"));
  CHECK(c.next().starts_with(R"({"t":"answer","id":3,)"));
}

TEST_CASE("more commands than a socket may have in flight are answered overloaded, in their place") {
  live_server s;
  live_client c(s);
  s.inside.hold(true);
  auto all = limits::live_in_flight_max + 10;
  for (std::size_t i = 0; i < all; ++i) c.send(send_command(std::to_string(i), command_body("k" + std::to_string(i))));
  c.send(watch()); // waits for no answer: once its snapshot is here, every command before it was taken or put off
  CHECK(c.next().find(R"("t":"snapshot")") != std::string::npos);
  CHECK(s.inside.waiting() == limits::live_in_flight_max);
  s.inside.hold(false);
  std::size_t overloaded = 0;
  for (std::size_t i = 0; i < all; ++i) {
    auto text = c.next();
    CHECK(text.starts_with("{\"t\":\"answer\",\"id\":" + std::to_string(i) + ","));
    overloaded += text.find("overloaded") != std::string::npos;
  }
  CHECK(overloaded == 10);
}

TEST_CASE("a watcher gets its snapshot and then what is published, until it unwatches") {
  live_server s;
  live_client c(s);
  c.send(watch());
  CHECK(c.next() == "{\"t\":\"snapshot\",\"topic\":\"" + topic_text + R"(","version":7,"data":{"status":"live"}})");
  s.hub.publish(topic, change_frame(topic, R"({"version":8,"prev":7})"));
  CHECK(c.next() == "{\"t\":\"change\",\"topic\":\"" + topic_text + R"(","version":8,"prev":7})");
  c.send(R"({"t":"unwatch","topic":")" + topic_text + "\"}");
  c.send(R"({"t":"unwatch","topic":")" + topic_text + "\"}");
  CHECK(s.hub.await_watchers(topic, 0));
  c.send(R"({"t":"watch","id":"x","topic":"fixture/00000000-0000-0000-0000-000000000000"})");
  CHECK(c.next() == R"({"t":"error","id":"x","reason":{"code":"unknown_subject","message":"No."}})");
}

TEST_CASE("a closed or cut socket leaves the hub") {
  live_server s;
  {
    live_client a(s), b(s);
    a.send(watch());
    b.send(watch());
    a.next();
    b.next();
    CHECK(s.hub.watchers(topic) == 2);
    a.close();
    CHECK(s.hub.await_watchers(topic, 1));
  }
  CHECK(s.hub.await_watchers(topic, 0));
  CHECK(s.server.await_connections(0, 5s));
}

TEST_CASE("a malformed message is an error with a sentence and the socket stays") {
  live_server s;
  live_client c(s);
  for (auto text : {"x",
                    "",
                    "[]",
                    "{}",
                    "7",
                    "{\"t\":7}",
                    R"({"t":"dance"})",
                    R"({"t":"watch"})",
                    R"({"t":"watch","id":"a"})",
                    R"({"t":"watch","id":"a","topic":"moon/1"})",
                    R"({"t":"watch","id":"a","topic":"fixture/1"})",
                    R"({"t":"watch","id":{},"topic":"ops"})",
                    R"({"t":"watch","id":"a","topic":"ops","have":-1})",
                    R"({"t":"watch","id":"a","topic":"ops","have":1.5})",
                    R"({"t":"watch","id":"a","topic":"ops","have":"1"})",
                    R"({"t":"watch","id":"a","topic":"ops","colour":1})",
                    R"({"t":"watch","id":"a","id":"b","topic":"ops"})",
                    R"({"t":"watch","id":"a\"b","topic":"ops"})",
                    R"({"t":"watch","id":"a","topic":"ops"} x)",
                    R"({"t":"unwatch"})",
                    R"({"t":"hello"})",
                    R"({"t":"command","id":"a"})",
                    R"({"t":"command","id":"a","workflow":"w","kind":"fixture","ref":"r","body":[]})"}) {
    INFO(text);
    c.send(text);
    CHECK(c.next().starts_with(R"({"t":"error")"));
  }
  c.send(send_command("\"a\"", command_body("k1")));
  CHECK(c.next().find("accepted") != std::string::npos);
  CHECK(s.hub.subscribed() == 0);
}

TEST_CASE("a socket may watch so many topics and no more") {
  live_server s;
  live_client c(s);
  for (std::size_t i = 0; i <= limits::live_topics_max; ++i) {
    c.send(R"({"t":"watch","id":1,"have":0,"topic":"fixture/)" + to_string(make_uuid7()) + "\"}");
  }
  CHECK(c.next().find("too_many_topics") != std::string::npos);
  CHECK(s.hub.subscribed() == limits::live_topics_max);
}

TEST_CASE("beats come with the versions of what is watched, and a page that answers them needs no ping") {
  live_server s({.live = {.beat = 100ms}});
  live_client c(s);
  c.send(watch());
  c.next();
  std::string text;
  for (int i = 0; i < 4; ++i) {
    REQUIRE_FALSE(c.receive(text, 2s));
    CHECK(text == "{\"t\":\"beat\",\"versions\":{\"" + topic_text + "\":7}}");
    c.send(R"({"t":"pong"})");
  }
  auto pings = c.pings();
  CHECK(pings <= 1); // before the first beat nothing was known of the page
  for (int i = 0; i < 3; ++i) c.receive(text, 2s);
  CHECK(c.pings() > pings);
}

TEST_CASE("a socket that answers no ping for two beats is closed, one that does is not") {
  live_server s({.live = {.beat = 100ms}});
  live_client dead(s), good(s);
  dead.answer_pings = false;
  auto began = steady_clock::now();
  std::thread other([&] { good.next(1s); });
  CHECK(dead.next(3s).empty());
  CHECK(steady_clock::now() - began < 1s);
  CHECK(steady_clock::now() - began > 200ms);
  other.join();
  good.send(send_command("1", command_body("k")));
  CHECK(good.next().find("accepted") != std::string::npos);
}

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

TEST_CASE("a stop answers what is in flight, says bye restart with a hint, closes 1012, and new commands are put off") {
  live_server s;
  live_client busy(s), idle(s);
  s.inside.hold(true);
  busy.send(send_command("1", command_body("k1")));
  CHECK(s.inside.await_waiting(1));
  s.server.begin_stop();
  auto farewell = idle.next();
  CHECK(farewell.starts_with(R"({"t":"bye","reason":"restart","retry_ms":)"));
  CHECK(idle.next().empty());
  CHECK(idle.close_code() == 1012);
  busy.send(send_command("2", command_body("k2"), "0190a0a0-0000-7000-8000-000000000002"));
  CHECK(busy.next().find("shutting_down") != std::string::npos);
  s.inside.hold(false);
  CHECK(busy.next().find("accepted") != std::string::npos);
  CHECK(busy.next().starts_with(R"({"t":"bye","reason":"restart")"));
  CHECK(busy.next().empty());
  CHECK(busy.close_code() == 1012);
  auto began = steady_clock::now();
  s.server.stop(5s);
  CHECK(steady_clock::now() - began < 2s);
}

TEST_CASE("a stop ends in time though a socket never closes its side") {
  live_server s;
  live_client stuck(s);
  auto began = steady_clock::now();
  s.server.stop(800ms);
  CHECK(steady_clock::now() - began < 2s);
  CHECK(stuck.next().starts_with(R"({"t":"bye","reason":"restart")"));
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
