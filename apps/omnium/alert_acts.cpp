#include "apps/omnium/alert_acts.hpp"

#include "apps/omnium/replies.hpp"
#include "runtime/access/access.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>
#include <memory>

namespace omnium::apps {
namespace {

using pg::statements::statement;

constexpr std::size_t name_chars_max = 200;

// Open ones first, then the newest closed; how long ago the service worked, for the red banner of a screen.
const statement list{"alerts_list", R"(
  SELECT coalesce((SELECT json_agg(ops.alert_json(a.*) ORDER BY a.state = 'closed', a.id DESC)
                     FROM (SELECT * FROM alert WHERE state = 'open'
                           UNION ALL (SELECT * FROM alert WHERE state = 'closed' ORDER BY closed_at DESC LIMIT 50)) a), '[]')::text,
         coalesce((SELECT json_agg(s ORDER BY s.until) FROM alert_silence s WHERE s.until > now()), '[]')::text,
         (SELECT extract(epoch FROM clock_timestamp() - moved_at)::bigint FROM outbox_cursor WHERE name = 'alerts'))"};
const statement ack{"alerts_ack", "SELECT ops.acknowledge($1::bigint, $2)"};
const statement known_rule{"alerts_rule", "SELECT EXISTS (SELECT FROM alert_rule WHERE name = $1)"};
const statement hush{"alerts_silence", "SELECT ops.silence($1, $2, $3::int, $4)"};

// As the sender of a command: the token's name, or the one that was given where the token may name another. Where
// nobody signs in, the name that was given.
std::string who_of(const wire::action_request& what) {
  auto named = json::string_member(what.body, "who").value_or("");
  if (named.empty()) return what.who ? what.who->name : "operator";
  return (what.who ? access::sender_of(*what.who, named) : named).substr(0, name_chars_max);
}

} // namespace

void alert_acts::read(wire::read_request what, reply_fn done) {
  if (what.path != "/ops/alerts") return behind_.read(std::move(what), std::move(done));
  reply_from(
      pool_,
      [](pg::session::door& door) {
        auto row = door.run(list)[0];
        return ok(fmt::format(R"({{"items":{},"silences":{},"service_age_s":{},"next":null}})", row[0].c_str(),
                              row[1].c_str(), row[2].is_null() ? "null" : row[2].c_str()));
      },
      std::move(done));
}

void alert_acts::act(wire::action_request what, reply_fn done) {
  if (what.path == "/ops/alerts/ack") acknowledge(what, std::move(done));
  else if (what.path == "/ops/alerts/silence") silence(what, std::move(done));
  else behind_.act(std::move(what), std::move(done));
}

void alert_acts::acknowledge(const wire::action_request& what, reply_fn done) {
  const auto& body = what.body;
  auto id = json::integer_member(body, "id");
  if (!id) return done(problem(400, R"(The body must be {"id": number of an open alert, "who"?: "…"}.)"));
  reply_from(
      pool_,
      [id = *id, who = who_of(what)](pg::session::door& door) {
        if (!door.run(ack, id, who)[0][0].as<bool>())
          return problem(404, fmt::format("There is no open alert {}.", id));
        return ok(fmt::format(R"({{"id":{},"acknowledged_by":{}}})", id, json::quoted(who)));
      },
      std::move(done));
}

void alert_acts::silence(const wire::action_request& what, reply_fn done) {
  const auto& body = what.body;
  auto rule = json::string_member(body, "rule");
  auto key = json::string_member(body, "key").value_or("*");
  auto minutes = json::integer_member(body, "minutes");
  if (!rule || rule->empty() || rule->size() > name_chars_max || key.size() > name_chars_max || !minutes ||
      *minutes < 0 || *minutes > limits::silence_minutes_max)
    return done(problem(400, R"(The body must be {"rule": "…", "key"?: "…", "minutes": 0 to 10080, "who"?: "…"}.)"));
  reply_from(
      pool_,
      [=, who = who_of(what)](pg::session::door& door) {
        if (!door.run(known_rule, *rule)[0][0].as<bool>())
          return problem(404, fmt::format("There is no rule \"{}\".", *rule));
        door.run(hush, *rule, key, *minutes, who);
        return ok(fmt::format(R"({{"rule":{},"key":{},"minutes":{},"who":{}}})", json::quoted(*rule), json::quoted(key),
                              *minutes, json::quoted(who)));
      },
      std::move(done));
}

} // namespace omnium::apps
