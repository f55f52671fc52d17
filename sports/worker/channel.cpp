#include "sports/worker/channel.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace omnium::worker {
namespace {

constexpr std::size_t head_bytes = 4, padding = 64;

// What the signal handler shares with the loop. It runs on the same thread, and touches `out` only while the plugin is
// being called, when the loop does not.
struct shared_state {
  std::string out;
  std::size_t sent = 0;
  volatile std::sig_atomic_t in_plugin = 0;
  volatile std::sig_atomic_t at_work = 0; // a frame was read and its answer is not sent: the timer goes on
  std::size_t index = 0;
  std::int64_t since_us = 0;
};
shared_state shared;

constexpr itimerval alarm_after{{0, 0}, {0, sign_of_life_us}};

bool write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const auto wrote = ::write(channel_fd, data, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    data += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
  return true;
}

void put_length(char* to, std::size_t size) {
  for (std::size_t i = 0; i < head_bytes; ++i) to[i] = static_cast<char>(size >> (8 * i) & 0xFF);
}

// Appends without allocating: the handler may interrupt malloc.
char* put_text(char* to, const char* text) {
  while (*text) *to++ = *text++;
  return to;
}
char* put_number(char* to, std::uint64_t number) {
  char digits[20];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (count > 0) *to++ = digits[--count];
  return to;
}

void announce() {
  char frame[128];
  char* end = put_text(frame + head_bytes, R"({"playing":)");
  end = put_number(end, shared.index);
  end = put_text(end, R"(,"us":)");
  end = put_number(end, static_cast<std::uint64_t>(now_us() - shared.since_us));
  end = put_text(end, "}");
  put_length(frame, static_cast<std::size_t>(end - frame) - head_bytes);
  write_all(frame, static_cast<std::size_t>(end - frame));
}

// Before a read that would wait: the keeper that takes an answer makes room in the socket, which wakes whoever waits in
// read() for nothing; poll() is woken for bytes alone.
void wait_for_bytes() {
  pollfd there{channel_fd, POLLIN, 0};
  while (::poll(&there, 1, -1) < 0 && errno == EINTR) {
  }
}

void arm_alarm() { setitimer(ITIMER_REAL, &alarm_after, nullptr); }

void on_alarm(int) {
  const int saved = errno;
  if (shared.in_plugin) {
    write_all(shared.out.data() + shared.sent, shared.out.size() - shared.sent);
    shared.sent = shared.out.size();
    announce();
  }
  if (shared.at_work) arm_alarm();
  errno = saved;
}

} // namespace

std::int64_t now_us() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000ll + now.tv_nsec / 1000;
}

channel::channel(std::size_t frame_bytes_max) : frame_bytes_max_(frame_bytes_max), in_(64 * 1024, '\0') {
  struct sigaction action {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
}

std::size_t channel::length() const {
  std::size_t size = 0;
  for (std::size_t i = 0; i < head_bytes; ++i)
    size |= std::size_t{static_cast<unsigned char>(in_[begin_ + i])} << (8 * i);
  return size;
}

bool channel::whole() const { return end_ - begin_ >= head_bytes && end_ - begin_ - head_bytes >= length(); }

// Reads what is there, at least a byte. What is left of a frame moves to the front when there is no room behind it.
bool channel::receive() {
  wait_for_bytes();
  const auto have = end_ - begin_;
  const auto wanted = have < head_bytes ? head_bytes : head_bytes + length();
  if (wanted > head_bytes + frame_bytes_max_) return false;
  if (have == 0 || begin_ + wanted + padding > in_.size()) {
    std::memmove(in_.data(), in_.data() + begin_, have);
    begin_ = 0;
    end_ = have;
  }
  if (in_.size() < wanted + padding) in_.resize(wanted + padding);
  ssize_t got = -1;
  do got = ::read(channel_fd, in_.data() + end_, in_.size() - padding - end_);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  end_ += static_cast<std::size_t>(got);
  return true;
}

bool channel::read_frame() {
  if (size_ > 0) begin_ += size_; // the one before is done with
  size_ = 0;
  if (!whole()) {
    if (!flush()) return false;
    shared.at_work = 0;
    while (!whole())
      if (!receive()) return false;
    shared.at_work = 1;
    arm_alarm();
  }
  size_ = length();
  if (size_ > frame_bytes_max_) return false;
  begin_ += head_bytes;
  return true;
}

void channel::add_frame(std::string_view json) {
  char head[head_bytes];
  put_length(head, json.size());
  shared.out.append(head, head_bytes).append(json);
  if (shared.out.size() - shared.sent > flush_bytes) flush();
}

bool channel::flush() {
  const bool sent = write_all(shared.out.data() + shared.sent, shared.out.size() - shared.sent);
  shared.out.clear();
  shared.sent = 0;
  return sent;
}

void channel::enter_plugin(std::size_t index) {
  shared.index = index;
  shared.since_us = now_us();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  shared.in_plugin = 1;
}

void channel::leave_plugin() {
  shared.in_plugin = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

const void* channel::alarm_setting() { return &alarm_after; }

} // namespace omnium::worker
