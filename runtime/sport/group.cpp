#include "runtime/sport/group.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/sport/frames.hpp"

#include <utility>

namespace omnium::sport {

using reply_kind = road::run_reply::kind;

group::group(std::vector<std::shared_ptr<const road::run_request>> requests,
             std::chrono::milliseconds ball_wall_clock) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto frame = encode_run(*requests[i]);
    turn made(std::move(requests[i]), ball_wall_clock);
    if (frame.size() - frame_head_bytes > limits::worker_frame_bytes_max) {
      made.fail(reply_kind::cannot_fold, "The run is larger than a worker's frame.", clock::now());
      heard_.push_back({i, made.take_reply()});
      continue;
    }
    bytes_ += frame;
    line_.push_back({i, std::move(made)});
  }
}

void group::begin(clock::time_point now) {
  for (auto& one : line_) one.what.begin(now);
  line_.front().what.come_to_front(now);
}

turn::heard group::take(reply_frame frame, clock::time_point now) {
  const auto said = line_.front().what.take(std::move(frame), now);
  if (said == turn::heard::slow) give_back(1);
  if (said != turn::heard::over && said != turn::heard::error) return said;
  answer_front();
  if (said == turn::heard::error) {
    give_back(0);
    line_.clear();
  }
  if (!line_.empty()) line_.front().what.come_to_front(now);
  return said;
}

void group::give_back(std::size_t from) {
  for (auto i = from; i < line_.size(); ++i)
    if (!std::exchange(line_[i].given_back, true)) heard_.push_back({line_[i].index, std::nullopt});
}

void group::answer_front() {
  auto& front = line_.front();
  balls_ += front.what.balls();
  if (!front.given_back) heard_.push_back({front.index, front.what.take_reply()});
  line_.pop_front();
}

void group::fail(reply_kind what, std::string error, clock::time_point now) {
  line_.front().what.fail(what, std::move(error), now);
  answer_front();
  give_back(0);
  line_.clear();
}

void group::refuse(const std::string& error, clock::time_point now) {
  while (!line_.empty()) {
    line_.front().what.fail(reply_kind::unavailable, error, now);
    answer_front();
  }
}

} // namespace omnium::sport
