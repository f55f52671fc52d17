#include "runtime/postgres/session.hpp"

#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

namespace omnium::pg {
namespace {

using namespace std::chrono_literals;
constexpr auto reconnect_pause = 200ms;
constexpr auto silence_after_limit = 2s; // what a server that ended a statement may take to say so

std::string quoted_value(std::string_view value) {
  std::string out = "'";
  for (char c : value) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

} // namespace

target with_limits(const std::string& url, const pool_limits& limits, const std::string& role) {
  std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parts(PQconninfoParse(url.c_str(), nullptr),
                                                                     &PQconninfoFree);
  if (!parts) return {url};
  std::string out, options;
  for (auto* part = parts.get(); part->keyword != nullptr; ++part) {
    if (part->val == nullptr) continue;
    if (std::string_view(part->keyword) == "options") options = std::string(part->val) + " ";
    else if (std::string_view(part->keyword) != "application_name")
      out += fmt::format("{}={} ", part->keyword, quoted_value(part->val));
  }
  // Every statement finds its rows by an index. A plan made while a table was still small would scan the whole of it,
  // and a kept plan would go on doing so while the table grows, until somebody analyses it (measured:
  // docs/performance.md).
  options += fmt::format("-c lock_timeout={} -c statement_timeout={} -c idle_in_transaction_session_timeout={} -c "
                         "jit=off -c enable_seqscan=off",
                         limits.lock.count(), limits.statement.count(), limits.idle_in_transaction.count());
  if (limits.generic_plans) options += " -c plan_cache_mode=force_generic_plan";
  if (!limits.commits_wait) options += " -c synchronous_commit=off";
  if (!role.empty()) options += " -c role=" + role;
  if (out.find("connect_timeout=") == std::string::npos) out += "connect_timeout=3 ";
  out += fmt::format("application_name={} options={}", quoted_value(limits.name), quoted_value(options));
  return {std::move(out), limits.statement + silence_after_limit};
}

session::session(target where) : where_(std::move(where)), line_(call_watch::open_line()) {}
session::~session() { drop(); }

db_error session::connect() {
  auto now = std::chrono::steady_clock::now();
  if (now < not_before_) return {db_fault::unavailable, false, false, "08001", "the database is away"};
  try {
    door_ = std::make_unique<door>(where_.url);
    line_->watch(door_->connection.sock());
    return {};
  } catch (...) {
    drop();
    not_before_ = std::chrono::steady_clock::now() + reconnect_pause;
    auto why = current_db_error();
    why.fault = db_fault::unavailable;
    why.outcome_unknown = false; // nothing was sent
    return why;
  }
}

void session::drop() {
  door_.reset();
  line_->leave();
}

// Ended while nobody used it: a backend that was terminated, a server that restarted. Seen before anything is sent, it
// costs its caller nothing.
bool session::ended_idle() const {
  pollfd line{door_->connection.sock(), POLLRDHUP, 0};
  return ::poll(&line, 1, 0) > 0 && (line.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

db_error session::run(const std::function<void(door&)>& work) {
  if (door_ && ended_idle()) drop();
  if (!door_)
    if (auto why = connect()) return why;
  if (where_.call_wall_clock.count() > 0) line_->arm(where_.call_wall_clock);
  try {
    work(*door_);
    line_->disarm();
    return {};
  } catch (...) {
    line_->disarm();
    auto why = current_db_error();
    if (why.drop_connection || why.outcome_unknown) drop();
    return why;
  }
}

} // namespace omnium::pg
