// What travels alone: corrections, previews, and verdicts that change the past.
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/rebuild.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::road {

namespace {

// In a check only what the correction itself brings is said to be accepted, and only where it would void others: its
// effect on them could not follow a later correction of it.
bool overturns(const std::vector<event_verdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const auto& one) { return one.accepted; });
}

} // namespace

// batch_ holds exactly the one command.
void subject::start_lone() {
  auto& w = batch_.front();
  const auto& cmd = w.what->cmd();
  if (w.conflicted && !w.key_asked && !w.what->preview()) {
    w.key_asked = true;
    w.conflicted = false;
    ports_.find_keys(open_op(phase::settling), {cmd.key});
    return;
  }
  if (!w.conflicted && ref_.kind == subject_kind::fixture && is_release_move(cmd.code)) {
    start_move();
    return;
  }
  if (!w.conflicted && ref_.kind == subject_kind::fixture && is_rebuild(cmd.code)) {
    start_rebuild();
    return;
  }
  if (!w.conflicted && (ref_.kind == subject_kind::competition || is_games_command(cmd.code, ref_.kind))) {
    decide_games(w);
    return;
  }
  correction_ = std::make_shared<correction_run>();
  if (w.conflicted || is_correction(cmd.code)) {
    ports_.load(open_op(phase::correcting), load_depth::whole_log);
    return;
  }
  correction_->at = correction_run::pass::decide;
  auto request = std::make_shared<run_request>();
  request->settings = head_->settings;
  request->state = head_->state;
  auto play = ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false);
  request->events.push_back({head_->last_seq + 1, cmd.code, cmd.input, cmd.received_at, play});
  ports_.run(open_op(phase::correcting), head_->sport, head_->release, std::move(request));
}

// The whole log is here: a conflict can show what the sender missed, a correction can be planned.
void subject::plan_with_log(loaded_subject what) {
  auto& w = batch_.front();
  if (what.last_seq != head_->last_seq) { // another writer was faster: its rows first, then everything again
    put_back(true);
    correction_.reset();
    phase_ = phase::cold;
    drop_head();
    take_loaded(std::move(what));
    return;
  }
  if (w.conflicted) {
    answer_conflict(w, rows_after(std::move(what.log), last_seen(w.what->cmd())));
    correction_.reset();
    put_back(false);
    return;
  }
  correction_->log = std::move(what.log);
  if (correction_->at == correction_run::pass::rebuild) {
    fold_for_rebuild();
    return;
  }
  if (!correction_->overturn && !correction_->move_to) {
    const auto& cmd = w.what->cmd();
    auto plan = plan_correction(cmd.code, cmd.input, correction_->log);
    if (auto* why = std::get_if<reason>(&plan)) {
      refuse_correction(*why);
      return;
    }
    correction_->plan = std::move(std::get<correction>(plan));
    if (auto why = check_inserted_code(correction_->plan.row)) return refuse_correction(*why);
  }
  if (correction_->overturn)
    if (auto why = check_overturn(correction_->plan.row.voids, correction_->log)) {
      refuse_correction(*why);
      return;
    }
  start_check();
}

std::optional<reason> subject::check_inserted_code(const log_item& row) const {
  if (row.code != "match.insert") return std::nullopt;
  auto code = json::string_member(row.input, "code").value_or("");
  if (ports_.rules().is_play(head_->sport, head_->release, code)) return std::nullopt;
  return reason{"bad_input", fmt::format("There is no event \"{}\" in {}.", code, release_name(*head_)), "/input/code"};
}

void subject::start_check() {
  auto& run = *correction_;
  const auto& cmd = batch_.front().what->cmd();
  auto row = row_of(cmd, head_->last_seq + 1, true);
  row.voids = run.plan.row.voids;
  row.replaces = run.plan.row.replaces;
  run.plan.row = row;
  auto log = run.log;
  if (run.at == correction_run::pass::old_log) run.events = corrected_log(log);
  else {
    log.push_back(std::move(row));
    run.events = corrected_log(log);
    for (auto& event : run.events) {
      event.settled = event.settled || run.old_faults.count(event.seq) > 0;
      event.fresh = event.seq == run.plan.row.seq || event.seq == run.plan.row.replaces;
    }
  }
  for (auto& event : run.events) { // what overturned others was judged when it came; its target is gone from this log
    if (event.seq > static_cast<std::int64_t>(log.size())) continue;
    const auto& own = log[static_cast<std::size_t>(event.seq - 1)];
    if (!own.voids.empty() && !is_correction(own.code)) event.settled = true; // an insert's voids are its cascade
  }
  auto request = std::make_shared<run_request>();
  request->mode = run_mode::check;
  request->settings = head_->settings;
  request->events = run.events;
  request->keep_refused = run.at == correction_run::pass::old_log;
  if (run.at == correction_run::pass::log || run.at == correction_run::pass::decide)
    run.at = correction_run::pass::check;
  bool moves = run.move_to && run.at != correction_run::pass::old_log;
  ports_.run(open_op(phase::correcting), head_->sport, moves ? run.move_to->version : head_->release,
             std::move(request));
}

