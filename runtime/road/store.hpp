#pragma once
// What the road asks of its store, in plain data. Implemented on Postgres in runtime/postgres and by a model in
// tests/sim.
#include "runtime/core/command.hpp"
#include "runtime/road/log_item.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omnium::road {

// --- writing -------------------------------------------------------------------------------------------------------

// One finished command: accepted (item set) or refused by a rule (no item). The answer text is stored as it is sent.
struct finished_command {
  command_ptr source;
  outcome what = outcome::accepted;
  std::string answer; // exact bytes
  std::optional<log_item> item;
  std::string event; // domain_event payload: {"item":…,"scoreboard":…,"prev":…}; empty with no item
};

// A change to the tables that commands of workflow games own; written in the same transaction as its log row.
struct row_effect {
  enum class kind : std::uint8_t {
    create_competition, // id, name, sport?, settings
    create_participant, // id, name, type
    create_fixture,     // id, competition, sport, release, starts_at, settings, with two fixture_competitor rows
    edit_competitor,    // fixture_competitor row: fields + changed_seq
    set_release,        // fixture.release_id
    install_release,
    set_default_release
  } what{};
  std::string data; // JSON object; shape by kind, see schema/functions/road.sql
};

struct snapshot {
  std::int64_t seq = 0;
  std::string release;   // code@version of the sport release
  std::string fold_hash; // code_sha of the release: a snapshot of other code is not used
  std::string state;     // sport's state JSON
};

// One subject's batch. All its rows are written or none.
struct subject_batch {
  subject_ref subject;
  uuid competition;              // the one a fixture belongs to
  std::int64_t expected_seq = 0; // the fence: last_seq the batch was folded on
  std::int64_t last_play = 0;    // after the batch
  std::string status;            // fixture.status after the batch; empty: unchanged
  std::string scoreboard;        // after the batch; empty: unchanged
  std::vector<finished_command> commands;
  std::vector<row_effect> effects; // in order
  std::optional<snapshot> snap;    // written with the batch when due
  bool dry = false;                // a preview of effects: all of it is done and taken back, never committed
};

struct seen_command { // a key found in `command`
  std::string key;
  payload_hash hash{};
  uuid subject;
  std::string answer; // first answer, exact bytes
};

struct batch_result {
  enum class kind : std::uint8_t {
    committed,  // COMMIT returned
    stale,      // the fence found another last_seq: nothing written; `newer` has the rows since
    seen,       // one or more keys were already finished: nothing written; `seen` has them
    busy,       // SKIP LOCKED passed the row over (only inside the store: it retries alone and waits)
    no_subject, // no such row
    failed,     // SQLSTATE mapped to `why` (a try_again code or a constraint); nothing written
    unknown     // the connection died with the outcome open: settle by key before saying anything
  } what = kind::unknown;
  std::int64_t last_seq = 0;
  std::vector<log_item> newer;    // stale
  std::vector<seen_command> seen; // seen
  reason why;                     // failed
  bool person_error = false;      // failed by a constraint the command caused (a refusal), not by the database's state
};

// --- loading ---------------------------------------------------------------------------------------------------------

struct competitor_row {
  uuid id;          // fixture_competitor.id
  std::string side; // home | away
  std::int64_t changed_seq = 0;
  std::string json; // the row as a screen sees it
};

// What an actor needs to stand: the head row, the newest fitting snapshot and the log after it.
struct loaded_subject {
  bool found = false;
  subject_ref subject;
  uuid competition;
  std::int64_t last_seq = 0, last_play = 0;
  std::string status;
  std::string sport, release, fold_hash; // fixture only; release = pinned version; fold_hash = its code_sha
  std::string settings;                  // JSON object for the sport
  std::vector<competitor_row> rows;
  std::optional<snapshot> snap;
  std::vector<log_item> log; // rows after snap->seq, or all
  bool whole_log = false;
};

enum class load_depth : std::uint8_t { from_snapshot, whole_log };

// Asynchronous doors; callbacks run on a store thread and must only hand on. `false`: the queue is full, nothing was
// taken.
class store {
public:
  virtual ~store() = default;
  // Commits one subject's batch; several callers' batches may travel in one call of road.commit.
  virtual bool commit(std::shared_ptr<const subject_batch> batch, std::function<void(batch_result)> done) = 0;
  // Loads a subject. nullopt: the database could not be asked; `why` says so.
  virtual bool load(subject_ref subject, load_depth depth,
                    std::function<void(std::optional<loaded_subject>, reason why)> done) = 0;
  // Finds keys (the quick check, and settling an unknown outcome). With `under_lock` the subject's row lock is taken
  // first, so that a transaction still in flight is waited for. nullopt: could not be asked.
  virtual bool find_keys(subject_ref subject, std::vector<std::string> keys, bool under_lock,
                         std::function<void(std::optional<std::vector<seen_command>>, reason why)> done) = 0;
  // A try_again that came from an error leaves a command_failure row, in its own transaction. Fire and forget; bounded.
  virtual void note_failure(std::string key, std::string error) = 0;
  // A snapshot outside a batch (sleep). Fire and forget; bounded.
  virtual void save_snapshot(subject_ref subject, snapshot snap) = 0;
};

} // namespace omnium::road
