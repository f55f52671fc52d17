#include "apps/omnium/ops_reads.hpp"

#include "apps/omnium/replies.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/stored_match.hpp"

#include <caf/send.hpp>

#include <fmt/format.h>
#include <memory>

namespace omnium::apps {
namespace {

constexpr const char* failures = R"(
  SELECT coalesce(json_agg(f ORDER BY f.last_at DESC), '[]') FROM (
    SELECT command_id AS key, attempts, last_error, to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_at
      FROM command_failure ORDER BY last_at DESC LIMIT 100) f)";

// The packages on this disk ($1) beside the rows of plugin_release, with the defaults that name each: "everywhere", or
// a competition's id.
const pg::statements::statement releases_of{"ops_releases", R"(
  SELECT coalesce(json_agg(x ORDER BY x.sport, string_to_array(x.version, '.')), '[]') FROM (
    SELECT coalesce(d.sport, r.sport) AS sport, coalesce(d.version, r.version) AS version,
           CASE WHEN d.version IS NULL THEN 'not_on_disk' WHEN r.version IS NULL THEN 'unused'
                WHEN d.code_sha <> r.code_sha THEN 'hash_differs' ELSE 'ok' END AS state,
           r.approved_by, coalesce(d.commands, 0) AS commands, coalesce(d.code_sha, r.code_sha) AS code_sha,
           r.code_sha AS installed_sha,
           (SELECT coalesce(json_agg(coalesce(e.competition_id::text, 'everywhere') ORDER BY e.competition_id NULLS FIRST), '[]')
              FROM release_default e WHERE e.release_id = r.id) AS default_of
      FROM jsonb_to_recordset($1::jsonb) d(sport text, version text, code_sha text, commands int)
      FULL JOIN plugin_release r ON r.sport = d.sport AND r.version = d.version) x)"};

const pg::statements::statement faults_of{"release_faults", R"(
  SELECT r.sport, r.version, d.version IS NULL
    FROM plugin_release r LEFT JOIN jsonb_to_recordset($1::jsonb) d(sport text, version text, code_sha text, commands int)
      ON d.sport = r.sport AND d.version = r.version
   WHERE d.code_sha IS DISTINCT FROM r.code_sha ORDER BY 1, 2)"};

std::string on_disk(const sport::catalogue& what) {
  std::string items;
  for (const auto& r : what.releases)
    items += fmt::format(R"({}{{"sport":{},"version":{},"code_sha":{},"commands":{}}})", items.empty() ? "" : ",",
                         json::quoted(r.sport), json::quoted(r.version), json::quoted(r.code_sha), r.commands.size());
  return "[" + items + "]";
}

wire::read_reply list_of(const pqxx::result& rows) {
  return ok(fmt::format(R"({{"items":{},"next":null}})", rows[0][0].c_str()));
}

wire::read_reply verdict(const road::match_check& what) {
  const auto& of = what.of();
  const auto& match = of.match;
  bool folds = what.fault().empty();
  auto why = folds ? what.damage() : what.fault();
  return ok(fmt::format(R"({{"fixture":"{}","seq":{},"release":{},"ok":{},"reason":{},"stored":{},"folded":{}}})",
                        to_string(match.subject.ref), match.last_seq, json::quoted(match.sport + "@" + match.release),
                        why.empty(), why.empty() ? "null" : json::quoted(why), of.scoreboard.value_or("null"),
                        folds ? what.folded() : "null"));
}

} // namespace

std::vector<std::string> release_faults(pg::session& mine, const sport::catalogue& catalogue) {
  std::vector<std::string> out;
  auto error = mine.run([&](pg::session::door& door) {
    for (const auto& row : door.run(faults_of, on_disk(catalogue)))
      out.push_back(fmt::format("release {} of {} {}: its matches do not start here", row[1].c_str(), row[0].c_str(),
                                row[2].as<bool>() ? "does not lie on this disk"
                                                  : "on this disk is not the installed one (its hash differs)"));
  });
  if (error) out.push_back("the releases could not be compared with the database's: " + error.detail);
  return out;
}

bool ops_reads::answer(const wire::read_request& what, const reply_fn& done) {
  constexpr std::string_view verify_path = "/ops/verify/";
  if (what.path == "/ops/locks") from_database("ops_locks", "SELECT ops.locks()", done);
  else if (what.path == "/ops/failures") from_database("ops_failures", failures, done);
  else if (what.path == "/ops/releases") releases(done);
  else if (what.path.starts_with(verify_path)) {
    auto id = parse_uuid(std::string_view(what.path).substr(verify_path.size()));
    if (id) verify(*id, done);
    else done(problem(404, "There is no such match."));
  } else return false;
  return true;
}

void ops_reads::from_database(const char* name, const char* sql, reply_fn done) {
  reply_from(
      pool_,
      [=](pg::session::door& door) {
        return list_of(door.run(pg::statements::statement{name, sql}));
      },
      std::move(done));
}

void ops_reads::releases(reply_fn done) {
  reply_from(
      pool_, [this](pg::session::door& door) { return list_of(door.run(releases_of, on_disk(*shelf_.now()))); },
      std::move(done));
}

// What is stored beside a fold of the whole corrected log from nothing (S5), in a sport worker. Nothing is rebuilt.
void ops_reads::verify(const uuid& fixture, reply_fn done) {
  bool taken = pool_.submit([this, fixture, done](pg::session& mine) {
    std::optional<road::stored_match> stored;
    auto error = mine.run([&](pg::session::door& door) { stored = pg::read_stored(door, fixture); });
    if (error) return done(unavailable());
    if (!stored) return done(problem(404, "There is no such match."));
    const auto& match = stored->match;
    const auto here = shelf_.find(match.sport, match.release);
    if (!here || here->code_sha != match.fold_hash)
      return done(problem(503, fmt::format("Release {} of {} is not on this node's disk as it was installed.",
                                           match.release, match.sport)));
    fold(std::make_shared<road::match_check>(std::move(*stored), limits::verify_chunk_events), done);
  });
  if (!taken) done(problem(503, "Too many reads wait; ask again a little later."));
}

void ops_reads::fold(std::shared_ptr<road::match_check> what, reply_fn done) {
  auto piece = what->next();
  if (piece == nullptr) {
    if (!what->damage().empty() && what->fault().empty() && raise_)
      raise_("scoreboard-damaged", "fixture/" + to_string(what->of().match.subject.ref),
             fmt::format("At version {}: {}.", what->of().match.last_seq, what->damage()));
    return done(verdict(*what));
  }
  auto job = std::make_shared<actors::run_job>();
  job->sport = what->of().match.sport;
  job->release = what->of().match.release;
  job->request = std::move(piece);
  job->done = [this, what, done = std::move(done)](road::run_reply reply) {
    what->take(std::move(reply));
    fold(what, done);
  };
  caf::anon_send(sports_, actors::run_atom_v, std::move(job));
}

} // namespace omnium::apps
