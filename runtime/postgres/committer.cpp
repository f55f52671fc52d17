#include "runtime/postgres/committer.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/session_door.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::pg {
namespace {

using kind = road::batch_result::kind;

road::batch_result failed(const db_error& error) {
  road::batch_result out;
  if (error.outcome_unknown) return out; // kind::unknown
  out.what = kind::failed;
  if (error.fault == db_fault::constraint || error.fault == db_fault::other) {
    out.person_error = error.fault == db_fault::constraint;
    out.why = constraint_reason(error.state);
    if (!out.person_error)
      out.why = {"database_unavailable", std::string(sentence_of(db_fault::unavailable)), {}, {}, {}};
    return out;
  }
  out.why = {std::string(code_of(error.fault)), std::string(sentence_of(error.fault)), {}, {}, {}};
  return out;
}

bool travels_alone(const road::subject_batch& b) {
  return !b.effects.empty() || b.subject.kind == subject_kind::competition || b.dry; // the only call that is taken back
}

} // namespace

committer::committer(target where, std::size_t connections, ops::metrics* metrics)
    : where_(std::move(where)), waiters_max_(std::max<std::size_t>(1, connections / 2)), metrics_(metrics) {
  for (std::size_t i = 0; i < connections; ++i) seats_.emplace_back();
  for (std::size_t i = 0; i < connections; ++i) threads_.emplace_back([this, i] { loop(i); });
}

committer::~committer() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
    call_another();
  }
  for (auto& thread : threads_) thread.join();
}

bool committer::submit(batch_ptr batch, done_fn done) {
  {
    std::lock_guard lock(guard_);
    if (stopping_ || ready_.size() + patient_.size() >= limits::commit_queue_len_max) return false;
    auto& queue = travels_alone(*batch) ? patient_ : ready_;
    queue.push_back({std::move(batch), std::move(done)});
    call_another();
  }
  return true;
}

committer_stats committer::stats() const {
  std::lock_guard lock(guard_);
  return stats_;
}

// One connection serves until enough waits to be worth a second one: calls of many matches are what makes it fast, and
// every further connection makes them smaller. A call that waits for a lock counts for nothing here.
// `coming`: connections on their way to what waits.
bool committer::ready_to_take(std::size_t coming) const {
  const auto at_work = calling_ + coming;
  if (!ready_.empty() && (at_work == 0 || ready_.size() >= at_work * limits::commit_spread)) return true;
  return patient_.size() > coming && waiting_ + coming < waiters_max_;
}

// Until there is work for this connection, or none will come any more.
void committer::sit(std::unique_lock<std::mutex>& lock, std::size_t number) {
  auto& mine = seats_[number];
  while (!ready_to_take(0) && !(stopping_ && ready_.empty() && patient_.empty())) {
    idle_.push_back(number);
    mine.wake.wait(lock, [&] { return mine.called; });
    mine.called = false;
    --coming_;
  }
}

// Whenever there may be more work than connections that know of it. Who worked last is called first: its backend has
// the call's plans, rows and pages at hand. A batch that waits for the call under way wakes nobody.
void committer::call_another() {
  while (!idle_.empty() && (ready_to_take(coming_) || stopping_)) {
    auto& next = seats_[idle_.back()];
    idle_.pop_back();
    next.called = true;
    ++coming_;
    next.wake.notify_one();
  }
}

void committer::loop(std::size_t number) {
  session mine(where_);
  ops::beat beat;
  if (metrics_ != nullptr)
    beat = metrics_->beats.add(fmt::format("committer/{}", number), ops::beat_board::kind::working,
                               where_.call_wall_clock * 2);
  name_thread(fmt::format("committer/{}", number));
  std::unique_lock lock(guard_);
  for (;;) {
    sit(lock, number);
    if (!patient_.empty() && waiting_ < waiters_max_) {
      auto what = std::move(patient_.front());
      patient_.pop_front();
      ++waiting_;
      call_another();
      lock.unlock();
      beat.waiting(1);
      commit_patient(mine, std::move(what));
      lock.lock();
      --waiting_;
    } else if (!ready_.empty()) {
      auto jobs = take();
      ++calling_;
      call_another();
      lock.unlock();
      beat.waiting(1);
      commit_together(mine, std::move(jobs));
      lock.lock();
      --calling_;
    } else return;
    beat.progress();
    beat.waiting(0);
  }
}

// Everything ready, up to the bounds; a subject at most once.
std::vector<committer::job> committer::take() {
  std::vector<job> out;
  std::size_t commands = 0;
  while (!ready_.empty() && out.size() < limits::commit_matches_max) {
    const auto& next = *ready_.front().batch;
    bool twice = std::any_of(out.begin(), out.end(), [&](const auto& j) { return j.batch->subject == next.subject; });
    if (!out.empty() && (twice || commands + next.commands.size() > limits::commit_commands_max)) break;
    commands += next.commands.size();
    out.push_back(std::move(ready_.front()));
    ready_.pop_front();
  }
  return out;
}

