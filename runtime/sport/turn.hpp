#pragma once
// One run in a worker's hands: what was sent, what came back, and until when. Pure of descriptors; the worker's thread
// feeds it frames and asks for the deadline.
#include "runtime/road/fold.hpp"
#include "runtime/sport/frames.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace omnium::sport {

class turn {
public:
  using clock = std::chrono::steady_clock;

  turn(std::shared_ptr<const road::run_request> request, std::chrono::milliseconds ball_wall_clock);

  void begin(clock::time_point now);         // the request goes out
  void come_to_front(clock::time_point now); // nothing is before it any more: its time runs
  clock::time_point deadline() const { return deadline_; }
  std::string lateness() const; // the sentence for a run killed at its deadline

  // Takes one frame. `more`: the run goes on; `slow`: so it does, with a ball that makes others wait; `over`: the reply
  // is complete; `error`: it is, and the process must not be used again; `fault`: the frame does not belong here.
  enum class heard { more, slow, over, error, fault };
  heard take(reply_frame frame, clock::time_point now);

  // Ends the run for another reason. `what` killed, broken or unavailable.
  void fail(road::run_reply::kind what, std::string error, clock::time_point now);

  std::size_t balls() const { return decide() ? reply_.verdicts.size() : 0; }
  road::run_reply take_reply() { return std::move(reply_); } // once

private:
  bool decide() const { return request_->mode == road::run_mode::decide; }
  heard take_verdict(reply_frame& frame, clock::time_point now);
  heard take_done(reply_frame& frame);
  void set_deadline(clock::time_point ball_began);
  clock::duration budget() const;

  std::shared_ptr<const road::run_request> request_;
  std::chrono::milliseconds ball_wall_clock_;
  road::run_reply reply_;
  clock::time_point began_{}, deadline_ = clock::time_point::max(), last_deadline_{};
  std::size_t playing_ = 0; // the event it is in, as far as is known
};

} // namespace omnium::sport
