#pragma once
// One connection with its limits, owned by one thread; made anew after it broke. Limits are start-up options of the
// connection (L16): no SET on the road.
#include "runtime/postgres/call_watch.hpp"
#include "runtime/postgres/sqlstate.hpp"
#include "runtime/postgres/statements.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

namespace omnium::pg {

struct pool_limits {
  std::string name;                                               // application_name, and for metrics
  std::chrono::milliseconds lock, statement, idle_in_transaction; // 0: none
  // Plans once for all parameters: the road's statements find rows by key alone, and planning costs as much as running.
  bool generic_plans = false;
  bool commits_wait = true; // for the disk. False only where what was lost in a crash is done again (janitor.hpp).
};
inline const pool_limits command_limits{"omnium-command", std::chrono::milliseconds(2000),
                                        std::chrono::milliseconds(5000), std::chrono::milliseconds(5000), true};
// What a command waits for beside its own call: its match read, its key looked for. As long as a command's statement,
// and no longer; the lock limit outlasts the call whose outcome is looked for.
inline const pool_limits load_limits{"omnium-load", std::chrono::milliseconds(5000), std::chrono::milliseconds(5000),
                                     std::chrono::milliseconds(5000), true};
inline const pool_limits read_limits{"omnium-read", std::chrono::milliseconds(0), std::chrono::milliseconds(5000),
                                     std::chrono::milliseconds(5000)};

// Where a pool connects, and how long one call may take at the very most (0: no bound). The statement limit ends a call
// that the server works on; the wall clock one whose server, or the way to it, is silent.
struct target {
  std::string url;
  std::chrono::milliseconds call_wall_clock{0};
};

// `url` in either libpq form, with the limits (and the role, when not empty) added as start-up options.
// A url that cannot be parsed comes back as it is; connecting then says why.
target with_limits(const std::string& url, const pool_limits& limits, const std::string& role);

class session {
public:
  explicit session(target where);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  struct door; // the libpqxx side; session_door.hpp
  // Runs `work` with a standing connection. After an error that spoils it the connection is dropped; the next call
  // makes a new one, at most every `reconnect_pause`, so that a caller never waits for a database that is away.
  db_error run(const std::function<void(door&)>& work);

private:
  db_error connect();
  bool ended_idle() const;
  void drop();
  target where_;
  std::shared_ptr<call_watch::line> line_;
  std::unique_ptr<door> door_;
  std::chrono::steady_clock::time_point not_before_{};
};

} // namespace omnium::pg
