// What a command is measured by before the sport sees it: known keys, codes, what its sender had seen. From the queue
// into a batch.
#include "runtime/core/limits.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/road/subject_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::road {

void subject::form_batch() {
  batch_.clear();
  const auto max = batch_len_max();
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
    auto has_key = [&](const auto& other) { return other.what->cmd().key == cmd.key; };
    if (std::any_of(batch_.begin(), batch_.end(), has_key)) return entry::put_off;
    if (ahead_ && std::any_of(ahead_->batch.begin(), ahead_->batch.end(), has_key)) return entry::put_off;
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

// What the sender of a conflict saw: the log after it is what it missed.
std::int64_t subject::last_seen(const command& cmd) const {
  auto out = head_->last_seq;
  if (cmd.saw.play && *cmd.saw.play != head_->last_play) out = std::min(out, *cmd.saw.play);
  for (const auto& [id, changed_seq] : cmd.saw.rows)
    for (const auto& row : head_->rows)
      if (row.id == id && row.changed_seq != changed_seq) out = std::min(out, changed_seq);
  return std::max(out, std::int64_t{0});
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
  auto since = last_seen(cmd);
  // What moved on may be this very command, sent before and forgotten here: its first answer goes before a conflict.
  const bool ask_key = !w.key_asked && !w.what->preview();
  if (ask_key || !items_.covers(since, head_->last_seq)) {
    w.conflicted = true;
    return entry::lone;
  }
  answer_conflict(w, items_.after(since));
  return entry::answered;
}

std::string subject::conflict_json(const std::vector<log_item>& since) const {
  std::vector<std::string> newest; // last first
  std::size_t bytes = 0;
  for (auto item = since.rbegin(); item != since.rend() && newest.size() < limits::conflict_items_max; ++item) {
    newest.push_back(encode(*item));
    bytes += newest.back().size();
    if (bytes > limits::conflict_bytes_max) break;
  }
  std::string items, rows;
  for (auto item = newest.rbegin(); item != newest.rend(); ++item) items += (items.empty() ? "" : ",") + *item;
  for (const auto& row : head_->rows) rows += (rows.empty() ? "" : ",") + row.json;
  return fmt::format(R"({{"play":{},"since":[{}],"rows":[{}]}})", head_->last_play, items, rows);
}

void subject::answer_conflict(waiting& w, const std::vector<log_item>& since) {
  answer_conflict(w, since,
                  {"moved_on",
                   ref_.kind == subject_kind::competition ? "The competition moved on since the sender last saw it."
                                                          : "The match moved on since the sender last saw it.",
                   w.what->cmd().saw.play ? "/saw/play" : "/saw/rows"});
}

void subject::answer_conflict(waiting& w, const std::vector<log_item>& since, reason why) {
  if (w.what->preview()) {
    w.ready = make_preview(outcome::conflict, why, conflict_json(since), head_->scoreboard, head_->scoreboard, {});
    return;
  }
  auto out = answer_for(w.what->cmd(), outcome::conflict);
  out.why = std::move(why);
  out.conflict = conflict_json(since);
  w.ready = make_reply(out);
}

} // namespace omnium::road
