#pragma once
// The live topic `ops`: how the node is, as a snapshot to each watcher when it comes and then once a beat, while
// anybody watches. Data: {"at","ready","parts","tree","live_matches","figures","quantiles","health","locks","failures",
// "alerts"}; see schema/asyncapi.yaml. Its size does not grow with the number of matches: of these the tree names at
// most ops_matches_max, those that want a look first; and a list of troubles that is longer than ops_part_bytes_max
// is left to HTTP.
#include "runtime/ops/metrics.hpp"
#include "runtime/outbox/hub.hpp"
#include "runtime/wire/service.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace omnium::apps {

inline constexpr std::size_t ops_matches_max = 50;           // named in the tree; beyond: counted in left_out
inline constexpr std::size_t ops_part_bytes_max = 32 * 1024; // of health, locks, failures, alerts; beyond: null

class ops_feed {
public:
  using read_fn = std::function<void(wire::read_request, std::function<void(wire::read_reply)>)>;
  // `read` answers /readyz and what lies below /ops, on any thread, but is not called after end(). `hub` and `metrics`
  // outlive it.
  ops_feed(outbox::hub& hub, ops::metrics& metrics, read_fn read, std::chrono::milliseconds every);
  ~ops_feed() { end(); }
  ops_feed(const ops_feed&) = delete;
  ops_feed& operator=(const ops_feed&) = delete;

  // From here on nothing is read any more, and now() answers unavailable.
  void end();
  // The topic as it is now (not older than a second), for a watcher that comes. Any thread; `done` likewise.
  void now(std::function<void(outbox::topic_answer)> done);

private:
  struct state;
  void loop();
  std::shared_ptr<state> state_;
  outbox::hub& hub_;
  std::chrono::milliseconds every_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

// A tree as GET /ops/tree gives it, with the matches' children bounded;
// `matches` becomes how many there are. An unreadable tree is "null".
std::string bounded_tree(const std::string& tree, std::size_t& matches);

} // namespace omnium::apps
