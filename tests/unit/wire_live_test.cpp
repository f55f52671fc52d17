// What is said on a live socket: hello, commands and their answers, topics, beats, and the end. Source: contract
// section 4, known traps O13 to O17.
#include "runtime/core/limits.hpp"
#include "tests/unit/wire_live_support.hpp"

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using std::chrono::steady_clock;

TEST_CASE("a socket is welcomed with its session, the node and the beat, under the subprotocol") {
  live_server s({.live = {.node = "node-a", .beat = 1234ms}});
  live_client c(s);
  CHECK(c.protocol() == "omnium.v1");
  CHECK(c.welcome.find(R"("session":"0123456789ab.)") != std::string::npos); // the database's mark first
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
