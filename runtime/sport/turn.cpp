#include "runtime/sport/turn.hpp"

#include "runtime/core/limits.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace omnium::sport {
namespace {

using reply_kind = road::run_reply::kind;

std::chrono::microseconds since(turn::clock::time_point then, turn::clock::time_point now) {
  return std::chrono::duration_cast<std::chrono::microseconds>(now - then);
}

} // namespace

turn::turn(std::shared_ptr<const road::run_request> request, std::chrono::milliseconds ball_wall_clock)
    : request_(std::move(request)), ball_wall_clock_(ball_wall_clock) {
  reply_.verdicts.reserve(decide() ? request_->events.size() : 0);
}

void turn::begin(clock::time_point now) { began_ = now; }

// Whatever the worker says of its balls, the whole run ends: after a ball's time for each event (decide), or after the
// budget of a replay, which is no ball.
turn::clock::duration turn::budget() const {
  const auto count = static_cast<int>(request_->events.size());
  const auto longest =
      decide() ? ball_wall_clock_ * (count + 1) : ball_wall_clock_ + limits::replay_event_wall_clock * count;
  return longest + limits::worker_sign_of_life;
}

void turn::come_to_front(clock::time_point now) {
  last_deadline_ = now + budget();
  deadline_ = decide() ? now + ball_wall_clock_ + limits::worker_sign_of_life : last_deadline_;
}

std::string turn::lateness() const {
  if (decide())
    return fmt::format("The sport took longer than {} ms for one event; its process was killed.",
                       ball_wall_clock_.count());
  return fmt::format("The sport took longer than {} ms to fold {} events; its process was killed.",
                     std::chrono::duration_cast<std::chrono::milliseconds>(last_deadline_ - began_).count(),
                     request_->events.size());
}

void turn::set_deadline(clock::time_point ball_began) {
  if (decide()) deadline_ = std::min(ball_began + ball_wall_clock_, last_deadline_);
}

turn::heard turn::take(reply_frame frame, clock::time_point now) {
  using kind = reply_frame::kind;
  switch (frame.what) {
  case kind::playing:
    if (frame.index >= std::max<std::size_t>(request_->events.size(), 1)) return heard::fault;
    playing_ = frame.index;
    set_deadline(now - std::min<clock::duration>(std::chrono::microseconds{frame.us}, now - began_));
    return std::chrono::microseconds{frame.us} < limits::worker_slow_ball ? heard::more : heard::slow;
  case kind::accepted:
  case kind::refused:
    return take_verdict(frame, now);
  case kind::done:
    reply_.worked = std::min(std::chrono::microseconds{frame.us}, since(began_, now));
    return take_done(frame);
  case kind::event_error:
    playing_ = frame.index;
    fail(decide() ? reply_kind::broken : reply_kind::cannot_fold, "The sport failed: " + frame.text, now);
    return heard::error;
  case kind::open_error:
    fail(reply_kind::cannot_fold, "The sport cannot be opened: " + frame.text, now);
    reply_.open_error = std::move(frame.text);
    return heard::over; // it opened nothing: the process is as it was
  default:
    return heard::fault;
  }
}

turn::heard turn::take_verdict(reply_frame& frame, clock::time_point now) {
  const auto& before = reply_.verdicts;
  const bool accepted = frame.what == reply_frame::kind::accepted;
  if (frame.index >= request_->events.size()) return heard::fault;
  if (decide() ? frame.index != before.size() : !before.empty() && frame.index <= before.back().index)
    return heard::fault;
  if (!decide() && accepted && (frame.voids.empty() || !request_->events[frame.index].fresh)) return heard::fault;
  road::event_verdict made;
  made.index = frame.index;
  made.accepted = accepted;
  made.why = std::move(frame.why);
  made.voids = std::move(frame.voids);
  made.scoreboard = std::move(frame.scoreboard);
  reply_.verdicts.push_back(std::move(made));
  playing_ = std::min(frame.index + 1, request_->events.size() - 1);
  set_deadline(now);
  return heard::more;
}

turn::heard turn::take_done(reply_frame& frame) {
  const auto count = request_->events.size();
  const bool stopped = decide() && !reply_.verdicts.empty() && !reply_.verdicts.back().voids.empty();
  if (decide() ? frame.index != reply_.verdicts.size() || (frame.index != count && !stopped) : frame.index != count)
    return heard::fault;
  reply_.index = frame.index;
  reply_.state = std::move(frame.state);
  reply_.scoreboard = std::move(frame.scoreboard);
  return heard::over;
}

void turn::fail(reply_kind what, std::string error, clock::time_point now) {
  reply_.what = what;
  reply_.index = playing_;
  reply_.error = std::move(error);
  reply_.state.clear();
  reply_.scoreboard.clear();
  if (began_ != clock::time_point{}) reply_.worked = since(began_, now);
}

} // namespace omnium::sport
