#pragma once
// The runs in a worker's hands: sent together, played one after the other, answered as they are heard. Pure of
// descriptors; the worker's thread feeds it frames and asks for the deadline.
//
// A group is several matches' balls in one trip: a busy node hands processes around less often. Nobody waits for
// another's slow ball: once the ball in front takes long (limits::worker_slow_ball), the runs behind it are given back,
// to be played by another worker; what this one still says of them is heard and thrown away. Rules change nothing but
// what they return, so that a run may be played twice.
#include "runtime/sport/turn.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omnium::sport {

struct heard_run {
  std::size_t index = 0;                // into the requests of the group
  std::optional<road::run_reply> reply; // nullopt: given back, not begun
};

class group {
public:
  using clock = turn::clock;

  group() = default; // an empty one
  // A request larger than a frame is answered cannot_fold and not sent.
  group(std::vector<std::shared_ptr<const road::run_request>> requests, std::chrono::milliseconds ball_wall_clock);

  const std::string& bytes() const { return bytes_; } // the frames to be sent
  bool over() const { return line_.empty(); }         // nothing of it is in the process

  void begin(clock::time_point now); // the frames go out
  clock::time_point deadline() const { return line_.front().what.deadline(); }
  std::string lateness() const { return line_.front().what.lateness(); }

  // A frame of the run in front; `over`: the next one is in front.
  turn::heard take(reply_frame frame, clock::time_point now);
  // The process is gone, while it played the run in front: that is its end, and the others are given back.
  void fail(road::run_reply::kind what, std::string error, clock::time_point now);
  // There is no process and will be none: all that wait are answered so.
  void refuse(const std::string& error, clock::time_point now);

  // What is to be told, each run once.
  std::vector<heard_run> heard() { return std::exchange(heard_, {}); }
  std::size_t balls() const { return balls_; } // played so far

private:
  struct place {
    std::size_t index;
    turn what;
    bool given_back = false;
  };
  void give_back(std::size_t from);
  void answer_front();

  std::deque<place> line_;
  std::string bytes_;
  std::vector<heard_run> heard_;
  std::size_t balls_ = 0;
};

} // namespace omnium::sport
