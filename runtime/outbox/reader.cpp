#include "runtime/outbox/reader.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/outbox/event.hpp"
#include "runtime/postgres/schema_age.hpp"
#include "runtime/postgres/session_door.hpp"

#include <deque>
#include <fmt/format.h>

namespace omnium::outbox {
namespace {

using namespace std::chrono_literals;

// Rows of one read. After a full one sockets get a moment to send what they have: a backlog (after a pause of this
// process, or of the database) is longer than their queues, and none of them is slow for that.
constexpr std::size_t rows_max = 250;
constexpr auto drain_wall_clock = 250ms; // a socket that is slower than that must help itself
static_assert(rows_max + limits::live_drained_frames < limits::live_queue_frames_max);
constexpr auto lag_every = 1s;            // how often the horizon's age is taken
constexpr double lag_told = 5;            // s; a horizon held back longer is named in the log
constexpr std::size_t history_chars = 12; // of the database's mark, as screens see it
constexpr int quick_reads = 6;            // after a bell: 1, 2, 4 … ms apart, for a horizon that has yet to move
// After rows the next look is this far away, bell or not: what is committed meanwhile travels together. Under load a
// look a millisecond was a third of all the calls that Postgres got (docs/performance.md); a lone change waits for
// nothing.
constexpr auto gap_after_rows = 4ms;
constexpr auto gap_after_none = 1ms;
constexpr int quiet_after_rows = 2; // 1 << 2 ms
static_assert(std::chrono::milliseconds(1 << quiet_after_rows) == gap_after_rows);

// Where to begin: everything that is not committed below the horizon now comes later.
const pg::statements::statement begin{"outbox_begin", "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"};

// Which database this is: cluster, its timeline (another one after a standby was promoted or a backup was restored to a
// point in time), the database itself (another one after it was dropped and restored), and the log's own file (another
// one after it was emptied or dropped and restored in place, and after VACUUM FULL, which costs the screens a
// snapshot). Transaction ids of another one mean nothing here.
const pg::statements::statement identity{"outbox_identity", R"(
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
         CASE WHEN pg_is_in_recovery() THEN '-' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END || '/' ||
         (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || pg_relation_filenode('timeline_item'),
         pg_relation_filenode('timeline_item'))"};

// The trace id stands with the log row, which every event has: kept once, and no byte of the commit is spent on it
// here.
const pg::statements::statement next{"outbox_next", R"(
  SELECT xid::text, id, fixture_id, competition_id, seq, payload, extract(epoch FROM clock_timestamp() - created_at)::float8,
         (SELECT t.trace FROM timeline_item t WHERE t.stream_id = coalesce(e.fixture_id, e.competition_id) AND t.seq = e.seq)
    FROM domain_event e
   WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
   ORDER BY e.xid, e.id LIMIT 250)"};

// How far the horizon is, and how far it could be; and the log's file.
const pg::statements::statement horizon{"outbox_horizon", R"(
  SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint, pg_relation_filenode('timeline_item')
    FROM pg_current_snapshot() s)"};

// Who holds it, as far as this role may see: a session in a transaction, or a prepared transaction of nobody. Since
// when is hidden from a role that may not look into the session: then nothing is said of it.
const pg::statements::statement blocker{"outbox_blocker", R"(
  SELECT format('pid %s, database %s, user %s%s', a.pid, coalesce(a.datname, '-'), coalesce(a.usename, '-'),
                ', open for ' || round(extract(epoch FROM clock_timestamp() - a.xact_start)) || ' s')
    FROM pg_stat_activity a
   WHERE a.backend_xid = ($1::bigint % 4294967296)::text::xid AND a.pid <> pg_backend_pid()
   UNION ALL
  SELECT format('prepared transaction %s, database %s', p.gid, p.database) FROM pg_prepared_xacts p
   WHERE p.transaction = ($1::bigint % 4294967296)::text::xid
   LIMIT 1)"};

// The age of the horizon from its own numbers, so that no right to look into other sessions is needed: the time since
// the oldest transaction still running was the newest one.
class horizon_age {
public:
  using clock = std::chrono::steady_clock;
  double take(std::int64_t xmin, std::int64_t xmax, clock::time_point now) {
    while (!seen_.empty() && seen_.front().first <= xmin) seen_.pop_front();
    if (xmax > xmin && (seen_.empty() || seen_.back().first < xmax)) seen_.emplace_back(xmax, now);
    if (seen_.size() > samples_max) seen_.erase(seen_.begin() + 1); // the oldest one says the age
    return seen_.empty() ? 0 : std::chrono::duration<double>(now - seen_.front().second).count();
  }
  void forget() { seen_.clear(); }

private:
  static constexpr std::size_t samples_max = 4096;
  std::deque<std::pair<std::int64_t, clock::time_point>> seen_; // newest id given out, and when it was first seen
};

} // namespace

// The cursor and the connection; on the reader's thread only.
struct reader::follower {
  follower(const reader_options& o, hub& h, ops::metrics* m) : session(o.where), options(o), to(h), metrics(m) {}

  pg::session session;
  const reader_options& options;
  hub& to;
  ops::metrics* metrics;
  std::string xid, database, log_file; // of the cursor; empty: there is none yet
  std::string id = "0";
  bool incomplete = false; // a watched event of this step has no payload
  std::chrono::steady_clock::time_point lag_at{};
  horizon_age age;

