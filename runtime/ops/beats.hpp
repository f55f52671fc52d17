#pragma once
// Beats: every loop of this process shows that it turns, that it gets work done, and how much waits. Plain atomics, so
// that a beat costs nothing and a stuck loop cannot hold up who looks. Any thread. Source: decisions A, N (beats
// without progress raise worker-stuck).
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace omnium::ops {

namespace detail {
struct part_of_board;
}

// A loop's end. A default-made one does nothing.
class beat {
public:
  void turn() const;                        // the loop is alive
  void progress(std::uint64_t n = 1) const; // work done; also a turn
  void waiting(std::uint64_t n) const;      // work that waits for this loop now, what it is at included
  void trouble(const char* sentence) const; // it says itself what is wrong (a literal); nullptr: nothing
  void silent_after(std::chrono::milliseconds limit) const; // instead of what the board was told

private:
  friend class beat_board;
  std::shared_ptr<detail::part_of_board> part_;
};

enum class beat_state : std::uint8_t {
  ok,
  silent, // a loop that turns by itself has not turned for too long
  stuck,  // work waits and none gets done, whether it turns or not
  trouble // it says so itself
};
std::string_view to_string(beat_state what);

struct beat_view {
  std::string part;
  beat_state state = beat_state::ok;
  std::string reason;                                // empty: ok
  std::chrono::system_clock::time_point since, last; // of the state; of the last turn
  std::uint64_t beats = 0, progress = 0, waiting = 0;
};

class beat_board {
public:
  using clock = std::chrono::steady_clock;
  enum class kind : std::uint8_t {
    turning, // turns by itself at least every `limit`
    working  // turns when there is work; with work waiting it gets some done every `limit`
  };
  // A part's end; the same name again gives the same part. Parts are kept until forget().
  beat add(const std::string& part, kind what, std::chrono::milliseconds limit);
  void forget(const std::string& part);
  // Judges all parts; in the order they were added. Remembers since when each is as it is.
  std::vector<beat_view> look(clock::time_point now = clock::now());

private:
  std::mutex guard_;
  std::vector<std::shared_ptr<detail::part_of_board>> parts_;
};

} // namespace omnium::ops
