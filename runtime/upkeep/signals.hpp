#pragma once
// Raising: what any part of this node noticed is kept in memory for a moment, merged by rule and key, and inserted into
// alert_signal by a thread and a connection of its own. Whoever raises waits for nothing but a mutex held for a
// look-up; inserting waits for no lock of anybody. While the database is away signals wait here, and grow only in
// number. Source: seed phase 2 (8 senders raise one key at once: one alert with count 8, nobody waits).
#include "runtime/postgres/session.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace omnium::upkeep {

inline const pg::pool_limits upkeep_limits{"omnium-upkeep", std::chrono::milliseconds(2000),
                                           std::chrono::milliseconds(5000), std::chrono::milliseconds(5000)};

class signals {
public:
  signals(pg::target where, std::string node);
  ~signals(); // writes what waits, if the database is there
  signals(const signals&) = delete;
  signals& operator=(const signals&) = delete;

  void raise(const std::string& rule, const std::string& key, const std::string& detail); // any thread
  std::size_t waiting() const;
  std::uint64_t lost() const; // beyond limits::signals_waiting_max

private:
  struct noticed {
    std::int64_t count = 0;
    std::string detail; // of the newest
  };
  using pile = std::map<std::pair<std::string, std::string>, noticed>;
  void loop();
  bool write(pg::session& mine, const pile& what) const;
  void add(pile& to, const std::pair<std::string, std::string>& about, noticed what);

  pg::target where_;
  std::string node_;
  mutable std::mutex guard_;
  std::condition_variable wake_;
  pile pile_;
  std::uint64_t lost_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace omnium::upkeep
