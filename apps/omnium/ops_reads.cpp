#include "apps/omnium/ops_reads.hpp"

#include "apps/omnium/replies.hpp"
#include "runtime/core/json.hpp"
#include "runtime/postgres/session_door.hpp"

#include <caf/send.hpp>

#include <fmt/format.h>
#include <memory>

namespace omnium::apps {
namespace {

constexpr const char* failures = R"(
  SELECT coalesce(json_agg(f ORDER BY f.last_at DESC), '[]') FROM (
    SELECT command_id AS key, attempts, last_error, to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_at
      FROM command_failure ORDER BY last_at DESC LIMIT 100) f)";

// Head, stored scoreboard and the whole log as one statement sees them.
const pg::statements::statement stored{"verify_stored", "SELECT last_seq, (SELECT text FROM fixture_scoreboard s WHERE "
                                                        "s.fixture_id = f.id) FROM fixture f WHERE id = $1::uuid"};

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

constexpr const char* damaged = "The stored scoreboard is not what the log folds to.";
enum class comparison : std::uint8_t { same, differs, does_not_fold };

comparison compare(const road::loaded_subject& log, const std::string& shown, const road::run_reply& folded) {
  if (folded.what != road::run_reply::kind::ok) return comparison::does_not_fold;
  bool nothing_yet = log.log.empty() && shown.empty();
  return folded.scoreboard == shown || nothing_yet ? comparison::same : comparison::differs;
}

wire::read_reply verdict(const road::loaded_subject& log, const std::string& shown, const road::run_reply& folded,
                         comparison found) {
  return ok(fmt::format(
      R"({{"fixture":"{}","seq":{},"release":{},"ok":{},"reason":{},"stored":{},"folded":{}}})",
      to_string(log.subject.ref), log.last_seq, json::quoted(log.sport + "@" + log.release), found == comparison::same,
      found == comparison::same      ? "null"
      : found == comparison::differs ? json::quoted(damaged)
                                     : json::quoted(folded.error),
      shown.empty() ? "null" : shown, found == comparison::does_not_fold ? "null" : folded.scoreboard));
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
      pool_, [this](pg::session::door& door) { return list_of(door.run(releases_of, on_disk(catalogue_))); },
      std::move(done));
}

// The stored scoreboard beside a fold of the whole corrected log from nothing (S5), in a sport worker: load the log,
// read what is stored, fold, compare.
void ops_reads::verify(const uuid& fixture, reply_fn done) {
  bool taken = store_.load({subject_kind::fixture, fixture}, road::load_depth::whole_log,
                           [this, done](std::optional<road::loaded_subject> log, const reason& why) {
                             if (!log) return done(problem(503, why.message));
                             if (!log->found) return done(problem(404, "There is no such match."));
                             read_stored(std::make_shared<road::loaded_subject>(std::move(*log)), done);
                           });
  if (!taken) done(problem(503, "Too many matches are being loaded; ask again a little later."));
}

void ops_reads::read_stored(std::shared_ptr<const road::loaded_subject> log, reply_fn done) {
  bool taken = pool_.submit([this, log, done](pg::session& mine) {
    std::string shown;
    std::int64_t seq = 0;
    auto error = mine.run([&](pg::session::door& door) {
      auto row = door.run(stored, to_string(log->subject.ref))[0];
      seq = row[0].as<std::int64_t>();
      if (!row[1].is_null()) shown = row[1].c_str();
    });
    if (error) done(unavailable());
    else if (seq != log->last_seq) done(problem(503, "The match moved on meanwhile; ask again."));
    else fold_and_compare(log, std::move(shown), done);
  });
  if (!taken) done(problem(503, "Too many reads wait; ask again a little later."));
}

void ops_reads::fold_and_compare(std::shared_ptr<const road::loaded_subject> log, std::string shown, reply_fn done) {
  auto request = std::make_shared<road::run_request>();
  request->mode = road::run_mode::replay;
  request->settings = log->settings;
  request->events = road::corrected_log(log->log);
  auto job = std::make_shared<actors::run_job>();
  job->sport = log->sport;
  job->release = log->release;
  job->request = std::move(request);
  job->done = [log, shown = std::move(shown), done = std::move(done), raise = raise_](road::run_reply folded) {
    auto found = compare(*log, shown, folded);
    if (found == comparison::differs && raise)
      raise("scoreboard-damaged", "fixture/" + to_string(log->subject.ref), damaged);
    done(verdict(*log, shown, folded, found));
  };
  caf::anon_send(sports_, actors::run_atom_v, std::move(job));
}

} // namespace omnium::apps
