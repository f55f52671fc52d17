// The batch: from the sport's verdicts to COMMIT and the answers.
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::road {
namespace {

// The outbox payload: what a watcher needs to show the change without a read.
std::string event_of(const log_item& row, const std::string& scoreboard) {
  return fmt::format(R"({{"version":{},"prev":{},"code":{},"play":{},"item":{},"scoreboard":{}}})", row.seq,
                     row.seq - 1, json::quoted(row.code), row.play, encode(row),
                     scoreboard.empty() ? "null" : scoreboard);
}

} // namespace

std::size_t subject::pending() const {
  return static_cast<std::size_t>(std::count_if(batch_.begin(), batch_.end(), [](const auto& w) { return !w.ready; }));
}

std::shared_ptr<const run_request> subject::request_for(const std::vector<waiting>& batch, std::int64_t last_seq,
                                                        const std::string& state) const {
  auto request = std::make_shared<run_request>();
  request->settings = head_->settings;
  request->state = state;
  for (const auto& w : batch) {
    if (w.ready) continue;
    const auto& cmd = w.what->cmd();
    auto play = ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false);
    request->events.push_back({++last_seq, cmd.code, cmd.input, cmd.received_at, play});
  }
  return request;
}

void subject::decide_batch() {
  auto request = request_for(batch_, head_->last_seq, head_->state);
  ports_.run(open_op(phase::deciding), head_->sport, head_->release, std::move(request));
}

void subject::on_run(std::uint64_t op, run_reply what) {
  if (ahead_ && op == ahead_->op) {
    ports_.observe(stage::worker, ports_.now() - ahead_->since);
    ahead_->reply = std::move(what);
    return;
  }
  if (!close_op(op)) return;
  ports_.observe(stage::worker, ports_.now() - op_since_);
  auto was = std::exchange(phase_, head_ ? phase::ready : phase::cold);
  if (was == phase::replaying) on_replayed(std::move(what));
  else if (was == phase::correcting) on_checked(std::move(what));
  else on_decided(std::move(what));
  pump();
}

void subject::on_decided(run_reply what) {
  switch (what.what) {
  case run_reply::kind::ok:
    take_verdicts(what);
    return;
  case run_reply::kind::killed:
  case run_reply::kind::broken: {
    std::size_t index = 0;
    for (auto& w : batch_) {
      if (w.ready || index++ != what.index) continue;
      w.ready = make_reply(try_again_for(w.what->cmd(), "worker_killed", what.error));
      note_failure(w, "worker_killed", what.error);
      break;
    }
    put_back(false);
    return;
  }
  case run_reply::kind::unavailable:
    fail_pending("worker_unavailable", what.error);
    return;
  case run_reply::kind::cannot_fold:
    // The state in memory is not one that the sport can read: it is built again from the log.
    fail_pending("worker_unavailable", what.error);
    phase_ = phase::cold;
    drop_head();
    return;
  }
}

void subject::note_failure(const waiting& w, const std::string& code, const std::string& message) {
  if (w.what->preview()) return;
  auto sport = head_ ? std::string_view(head_->sport) : std::string_view();
  auto release = head_ ? std::string_view(head_->release) : std::string_view();
  ports_.note_failure({w.what->cmd(), sport, release, code, message});
}

void subject::fail_pending(const std::string& code, const std::string& message) {
  for (auto& w : batch_) {
    if (w.ready) continue;
    w.ready = make_reply(try_again_for(w.what->cmd(), code, message));
    if (is_error(code)) note_failure(w, code, message);
  }
  put_back(false);
}

void subject::take_verdicts(const run_reply& what) {
  std::vector<waiting*> open;
  for (auto& w : batch_)
    if (!w.ready) open.push_back(&w);
  for (const auto& verdict : what.verdicts) {
    if (verdict.index >= open.size() || !verdict.accepted || verdict.voids.empty()) continue;
    open[verdict.index]->solo = true; // it changes the past: decided again, alone, over the corrected log
    put_back(false);
    return;
  }
  auto seq = head_->last_seq;
  for (const auto& verdict : what.verdicts) {
    if (verdict.index >= open.size()) continue;
    auto& w = *open[verdict.index];
    if (!verdict.accepted) {
      refuse_entry(w, verdict.why);
      continue;
    }
    w.scoreboard = verdict.scoreboard;
    const auto& cmd = w.what->cmd();
    accept_entry(w, row_of(cmd, ++seq, ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false)));
  }
  batch_state_ = what.state;
  batch_scoreboard_ = what.scoreboard;
  certain_ = true;
  commit_batch();
}

void subject::accept_entry(waiting& w, log_item row) {
  w.decided = w.accepted = true;
  auto out = answer_for(w.what->cmd(), outcome::accepted);
  out.seq = row.seq;
  w.answer = encode(out);
  w.item = std::move(row);
}

// Whose rule it was (L6): the same text whoever refused.
void subject::fill_release(reason& why) const {
  if (why.release.empty() && !head_->release.empty()) why.release = release_name(*head_);
}

void subject::refuse_entry(waiting& w, reason why) {
  w.decided = true;
  w.accepted = false;
  w.item.reset();
  w.effect.reset();
  fill_release(why);
  w.answer = encode(refusal_for(w.what->cmd(), std::move(why)));
}

