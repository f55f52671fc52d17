#include "runtime/outbox/reader.hpp"

#include "runtime/ops/log.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>

namespace omnium::outbox {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t rows_max = 500; // of one read; more is read at once again
constexpr auto lag_every = 2s;        // how often the horizon's blocker is looked for
constexpr int quick_reads = 6;        // after a bell: 1, 2, 4 … ms apart, for a horizon that has yet to move

// Where to begin: everything that is not committed below the horizon now comes later. The system identifier says
// whether it is still the same cluster after a reconnect: transaction ids of another one mean nothing here.
const pg::statements::statement begin{"outbox_begin", R"(
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text, (SELECT system_identifier::text FROM pg_control_system()))"};

const pg::statements::statement next{"outbox_next", R"(
  SELECT xid::text, id, fixture_id, competition_id, seq, payload, extract(epoch FROM clock_timestamp() - created_at)::float8
    FROM domain_event
   WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
   ORDER BY xid, id LIMIT 500)"};

const pg::statements::statement blocker{"outbox_blocker", R"(
  SELECT extract(epoch FROM clock_timestamp() - a.xact_start)::float8, a.pid, coalesce(a.datname, '-')
    FROM pg_stat_activity a
   WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
   ORDER BY a.xact_start LIMIT 1)"};

} // namespace

// The cursor and the connection; on the reader's thread only.
struct reader::follower {
  follower(pg::target where, hub& h, ops::metrics* m) : session(std::move(where)), to(h), metrics(m) {}

  pg::session session;
  hub& to;
  ops::metrics* metrics;
  std::string xid, cluster;
  std::string id = "0";
  std::chrono::steady_clock::time_point lag_at{};

  bool start() {
    auto error = session.run([&](pg::session::door& door) {
      auto row = door.run(begin)[0];
      if (!cluster.empty() && cluster != row[1].c_str())
        ops::log_error("the database is another cluster than before: screens begin anew");
      cluster = row[1].c_str();
      xid = row[0].c_str();
      id = "0";
    });
    return !error;
  }
  // Rows handed on; nullopt: the database is away.
  std::optional<std::size_t> step() {
    if (xid.empty() && !start()) return std::nullopt;
    std::size_t count = 0;
    double oldest = 0;
    auto error = session.run([&](pg::session::door& door) {
      for (const auto& row : door.run(next, xid, id)) {
        hand_on(row);
        oldest = std::max(oldest, row[6].as<double>(0));
        ++count;
      }
    });
    if (error) return std::nullopt;
    if (metrics != nullptr && count > 0) {
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
    to.publish(topic, row[4].as<std::int64_t>(), {row[5].c_str(), row[5].size()});
  }
  // An old open transaction anywhere on the server holds the horizon back: the metric's alert names it.
  void look_for_blocker() {
    auto now = std::chrono::steady_clock::now();
    if (metrics == nullptr || now - lag_at < lag_every) return;
    lag_at = now;
    session.run([&](pg::session::door& door) {
      auto rows = door.run(blocker);
      double age = rows.empty() ? 0 : rows[0][0].as<double>(0);
      metrics->outbox_horizon_lag_seconds.set(age);
      static ops::log_limit limit{30s};
      if (age > 5 && limit.due())
        ops::log_warn(fmt::format("a transaction holds the outbox back: pid {}, database {}, open for {:.0f} s",
                                  rows[0][1].c_str(), rows[0][2].c_str(), age));
    });
  }
};

reader::reader(reader_options options, hub& to, ops::metrics* metrics)
    : options_(std::move(options)), hub_(to), metrics_(metrics) {
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
    rung_ = true;
  }
  wake_.notify_one();
}

// Rows just committed may lie above the horizon for a moment, so a bell is followed by a few quick looks.
std::chrono::milliseconds reader::pause(bool rung, std::size_t rows, int& quiet) const {
  if (rows >= rows_max) return 0ms;
  if (rung || rows > 0) quiet = 0;
  if (quiet < quick_reads) return std::min(options_.poll, std::chrono::milliseconds(1 << quiet++));
  return options_.poll;
}

void reader::loop() {
  follower mine(options_.where, hub_, metrics_);
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
    if (!got) quiet = quick_reads;
    hub_.tick(std::chrono::steady_clock::now());
    mine.look_for_blocker();
    auto wait = pause(rung, rows, quiet);
    lock.lock();
    // A bell ends the wait, but two looks are never closer than a millisecond: what came meanwhile travels together.
    wake_.wait_for(lock, std::min<std::chrono::milliseconds>(wait, 1ms), [&] { return stopping_; });
    if (wait > 1ms) wake_.wait_for(lock, wait - 1ms, [&] { return stopping_ || rung_; });
  }
}

} // namespace omnium::outbox
