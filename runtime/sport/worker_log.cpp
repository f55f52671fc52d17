#include "runtime/sport/worker_log.hpp"

#include "runtime/core/limits.hpp"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>

namespace omnium::sport {

bool worker_log::drain(int fd, clock::time_point now) {
  std::array<char, 16 * 1024> bytes;
  for (int turns = 0; turns < 16; ++turns) {
    const auto got = ::read(fd, bytes.data(), bytes.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    add({bytes.data(), static_cast<std::size_t>(got)}, now);
  }
  return true;
}

void worker_log::add(std::string_view bytes, clock::time_point now) {
  for (const char c : bytes) {
    if (c == '\n') end_line(now);
    else if (line_.size() < limits::worker_log_line_bytes_max) line_ += static_cast<unsigned char>(c) >= 0x20 ? c : '?';
  }
}

void worker_log::end_line(clock::time_point now) {
  new_second(now);
  if (lines_ < limits::worker_log_lines_per_s_max) {
    ++lines_;
    write_("stderr: " + line_);
  } else {
    ++dropped_;
  }
  line_.clear();
}

void worker_log::new_second(clock::time_point now) {
  if (now - second_ < std::chrono::seconds{1}) return;
  if (dropped_ > 0) write_(fmt::format("{} lines of this worker were dropped", dropped_));
  second_ = now;
  lines_ = dropped_ = 0;
}

} // namespace omnium::sport
