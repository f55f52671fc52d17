#include "runtime/sport/worker.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/sport/alarm.hpp"
#include "runtime/sport/child_process.hpp"
#include "runtime/sport/group.hpp"
#include "runtime/sport/worker_log.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

namespace omnium::sport {
namespace {

using clock = group::clock;
using reply_kind = road::run_reply::kind;
constexpr auto never = clock::time_point::max();

} // namespace

// The thread owns the process, the reader and the log. `guard` covers what run() shares with it: the phase, the group
// and, while the phase is ready or busy, the channel: so that requests go out on the caller's thread, without a hop.
struct worker::impl {
  enum class phase : std::uint8_t { down, starting, ready, busy };

  const worker_options options;
  const std::string name;
  worker_log log;
  alarm_clock alarm;
  frame_reader reader;
  child_process child;
  std::size_t failures = 0; // starts that failed, and deaths of an idle process, since a run went well
  bool errors_open = false;
  std::string last_fault;
  clock::time_point next_start{};

  mutable std::mutex guard;
  std::atomic<phase> now_in{phase::down}; // written with the guard held
  bool stopping = false;
  group current;
  heard_fn heard;
  std::size_t sent = 0; // of the group's frames
  clock::time_point deadline = never, armed = never;

  std::atomic<int> pid{0};
  std::atomic<std::uint64_t> starts{0}, kills{0}, balls{0};
  std::thread thread;

  impl(worker_options o, std::function<void(std::string_view)> write)
      : options(std::move(o)), name(fmt::format("sport worker {} {}", options.sport, options.version)),
        log([write = std::move(write), this](std::string_view line) {
          if (write) write(fmt::format("{} ({}): {}", name, pid.load(), line));
        }) {}

  // --- with the guard held ---------------------------------------------------------------------------------------
  // The timer is only set when it would fire too late; one that fires too early is set again then (expire).
  void set_deadline(clock::time_point when) {
    deadline = when;
    if (when < armed) alarm.wake_at(armed = when);
  }

  void begin_group() {
    now_in = phase::busy;
    sent = 0;
    current.begin(clock::now());
    set_deadline(current.deadline());
    send_some();
  }