void committer::count(std::size_t matches, std::size_t commands, std::chrono::nanoseconds took) {
  {
    std::lock_guard lock(guard_);
    ++stats_.calls;
    stats_.matches += matches;
    stats_.commands += commands;
  }
  if (metrics_ == nullptr) return;
  metrics_->commit_calls.add();
  metrics_->batch_matches.observe(static_cast<double>(matches));
  metrics_->lock_hold_seconds.seconds(took);
}

void committer::commit_together(session& mine, std::vector<job> jobs) {
  std::vector<batch_ptr> batches;
  std::size_t commands = 0;
  for (const auto& j : jobs) {
    batches.push_back(j.batch);
    commands += j.batch->commands.size();
  }
  auto began = std::chrono::steady_clock::now();
  auto outcome = call_commit(mine, batches, false);
  count(jobs.size(), commands, std::chrono::steady_clock::now() - began);
  if (outcome.error &&
      (jobs.size() == 1 || outcome.error.outcome_unknown || outcome.error.fault == db_fault::unavailable)) {
    if (outcome.error.fault == db_fault::unique) {
      commit_alone(mine, std::move(jobs.front()), true);
      return;
    }
    for (auto& j : jobs) j.done(failed(outcome.error));
    return;
  }
  if (outcome.error) { // one of them spoiled it for all: each alone
    {
      std::lock_guard lock(guard_);
      stats_.retried += jobs.size();
    }
    for (auto& j : jobs) commit_alone(mine, std::move(j), false);
    return;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (outcome.results[i].what != kind::busy) {
      jobs[i].done(std::move(outcome.results[i]));
      continue;
    }
    put_aside(std::move(jobs[i]));
  }
}

void committer::put_aside(job what) {
  if (what.since == std::chrono::steady_clock::time_point{}) what.since = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(guard_);
    ++stats_.busy;
    patient_.push_back(std::move(what));
    call_another();
  }
}

// One that stood aside for the whole lock limit already, because all the waiting connections were taken, is tried once
// more without a wait: nobody is told lock_timeout later than the limit says.
void committer::commit_patient(session& mine, job what) {
  if (travels_alone(*what.batch)) commit_effects(mine, std::move(what));
  else commit_alone(mine, std::move(what), std::chrono::steady_clock::now() - what.since < command_limits.lock);
}

void committer::commit_alone(session& mine, job what, bool wait) {
  auto began = std::chrono::steady_clock::now();
  auto outcome = call_commit(mine, {&what.batch, 1}, wait);
  auto took = std::chrono::steady_clock::now() - began;
  count(1, what.batch->commands.size(), took);
  if (wait && metrics_ != nullptr) metrics_->lock_wait_seconds.seconds(took);
  if (outcome.error.fault == db_fault::unique) settle_by_key(mine, std::move(what), outcome.error);
  else if (outcome.error) what.done(failed(outcome.error));
  else if (outcome.results.front().what != kind::busy) what.done(std::move(outcome.results.front()));
  else if (std::chrono::steady_clock::now() - what.since < command_limits.lock || what.since == decltype(began){})
    put_aside(std::move(what));
  else what.done(failed({db_fault::lock_timeout, false, false, "55P03", "the row was held all the time"}));
}

// The key re-check under this match's lock cannot see the same key on another subject until that one committed; the
// primary key did. Now it can be looked up.
void committer::settle_by_key(session& mine, job what, const db_error& error) {
  array_text list;
  for (const auto& c : what.batch->commands) list.add(std::string_view(c.source->key));
  road::batch_result seen;
  seen.what = kind::seen;
  auto lookup = mine.run([&](session::door& door) {
    auto rows = door.run(statements::find_keys, false, to_string(what.batch->subject.ref), false, list.done());
    if (!rows[0][0].is_null()) seen.seen = parse_seen({rows[0][0].c_str(), rows[0][0].size()});
  });
  if (lookup) what.done(failed(lookup));
  else if (seen.seen.empty()) what.done(failed({db_fault::other, false, false, error.state, error.detail}));
  else what.done(std::move(seen));
}

void committer::commit_effects(session& mine, job what) {
  auto began = std::chrono::steady_clock::now();
  auto outcome = call_commit_effects(mine, *what.batch);
  count(1, what.batch->commands.size(), std::chrono::steady_clock::now() - began);
  if (outcome.error || outcome.results.empty()) what.done(failed(outcome.error));
  else what.done(std::move(outcome.results.front()));
}

} // namespace omnium::pg
