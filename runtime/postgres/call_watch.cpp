#include "runtime/postgres/call_watch.hpp"

#include "runtime/core/thread_name.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace omnium::pg {
namespace {

using namespace std::chrono_literals;
constexpr auto look_every = 250ms;

} // namespace

call_watch::line::~line() { leave(); }

void call_watch::line::watch(int socket) {
  int own = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
  if (own < 0) throw std::system_error(errno, std::generic_category(), "no descriptor to watch the database with");
  leave();
  std::lock_guard lock(guard_);
  socket_ = own;
}

void call_watch::line::leave() {
  std::lock_guard lock(guard_);
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  armed_ = false;
}

void call_watch::line::arm(std::chrono::milliseconds limit) {
  std::lock_guard lock(guard_);
  armed_ = true;
  until_ = std::chrono::steady_clock::now() + limit;
}

void call_watch::line::disarm() {
  std::lock_guard lock(guard_);
  armed_ = false;
}

void call_watch::line::cut_if_over(std::chrono::steady_clock::time_point now) {
  std::lock_guard lock(guard_);
  if (!armed_ || now < until_) return;
  ::shutdown(socket_, SHUT_RDWR);
  armed_ = false;
}

std::shared_ptr<call_watch::line> call_watch::open_line() {
  static call_watch one;
  auto out = std::make_shared<line>();
  std::lock_guard lock(one.guard_);
  std::erase_if(one.lines_, [](const auto& known) { return known.expired(); });
  one.lines_.push_back(out);
  return out;
}

call_watch::call_watch() : thread_([this] { loop(); }) {}

call_watch::~call_watch() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void call_watch::loop() {
  name_thread("call watch");
  std::unique_lock lock(guard_);
  while (!wake_.wait_for(lock, look_every, [this] { return stopping_; }))
    for (const auto& known : lines_)
      if (auto watched = known.lock()) watched->cut_if_over(std::chrono::steady_clock::now());
}

} // namespace omnium::pg
