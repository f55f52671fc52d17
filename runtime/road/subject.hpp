#pragma once
// A subject's road: the queue, the head and the one batch in flight of one match or competition. Pure decisions; the
// match actor feeds it messages and carries out what it asks through subject_ports. Not thread-safe: one owner.
//
// A batch's way: take from the queue -> check keys and versions -> decide (sport worker, or games rules) -> commit ->
// answer. What arrives meanwhile waits and becomes the next batch; where many wait, that one is decided already while
// the first commits (subject_ahead.cpp). Whatever goes wrong before COMMIT puts the batch back at the front of the
// queue in its order, or answers it; nothing is answered accepted from memory. Sources: architecture.md (a command's
// way), decisions C1-C5, L4, L8, L11, L17.
#include "runtime/road/head.hpp"
#include "runtime/road/preview.hpp"
#include "runtime/road/subject_ports.hpp"
#include "runtime/road/ticket.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace omnium::road {

struct games_change;

// What GET /fixtures/{id}/state shows.
struct state_view {
  enum class kind : std::uint8_t { ok, not_found, unavailable } what = kind::ok;
  std::int64_t seq = 0;
  std::string state;
  std::string message;
};

class subject {
public:
  enum class phase : std::uint8_t { cold, loading, replaying, ready, deciding, correcting, committing, settling };

  subject(subject_ref ref, subject_ports& ports);

  // --- inputs -----------------------------------------------------------------------------------------------------
  void accept(ticket_ptr what);
  // `at_least`: a seq the database is known to be at; a head behind it (another node wrote) is loaded again first.
  void want_state(std::function<void(state_view)> done, std::int64_t at_least = 0);
  void on_loaded(std::uint64_t op, std::optional<loaded_subject> what, reason why);
  void on_run(std::uint64_t op, run_reply what);
  void on_committed(std::uint64_t op, batch_result what);
  void on_keys(std::uint64_t op, std::optional<std::vector<seen_command>> what, reason why);
  // The database is another one than before: head and answers from memory are worth nothing, and no snapshot of them
  // is written. What is in flight is finished first; the fence decides about it.
  void forget();
  // Graceful stop: what waits is answered shutting_down, what is in flight is finished.
  void stop();
  // Going to sleep: a snapshot is written when the head is ahead of the newest one.
  void sleep();

  // --- for the actor and the operator --------------------------------------------------------------------------------
  bool idle() const { return phase_is_quiet() && queue_.empty() && state_waiters_.empty(); }
  bool gone() const { return gone_; } // the database has no such subject
  phase now() const { return phase_; }
  std::size_t queue_len() const { return queue_.size() + batch_.size() + (ahead_ ? ahead_->batch.size() : 0); }
  std::int64_t last_seq() const { return head_ ? head_->last_seq : 0; }
  const std::string& quarantine() const { return quarantine_; }
  const std::optional<head>& known_head() const { return head_; }

private:
  // A command in the queue or in the batch. `ready` is set once its answer is known before its turn to be sent.
  struct waiting {
    ticket_ptr what;
    std::chrono::steady_clock::time_point since{};
    std::optional<reply> ready;
    std::string open_answer; // what a COMMIT with an open outcome would have saved as its answer
    std::size_t tries = 0;   // batches that were overtaken with it
    bool solo = false;       // must travel alone: its verdict voids earlier events
    bool refreshed = false;  // the head was loaded again for its version check
    bool conflicted = false; // a conflict whose key must still be looked for, or whose rows be read from the log
    bool key_asked = false;  // the database was asked for its key: no sending of it is known
    // filled while decided:
    bool decided = false, accepted = false;
    std::optional<log_item> item;
    std::optional<row_effect> effect;
    std::string answer, scoreboard;
  };
  enum class entry : std::uint8_t { ball, lone, answered, put_off };
  struct correction_run; // a correction or preview under way

  bool phase_is_quiet() const { return phase_ == phase::cold || phase_ == phase::ready; }
  void pump();
  std::uint64_t open_op(phase next);
  bool close_op(std::uint64_t op);

  // loading (subject_load.cpp)
  void start_load(load_depth depth);
  void take_loaded(loaded_subject what);
  void start_replay();
  void replay_next();
  void on_replayed(run_reply what);
  void replay_failed(const run_reply& what);
  std::string cannot_start(const head& on) const;
  void serve_state();
  void fail_all(const std::string& code, const std::string& message, int retry_after_ms);
  void drop_head();
  void forget_if_told();

