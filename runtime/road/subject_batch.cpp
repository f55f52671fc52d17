// The batch: from the queue through checks and verdicts to COMMIT and the answers.
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>
#include <utility>

namespace omnium::road {
namespace {

struct stored_answer {
  outcome what = outcome::refused;
  std::optional<std::int64_t> seq;
};

// What an answer kept in `command` says: only accepted and refused are ever kept.
stored_answer read_stored(const std::string& text) {
  thread_local simdjson::dom::parser parser;
  stored_answer out;
  simdjson::dom::element root;
  if (parser.parse(text).get(root)) return out;
  std::string_view said;
  if (!root["outcome"].get(said) && said == "accepted") out.what = outcome::accepted;
  std::int64_t seq = 0;
  if (!root["seq"].get(seq)) out.seq = seq;
  return out;
}

reply stored_reply(const std::string& text) {
  reply out;
  out.what = read_stored(text).what;
  out.status = out.what == outcome::accepted ? 200 : 422;
  out.body = text;
  return out;
}

// The same key again: the first answer for the same content, a refusal for another.
reply repeated(const command& cmd, const payload_hash& hash, const std::string& first) {
  if (hash != cmd.hash)
    return make_reply(refusal_for(cmd, {"key_reused", "This key was used for a different command.", "/key"}));
  auto out = answer_for(cmd, outcome::duplicate);
  out.seq = read_stored(first).seq;
  out.first = first;
  return make_reply(out);
}

// The outbox payload: what a watcher needs to show the change without a read.
std::string event_of(const log_item& row, const std::string& scoreboard) {
  return fmt::format(R"({{"version":{},"prev":{},"code":{},"play":{},"item":{},"scoreboard":{}}})", row.seq,
                     row.seq - 1, json::quoted(row.code), row.play, encode(row),
                     scoreboard.empty() ? "null" : scoreboard);
}

} // namespace

void subject::form_batch() {
  batch_.clear();
  auto max = single_ > 0 ? 1 : limits::subject_batch_len_max;
  bool lone = false;
  while (!queue_.empty() && batch_.size() < max && !lone) {
    auto& w = queue_.front();
    auto kind = w.ready ? entry::answered : classify(w);
    if (kind == entry::put_off || (kind == entry::lone && !batch_.empty())) break;
    lone = kind == entry::lone;
    if (kind == entry::answered && batch_.empty()) deliver(w);
    else batch_.push_back(std::move(w));
    queue_.pop_front();
  }
  if (batch_.empty()) return;
  for (const auto& w : batch_) ports_.observe(stage::queue, ports_.now() - w.since);
  if (lone) start_lone();
  else decide_batch();
}

subject::entry subject::classify(waiting& w) {
  const auto& cmd = w.what->cmd();
  if (!w.what->preview()) {
    if (check_recent(w)) return entry::answered;
    auto same_key =
        std::any_of(batch_.begin(), batch_.end(), [&](const auto& other) { return other.what->cmd().key == cmd.key; });
    if (same_key) return entry::put_off;
  }
  if (w.conflicted) return entry::lone;
  if (check_code(w)) return entry::answered;
  if (auto kind = check_versions(w); kind != entry::ball) return kind;
  bool travels_alone = ref_.kind == subject_kind::competition || w.what->preview() || w.solo ||
                       is_correction(cmd.code) || is_games_command(cmd.code, ref_.kind);
  return travels_alone ? entry::lone : entry::ball;
}

bool subject::check_recent(waiting& w) {
  const auto* known = recent_.find(w.what->cmd().key);
  if (known == nullptr) return false;
  w.ready = reply_to_known(w, known->hash, known->answer);
  return true;
}

// True when the command cannot be meant for this subject: answered at the door, nothing saved.
bool subject::check_code(waiting& w) {
  const auto& cmd = w.what->cmd();
  auto refuse = [&](reason why) {
    w.ready = make_reply(refusal_for(cmd, std::move(why)));
    return true;
  };
  auto unknown = [&] {
    return refuse({"unknown_command", fmt::format("There is no command \"{}\" here.", cmd.code), "/code"});
  };
  if (is_games_command(cmd.code, ref_.kind)) {
    bool makes_itself = cmd.code == "games.create_competition" || ref_.ref == operations_subject;
    if (ref_.kind == subject_kind::competition && !head_->exists && !makes_itself)
      return refuse({"unknown_subject", "There is no such competition.", "/subject"});
    return false;
  }
  if (ref_.kind == subject_kind::competition) return unknown();
  if (!ports_.rules().find(head_->sport, head_->release)) {
    w.ready = make_reply(try_again_for(
        cmd, "worker_unavailable",
        fmt::format("Release {} of {} is not installed on this node.", head_->release, head_->sport), 5000));
    return true;
  }
  if (is_correction(cmd.code)) return false;
  return ports_.rules().is_play(head_->sport, head_->release, cmd.code) ? false : unknown();
}

bool subject::rows_moved(const command& cmd) const {
  return std::any_of(cmd.saw.rows.begin(), cmd.saw.rows.end(), [&](const auto& seen) {
    return std::none_of(head_->rows.begin(), head_->rows.end(),
                        [&](const auto& row) { return row.id == seen.first && row.changed_seq == seen.second; });
  });
}

// Levels none, rows and play (L4, L17). `ball`: nothing moved on.
subject::entry subject::check_versions(waiting& w) {
  const auto& cmd = w.what->cmd();
  bool is_play = is_correction(cmd.code) || is_release_move(cmd.code) ||
                 ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false);
  bool checks_play = cmd.saw.play && is_play;
  // What the batch before it will do to the last play is not known yet: it waits for the next batch.
  if ((checks_play || !cmd.saw.rows.empty()) && pending() > 0) return entry::put_off;
  bool play_moved = checks_play && *cmd.saw.play != head_->last_play;
  bool rows_differ = rows_moved(cmd);
  if (!play_moved && !rows_differ) return entry::ball;
  // The sender may have seen what another node wrote and this head does not know yet: look once before saying conflict.
  if (!w.refreshed) {
    w.refreshed = true;
    phase_ = phase::cold;
    drop_head();
    return entry::put_off;
  }
  auto since = play_moved ? *cmd.saw.play : head_->last_seq;
  if (!items_.covers(since, head_->last_seq)) {
    w.conflicted = true;
    return entry::lone;
  }
  answer_conflict(w, items_.after(since));
  return entry::answered;
}

