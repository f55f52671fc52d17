#include "runtime/core/limits.hpp"
#include "runtime/sport/child_process.hpp"
#include "runtime/sport/frames.hpp"
#include "runtime/sport/worker.hpp"
#include "runtime/sport/worker_log.hpp"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace omnium::sport {
namespace {

using clock = std::chrono::steady_clock;

description failed(std::string why) { return {false, {}, std::move(why)}; }

// Waits for the worker to say something, and lets it write to its log meanwhile. False: nothing came in time.
bool wait_readable(const child_process& child, worker_log& log, clock::time_point until) {
  bool errors_open = true;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> fds{{{child.channel(), POLLIN, 0}, {errors_open ? child.errors() : -1, POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    if (fds[0].revents) return true;
    if (fds[1].revents) errors_open = log.drain(child.errors(), clock::now());
  }
}

std::optional<reply_frame> next_frame(child_process& child, frame_reader& reader, clock::time_point until,
                                      std::string& fault) {
  worker_log unheard([](std::string_view) {});
  while (true) {
    while (auto frame = reader.next())
      if (frame->what != reply_frame::kind::playing) return frame; // one that takes its time says so meanwhile
    if (!reader.fault().empty()) return fault = "The worker was ended: " + reader.fault() + ".", std::nullopt;
    if (!wait_readable(child, unheard, until))
      return fault = "The sport did not describe itself in time.", std::nullopt;
    if (!reader.receive(child.channel())) return fault = "The worker process " + child.end() + ".", std::nullopt;
  }
}

} // namespace

description describe(const worker_options& options) {
  child_process child;
  frame_reader reader;
  std::string fault;
  if (!child.start(options, fault)) return failed(fault);
  const auto until = clock::now() + options.start_wall_clock;
  auto frame = next_frame(child, reader, until, fault);
  if (!frame) return failed(fault);
  if (frame->what == reply_frame::kind::start_error) return failed(frame->text);
  if (frame->what != reply_frame::kind::ready) return failed("The worker began with a frame that is no start.");
  const auto request = encode_describe();
  if (::send(child.channel(), request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    return failed("The worker process " + child.end() + ".");
  frame = next_frame(child, reader, until, fault);
  if (!frame) return failed(fault);
  if (frame->what != reply_frame::kind::description)
    return failed("The sport does not describe itself: " + frame->text);
  return {true, std::move(frame->text), {}};
}

} // namespace omnium::sport
