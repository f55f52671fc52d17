#pragma once
// Deletes what is old: finished commands with their answers and notes of failures (30 days, C2, L13) in batches, with
// pauses as long as the batch took, so that scoring does not notice; domain events by whole months (DB5), made ahead
// and dropped when their newest event is older than that. The log (timeline_item) is never touched. On one node at a
// time (leader.hpp); one thread and one connection; a stop ends it at the next batch. What a durable reader
// (outbox_cursor) has not read is kept, however old it is, and its name is raised.
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/session.hpp"
#include "runtime/upkeep/leader.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace omnium::upkeep {

struct janitor_options {
  pg::target where; // of the application's role, with limits
  std::int64_t keep_days = 30;
  std::chrono::milliseconds pass_every{3'600'000};
  std::chrono::milliseconds look_every{2'000}; // between tries to become the leader
};

inline const pg::pool_limits janitor_limits{"omnium-janitor", std::chrono::milliseconds(2000),
                                            std::chrono::milliseconds(30000), std::chrono::milliseconds(30000)};

class janitor {
public:
  // Called with every turn: rows deleted since the last.
  using beat_fn = std::function<void(std::uint64_t rows)>;
  janitor(janitor_options options, ops::raise_fn raise, beat_fn beat);
  ~janitor();
  janitor(const janitor&) = delete;
  janitor& operator=(const janitor&) = delete;

  bool leads() const { return leads_; }
  std::uint64_t deleted() const { return deleted_; }
  std::uint64_t passes() const { return passes_; }       // finished
  std::uint64_t batch_max() const { return batch_max_; } // rows of the largest batch

private:
  void loop();
  void pass(pg::session& mine);
  bool months(pg::session& mine);
  bool change_months(pg::session& mine, const std::function<bool(pg::session::door&)>& work);
  bool commands(pg::session& mine);
  bool events(pg::session& mine);
  bool small(pg::session& mine);
  void held(const std::string& reader) const;
  bool batch(pg::session& mine, const std::function<std::uint64_t(pg::session::door&)>& work);
  bool pause(std::chrono::nanoseconds length); // false: stop

  janitor_options options_;
  ops::raise_fn raise_;
  beat_fn beat_;
  leader leader_{janitor_lock};
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::atomic<bool> leads_{false};
  std::atomic<std::uint64_t> deleted_{0}, passes_{0}, batch_max_{0};
  std::thread thread_;
};

} // namespace omnium::upkeep
