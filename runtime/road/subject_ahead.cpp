// The next batch of a match that many write at once is decided while the one before it commits, on what that one will
// have made. It is sent to the database only after that COMMIT returned as it was meant to; whatever else became of it,
// the commands go back to the queue as if they had not been looked at, and what the sport said of them is forgotten. So
// nothing is ever written, or answered, on the strength of a commit that failed
// (docs/decisions/2026-11-30-decided-ahead.md).
#include "runtime/core/limits.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <utility>

namespace omnium::road {

// One batch takes half of many, so that the other half is decided while it commits; of few it takes all, as a call for
// each costs more than the wait.
std::size_t subject::batch_len_max() const {
  if (single_ > 0) return 1;
  const auto all = batch_.size() + queue_.size();
  return std::min(limits::subject_batch_len_max, all < 2 * limits::ahead_len_min ? all : (all + 1) / 2);
}

// Balls alone, and none that asks what was seen of the match: that is known once the batch before it is through.
void subject::decide_ahead() {
  if (phase_ != phase::committing || !certain_ || ahead_ || forget_ || single_ > 0) return;
  if (!state_waiters_.empty()) return; // they read between two batches
  // Fewer than nearly as many: more may come until it is through.
  if (queue_.size() < std::max(limits::ahead_len_min, batch_.size() * 3 / 4)) return;
  const auto max = batch_len_max();
  ahead_.emplace();
  while (!queue_.empty() && ahead_->batch.size() < max) {
    auto& w = queue_.front();
    if (w.ready || classify(w) != entry::ball) break; // an answer found on the way waits for its turn
    ports_.observe(stage::queue, ports_.now() - w.since);
    ahead_->batch.push_back(std::move(w));
    queue_.pop_front();
  }
  if (ahead_->batch.empty()) {
    ahead_.reset();
    return;
  }
  auto accepted = std::count_if(batch_.begin(), batch_.end(), [](const auto& w) { return w.item.has_value(); });
  ahead_->op = ++last_op_;
  ahead_->since = ports_.now();
  ports_.run(ahead_->op, head_->sport, head_->release,
             request_for(ahead_->batch, head_->last_seq + accepted, batch_state_));
}

void subject::give_back(ahead_run what) {
  for (auto w = what.batch.rbegin(); w != what.batch.rend(); ++w) queue_.push_front(std::move(*w));
}

// The commit before it is through and the head is what it was decided on.
void subject::go_on_with(ahead_run what) {
  if (!head_ || phase_ != phase::ready) return give_back(std::move(what));
  batch_ = std::move(what.batch);
  if (what.reply) return on_decided(std::move(*what.reply));
  phase_ = phase::deciding;
  op_ = what.op;
  op_since_ = what.since;
}

} // namespace omnium::road
