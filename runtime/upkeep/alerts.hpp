#pragma once
// The alert service: folds signals into alerts, opens and closes them, and sees their messages delivered. Every node
// has one; the one whose session holds the advisory lock works, the others try for it every turn, so that a node killed
// is followed within a few seconds. Folding and sending never wait for each other: each route has a thread and a
// connection of its own. The rules of folding are SQL (schema/functions/alerts.sql).
// Source: seed phase 2; issue 5 item 5.
#include "runtime/core/limits.hpp"
#include "runtime/postgres/session.hpp"
#include "runtime/upkeep/leader.hpp"
#include "runtime/upkeep/routes.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace omnium::upkeep {

struct alerts_options {
  pg::target where; // of the application's role, with limits
  std::vector<route_ptr> routes;
  std::chrono::milliseconds turn = limits::alert_turn;
  std::chrono::milliseconds backoff_min = limits::alert_backoff_min, backoff_max = limits::alert_backoff_max;
  std::chrono::milliseconds give_up = limits::alert_give_up;
};

class alert_service {
public:
  // `beat` is called every turn on the service's thread: signals folded since the last.
  alert_service(alerts_options options, std::function<void(std::uint64_t folded)> beat);
  ~alert_service(); // messages under way are finished or their deadline passes
  alert_service(const alert_service&) = delete;
  alert_service& operator=(const alert_service&) = delete;

  void begin_stop(); // nothing new is begun; any thread
  bool leads() const { return leads_; }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t failed() const { return failed_; } // tries

private:
  void loop();
  bool turn(pg::session& mine);
  void lane(route& to);
  void deliver(pg::session& mine, route& to);
  bool pause(std::chrono::nanoseconds length); // false: stop

  alerts_options options_;
  std::function<void(std::uint64_t)> beat_;
  leader leader_{alerts_lock};
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::atomic<bool> leads_{false};
  std::atomic<std::uint64_t> sent_{0}, failed_{0};
  std::vector<std::thread> threads_;
};

} // namespace omnium::upkeep
