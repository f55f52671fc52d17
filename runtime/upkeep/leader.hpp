#pragma once
// One of several nodes does the work: the one whose session holds an advisory lock. The lock ends with the session,
// so a node that dies, or whose connection breaks, is followed by another at its next try; and whoever works on this
// session works under the lock by construction. Owned by the thread of the session.
#include "runtime/postgres/session.hpp"

#include <cstdint>

namespace omnium::upkeep {

class leader {
public:
  explicit leader(std::int64_t lock) : lock_(lock) {}
  // Call at the start of each piece of work, inside session::run. True: this session holds the lock. A session that was
  // made anew starts without it, and tries.
  bool holds(pg::session::door& door);
  bool held() const { return held_; } // as of the last call

private:
  std::int64_t lock_;
  bool held_ = false;
};

// Numbers of the advisory locks: "omnium" and a letter.
inline constexpr std::int64_t janitor_lock = 0x6f6d6e69756d6a;
inline constexpr std::int64_t alerts_lock = 0x6f6d6e69756d61;
inline constexpr std::int64_t verifier_lock = 0x6f6d6e69756d76;

} // namespace omnium::upkeep