  // What the socket does not take now goes when the thread sees it writable.
  void send_some() {
    const auto& bytes = current.bytes();
    while (sent < bytes.size()) {
      const auto wrote = ::send(child.channel(), bytes.data() + sent, bytes.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (wrote <= 0) break; // full, or broken: then the thread reads the end of it
      sent += static_cast<std::size_t>(wrote);
    }
    if (sent < bytes.size()) alarm.ring();
  }

  // --- on the thread -----------------------------------------------------------------------------------------------
  void loop() {
    while (true) {
      {
        std::lock_guard lock(guard);
        if (stopping) break;
      }
      if (now_in == phase::down) start_if_due();
      wait();
      hear();
      expire();
    }
    stop();
  }

  void stop() {
    child.end();
    pid = 0;
    refuse("The sport worker is stopping.");
  }

  void start_if_due() {
    const auto now = clock::now();
    if (now < next_start) return refuse_waiting();
    reader.reset();
    ++starts;
    std::string fault;
    if (!child.start(options, fault)) return not_started(fault);
    pid = child.pid();
    errors_open = true;
    std::lock_guard lock(guard);
    now_in = phase::starting;
    set_deadline(now + options.start_wall_clock);
  }

  void refuse_waiting() {
    refuse(last_fault);
    std::lock_guard lock(guard);
    set_deadline(next_start);
  }

  void not_started(const std::string& why) {
    last_fault = why;
    const auto doubled = limits::worker_backoff_min * (1u << std::min<std::size_t>(failures, 10));
    next_start = clock::now() + std::min<clock::duration>(doubled, limits::worker_backoff_max);
    ++failures;
    log.say(fmt::format("{} The next try is in {} ms.", why,
                        std::chrono::duration_cast<std::chrono::milliseconds>(next_start - clock::now()).count()));
    child.end();
    pid = 0;
    {
      std::lock_guard lock(guard);
      now_in = phase::down;
    }
    refuse_waiting();
  }

  void wait() {
    std::array<pollfd, 4> fds{
        {{alarm.ring_fd(), POLLIN, 0}, {alarm.timer_fd(), POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}}};
    {
      std::lock_guard lock(guard);
      if (now_in != phase::down) {
        fds[2].fd = child.channel();
        if (errors_open) fds[3].fd = child.errors();
        if (now_in == phase::busy && sent < current.bytes().size()) fds[2].events |= POLLOUT;
      }
    }
    while (::poll(fds.data(), fds.size(), -1) < 0 && errno == EINTR) {
    }
    if (fds[0].revents || fds[1].revents) alarm.hear();
    if (fds[3].revents) errors_open = log.drain(child.errors(), clock::now());
  }

  void hear() {
    if (now_in == phase::down) return;
    {
      std::lock_guard lock(guard);
      if (now_in == phase::busy && sent < current.bytes().size()) send_some();
    }
    const bool open = reader.receive(child.channel());
    while (auto frame = reader.next())
      if (!take(std::move(*frame))) return;
    if (!reader.fault().empty()) return lose(reader.fault());
    if (!open) return lose({});
    tell();
  }

  // False: the process is gone, what it sent after this is nothing.
  bool take(reply_frame frame) {
    if (now_in == phase::starting) return take_start(frame);
    if (now_in != phase::busy) return lose("it spoke without being asked"), false;
    const auto said = take_in_turn(std::move(frame));
    if (said == turn::heard::over) failures = 0;
    if (said == turn::heard::fault) return lose("it sent a frame that does not belong there"), false;
    if (said != turn::heard::error) return true;
    end_process("failed on an event"); // what it threw may have left it in any state
    go_down();
    return false;
  }

  turn::heard take_in_turn(reply_frame frame) {
    std::lock_guard lock(guard);
    const auto said = current.take(std::move(frame), clock::now());
    if (current.over()) now_in = phase::ready;
    set_deadline(current.over() ? never : current.deadline());
    return said;
  }

  bool take_start(const reply_frame& frame) {
    if (frame.what == reply_frame::kind::ready) {
      std::lock_guard lock(guard);
      now_in = phase::ready;
      set_deadline(never);
      if (!current.over()) begin_group();
      return true;
    }
    not_started(frame.what == reply_frame::kind::start_error ? frame.text
                                                             : "The worker began with a frame that is no start.");
    return false;
  }

  // The process died, closed its channel or broke the protocol.
  void lose(const std::string& fault) {
    const auto ended = child.running() ? end_of_child() : std::string("was gone");
    const auto why =
        fault.empty() ? "The worker process " + ended + "." : "The worker process was ended: " + fault + ".";
    if (now_in == phase::starting) return not_started(why);
    if (now_in == phase::ready) return not_started(why); // an idle process that dies waits before it comes back
    ++kills;
    log.say(why);
    go_down(reply_kind::broken, why);
  }

  void expire() {
    std::string why;
    {
      std::lock_guard lock(guard);
      const auto now = clock::now();
      if (now >= armed) armed = never;
      if (now < deadline) return set_deadline(deadline);
      if (now_in == phase::busy) why = current.lateness();
    }
    if (now_in == phase::starting)
      return not_started(fmt::format("The worker was not ready after {} ms.", options.start_wall_clock.count()));
    if (now_in != phase::busy) return;
    ++kills;
    end_process("took too long");
    go_down(reply_kind::killed, why);
  }

  std::string end_of_child() {
    log.drain(child.errors(), clock::now()); // its last words
    auto ended = child.end();
    pid = 0;
    return ended;
  }

  void end_process(std::string_view why) {
    log.say(fmt::format("the process {}; it is replaced", why));
    end_of_child();
  }

  // The process is gone. The run it was in ends so; what waited behind it is given back.
  void go_down(std::optional<reply_kind> what = {}, std::string error = {}) {
    {
      std::lock_guard lock(guard);
      now_in = phase::down;
      set_deadline(never);
      if (what) current.fail(*what, std::move(error), clock::now());
    }
    tell();
  }

  void refuse(const std::string& error) {
    {
      std::lock_guard lock(guard);
      now_in = phase::down;
      set_deadline(never);
      current.refuse(error, clock::now());
    }
    tell();
  }

  // Answers without the guard: the answer may bring the next group.
  void tell() {
    std::vector<heard_run> said;
    heard_fn to;
    bool free = false;
    {
      std::lock_guard lock(guard);
      free = current.over();
      said = current.heard();
      if (!heard || (said.empty() && !free)) return;
      to = free ? std::exchange(heard, nullptr) : heard;
      if (free) {
        balls += current.balls();
        current = {};
      }
    }
    to(std::move(said), free);
  }
};

worker::worker(worker_options options, std::function<void(std::string_view line)> log)
    : impl_(std::make_unique<impl>(std::move(options), std::move(log))) {
  impl_->thread = std::thread([self = impl_.get()] {
    name_thread("sport keeper");
    self->loop();
  });
}

worker::~worker() {
  {
    std::lock_guard lock(impl_->guard);
    impl_->stopping = true;
  }
  impl_->alarm.ring();
  impl_->thread.join();
}

void worker::run(std::vector<std::shared_ptr<const run_request>> requests, heard_fn heard) {
  group made(std::move(requests), impl_->options.ball_wall_clock);
  auto too_large = made.heard();
  if (!too_large.empty() || made.over()) heard(std::move(too_large), made.over());
  if (made.over()) return;
  {
    std::lock_guard lock(impl_->guard);
    if (!impl_->heard && !impl_->stopping) {
      impl_->current = std::move(made);
      impl_->heard = std::move(heard);
      if (impl_->now_in == impl::phase::ready) impl_->begin_group();
      else impl_->alarm.ring();
      return;
    }
  }
  made.refuse("The sport worker has runs in hand or is stopping.", clock::now());
  heard(made.heard(), true);
}

worker_status worker::status() const {
  return {impl_->pid.load(), impl_->starts.load(), impl_->kills.load(), impl_->balls.load()};
}

} // namespace omnium::sport
