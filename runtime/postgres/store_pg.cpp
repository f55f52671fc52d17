#include "runtime/postgres/store_pg.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/loaded_rows.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>
#include <simdjson.h>
#include <utility>

namespace omnium::pg {
namespace {

reason why_of(const db_error& error) {
  return {std::string(code_of(error.fault)), std::string(sentence_of(error.fault)), {}, {}, {}};
}

} // namespace

store_pg::store_pg(const store_options& options, ops::metrics* metrics)
    : others_(with_limits(options.url, load_limits, options.role), options.load_connections,
              limits::commit_queue_len_max),
      committer_(with_limits(options.url, command_limits, options.role), options.command_connections, metrics) {}

bool store_pg::commit(std::shared_ptr<const road::subject_batch> batch, std::function<void(road::batch_result)> done) {
  if (failures_wait_) write_failures();
  return committer_.submit(std::move(batch), std::move(done));
}

bool store_pg::load(subject_ref subject, road::load_depth depth,
                    std::function<void(std::optional<road::loaded_subject>, reason)> done) {
  return others_.submit([=](session& mine) {
    road::loaded_subject out;
    out.subject = subject;
    auto error = mine.run([&](session::door& door) {
      auto rows = door.run(statements::load, subject.kind == subject_kind::competition, to_string(subject.ref),
                           depth == road::load_depth::whole_log);
      if (!rows.empty()) out = read_loaded(rows[0], subject, depth);
    });
    if (error) done(std::nullopt, why_of(error));
    else done(std::move(out), {});
  });
}

bool store_pg::find_keys(subject_ref subject, std::vector<std::string> keys, bool under_lock,
                         std::function<void(std::optional<std::vector<road::seen_command>>, reason)> done) {
  return others_.submit([subject, keys = std::move(keys), under_lock, done = std::move(done)](session& mine) {
    array_text list;
    for (const auto& key : keys) list.add(std::string_view(key));
    std::vector<road::seen_command> out;
    auto error = mine.run([&](session::door& door) {
      auto rows = door.run(statements::find_keys, subject.kind == subject_kind::competition, to_string(subject.ref),
                           under_lock, list.done());
      out = parse_seen(text_of(rows[0][0]));
    });
    if (error) done(std::nullopt, why_of(error));
    else done(std::move(out), {});
  });
}

// A note that cannot be written because the database is away waits for it: the next command brings it along.
void store_pg::note_failure(std::string key, std::string error) {
  {
    std::lock_guard lock(guard_);
    if (failures_.size() >= limits::failures_kept_max)
      return ops::log_warn("a command_failure row was given up: too many wait for the database", {.command = key});
    failures_.push_back({std::move(key), std::move(error)});
  }
  write_failures();
}

void store_pg::write_failures() {
  failures_wait_ = false;
  bool taken = others_.submit([this](session& mine) {
    for (;;) {
      failure next;
      {
        std::lock_guard lock(guard_);
        if (failures_.empty()) return;
        next = std::move(failures_.front());
        failures_.pop_front();
      }
      auto why = mine.run([&](session::door& door) { door.run(statements::note_failure, next.key, next.error); });
      if (!why) continue;
      if (why.fault != db_fault::unavailable) {
        ops::log_warn("a command_failure row could not be written: " + why.detail,
                      {.command = next.key, .code = why.state});
        continue;
      }
      std::lock_guard lock(guard_);
      failures_.push_front(std::move(next)); // the statement may be done twice: it counts one attempt more
      failures_wait_ = true;
      return;
    }
  });
  if (!taken) failures_wait_ = true;
}

void store_pg::save_snapshot(subject_ref subject, road::snapshot snap) {
  others_.submit([subject, snap = std::move(snap)](session& mine) {
    auto why = mine.run([&](session::door& door) {
      door.run(statements::save_snapshot, to_string(subject.ref), snap.seq, snap.release, snap.fold_hash, snap.state);
    });
    auto match = fmt::format("{}/{}", to_string(subject.kind), to_string(subject.ref));
    if (why) ops::log_warn("a snapshot could not be written: " + why.detail, {.match = match, .code = why.state});
  });
}

} // namespace omnium::pg
