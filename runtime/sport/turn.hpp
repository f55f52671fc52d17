#pragma once
// One run in a worker's hands: what was sent, what came back, and until when. Pure of descriptors; the worker's thread
// feeds it frames and asks for the deadline.
#include "runtime/road/fold.hpp"
#include "runtime/sport/frames.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace omnium::sport {

class turn {
public:
  using clock = std::chrono::steady_clock;
  using done_fn = std::function<void(road::run_reply)>;

  turn(std::shared_ptr<const road::run_request> request, done_fn done, std::string release,
       std::chrono::milliseconds ball_wall_clock);

  const std::string& bytes() const { return bytes_; } // the request frame
  bool fits() const;                                  // into a frame

  void begin(clock::time_point now); // the request goes out
  clock::time_point deadline() const { return deadline_; }
  std::string lateness() const; // the sentence for a run killed at its deadline

  // Takes one frame. `more`: the run goes on; `over`: reply() is complete, `error` among them when the process must not
  // be used again; `fault`: the frame does not belong here.
  enum class heard { more, over, error, fault };
  heard take(reply_frame frame, clock::time_point now);

  // Ends the run for another reason. `what` killed, broken or unavailable.
  void fail(road::run_reply::kind what, std::string error, clock::time_point now);

  std::size_t balls() const { return decide() ? reply_.verdicts.size() : 0; }
  void answer() { done_(std::move(reply_)); } // once

private:
  bool decide() const { return request_->mode == road::run_mode::decide; }
  heard take_verdict(reply_frame& frame, clock::time_point now);
  heard take_done(reply_frame& frame);
  void set_deadline(clock::time_point ball_began);

  std::shared_ptr<const road::run_request> request_;
  done_fn done_;
  std::string release_, bytes_;
  std::chrono::milliseconds ball_wall_clock_;
  road::run_reply reply_;
  clock::time_point began_{}, deadline_ = clock::time_point::max(), last_deadline_{};
  std::size_t playing_ = 0; // the event it is in, as far as is known
};

} // namespace omnium::sport
