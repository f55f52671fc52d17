#pragma once
// Descriptor 3: frames of a u32 length (little endian) and that many bytes of JSON, both ways. What the keeper sent
// together is read together, and the answers to it are collected and sent in one write; if a ball takes long, SIGALRM
// sends what is ready and says which ball is being played and for how long, so that the keeper's clock counts from the
// ball's own start. One thread.
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

  // The next frame. Sends what was collected before it waits for one. False: the keeper closed the channel, sent a
  // frame over the bound, or takes nothing any more.
  bool read_frame();
  // The frame, and from it to the end of the buffer, simdjson's padding at least; until the next read_frame().
  const char* data() const { return in_.data() + begin_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return in_.size() - begin_; }

  void add_frame(std::string_view json);
  bool flush();

  // Brackets a call into the plugin: `index` is the ball the keeper should know of.
  void enter_plugin(std::size_t index);
  void leave_plugin();
  static const void* alarm_setting(); // the one setting of the timer, which the filter allows by its address

private:
  std::size_t length() const; // of the frame that begins at begin_
  bool whole() const;         // is it there with all its bytes?
  bool receive();
  std::size_t frame_bytes_max_;
  std::string in_; // read bytes are from begin_ to end_; behind them there is always room for the padding
  std::size_t begin_ = 0, end_ = 0, size_ = 0;
};

// Microseconds of the monotonic clock.
std::int64_t now_us();

} // namespace omnium::worker
