// Loading a subject: head, snapshot and log from the store, then the fold up to now in a sport worker.
#include "runtime/core/limits.hpp"
#include "runtime/road/rebuild.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::road {

void subject::start_load(load_depth depth) { ports_.load(open_op(phase::loading), depth); }

void subject::on_loaded(std::uint64_t op, std::optional<loaded_subject> what, reason why) {
  if (!close_op(op)) return;
  bool correcting = phase_ == phase::correcting;
  phase_ = head_ ? phase::ready : phase::cold;
  if (!what) {
    put_back(false);
    correction_.reset();
    fail_all(why.code, why.message, 500);
    return;
  }
  if (correcting) plan_with_log(std::move(*what));
  else take_loaded(std::move(*what));
  pump();
}

void subject::take_loaded(loaded_subject what) {
  if (!what.found && ref_.kind == subject_kind::fixture) {
    gone_ = true;
    for (auto& w : std::exchange(queue_, {})) {
      w.ready = make_reply(refusal_for(w.what->cmd(), {"unknown_subject", "There is no such match.", "/subject"}));
      deliver(w);
    }
    for (auto& [done, at_least] : std::exchange(state_waiters_, {}))
      done({state_view::kind::not_found, 0, {}, "There is no such match."});
    return;
  }
  gone_ = false;
  replay_run run;
  auto& h = run.target;
  h.exists = what.found;
  h.competition = what.competition;
  h.last_seq = what.last_seq;
  h.last_play = what.last_play;
  h.status = what.status;
  h.sport = std::move(what.sport);
  h.release = std::move(what.release);
  h.fold_hash = std::move(what.fold_hash);
  h.settings = std::move(what.settings);
  h.rows = std::move(what.rows);
  items_.clear();
  for (const auto& row : what.log) items_.add(row);
  if (ref_.kind == subject_kind::competition) {
    head_ = std::move(h);
    phase_ = phase::ready;
    return;
  }
  if (auto why = cannot_start(h); !why.empty()) {
    phase_ = phase::cold;
    fail_all("worker_unavailable", why, 5000);
    return;
  }
  bool usable = snapshot_stands(what.snap, release_name(h), h.fold_hash, what.log);
  if (!usable && !what.whole_log) {
    start_load(load_depth::whole_log);
    return;
  }
  if (usable) {
    h.state = std::move(what.snap->state);
    h.snapshot_seq = what.snap->seq;
    run.from_snapshot = true;
    for (const auto& row : what.log)
      if (row.seq > h.snapshot_seq && !is_runtime_row(row.code))
        run.events.push_back({row.seq, row.code, row.input, row.at, row.play, true});
  } else {
    run.events = corrected_log(what.log);
  }
  replay_ = std::move(run);
  start_replay();
}

void subject::start_replay() {
  replay_->next = 0;
  replay_next();
}

// One chunk of the log; fresh balls of other matches get their turn in the worker between chunks.
void subject::replay_next() {
  auto request = std::make_shared<run_request>();
  request->mode = run_mode::replay;
  request->settings = replay_->target.settings;
  request->state = replay_->target.state;
  auto end = std::min(replay_->events.size(), replay_->next + limits::replay_chunk_events);
  request->events.assign(replay_->events.begin() + static_cast<std::ptrdiff_t>(replay_->next),
                         replay_->events.begin() + static_cast<std::ptrdiff_t>(end));
  replay_->next = end;
  const auto& h = replay_->target;
  ports_.run(open_op(phase::replaying), h.sport, h.release, std::move(request));
}

void subject::on_replayed(run_reply what) {
  if (what.what != run_reply::kind::ok) {
    replay_failed(what);
    return;
  }
  replay_->target.state = std::move(what.state);
  replay_->target.scoreboard = std::move(what.scoreboard);
  if (replay_->next < replay_->events.size()) {
    replay_next();
    return;
  }
  auto& h = replay_->target;
  auto facts = read_scoreboard(h.scoreboard);
  h.status = facts.status;
  h.period = h.snapshot_period = facts.period;
  h.plays_since_snapshot = static_cast<std::int64_t>(replay_->events.size());
  head_ = std::move(h);
  replay_.reset();
  fold_tries_ = 0;
  quarantine_.clear();
  phase_ = phase::ready;
}

// A snapshot in doubt is answered with the whole log (P3); a log that cannot be folded puts the match in quarantine
// (P2).
void subject::replay_failed(const run_reply& what) {
  bool from_snapshot = replay_->from_snapshot;
  auto at = what.index < replay_->events.size() ? replay_->events[what.index].seq : 0;
  auto sport = replay_->target.sport, release = replay_->target.release;
  phase_ = phase::cold;
  drop_head();
  if (what.what == run_reply::kind::unavailable) {
    fail_all("worker_unavailable", what.error, 500);
    return;
  }
  if (from_snapshot) {
    start_load(load_depth::whole_log);
    return;
  }
  if (what.what != run_reply::kind::cannot_fold && ++fold_tries_ < limits::fold_tries_max) return;
  fold_tries_ = 0;
  quarantine_ = fmt::format("log row {} cannot be folded: {}", at, what.error);
  quarantined_at_ = ports_.now();
  ports_.quarantined({sport, release, at});
}

// Rows that other writers committed since our head: folded on top where they only add, else everything is loaded again.
void subject::take_newer(std::vector<log_item> newer, std::int64_t last_seq) {
  bool plain = !newer.empty() && newer.front().seq == head_->last_seq + 1 && newer.back().seq == last_seq &&
               std::all_of(newer.begin(), newer.end(), [](const auto& row) {
                 return !is_correction(row.code) && !is_runtime_row(row.code) && row.voids.empty();
               });
  if (!plain || ref_.kind == subject_kind::competition) {
    phase_ = phase::cold;
    drop_head();
    return;
  }
  replay_run run;
  run.target = std::move(*head_);
  run.target.last_seq = last_seq;
  for (auto& row : newer) {
    if (row.play) run.target.last_play = row.seq;
    run.events.push_back({row.seq, row.code, row.input, row.at, row.play, true});
    items_.add(std::move(row));
  }
  auto kept = run.target.plays_since_snapshot;
  head_.reset();
  run.from_snapshot = true; // should it fail, the whole log is the answer
  replay_ = std::move(run);
  replay_->target.plays_since_snapshot = kept;
  start_replay();
}

} // namespace omnium::road
