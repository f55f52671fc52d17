#pragma once
// Descriptor 3: frames of a u32 length (little endian) and that many bytes of JSON, both ways. Frames of a run are
// collected and sent in one write; if a ball takes long, SIGALRM sends what is ready and says which ball is being
// played and for how long, so that the keeper's clock counts from the ball's own start. One thread.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::worker {

inline constexpr int channel_fd = 3;
inline constexpr long sign_of_life_us = 20'000;        // a ball that takes longer is announced
inline constexpr std::size_t flush_bytes = 256 * 1024; // collected frames beyond this are sent at once

class channel {
public:
  explicit channel(std::size_t frame_bytes_max); // installs the SIGALRM handler; one channel per process

  // Waits for a frame. False: the keeper closed the channel or sent a frame over the bound.
  bool read_frame();
  // The frame, writable and followed by at least simdjson's padding; until the next read_frame().
  const char* data() const { return in_.data(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return in_.size(); }

  void add_frame(std::string_view json);
  bool flush();

  // Brackets a call into the plugin: `index` is the ball the keeper should know of.
  void enter_plugin(std::size_t index);
  void leave_plugin();
  void arm_alarm();                   // once a run
  static const void* alarm_setting(); // the one setting of the timer, which the filter allows by its address

private:
  bool read_bytes(std::size_t from, std::size_t wanted);
  std::size_t frame_bytes_max_;
  std::string in_;
  std::size_t size_ = 0;
};

// Microseconds of the monotonic clock.
std::int64_t now_us();

} // namespace omnium::worker
