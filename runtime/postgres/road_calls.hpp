#pragma once
// One call of road.commit or road.commit_effects: batches in, one result for each out. Blocking, on a pool thread.
#include "runtime/postgres/session.hpp"
#include "runtime/road/store.hpp"

#include <memory>
#include <span>
#include <vector>

namespace omnium::pg {

using batch_ptr = std::shared_ptr<const road::subject_batch>;

// Commits matches together. `wait`: the rows' locks are waited for (one match); else a locked row is answered busy.
// When the call itself fails, `error` is set and `results` is empty: nothing is known to be written.
struct call_outcome {
  db_error error;
  std::vector<road::batch_result> results; // as the batches
};
call_outcome call_commit(session& where, std::span<const batch_ptr> batches, bool wait);

// One subject with effects (workflow games).
call_outcome call_commit_effects(session& where, const road::subject_batch& batch);

std::vector<road::log_item> parse_log(std::string_view json);      // as road.log_after prints it
std::vector<road::seen_command> parse_seen(std::string_view json); // as road.seen prints it

// The answer to a person for a constraint that their command met.
reason constraint_reason(std::string_view constraint);

} // namespace omnium::pg