std::string subject::conflict_json(const std::vector<log_item>& since) const {
  auto from = since.size() > limits::conflict_items_max ? since.size() - limits::conflict_items_max : 0;
  std::string items, rows;
  for (auto i = from; i < since.size(); ++i) items += (items.empty() ? "" : ",") + encode(since[i]);
  for (const auto& row : head_->rows) rows += (rows.empty() ? "" : ",") + row.json;
  return fmt::format(R"({{"play":{},"since":[{}],"rows":[{}]}})", head_->last_play, items, rows);
}

void subject::answer_conflict(waiting& w, const std::vector<log_item>& since) {
  const auto& cmd = w.what->cmd();
  reason why{"moved_on", "The match moved on since the sender last saw it.", cmd.saw.play ? "/saw/play" : "/saw/rows"};
  if (w.what->preview()) {
    w.ready = make_preview(outcome::conflict, why, conflict_json(since), head_->scoreboard, head_->scoreboard, {});
    return;
  }
  auto out = answer_for(cmd, outcome::conflict);
  out.why = std::move(why);
  out.conflict = conflict_json(since);
  w.ready = make_reply(out);
}

std::size_t subject::pending() const {
  return static_cast<std::size_t>(std::count_if(batch_.begin(), batch_.end(), [](const auto& w) { return !w.ready; }));
}

void subject::decide_batch() {
  auto request = std::make_shared<run_request>();
  request->settings = head_->settings;
  request->state = head_->state;
  auto seq = head_->last_seq;
  for (const auto& w : batch_) {
    if (w.ready) continue;
    const auto& cmd = w.what->cmd();
    auto play = ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false);
    request->events.push_back({++seq, cmd.code, cmd.input, cmd.received_at, play});
  }
  ports_.run(open_op(phase::deciding), head_->sport, head_->release, std::move(request));
}

void subject::on_run(std::uint64_t op, run_reply what) {
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
    if (code != "lock_timeout" && code != "overloaded") note_failure(w, code, message);
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
  commit_batch();
}

void subject::accept_entry(waiting& w, log_item row) {
  w.decided = w.accepted = true;
  auto out = answer_for(w.what->cmd(), outcome::accepted);
  out.seq = row.seq;
  w.answer = encode(out);
  w.item = std::move(row);
}

void subject::refuse_entry(waiting& w, reason why) {
  w.decided = true;
  w.accepted = false;
  w.item.reset();
  w.effect.reset();
  if (why.release.empty() && !head_->release.empty()) why.release = release_name(*head_);
  w.answer = encode(refusal_for(w.what->cmd(), std::move(why)));
}

void subject::commit_batch() {
  auto batch = std::make_shared<subject_batch>();
  batch->subject = ref_;
  batch->competition = head_->competition;
  batch->expected_seq = head_->last_seq;
  batch->last_play = head_->last_play;
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
  ports_.observe(stage::database, ports_.now() - op_since_);
  phase_ = phase::ready;
  switch (what.what) {
  case batch_result::kind::committed:
    after_commit(what);
    break;
  case batch_result::kind::seen:
    take_seen(what.seen);
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
  pump();
}

void subject::after_commit(const batch_result&) {
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
  // Rows of a fixture or a competition changed in the database: the next command reads them fresh.
  if (runtime_rows && ref_.kind == subject_kind::fixture) {
    phase_ = phase::cold;
    drop_head();
  } else if (runtime_rows) head_->exists = true;
}

// Found after a COMMIT with an open outcome, the row may be what that COMMIT saved, or what an earlier sending of the
// same key did: only the former has this very answer (its trace is of this sending), and only then is this the first
// answer.
reply subject::reply_to_known(const waiting& w, const payload_hash& hash, const std::string& answer) {
  const auto& cmd = w.what->cmd();
  bool own = !w.open_answer.empty() && hash == cmd.hash && answer == w.open_answer;
  return own ? stored_reply(answer) : repeated(cmd, hash, answer);
}

void subject::answer_seen(waiting& w, const seen_command& found) {
  recent_.add(w.what->cmd().key, {found.hash, found.answer});
  w.ready = reply_to_known(w, found.hash, found.answer);
}

void subject::take_seen(const std::vector<seen_command>& seen) {
  for (auto& w : batch_)
    for (const auto& found : seen)
      if (!w.ready && found.key == w.what->cmd().key) answer_seen(w, found);
  put_back(true);
}

void subject::on_keys(std::uint64_t op, std::optional<std::vector<seen_command>> what, reason why) {
  if (!close_op(op)) return;
  phase_ = phase::cold;
  if (what) take_seen(*what);
  else fail_pending(why.code, why.message);
  pump();
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
