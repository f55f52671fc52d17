#include "apps/omnium/lock_acts.hpp"

#include "runtime/core/json.hpp"
#include "runtime/ops/log.hpp"

#include <fmt/format.h>
#include <limits>

namespace omnium::apps {
namespace {

const pg::statements::statement end_session{"end_session", "SELECT outcome, session FROM ops.end_session($1::int)"};

// The log keeps every try that reached a session, also one without success.
wire::read_reply told(std::int64_t pid, const std::string& by, const std::string& outcome, const std::string& session) {
  if (outcome == "not_blocking") return problem(404, fmt::format("Nobody waits for session {} now.", pid));
  ops::log_warn(fmt::format("database session {} ({}): {}, asked for by {}", pid, session, outcome, by));
  if (outcome == "ended")
    return ok(fmt::format(R"({{"pid":{},"ended":true,"session":{}}})", pid, json::quoted(session)));
  if (outcome == "not_permitted")
    return problem(409,
                   fmt::format("The database does not let this node end session {} ({}): its owner is no superuser "
                               "and no member of that user's role.",
                               pid, session));
  return problem(503, fmt::format("Session {} was told to end and is still there ({}); ask again.", pid, session));
}

} // namespace

bool lock_acts::act(const wire::action_request& what, const reply_fn& done) {
  if (what.path != "/ops/locks/end") return false;
  auto pid = json::integer_member(what.body, "pid");
  if (!pid || *pid < 1 || *pid > std::numeric_limits<std::int32_t>::max()) {
    done(problem(400, R"(The body must be {"pid": number of the session that others wait for}.)"));
    return true;
  }
  auto by = what.who ? "token " + what.who->prefix : std::string("nobody who signed in");
  reply_from(
      pool_,
      [pid = *pid, by](pg::session::door& door) {
        auto row = door.run(end_session, pid)[0];
        return told(pid, by, row[0].c_str(), row[1].is_null() ? "" : row[1].c_str());
      },
      done);
  return true;
}

} // namespace omnium::apps
