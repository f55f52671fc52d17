#pragma once
// A pool: plain threads, one session each, one bounded queue. Jobs run on a pool thread and must only hand on.
#include "runtime/postgres/session.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace omnium::pg {

class executor {
public:
  using job = std::function<void(session&)>;
  executor(target where, std::size_t threads, std::size_t queue_len_max);
  ~executor(); // runs what waits, then ends
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  bool submit(job what); // false: the queue is full, nothing was taken
  std::size_t waiting() const;

private:
  void loop();
  target where_;
  std::size_t queue_len_max_;
  mutable std::mutex guard_;
  std::condition_variable wake_;
  std::deque<job> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace omnium::pg