void subject::on_checked(run_reply what) {
  if (correction_->at == correction_run::pass::opening) return finish_opening(std::move(what));
  if (what.what == run_reply::kind::cannot_fold && correction_->move_to &&
      correction_->at != correction_run::pass::old_log) {
    finish_move(*std::shared_ptr(correction_), std::move(what));
    return;
  }
  if (what.what != run_reply::kind::ok) {
    correction_.reset();
    if (what.what == run_reply::kind::killed || what.what == run_reply::kind::broken) what.index = 0;
    on_decided(std::move(what));
    return;
  }
  if (correction_->at == correction_run::pass::rebuild) {
    finish_rebuild(std::move(what));
    return;
  }
  auto& run = *correction_;
  auto seq_of = [&](const event_verdict& v) { return v.index < run.events.size() ? run.events[v.index].seq : 0; };
  switch (run.at) {
  case correction_run::pass::log:
  case correction_run::pass::rebuild:
  case correction_run::pass::opening:
    return; // not asked of the worker, and answered above
  case correction_run::pass::decide:
    finish_correction(std::move(what));
    return;
  case correction_run::pass::check:
    if (what.verdicts.empty() || overturns(what.verdicts)) break;
    // Something is refused. Which of it did the log already refuse before this correction?
    run.at = correction_run::pass::old_log;
    start_check();
    return;
  case correction_run::pass::old_log:
    for (const auto& v : what.verdicts) run.old_faults.insert(seq_of(v));
    run.at = correction_run::pass::recheck;
    start_check();
    return;
  case correction_run::pass::recheck:
    break;
  }
  if (overturns(what.verdicts)) {
    refuse_correction({"not_correctable",
                       "An event that makes another one void cannot be put in or changed to: undo that other one.",
                       "/input/input"});
    return;
  }
  run.refused = what.verdicts;
  finish_correction(std::move(what));
}

// What is voided by cascade may itself have made rows void (an insert that cascaded): those stand again, and are judged
// like all others. Ends, because every turn makes a row void that was not.
bool subject::judge_again(const std::vector<std::int64_t>& broken) {
  auto& run = *correction_;
  const bool frees = std::any_of(broken.begin(), broken.end(), [&](std::int64_t seq) {
    return seq <= static_cast<std::int64_t>(run.log.size()) &&
           !run.log[static_cast<std::size_t>(seq - 1)].voids.empty();
  });
  if (!frees) return false;
  auto& voids = run.plan.row.voids;
  voids.insert(voids.end(), broken.begin(), broken.end());
  run.refused.clear();
  run.at = correction_run::pass::recheck;
  start_check();
  return true;
}

void subject::refuse_correction(reason why) {
  auto& w = batch_.front();
  correction_.reset();
  if (w.what->preview()) {
    fill_release(why);
    w.ready = make_preview(outcome::refused, why, {}, head_->scoreboard, head_->scoreboard, {});
    put_back(false);
    return;
  }
  refuse_entry(w, std::move(why));
  commit_batch();
}

// The worker's last word on what travels alone.
void subject::finish_correction(run_reply what) {
  auto run = correction_;
  if (run->move_to) {
    finish_move(*run, std::move(what));
    return;
  }
  auto& w = batch_.front();
  auto row = run->plan.row;
  if (run->at == correction_run::pass::decide) {
    if (what.verdicts.empty()) {
      fail_pending("worker_unavailable", "The sport gave no verdict.");
      correction_.reset();
      return;
    }
    const auto& verdict = what.verdicts.front();
    if (!verdict.accepted) {
      refuse_correction(verdict.why);
      return;
    }
    if (!verdict.voids.empty()) {
      run->overturn = true;
      run->plan.row.voids = verdict.voids;
      run->at = correction_run::pass::log;
      ports_.load(open_op(phase::correcting), load_depth::whole_log);
      return;
    }
    const auto& cmd = w.what->cmd();
    row = row_of(cmd, head_->last_seq + 1,
                 ports_.rules().is_play(head_->sport, head_->release, cmd.code).value_or(false));
    what.scoreboard = verdict.scoreboard;
  }
  std::vector<std::int64_t> broken;
  for (const auto& v : run->refused) {
    if (v.index >= run->events.size()) continue;
    auto seq = run->events[v.index].seq;
    if (seq == row.seq || seq == row.replaces) { // the corrected event itself is what the law does not allow
      auto why = v.why;
      if (why.at.starts_with("/input")) why.at = "/input" + why.at;
      refuse_correction(std::move(why));
      return;
    }
    if (!run->plan.cascade) {
      refuse_correction({"breaks_later",
                         fmt::format("The event at {} ({}) could then not have happened: {}", seq,
                                     run->events[v.index].code, v.why.message),
                         "/input", v.why.law});
      return;
    }
    broken.push_back(seq);
  }
  if (judge_again(broken)) return;
  row.voids.insert(row.voids.end(), broken.begin(), broken.end());
  accept_refolded(std::move(row), std::move(what));
}

// The whole match was folded anew, with this row at its end.
void subject::accept_refolded(log_item row, run_reply what) {
  auto& w = batch_.front();
  correction_.reset();
  if (w.what->preview()) {
    w.ready = make_preview(outcome::accepted, std::nullopt, {}, head_->scoreboard, what.scoreboard, row.voids);
    put_back(false);
    return;
  }
  w.scoreboard = what.scoreboard;
  accept_entry(w, std::move(row));
  batch_state_ = std::move(what.state);
  batch_scoreboard_ = std::move(what.scoreboard);
  commit_batch();
}

} // namespace omnium::road