void subject::commit_batch() {
  auto batch = std::make_shared<subject_batch>();
  batch->subject = ref_;
  batch->competition = head_->competition;
  batch->expected_seq = head_->last_seq;
  batch->last_play = head_->last_play;
  batch->dry = batch_.front().what->preview();
  std::int64_t plays = head_->plays_since_snapshot, last = head_->last_seq;
  for (auto& w : batch_) {
    if (w.ready || !w.decided) continue;
    finished_command done;
    done.source = w.what->shared_cmd();
    done.what = w.accepted ? outcome::accepted : outcome::refused;
    done.answer = w.answer;
    if (w.item) {
      done.item = w.item;
      done.event = event_of(*w.item, w.scoreboard);
      last = w.item->seq;
      if (w.item->play) batch->last_play = w.item->seq, ++plays;
    }
    if (w.effect) batch->effects.push_back(*w.effect);
    batch->commands.push_back(std::move(done));
  }
  if (ref_.kind == subject_kind::fixture && last != head_->last_seq) {
    auto facts = read_scoreboard(batch_scoreboard_);
    batch->scoreboard = batch_scoreboard_;
    if (facts.status != head_->status) batch->status = facts.status;
    if (plays >= limits::snapshot_every_plays || facts.period != head_->snapshot_period)
      batch->snap = snapshot{last, release_name(*head_), head_->fold_hash, batch_state_};
  }
  ports_.observe_batch(batch->commands.size());
  ports_.commit(open_op(phase::committing), std::move(batch));
}

void subject::on_committed(std::uint64_t op, batch_result what) {
  if (!close_op(op)) return;
  const auto in_database = ports_.now() - op_since_;
  ports_.observe(stage::database, in_database);
  phase_ = phase::ready;
  certain_ = false;
  const bool dry = batch_.front().what->preview();
  auto next = std::exchange(ahead_, {});
  const bool go_on = next && what.what == batch_result::kind::committed && !forget_;
  if (next && !go_on) give_back(std::move(*next)); // before the batch is: it came after it
  switch (what.what) {
  case batch_result::kind::committed:
    dry ? preview_effect({}) : after_commit(in_database);
    break;
  case batch_result::kind::seen:
    dry ? preview_effect({}) : take_seen(what.seen); // a preview's key is nobody's business
    break;
  case batch_result::kind::stale:
    put_back(true);
    take_newer(std::move(what.newer), what.last_seq);
    break;
  case batch_result::kind::no_subject:
    put_back(true);
    phase_ = phase::cold;
    drop_head();
    break;
  case batch_result::kind::busy:
  case batch_result::kind::failed:
    commit_failed(what);
    break;
  case batch_result::kind::unknown: {
    if (dry) { // nothing can have been kept
      fail_pending("database_unavailable", what.why.message);
      break;
    }
    std::vector<std::string> keys;
    for (auto& w : batch_)
      if (!w.ready) {
        keys.push_back(w.what->cmd().key);
        w.open_answer = w.answer;
      }
    drop_head();
    ports_.find_keys(open_op(phase::settling), std::move(keys));
    break;
  }
  }
  if (go_on) go_on_with(std::move(*next));
  pump();
}

void subject::after_commit(std::chrono::nanoseconds in_database) {
  bool wrote = false, runtime_rows = false;
  for (auto& w : batch_) {
    if (w.ready || !w.decided) continue;
    if (w.item) {
      wrote = true;
      runtime_rows = runtime_rows || w.effect.has_value();
      head_->last_seq = w.item->seq;
      if (w.item->play) head_->last_play = w.item->seq, ++head_->plays_since_snapshot;
      items_.add(std::move(*w.item));
    }
    remember(w);
    reply out;
    out.what = w.accepted ? outcome::accepted : outcome::refused;
    out.status = w.accepted ? 200 : 422;
    out.body = std::move(w.answer);
    out.in_database = in_database;
    w.ready = std::move(out);
  }
  if (wrote && ref_.kind == subject_kind::fixture && !runtime_rows) {
    auto facts = read_scoreboard(batch_scoreboard_);
    head_->status = facts.status;
    head_->period = facts.period;
    head_->state = std::move(batch_state_);
    head_->scoreboard = std::move(batch_scoreboard_);
    if (head_->plays_since_snapshot >= limits::snapshot_every_plays || facts.period != head_->snapshot_period) {
      head_->snapshot_seq = head_->last_seq;
      head_->snapshot_period = facts.period;
      head_->plays_since_snapshot = 0;
    }
  }
  if (single_ > 0) --single_;
  for (auto& w : std::exchange(batch_, {})) deliver(w);
  if (wrote) ports_.ring();
  // Rows of a match changed in the database, or a competition was made: the next command reads them fresh.
  if (runtime_rows && (ref_.kind == subject_kind::fixture || !head_->exists)) {
    phase_ = phase::cold;
    drop_head();
  }
}

void subject::commit_failed(const batch_result& what) {
  bool of_the_moment =
      what.why.code == "lock_timeout" || what.why.code == "database_unavailable" || what.why.code == "overloaded";
  if (pending() > 1 && !of_the_moment) {
    single_ = pending(); // one bad command must not take its neighbours along
    put_back(false);
    return;
  }
  auto open = std::find_if(batch_.begin(), batch_.end(), [](const auto& w) { return !w.ready; });
  if (what.person_error && open != batch_.end() && open->what->preview()) return preview_effect(what.why);
  if (what.person_error && open != batch_.end() && open->accepted) {
    refuse_entry(*open, what.why);
    commit_batch();
    return;
  }
  if (what.why.code == "deadlock" && open != batch_.end() && open->tries < limits::deadlock_tries_max) {
    put_back(true);
    return;
  }
  if (single_ > 0) --single_;
  fail_pending(what.why.code, what.why.message);
}

} // namespace omnium::road
