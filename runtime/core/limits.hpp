#pragma once
// Every bound of the runtime in one place: the unit is in the name, what happens beyond it in the comment.
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace omnium::limits {

using namespace std::chrono_literals;

// --- a command at the door ---------------------------------------------------------------------------------------
inline constexpr std::size_t body_bytes_max = 64 * 1024; // beyond: refused too_large
inline constexpr std::size_t json_depth_max = 64;        // beyond: refused bad_shape
inline constexpr std::size_t key_chars_max = 200;        // beyond: refused bad_shape
inline constexpr std::size_t sender_chars_max = 100;     // beyond: refused bad_shape
inline constexpr std::size_t code_chars_max = 100;       // beyond: refused bad_shape
inline constexpr std::size_t saw_rows_max = 64;          // beyond: refused bad_shape

// --- one subject (a match or a competition) ------------------------------------------------------------------------
inline constexpr std::size_t subject_queue_len_max = 256; // waiting commands; beyond: try_again overloaded
inline constexpr std::size_t subject_batch_len_max = 64;  // commands of one match in one batch; the rest waits
inline constexpr std::size_t ahead_len_min = 8; // waiting commands that are worth deciding while a batch commits
inline constexpr std::size_t recent_keys_max =
    64; // answers kept in memory a match; older ones are found in the database
inline constexpr std::size_t recent_items_max =
    64; // log rows kept in memory a match; older ones are read when a conflict shows them
inline constexpr std::size_t conflict_items_max =
    200; // newest rows shown in a conflict; older ones are in the timeline
inline constexpr std::size_t conflict_bytes_max = 256 * 1024; // of them together, likewise
inline constexpr std::size_t preview_changes_max =
    64;                                              // values listed in a preview; beyond: its scoreboard says the rest
inline constexpr std::size_t deadlock_tries_max = 3; // then try_again deadlock
inline constexpr std::size_t fence_tries_max = 16;   // a batch overtaken more often: try_again lock_timeout
inline constexpr std::size_t replay_chunk_events = 256; // events in one replay request; then fresh balls get a turn
inline constexpr std::size_t fold_tries_max = 2;        // replays that die before a match is quarantined
inline constexpr auto quarantine_retry = 30s;           // then a quarantined match may be tried again
inline constexpr auto quarantine_look = 60s; // it is raised and tried again by itself; less than the alert's hold time
inline constexpr auto subject_idle = 10min;  // then a snapshot is written and the actor sleeps
inline constexpr std::int64_t snapshot_every_plays = 50;

// --- the committer -------------------------------------------------------------------------------------------------
inline constexpr std::size_t commit_matches_max = 32; // matches in one call of road.commit; the rest goes with the next
inline constexpr std::size_t commit_commands_max = 128; // commands in one call, likewise
inline constexpr std::size_t commit_queue_len_max =
    4096; // batches waiting for a connection; beyond: try_again overloaded
inline constexpr std::size_t failures_kept_max =
    1000; // notes of failed commands that wait for the database; beyond: a line in the log
inline constexpr std::size_t commit_spread =
    8; // matches waiting for each call under way before a further connection joins in
static_assert(subject_batch_len_max <= commit_commands_max, "a match's batch must fit into one call");

// --- the embedded cluster ------------------------------------------------------------------------------------------
inline constexpr auto cluster_look_every = 100ms;  // between looks whether the postmaster is there
inline constexpr auto cluster_backoff_min = 200ms; // between starts that fail, doubling up to the next
inline constexpr auto cluster_backoff_max = 5s;
inline constexpr std::size_t cluster_log_bytes_max = 16 * 1024 * 1024; // then postgres.log becomes postgres.log.1

// --- sport workers -------------------------------------------------------------------------------------------------
inline constexpr auto ball_wall_clock = 500ms;      // per ball, from its start in the worker; beyond: killed
inline constexpr auto worker_start_wall_clock = 5s; // spawn to ready; beyond: killed
inline constexpr std::size_t worker_frame_bytes_max = 8 * 1024 * 1024; // beyond: the worker is killed as broken
inline constexpr std::size_t state_bytes_max =
    256 * 1024; // a sport's folded state; beyond: worker killed, command try_again
inline constexpr std::size_t scoreboard_bytes_max = 8 * 1024;
inline constexpr std::size_t worker_queue_len_max =
    4096; // requests waiting for a worker; beyond: try_again worker_unavailable
inline constexpr std::size_t worker_runs_max = 32; // handed to a worker together; the rest waits for the next turn
inline constexpr auto worker_slow_ball = 10ms;     // then the runs behind it in the same worker are given to another
inline constexpr auto worker_sign_of_life = 100ms; // run sent and not a word of it: the ball's clock counts from here
inline constexpr auto replay_event_wall_clock =
    5ms;                                     // per event of a replay or check, on top of one ball's; beyond: killed
inline constexpr auto shelf_look_every = 5s; // at the sports folder; a package put there meanwhile waits so long
inline constexpr auto worker_backoff_min = 100ms; // between starts that fail, doubling up to the next
inline constexpr auto worker_backoff_max = 5s;
inline constexpr std::size_t worker_log_line_bytes_max = 512; // of a worker's stderr; the rest of the line is dropped
inline constexpr std::size_t worker_log_lines_per_s_max = 20; // beyond: dropped, and how many is logged
static_assert(state_bytes_max < worker_frame_bytes_max);

// --- live
// -------------------------------------------------------------------------------------------------------------
inline constexpr std::int64_t live_repair_max = 500;             // missing changes sent one by one; more: a snapshot
inline constexpr std::size_t live_repair_bytes_max = 512 * 1024; // of them together; more: a snapshot
inline constexpr std::size_t live_recent_max =
    128; // frames of a topic kept for quick gap repair; older ones come from the log
inline constexpr std::size_t live_held_max =
    1024; // frames of a topic that wait for an earlier one; beyond: read from the log
inline constexpr std::size_t live_kept_max = 128; // frames kept for one watcher while its snapshot is read, and at most
                                                  // live_repair_bytes_max of them; the rest comes from the log
inline constexpr auto live_hole_wait = 2s;        // then a missing change is looked for in the log

// --- the schema ----------------------------------------------------------------------------------------------------
inline constexpr auto migration_lock_wait = 500ms; // for a table's lock, then as long a rest, in which commands go on
inline constexpr int migration_lock_tries = 60;    // beyond: the migration fails and says so; nothing of it is changed

// --- reads ---------------------------------------------------------------------------------------------------------
inline constexpr std::int64_t list_items_max = 200; // of a list's page; a larger limit is a bad request
inline constexpr std::int64_t timeline_items_default = 200;
inline constexpr std::int64_t timeline_items_max = 1000; // of a timeline's page, likewise

// --- the wire ------------------------------------------------------------------------------------------------------
inline constexpr std::size_t http_header_bytes_max = 16 * 1024; // request line and header; beyond: 431 and close
inline constexpr std::size_t http_pipeline_len_max =
    64;                                          // commands of one connection in flight; the rest is not read yet
inline constexpr auto http_write_deadline = 30s; // a peer that takes no byte for so long; beyond: cut
inline constexpr auto http_linger = 1s;          // after a last answer, for the peer to read it; beyond: closed

// --- sign-in
// -----------------------------------------------------------------------------------------------------------
inline constexpr std::size_t known_matches_max = 100'000; // whose competition is kept in memory; beyond: begun anew
inline constexpr std::size_t callers_max = 65'536; // addresses, and tokens, counted one by one; beyond: the rest shares
inline constexpr auto caller_forgotten = 60s;      // a caller quiet for so long counts as new

// --- the live socket -----------------------------------------------------------------------------------------------
inline constexpr std::size_t live_message_bytes_max = body_bytes_max + 4096; // after inflation; beyond: closed 1009
inline constexpr std::size_t live_queue_bytes_max =
    1024 * 1024;                                          // unsent, of one socket; beyond: bye slow_consumer, closed
inline constexpr std::size_t live_queue_frames_max = 512; // likewise
inline constexpr std::size_t live_drained_frames = 64;    // unsent, of the longest queue, before a backlog goes on
inline constexpr std::size_t live_in_flight_max =
    256; // commands of one socket not yet answered; beyond: try_again overloaded
inline constexpr std::size_t live_topics_max = 1024;     // watched by one socket; beyond: error too_many_topics
inline constexpr auto live_close_wall_clock = 2s;        // for the closing handshake; beyond: cut
inline constexpr auto live_slow_wall_clock = 10s;        // for a slow consumer to read its bye; beyond: cut
inline constexpr int live_missed_beats_max = 2;          // beats without a sign of life; at that many: closed
inline constexpr int live_send_buffer_bytes = 64 * 1024; // in the kernel, of one socket: a stuck reader costs no more

// --- upkeep --------------------------------------------------------------------------------------------------------
inline constexpr std::uint64_t janitor_batch_rows_max = 10'000; // deleted by one statement; the rest after a pause
inline constexpr auto janitor_pause_min = 100ms;  // after a batch; a longer batch pauses as long as it took
inline constexpr int janitor_months_ahead = 3;    // months of domain_event kept ready, this one included
inline constexpr int janitor_lock_tries_max = 20; // of one change of months, 200 ms each; then the next pass
inline constexpr auto janitor_silent_after = 60s; // its longest statement and pause; then its loop is silent

inline constexpr std::size_t signals_waiting_max = 512; // different ones not yet written; beyond: counted, not kept
inline constexpr auto signals_pause = 200ms;            // between two writes; signals of one key meanwhile are one row
inline constexpr std::size_t alert_detail_chars_max = 2000; // of a signal's sentence; the rest is cut
inline constexpr int alert_fold_max = 1000;                 // signals folded in one transaction; the rest in the next
inline constexpr auto alert_turn = 1s;                      // of the alert service, and of those who wait to follow it
inline constexpr auto alert_silent_after = 60s;             // without a turn of any node's; then everybody says so
inline constexpr auto alert_send_wall_clock =
    4s;                                       // one message on one route, answer included; less than a stop may take
inline constexpr auto alert_backoff_min = 2s; // between tries of one message, doubling up to the next
inline constexpr auto alert_backoff_max = 60s;
inline constexpr auto alert_give_up = 24h;                       // then a message is given up, and the alert says so
inline constexpr std::int64_t silence_minutes_max = 7 * 24 * 60; // of one silence; a longer one is refused
inline constexpr int alert_sends_max = 20;                       // messages of one turn; the rest in the next
inline constexpr std::size_t verify_chunk_events = 64;           // of a check in one run; then fresh balls get a turn
inline constexpr int verify_rest_share = 9;  // a check is followed by a pause of so many times what it took, at least
inline constexpr auto verify_rest_max = 60s; // of that pause
inline constexpr int verify_page_matches = 200;       // ids read at once
inline constexpr int verify_looks_max = 3;            // at a match that moves on under a rebuild; then the next pass
inline constexpr std::size_t verify_rebuilds_max = 3; // in a row with no play between; then only the alert is left
inline constexpr auto verify_answer_wall_clock = 30s; // of one run, or of a rebuild; beyond: the next pass
inline constexpr auto verify_first_after = 10s;       // of a node that begins to lead: others have folds to do then
inline constexpr auto verify_silent_after = 120s;     // a look's wait and its pause; then its loop is silent
inline constexpr auto watch_every = 5s;               // between looks of a node at itself

// --- traces --------------------------------------------------------------------------------------------------------
inline constexpr std::size_t trace_records_max =
    8192;                                       // commands of this node whose times are kept; beyond: the oldest go
inline constexpr auto trace_window = 10s;       // around the time in a trace id made here, when its rows are looked for
inline constexpr int trace_hours_default = 24;  // how far back the rows of another's trace id are looked for
inline constexpr int trace_hours_max = 30 * 24; // asked for more: a bad request
inline constexpr int trace_commands_max = 200;  // shown of one trace; the newest

// --- stopping --------------------------------------------------------------------------------------------------------
inline constexpr auto stop_wall_clock = 10s; // SIGTERM to exit; beyond: a watchdog ends the process

} // namespace omnium::limits
