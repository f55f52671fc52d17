#pragma once
// Group commit across matches: a bounded queue in front of the command pool's threads. A free connection, the
// one that worked last, takes everything that is ready, up to a bound, as one call of road.commit; nothing waits for
// company. A match whose row somebody else holds is handed back `busy` and gets a call of its own that waits, on at
// most half of the connections, so that no match ever waits for another's lock; batches with effects, which wait for
// their locks from the start, go the same way. If a call of several fails, its matches are retried one by one. Source:
// architecture.md.
#include "runtime/ops/metrics.hpp"
#include "runtime/postgres/road_calls.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace omnium::pg {

struct committer_stats {
  std::uint64_t calls = 0, matches = 0, commands = 0, busy = 0, retried = 0;
};

class committer {
public:
  using done_fn = std::function<void(road::batch_result)>;
  committer(target where, std::size_t connections, ops::metrics* metrics);
  ~committer(); // commits what waits, then ends
  committer(const committer&) = delete;
  committer& operator=(const committer&) = delete;

  bool submit(batch_ptr batch, done_fn done); // any thread; false: the queue is full
  committer_stats stats() const;

private:
  struct job {
    batch_ptr batch;
    done_fn done;
    std::chrono::steady_clock::time_point since{}; // found busy
  };
  void loop(std::size_t number);
  bool ready_to_take(std::size_t coming) const;
  void sit(std::unique_lock<std::mutex>& lock, std::size_t number);
  void call_another();
  std::vector<job> take();
  void commit_together(session& mine, std::vector<job> jobs);
  void commit_patient(session& mine, job what);
  void commit_alone(session& mine, job what, bool wait);
  void settle_by_key(session& mine, job what, const db_error& error);
  void put_aside(job what);
  void commit_effects(session& mine, job what);
  void count(std::size_t matches, std::size_t commands, std::chrono::nanoseconds took);

  target where_;
  std::size_t waiters_max_;
  ops::metrics* metrics_;
  struct seat { // where a connection waits for work
    std::condition_variable wake;
    bool called = false;
  };
  mutable std::mutex guard_;
  std::deque<seat> seats_;          // by number
  std::vector<std::size_t> idle_;   // who waits, the last to sit down at the end
  std::size_t coming_ = 0;          // called, and not up yet
  std::deque<job> ready_, patient_; // patient_: calls that wait for a lock
  std::size_t calling_ = 0, waiting_ = 0;
  bool stopping_ = false;
  committer_stats stats_;
  std::vector<std::thread> threads_;
};

} // namespace omnium::pg