  // Once a connection, before its first read, and when the log's file is another one. The cursor is kept while the
  // database is the same, however often the connection breaks; in another database it begins at its horizon, and every
  // screen begins anew.
  void meet(pg::session::door& door) {
    auto here = door.run(identity)[0];
    std::string now = here[0].c_str();
    log_file = here[1].c_str();
    if (!xid.empty() && now == database) return;
    bool another = !xid.empty();
    const auto older = another ? pg::older_schema(door) : std::string();
    xid = door.run(begin)[0][0].c_str();
    id = "0";
    database = now;
    to.set_history(hex(sha256(database)).substr(0, history_chars));
    if (!another) return to.begin();
    ops::log_error("the database is another one than before (" + database + "): every screen begins anew");
    age.forget();
    if (options.moved) options.moved(older);
    to.rebase();
  }
  // Rows handed on; nullopt: the database is away.
  std::optional<std::size_t> step() {
    std::size_t count = 0;
    double oldest = 0;
    incomplete = false;
    auto error = session.run([&](pg::session::door& door) {
      if (door.prepared.count(next.name) == 0) meet(door);
      for (const auto& row : door.run(next, xid, id)) {
        hand_on(row);
        oldest = std::max(oldest, row[6].as<double>(0));
        ++count;
      }
    });
    if (error) return std::nullopt;
    if (incomplete) {
      static ops::log_limit limit{30s};
      if (limit.due())
        ops::log_error("a domain event names a part of its scoreboard that is gone: every screen begins anew");
      to.rebase();
    }
    if (metrics != nullptr) {
      metrics->outbox_rows.add(static_cast<double>(count));
      metrics->outbox_lag_seconds.set(oldest);
    }
    return count;
  }
  void hand_on(const pqxx::row& row) {
    xid = row[0].c_str();
    id = row[1].c_str();
    wire::live_topic topic;
    topic.what = row[2].is_null() ? wire::live_topic::kind::competition : wire::live_topic::kind::fixture;
    if (auto ref = parse_uuid(row[2].is_null() ? row[3].c_str() : row[2].c_str())) topic.id = *ref;
    auto seq = row[4].as<std::int64_t>();
    if (options.traces != nullptr) options.traces->read(subject_of(topic), seq);
    if (row[5].is_null()) {
      incomplete = incomplete || to.watched(topic);
      return;
    }
    to.publish(topic, seq, with_trace({row[5].c_str(), row[5].size()}, {row[7].c_str(), row[7].size()}));
  }
  // A log that was replaced below a connection is noticed here. An old open transaction anywhere on the server holds
  // the horizon back: the metric's alert, and this line, name it.
  void look_at_horizon() {
    auto now = std::chrono::steady_clock::now();
    if (now - lag_at < lag_every) return;
    lag_at = now;
    session.run([&](pg::session::door& door) {
      auto row = door.run(horizon)[0];
      if (!xid.empty() && log_file != row[2].c_str()) return meet(door);
      if (metrics == nullptr) return;
      auto seconds = age.take(row[0].as<std::int64_t>(), row[1].as<std::int64_t>(), now);
      metrics->outbox_horizon_lag_seconds.set(seconds);
      static ops::log_limit limit{30s};
      if (seconds < lag_told || !limit.due()) return;
      auto who = door.run(blocker, row[0].c_str());
      ops::log_warn(fmt::format("a transaction holds the outbox back for {:.0f} s: {}", seconds,
                                who.empty() ? "of a session this role may not look into" : who[0][0].c_str()));
    });
  }
};

reader::reader(reader_options options, hub& to, ops::metrics* metrics)
    : options_(std::move(options)), hub_(to), metrics_(metrics) {
  hub_.hold();
  thread_ = std::thread([this] { loop(); });
}

reader::~reader() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void reader::ring() {
  {
    std::lock_guard lock(guard_);
    if (std::exchange(rung_, true) || !hears_) return; // within a gap it would wake for nothing
  }
  wake_.notify_one();
}

// Rows just committed may lie above the horizon for a moment, so a bell is followed by a few quick looks.
std::chrono::milliseconds reader::pause(bool rung, std::size_t rows, int& quiet) const {
  if (rows >= rows_max) return 0ms;
  if (rows > 0) quiet = quiet_after_rows;
  else if (rung) quiet = 0;
  if (quiet < quick_reads) return std::min(options_.poll, std::chrono::milliseconds(1 << quiet++));
  return options_.poll;
}

void reader::loop() {
  name_thread("outbox reader");
  follower mine(options_, hub_, metrics_);
  ops::beat beat;
  if (metrics_ != nullptr)
    beat = metrics_->beats.add("outbox reader", ops::beat_board::kind::turning, 10s + 3 * options_.poll);
  int quiet = quick_reads;
  std::unique_lock lock(guard_);
  while (!stopping_) {
    bool rung = std::exchange(rung_, false);
    lock.unlock();
    std::size_t rows = 0;
    // Also while nobody watches: a cursor found only after the first snapshot was read would pass over what lies
    // between.
    auto got = mine.step();
    reads_.fetch_add(1, std::memory_order_relaxed);
    rows = got.value_or(0);
    rows > 0 ? beat.progress(rows) : beat.turn();
    if (!got) quiet = quick_reads;
    hub_.tick(std::chrono::steady_clock::now());
    mine.look_at_horizon();
    auto wait = pause(rung, rows, quiet);
    lock.lock();
    if (rows >= rows_max) {
      auto until = std::chrono::steady_clock::now() + drain_wall_clock;
      while (!stopping_ && hub_.longest_queue() > limits::live_drained_frames &&
             std::chrono::steady_clock::now() < until)
        wake_.wait_for(lock, 2ms, [&] { return stopping_; });
    }
    // A bell ends the wait, but not the gap.
    auto gap = std::min<std::chrono::milliseconds>(wait, rows > 0 ? gap_after_rows : gap_after_none);
    wake_.wait_for(lock, gap, [&] { return stopping_; });
    hears_ = true;
    if (wait > gap) wake_.wait_for(lock, wait - gap, [&] { return stopping_ || rung_; });
    hears_ = false;
  }
}

} // namespace omnium::outbox
