#include "runtime/road/subject.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/road/subject_parts.hpp"

#include <utility>

namespace omnium::road {

subject::subject(subject_ref ref, subject_ports& ports) : ref_(ref), ports_(ports) {}

void subject::accept(ticket_ptr what) {
  const auto& cmd = what->cmd();
  if (stopping_) {
    what->deliver(make_reply(try_again_for(cmd, "shutting_down",
                                           "The server is stopping; send the command again with the same key.", 1000)));
    return;
  }
  if (queue_len() >= limits::subject_queue_len_max) {
    what->deliver(make_reply(
        try_again_for(cmd, "overloaded", "Too many commands wait for this match; send it again a little later.")));
    return;
  }
  waiting w;
  w.what = std::move(what);
  w.since = ports_.now();
  queue_.push_back(std::move(w));
  pump();
}

void subject::want_state(std::function<void(state_view)> done, std::int64_t at_least) {
  if (state_waiters_.size() >= limits::subject_queue_len_max) {
    done({state_view::kind::unavailable, 0, {}, "Too many readers wait for this match."});
    return;
  }
  state_waiters_.push_back({std::move(done), at_least});
  pump();
}

void subject::forget() {
  forget_ = true;
  recent_ = {};
  forget_if_told();
  pump();
}

void subject::forget_if_told() {
  if (!forget_ || !phase_is_quiet()) return;
  forget_ = false;
  recent_ = {};
  drop_head();
  phase_ = phase::cold;
}

void subject::stop() {
  stopping_ = true;
  fail_all("shutting_down", "The server is stopping; send the command again with the same key.", 1000);
}

void subject::sleep() {
  if (!head_ || ref_.kind != subject_kind::fixture || head_->state.empty() || head_->last_seq <= head_->snapshot_seq)
    return;
  ports_.save_snapshot({head_->last_seq, release_name(*head_), head_->fold_hash, head_->state});
  head_->snapshot_seq = head_->last_seq;
}

std::uint64_t subject::open_op(phase next) {
  phase_ = next;
  op_since_ = ports_.now();
  return op_ = ++last_op_;
}

bool subject::close_op(std::uint64_t op) { return op == op_ && !phase_is_quiet(); }

// The one place where the next thing to do is chosen; called whenever something came or ended.
void subject::pump() {
  forget_if_told();
  // A loop, not recursion: answering a whole queue of duplicates must not grow the stack.
  while (phase_is_quiet() && !(queue_.empty() && state_waiters_.empty())) {
    if (!quarantine_.empty() && ports_.now() - quarantined_at_ < limits::quarantine_retry) {
      fail_all("worker_unavailable", "This match is quarantined: " + quarantine_, 5000);
      return;
    }
    if (!head_) {
      start_load(load_depth::from_snapshot);
      return;
    }
    serve_state();
    if (!head_) continue; // behind what a reader is owed
    if (queue_.empty()) return;
    form_batch();
  }
  decide_ahead();
}

void subject::fail_all(const std::string& code, const std::string& message, int retry_after_ms) {
  for (auto& w : std::exchange(queue_, {})) {
    if (!w.ready) {
      w.ready = make_reply(try_again_for(w.what->cmd(), code, message, retry_after_ms));
      if (is_error(code)) note_failure(w, code, message);
    }
    deliver(w);
  }
  for (auto& [done, at_least] : std::exchange(state_waiters_, {}))
    done({state_view::kind::unavailable, 0, {}, message});
}

void subject::drop_head() {
  head_.reset();
  replay_.reset();
  items_.clear();
}

void subject::serve_state() {
  for (auto& [done, at_least] : std::exchange(state_waiters_, {})) {
    if (head_->last_seq < at_least) {
      state_waiters_.push_back({std::move(done), 0});
      continue;
    }
    if (!head_->exists) done({state_view::kind::not_found, 0, {}, "There is no such match."});
    else done({state_view::kind::ok, head_->last_seq, head_->state.empty() ? "{}" : head_->state, {}});
  }
  if (!state_waiters_.empty()) drop_head();
}

void subject::deliver(waiting& w) {
  if (w.ready) w.what->deliver(std::move(*w.ready));
}

// Everything in the batch goes back to the front of the queue in its order; answers already known keep their place.
void subject::put_back(bool overtaken) {
  for (auto w = batch_.rbegin(); w != batch_.rend(); ++w) {
    w->decided = w->accepted = false;
    w->item.reset();
    w->effect.reset();
    w->answer.clear();
    w->scoreboard.clear();
    if (overtaken && !w->ready && ++w->tries > limits::fence_tries_max)
      w->ready = make_reply(
          try_again_for(w->what->cmd(), "lock_timeout", "Other writers kept overtaking this command; send it again."));
    queue_.push_front(std::move(*w));
  }
  batch_.clear();
}

void subject::remember(const waiting& w) { recent_.add(w.what->cmd().key, {w.what->cmd().hash, w.answer}); }

} // namespace omnium::road
