#pragma once
// The outbox reader: follows domain_event below the horizon and hands each change to the hub. One thread, one
// connection. The horizon (the oldest transaction still running) and the rows are read in one statement, so that no
// late commit is ever passed over (L9). Woken by ring() after a local commit, by other nodes' NOTIFY, and by a poll
// behind both.
#include "runtime/ops/metrics.hpp"
#include "runtime/outbox/hub.hpp"
#include "runtime/postgres/session.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace omnium::outbox {

struct reader_options {
  pg::target where;                    // of the application's role, with limits
  std::chrono::milliseconds poll{250}; // the longest a change waits when every bell was lost
  // The database is another one than before; why it is of an older version than this program, or empty. On the reader's
  // thread.
  std::function<void(const std::string& older)> moved;
  ops::trace_book* traces = nullptr; // told of each change that was read; null: nobody
};

class reader {
public:
  reader(reader_options options, hub& to, ops::metrics* metrics);
  ~reader();
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;

  void ring(); // any thread; something was committed
  std::uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }

private:
  struct follower;
  void loop();
  std::chrono::milliseconds pause(bool rung, std::size_t rows, int& quiet) const;

  reader_options options_;
  hub& hub_;
  ops::metrics* metrics_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool rung_ = false, hears_ = false, stopping_ = false; // hears_: it waits for a bell
  std::atomic<std::uint64_t> reads_{0};
  std::thread thread_;
};

} // namespace omnium::outbox
