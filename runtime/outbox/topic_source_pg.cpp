#include "runtime/outbox/topic_source_pg.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/outbox/event.hpp"
#include "runtime/postgres/reads.hpp"
#include "runtime/postgres/road_calls.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>
#include <map>
#include <memory>

namespace omnium::outbox {
namespace {

// Head, scoreboard and the rows after a version, as one statement sees them.
const pg::statements::statement since{"topic_since", R"(
  SELECT s.last_seq, b.text, CASE WHEN s.last_seq - $2::bigint BETWEEN 0 AND $3::bigint THEN road.log_after($1::uuid, $2::bigint) END
    FROM (SELECT f.id, f.last_seq FROM fixture f WHERE f.id = $1::uuid
          UNION ALL SELECT c.id, c.last_seq FROM competition c WHERE c.id = $1::uuid) s
    LEFT JOIN fixture_scoreboard b ON b.fixture_id = s.id)"};

// The events of those rows as the outbox carried them. The outbox is keyed by transaction, and an index by match would
// cost every ball: a log row's own transaction id (32 bits of it, so counted back from the newest one) finds its event,
// or, where the row was written in a subtransaction, leads to it: the outer transaction began at most so many ids
// before.
const pg::statements::statement events{"topic_events", R"(
  SELECT t.seq, coalesce(
         (SELECT e.payload FROM domain_event e
           WHERE e.xid = t.xid::text::xid8 AND coalesce(e.fixture_id, e.competition_id) = $1::uuid AND e.seq = t.seq LIMIT 1),
         (SELECT e.payload FROM domain_event e
           WHERE e.xid < t.xid::text::xid8 AND e.xid >= greatest(t.xid - 64, 0)::text::xid8
             AND coalesce(e.fixture_id, e.competition_id) = $1::uuid AND e.seq = t.seq LIMIT 1))
    FROM (SELECT i.seq, n.xid - ((n.xid - i.xmin::text::bigint) % 4294967296) AS xid
            FROM timeline_item i, (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS xid) n
           WHERE i.stream_id = $1::uuid AND i.seq > $2::bigint AND i.seq <= $3::bigint) t)"};

// From the log, where the outbox no longer has the event (after its retention, or in a restored dump): what the
// scoreboard was in between is not in the log, so only the last one has it.
std::string event_of(const road::log_item& row, const std::string& scoreboard) {
  return fmt::format(R"({{"version":{},"prev":{},"code":{},"play":{},"item":{},"scoreboard":{}}})", row.seq,
                     row.seq - 1, json::quoted(row.code), row.play, road::encode(row), scoreboard);
}

topic_answer read_changes(pg::session::door& door, const std::string& id, std::int64_t have) {
  topic_answer out;
  auto rows = door.run(since, id, have, limits::live_repair_max);
  if (rows.empty()) {
    out.what = topic_answer::kind::not_found;
    return out;
  }
  if (rows[0][2].is_null()) return out; // too many, or a version that never was: a snapshot is the answer
  out.what = topic_answer::kind::changes;
  out.version = rows[0][0].as<std::int64_t>();
  std::map<std::int64_t, std::string> kept;
  if (out.version > have)
    for (const auto& row : door.run(events, id, have, out.version))
      if (!row[1].is_null()) kept.emplace(row[0].as<std::int64_t>(), row[1].c_str());
  std::size_t bytes = 0;
  for (const auto& row : pg::parse_log({rows[0][2].c_str(), rows[0][2].size()})) {
    auto found = kept.find(row.seq);
    auto last = row.seq == out.version && !rows[0][1].is_null() ? rows[0][1].c_str() : "null";
    out.changes.emplace_back(row.seq, with_trace(found == kept.end() ? event_of(row, last) : found->second, row.trace));
    bytes += out.changes.back().second.size();
    if (bytes > limits::live_repair_bytes_max) return {}; // more than a socket's queue should take at once
  }
  return out;
}

topic_answer read_snapshot(pg::session::door& door, const wire::live_topic& topic, const std::string& id) {
  topic_answer out;
  bool fixture = topic.what == wire::live_topic::kind::fixture;
  auto page = pg::run_read(door.connection, {(fixture ? "/fixtures/" : "/competitions/") + id, {}, {}});
  if (page.status != 200) {
    out.what = topic_answer::kind::not_found;
    return out;
  }
  out.what = topic_answer::kind::snapshot;
  out.data = std::move(page.body);
  out.version = pg::version_in(out.data);
  return out;
}

} // namespace

void topic_source_pg::ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
                          std::function<void(topic_answer)> done) {
  auto shared = std::make_shared<std::function<void(topic_answer)>>(std::move(done));
  if (topic.what == wire::live_topic::kind::ops) {
    if (ops_) return ops_([shared](topic_answer now) { (*shared)(std::move(now)); });
    topic_answer none;
    none.what = topic_answer::kind::not_found;
    return (*shared)(std::move(none));
  }
  bool taken = pool_.submit([topic, have, shared](pg::session& mine) {
    topic_answer out;
    auto error = mine.run([&](pg::session::door& door) {
      auto id = omnium::to_string(topic.id);
      if (have) out = read_changes(door, id, *have);
      if (!have || out.what == topic_answer::kind::unavailable) out = read_snapshot(door, topic, id);
    });
    if (error) out = {};
    (*shared)(std::move(out));
  });
  if (!taken) (*shared)({});
}

} // namespace omnium::outbox
