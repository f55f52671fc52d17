#include "apps/omnium/reads.hpp"

#include "apps/omnium/replies.hpp"
#include "runtime/core/clock.hpp"
#include "runtime/core/json.hpp"
#include "runtime/postgres/reads.hpp"
#include "runtime/postgres/session_door.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace omnium::apps {
namespace {

// What a list may show to whom it is shown.
std::optional<pg::read_query::inside> limits_of(const wire::read_request& what) {
  if (!what.who || !what.who->limited()) return std::nullopt;
  return pg::read_query::inside{what.who->competitions, what.who->fixtures};
}

} // namespace

bool read_defaults(pg::session& mine, sport::rules& rules) {
  std::vector<sport::release_default> defaults;
  auto error = mine.run([&](pg::session::door& door) {
    for (const auto& row : door.run(pg::statements::release_defaults))
      defaults.push_back(
          {row[0].c_str(), row[1].c_str(), row[2].is_null() ? std::nullopt : parse_uuid(row[2].c_str())});
  });
  if (!error) rules.set_defaults(std::move(defaults));
  return !error;
}

node_reads::node_reads(pg::executor& pool, sport::shelf& shelf, const caretakers& care)
    : pool_(pool), shelf_(shelf), care_(care) {}

void node_reads::answer(wire::read_request what, std::function<void(wire::read_reply)> done) {
  if (what.path == "/sports" || what.path == "/workflows") sports(what.path == "/workflows", std::move(done));
  else if (what.path == "/ops/health") {
    wire::read_reply out;
    out.body = fmt::format(R"({{"items":{},"next":null}})", health_json(true));
    done(std::move(out));
  } else if (what.path == "/readyz") readyz(what.query == "verbose" || what.query == "verbose=1", std::move(done));
  else if (pg::is_database_read(what.path)) from_database(std::move(what), std::move(done));
  else done(problem(404, "There is nothing at this address."));
}

// Which release is the default is the database's to say: another node may have set it. Without the database the node
// says what it knows.
void node_reads::sports(bool workflows, std::function<void(wire::read_reply)> done) {
  auto answer = [this, workflows, done = std::move(done)] {
    wire::read_reply out;
    auto here = shelf_.now();
    auto items = workflows ? sport::workflows_json(*here, shelf_.book()) : sport::sports_json(*here, shelf_.book());
    out.body = fmt::format(R"({{"items":{},"next":null}})", items);
    done(std::move(out));
  };
  bool taken = pool_.submit([this, answer](pg::session& mine) {
    read_defaults(mine, shelf_.book());
    answer();
  });
  if (!taken) answer();
}

void node_reads::from_database(wire::read_request what, std::function<void(wire::read_reply)> done) {
  auto work = [what = std::move(what)](pg::session::door& door) {
    auto answer = pg::run_read(door.connection, {what.path, what.query, what.if_none_match, limits_of(what)});
    wire::read_reply out;
    out.status = answer.status;
    out.etag = std::move(answer.etag);
    out.body = std::move(answer.body);
    if (out.status >= 400) out.content_type = "application/problem+json";
    return out;
  };
  reply_from(pool_, std::move(work), std::move(done));
}

void node_reads::head(const uuid& fixture, std::function<void(std::optional<std::int64_t>)> done) {
  auto shared = std::make_shared<std::function<void(std::optional<std::int64_t>)>>(std::move(done));
  bool taken = pool_.submit([fixture, shared](pg::session& mine) {
    std::int64_t seq = 0;
    auto error = mine.run([&](pg::session::door& door) {
      auto rows = door.run(pg::statements::fixture_seq, to_string(fixture));
      seq = rows.empty() ? 0 : rows[0][0].as<std::int64_t>();
    });
    (*shared)(error ? std::nullopt : std::optional(seq));
  });
  if (!taken) (*shared)(std::nullopt);
}

// Ready means: the database takes writes, and there is a sport to score. The write is a real one, up to its COMMIT: a
// full disk, a read-only or demoted server refuses it.
void node_reads::readyz(bool verbose, std::function<void(wire::read_reply)> done) {
  check_write([this, verbose, done = std::move(done)](const std::optional<pg::db_error>& found) {
    if (!found) return done(problem(503, "The read pool is full."));
    const auto& error = *found;
    auto sports = shelf_.now()->releases.size();
    bool ready = !error && sports > 0;
    auto why = error.state == "25006" ? "The database is read-only, or was demoted."
                                      : std::string(pg::sentence_of(error.fault));
    wire::read_reply out;
    out.status = ready ? 200 : 503;
    out.body = fmt::format(
        R"({{"ready":{},"parts":{{"database":{{"ok":{},"reason":{}}},"sports":{{"ok":{},"releases":{},"reason":{}}}}}{}}})",
        ready, !error, error ? json::quoted(why) : "null", sports > 0, sports,
        sports > 0 ? "null" : "\"No sport release is installed.\"", verbose ? ",\"health\":" + health_json(false) : "");
    done(std::move(out));
  });
}

// One at a time, however many ask: probes are not counted against their address's limit. nullopt: no thread was free.
void node_reads::check_write(std::function<void(const std::optional<pg::db_error>&)> told) {
  {
    std::lock_guard lock(guard_);
    probes_.push_back(std::move(told));
    if (probes_.size() > 1) return;
  }
  bool taken = pool_.submit([this](pg::session& mine) {
    auto error = mine.run([](pg::session::door& door) { door.run(pg::statements::write_check); });
    for (auto& probe : take_probes()) probe(error);
  });
  if (!taken)
    for (auto& probe : take_probes()) probe(std::nullopt);
}

std::vector<std::function<void(const std::optional<pg::db_error>&)>> node_reads::take_probes() {
  std::lock_guard lock(guard_);
  return std::exchange(probes_, {});
}

// Every part as the node's watch saw it last. It tells; what makes a node unready is said above. Reasons name sessions
// and databases: they are for operators (GET /ops/health), not for everybody who may ask whether a node is ready.
std::string node_reads::health_json(bool reasons) const {
  std::string items;
  auto parts = care_.health();
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const auto& part : parts)
    items += fmt::format(R"({}{{"part":{},"state":{},"since":"{}","reason":{}}})", items.empty() ? "" : ",",
                         json::quoted(part.name), json::quoted(part.state), rfc3339_utc_ms(part.since),
                         !reasons || part.reason.empty() ? "null" : json::quoted(part.reason));
  return "[" + items + "]";
}

} // namespace omnium::apps
