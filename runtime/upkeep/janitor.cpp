#include "runtime/upkeep/janitor.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/session_door.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::upkeep {
namespace {

using clock = std::chrono::steady_clock;
using pg::statements::statement;

constexpr std::int64_t window_pages = 256; // of a table, looked at in one step

// A table is walked page by page, $1 to $2: the table of commands has no index by time that would name the old rows one
// by one (each command would pay for one), and its BRIN index grows blind as new rows take the place of old ones. No
// more than $4 rows go; `reached` is then the last of them, behind which the next step goes on: it does not look again
// at what was deleted.
constexpr const char* walk_rows = R"(
  WITH old AS MATERIALIZED (SELECT ctid FROM {0} WHERE ctid > $1::tid AND ctid < $2::tid AND {1} LIMIT $4::int),
  gone AS (DELETE FROM {0} WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) AND {1} RETURNING 1)
  SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM old), (SELECT max(ctid)::text FROM old) AS reached,
         pg_relation_size('{0}') / current_setting('block_size')::int, $3::int)";
// $3: the days that answers are kept.
const std::string table_sql[] = {
    fmt::format(walk_rows, "command", "received_at + make_interval(days => $3::int) < now()"),
    fmt::format(walk_rows, "command_failure", "last_at < now() - make_interval(days => $3::int)"),
    fmt::format(walk_rows, "alert_signal", "folded_at IS NOT NULL AND at < now() - make_interval(days => $3::int)"),
    fmt::format(walk_rows, "process_beat", "beat_at < now() - interval '1 day'"),
    fmt::format(walk_rows, "db_size_daily", "day < current_date - 400"),
    fmt::format(walk_rows, "alert",
                "state = 'closed' AND closed_at < now() - make_interval(days => greatest($3::int, 90))"),
    fmt::format(walk_rows, "alert_silence", "until < now()"),
};
const statement old_commands{"janitor_commands", table_sql[0].c_str()};
const statement few[] = {{"janitor_failures", table_sql[1].c_str()}, {"janitor_signals", table_sql[2].c_str()},
                         {"janitor_beats", table_sql[3].c_str()},    {"janitor_sizes", table_sql[4].c_str()},
                         {"janitor_alerts", table_sql[5].c_str()},   {"janitor_silences", table_sql[6].c_str()}};

// Events lie in months, which are dropped whole. Those of no month that was made ahead are walked in the order they
// were written, which is that of their key: the oldest rows first, and not one further than the slowest durable reader.
const statement old_events{"janitor_events", R"(
  WITH floor AS (SELECT xid, id FROM outbox_cursor WHERE follows = 'domain_event' ORDER BY xid, id LIMIT 1),
  oldest AS MATERIALIZED (SELECT ctid, xid, id, created_at FROM domain_event_other WHERE (xid, id) > ($1::text::xid8, $2::bigint)
                           ORDER BY xid, id LIMIT $4::int),
  old AS MATERIALIZED (SELECT * FROM oldest WHERE created_at < now() - make_interval(days => $3::int)),
  gone AS (
    DELETE FROM domain_event_other
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM old o WHERE NOT EXISTS (SELECT FROM floor f WHERE (o.xid, o.id) > (f.xid, f.id))))
       AND created_at < now() - make_interval(days => $3::int)
    RETURNING 1)
  SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM old), xid::text, id FROM oldest ORDER BY oldest.xid DESC, oldest.id DESC LIMIT 1)"};

const statement make_month{"janitor_make_month", "SELECT ops.make_month($1::int)"};
const statement drop_month{"janitor_drop_month", "SELECT dropped, held_by FROM ops.drop_month($1::int)"};

const statement slowest{"janitor_slowest", R"(
  SELECT name FROM outbox_cursor WHERE follows = 'domain_event'
   ORDER BY xid, id LIMIT 1)"};

const statement sizes{"janitor_measure", R"(
  INSERT INTO db_size_daily AS s (day, name, bytes, rows)
  SELECT current_date, c.relname, pg_total_relation_size(c.oid), greatest(c.reltuples, 0)::bigint
    FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT current_date, '*', pg_database_size(current_database()), NULL
  ON CONFLICT (day, name) DO UPDATE SET bytes = excluded.bytes, rows = excluded.rows)"};

} // namespace

janitor::janitor(janitor_options options, ops::raise_fn raise, beat_fn beat)
    : options_(std::move(options)), raise_(std::move(raise)), beat_(std::move(beat)), pace_(options_.pace),
      thread_([this] { loop(); }) {}

janitor::~janitor() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool janitor::pause(std::chrono::nanoseconds length) {
  std::unique_lock lock(guard_);
  return !wake_.wait_for(lock, length, [this] { return stopping_; });
}

void janitor::loop() {
  name_thread("janitor");
  pg::session mine(options_.where);
  clock::time_point next{};
  do {
    bool leads = false;
    mine.run([&](pg::session::door& door) { leads = leader_.holds(door); });
    if (leads != leads_.exchange(leads) && leads) {
      ops::log_info("this node does the janitor's work");
      next = {};
    }
    if (beat_) beat_(0);
    if (!leads || clock::now() < next) continue;
    pass(mine);
    next = clock::now() + options_.pass_every;
  } while (pause(options_.look_every));
}

