#pragma once
// Deletes what is old: finished commands with their answers and notes of failures (30 days, C2, L13) in batches with
// pauses, each batch in short steps with rests (pace.hpp), so that scoring does not notice; domain events by whole
// months (DB5), made ahead and dropped when their newest event is older than that. The log (timeline_item) is never
// touched. A step is one transaction: none stays open over a rest, where it would hold the outbox's horizon. On one
// node at a time (leader.hpp); one thread and one connection; a stop ends it at the next step. What a durable reader
// (outbox_cursor) has not read is kept, however old it is, and its name is raised.
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/session.hpp"
#include "runtime/upkeep/leader.hpp"
#include "runtime/upkeep/pace.hpp"

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
  pace_options pace;
};

// Its commits do not wait for the disk. A database that crashes may bring back what the janitor deleted in the last
// second or so, never half a step: those rows are old still, and the next pass deletes them again; nobody was told that
// they are gone. Creating a month is no exception: whatever commits into it waits for the log, which has the month
// before it; and dropping one waits always. The setting is of the janitor's own connection, which nobody else uses.
inline const pg::pool_limits janitor_limits{.name = "omnium-janitor",
                                            .lock = std::chrono::milliseconds(2000),
                                            .statement = std::chrono::milliseconds(30000),
                                            .idle_in_transaction = std::chrono::milliseconds(30000),
                                            .commits_wait = false};

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
  bool walk(pg::session& mine, const pg::statements::statement& what); // of one table
  bool events(pg::session& mine);
  bool small(pg::session& mine);
  void held(const std::string& reader) const;
  using work_fn = std::function<std::uint64_t(pg::session::door&, std::uint64_t rows_max)>; // rows deleted
  bool step(pg::session& mine, const work_fn& work);
  std::chrono::nanoseconds batch_pause(std::uint64_t rows, std::chrono::nanoseconds took);
  bool pause(std::chrono::nanoseconds length); // false: stop

  janitor_options options_;
  ops::raise_fn raise_;
  beat_fn beat_;
  leader leader_{janitor_lock};
  pace pace_;
  struct {
    std::uint64_t rows = 0;
    std::chrono::nanoseconds worked{};
  } batch_; // the one under way
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::atomic<bool> leads_{false};
  std::atomic<std::uint64_t> deleted_{0}, passes_{0}, batch_max_{0};
  std::thread thread_;
};

} // namespace omnium::upkeep