  // from the queue into a batch (subject_checks.cpp)
  void form_batch();
  entry classify(waiting& w);
  bool check_recent(waiting& w);
  bool check_code(waiting& w);
  entry check_versions(waiting& w);
  bool rows_moved(const command& cmd) const;
  std::int64_t last_seen(const command& cmd) const;
  void answer_conflict(waiting& w, const std::vector<log_item>& since);
  void answer_conflict(waiting& w, const std::vector<log_item>& since, reason why);
  std::string conflict_json(const std::vector<log_item>& since) const;

  // the batch (subject_batch.cpp)
  void decide_batch();
  std::shared_ptr<const run_request> request_for(const std::vector<waiting>& batch, std::int64_t last_seq,
                                                 const std::string& state) const;
  void on_decided(run_reply what);
  void take_verdicts(const run_reply& what);
  void fail_pending(const std::string& code, const std::string& message);
  void note_failure(const waiting& w, const std::string& code, const std::string& message);
  void accept_entry(waiting& w, log_item row);
  void refuse_entry(waiting& w, reason why);
  void fill_release(reason& why) const;
  void commit_batch();
  void after_commit(std::chrono::nanoseconds in_database);
  void take_newer(std::vector<log_item> newer, std::int64_t last_seq);
  void commit_failed(const batch_result& what);
  void put_back(bool overtaken);
  std::size_t pending() const;
  void deliver(waiting& w);
  void remember(const waiting& w);

  // the next batch, decided while this one commits (subject_ahead.cpp)
  struct ahead_run {
    std::uint64_t op = 0;
    std::chrono::steady_clock::time_point since{};
    std::vector<waiting> batch;
    std::optional<run_reply> reply; // what the sport says, once it has said it
  };
  std::size_t batch_len_max() const;
  void decide_ahead();
  void give_back(ahead_run what);
  void go_on_with(ahead_run what);

  // known keys (subject_keys.cpp)
  void take_seen(const std::vector<seen_command>& seen);
  static reply reply_to_known(const waiting& w, const payload_hash& hash, const std::string& answer);
  void answer_seen(waiting& w, const seen_command& found);

  // corrections and previews (subject_correction.cpp)
  void start_lone();
  void plan_with_log(loaded_subject what);
  std::optional<reason> check_inserted_code(const log_item& row) const;
  void start_check();
  void on_checked(run_reply what);
  void finish_correction(run_reply what);
  bool judge_again(const std::vector<std::int64_t>& broken);
  void accept_refolded(log_item row, run_reply what);
  void refuse_correction(reason why);

  // the runtime's own commands (subject_games.cpp)
  void decide_games(waiting& w);
  void preview_effect(std::optional<reason> why);
  void finish_games(std::variant<games_change, reason> change);
  void ask_opening(games_change made);
  void finish_opening(run_reply what);

  // another release (subject_release.cpp)
  void start_move();
  void finish_move(const correction_run& run, run_reply what);

  // match.rebuild (subject_rebuild.cpp)
  void start_rebuild();
  void fold_for_rebuild();
  void overtaken_rebuild(waiting& w, std::int64_t seq);
  void finish_rebuild(run_reply what);

  subject_ref ref_;
  subject_ports& ports_;
  phase phase_ = phase::cold;
  std::uint64_t op_ = 0, last_op_ = 0; // the open operation; the newest number given out
  std::deque<waiting> queue_;
  std::vector<waiting> batch_;
  std::optional<head> head_;
  recent_answers recent_;
  recent_items items_;
  bool stopping_ = false, gone_ = false, forget_ = false;
  std::size_t single_ = 0; // commands still to be committed one by one after a failed batch
  std::size_t fold_tries_ = 0;
  std::string quarantine_;
  std::chrono::steady_clock::time_point quarantined_at_{};
  std::chrono::steady_clock::time_point op_since_{};

  // a replay under way: the events to fold and how far it is
  struct replay_run {
    head target;
    std::vector<sport_event> events;
    std::size_t next = 0;
    bool from_snapshot = false;
  };
  std::optional<replay_run> replay_;
  std::shared_ptr<correction_run> correction_;
  std::string batch_state_, batch_scoreboard_;
  bool certain_ = false; // the batch that commits is of balls: what the sport said of it is all that it changes
  std::optional<ahead_run> ahead_; // only while a batch commits
  struct state_waiter {
    std::function<void(state_view)> done;
    std::int64_t at_least = 0; // 0 also once the head was loaded again for it
  };
  std::vector<state_waiter> state_waiters_;
};

} // namespace omnium::road