void janitor::pass(pg::session& mine) {
  auto before = deleted_.load();
  batch_ = {};
  if (!months(mine) || !walk(mine, old_commands) || !events(mine) || !small(mine)) return;
  ++passes_;
  if (deleted_ > before) ops::log_info(fmt::format("janitor: {} old rows deleted", deleted_ - before));
}

// One short transaction under the leader's lock, and the rest behind it. False: the pass is over.
bool janitor::step(pg::session& mine, const work_fn& work) {
  auto rows_max = std::min(pace_.rows(), limits::janitor_batch_rows_max - batch_.rows);
  auto began = clock::now();
  std::uint64_t rows = 0;
  bool leads = false;
  auto error = mine.run([&](pg::session::door& door) {
    leads = leader_.holds(door);
    if (leads) rows = work(door, rows_max);
  });
  deleted_ += rows;
  if (beat_) beat_(rows);
  if (error) ops::log_warn("janitor: " + error.detail);
  if (error || !leads) return false;
  auto took = clock::now() - began;
  auto rest = pace_.rest_after(took, rows == rows_max);
  return pause(std::max(rest, batch_pause(rows, took)));
}

// What the step adds to its batch; the pause behind it where the batch is full.
std::chrono::nanoseconds janitor::batch_pause(std::uint64_t rows, std::chrono::nanoseconds took) {
  batch_.rows += rows;
  batch_.worked += took;
  batch_max_ = std::max(batch_max_.load(), batch_.rows);
  if (batch_.rows < limits::janitor_batch_rows_max) return {};
  return std::max<std::chrono::nanoseconds>(std::exchange(batch_, {}).worked, limits::janitor_pause_min);
}

bool janitor::walk(pg::session& mine, const statement& what) {
  auto page = [](std::int64_t number) { return fmt::format("({},0)", number); };
  std::string from = page(0);
  for (std::int64_t end = window_pages, pages = 1; end - window_pages < pages;) {
    bool goes_on = step(mine, [&](pg::session::door& door, std::uint64_t rows_max) {
      auto row = door.run(what, from, page(end), options_.keep_days, rows_max)[0];
      pages = row[3].as<std::int64_t>();
      if (row[1].as<std::uint64_t>() == rows_max) from = row[2].c_str();
      else from = page(std::exchange(end, end + window_pages));
      return row[0].as<std::uint64_t>();
    });
    if (!goes_on) return false;
  }
  return true;
}

// A month is made or dropped under a lock that all readers and writers must let go of for a moment; where it is not got
// within the function's 200 ms, it is tried again.
bool janitor::months(pg::session& mine) {
  for (int ahead = 0; ahead < limits::janitor_months_ahead; ++ahead)
    if (!change_months(mine, [&](pg::session::door& door) { return door.run(make_month, ahead)[0][0].as<bool>(); }))
      return false;
  bool more = true;
  while (more) {
    more = false;
    auto drop = [&](pg::session::door& door) {
      auto row = door.run(drop_month, options_.keep_days)[0];
      more = !row[0].is_null();
      if (more) ops::log_info(fmt::format("janitor: {} dropped", row[0].c_str()));
      if (!row[1].is_null()) held(row[1].c_str());
      return more;
    };
    if (!change_months(mine, drop)) return false;
  }
  return true;
}

bool janitor::change_months(pg::session& mine, const std::function<bool(pg::session::door&)>& work) {
  for (int tries = 0; tries < limits::janitor_lock_tries_max; ++tries) {
    auto began = clock::now();
    bool leads = false, changed = false;
    auto error = mine.run([&](pg::session::door& door) {
      leads = leader_.holds(door);
      changed = leads && work(door);
    });
    if (beat_) beat_(changed ? 1 : 0);
    if (!error)
      return leads &&
             (!changed || pause(std::max<std::chrono::nanoseconds>(clock::now() - began, limits::janitor_pause_min)));
    if (error.fault != pg::db_fault::lock_timeout || tries + 1 == limits::janitor_lock_tries_max)
      ops::log_warn("janitor: months of domain_event: " + error.detail);
    if (error.fault != pg::db_fault::lock_timeout) return false;
    if (!pause(limits::janitor_pause_min)) return false;
  }
  return true; // the next pass is another chance
}

void janitor::held(const std::string& reader) const {
  if (raise_)
    raise_("cursor-stalled", reader,
           fmt::format("Reader {} has not read events older than {} days; they are kept for it.", reader,
                       options_.keep_days));
}

bool janitor::events(pg::session& mine) {
  std::string xid = "0", id = "0";
  for (bool more = true; more;) {
    std::uint64_t gone = 0, old = 0;
    bool goes_on = step(mine, [&](pg::session::door& door, std::uint64_t rows_max) {
      auto rows = door.run(old_events, xid, id, options_.keep_days, rows_max);
      more = false;
      if (rows.empty()) return std::uint64_t{0};
      gone = rows[0][0].as<std::uint64_t>();
      old = rows[0][1].as<std::uint64_t>();
      xid = rows[0][2].c_str();
      id = rows[0][3].c_str();
      more = gone == old && old > 0;
      if (gone != old) held(door.run(slowest)[0][0].c_str());
      return gone;
    });
    if (!goes_on) return false;
  }
  return true;
}

bool janitor::small(pg::session& mine) {
  for (const auto& what : few)
    if (!walk(mine, what)) return false;
  return step(mine, [](pg::session::door& door, std::uint64_t) {
    door.run(sizes);
    return std::uint64_t{0};
  });
}

} // namespace omnium::upkeep
