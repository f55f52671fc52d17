#pragma once
// A live socket's surroundings in this process: a hub that does what it is told, a server on it, and a client.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

#include <map>

namespace omnium::wire::testing {

using namespace std::chrono_literals;

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
  std::string history() const override { return "0123456789ab"; }

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
    const auto until = std::chrono::steady_clock::now() + wait;
    do {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() <= 0 || receive(text, left)) return {};
    } while (text.starts_with(R"({"t":"beat")"));
    return text;
  }
  std::string welcome;
};

inline const std::string topic_text = "fixture/0190a0a0-0000-7000-8000-000000000001";
inline const live_topic topic = *parse_topic(topic_text);

inline std::string watch(const std::string& more = "") {
  return R"({"t":"watch","id":"w","topic":")" + topic_text + "\"" + more + "}";
}

inline std::string send_command(const std::string& id, const std::string& body,
                                const std::string& ref = "0190a0a0-0000-7000-8000-000000000001") {
  return R"({"t":"command","id":)" + id + R"(,"workflow":"football","kind":"fixture","ref":")" + ref + R"(","body":)" +
         body + "}";
}

} // namespace omnium::wire::testing
