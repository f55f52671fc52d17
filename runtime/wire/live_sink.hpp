#pragma once
// Inside runtime/wire only: a live socket's end that the hub holds. It may outlive the socket, and die on any thread.
#include "runtime/wire/wire_core.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace omnium::wire {

// What a sink needs of its session. Io thread.
class sink_target {
public:
  virtual ~sink_target() = default;
  virtual void push(bytes_ptr frame) = 0; // counted already
  virtual void overrun() = 0;             // the queue ran over; called once, never from within send()
};

class socket_sink final : public live_sink, public std::enable_shared_from_this<socket_sink> {
public:
  socket_sink(wire_core& core, std::weak_ptr<sink_target> target)
      : gate_(core.gate), io_thread_(core.io_thread), target_(std::move(target)),
        bytes_max_(core.options.live.queue_bytes_max), frames_max_(core.options.live.queue_frames_max) {}

  // Counted before it is posted: frames on their way to the io thread count too.
  void send(bytes_ptr frame) override {
    const auto size = counted(frame->size());
    auto bytes = bytes_.fetch_add(size) + size;
    auto frames = frames_.fetch_add(1) + 1;
    if (bytes > bytes_max_ || frames > frames_max_) {
      if (!cut_.exchange(true)) post([](sink_target& target) { target.overrun(); });
      return;
    }
    if (!cut_) on_io([frame = std::move(frame)](sink_target& target) { target.push(frame); });
  }

  std::size_t waiting() const override { return cut_ ? 0 : frames_.load(); }

  // A frame outside the bounds: the farewell.
  void owed(std::size_t bytes) {
    bytes_.fetch_add(counted(bytes));
    frames_.fetch_add(1);
  }
  // The io thread has sent or dropped a frame.
  void gone(std::size_t bytes) {
    bytes_.fetch_sub(counted(bytes));
    frames_.fetch_sub(1);
  }

private:
  // A frame counts for half of the bound at the most: a snapshot that is larger than all of it (a competition with
  // thousands of participants) is no slow reader's fault, and goes out when little else waits.
  std::size_t counted(std::size_t bytes) const { return std::min(bytes, bytes_max_ / 2); }

  // On the io thread at once: a change for a thousand sockets is one message to it, not a thousand.
  template<class Work>
  void on_io(Work work) {
    if (std::this_thread::get_id() != io_thread_) return post(std::move(work));
    if (auto target = target_.lock()) work(*target);
  }
  template<class Work>
  void post(Work work) {
    gate_->post([weak = target_, work = std::move(work)] {
      if (auto target = weak.lock()) work(*target);
    });
  }

  std::shared_ptr<io_gate> gate_;
  std::thread::id io_thread_;
  std::weak_ptr<sink_target> target_;
  std::size_t bytes_max_, frames_max_;
  std::atomic<std::size_t> bytes_{0}, frames_{0};
  std::atomic<bool> cut_{false};
};

} // namespace omnium::wire
