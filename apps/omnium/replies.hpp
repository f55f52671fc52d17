#pragma once
// Replies of the node's own reads and acts, and the one way to ask the database for one. Any thread.
#include "runtime/postgres/executor.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace omnium::apps {

using reply_fn = std::function<void(wire::read_reply)>;

wire::read_reply ok(std::string body);                         // 200, JSON
wire::read_reply problem(int status, std::string_view detail); // RFC 9457, as the wire's own
wire::read_reply unavailable();                                // 503: the database is away

// Runs `work` on a thread of the pool and hands its reply on. A pool that is full, or a database that is away, is 503;
// `refused` may make something better of an error (a reply of status 0 is none).
using database_work = std::function<wire::read_reply(pg::session::door&)>;
using database_error = std::function<wire::read_reply(const pg::db_error&)>;
void reply_from(pg::executor& pool, database_work work, reply_fn done, database_error refused = {});

} // namespace omnium::apps
