#include "bench/sockets.hpp"

#include <array>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace omnium::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto open_wall_clock = 5s;
constexpr auto reopen_after = 100ms; // between two tries

} // namespace

sockets::sockets() : poll_(::epoll_create1(EPOLL_CLOEXEC)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = bell_;
  ::epoll_ctl(poll_, EPOLL_CTL_ADD, bell_, &event);
  opener_ = std::thread([this] { opener(); });
  reader_ = std::thread([this] { reader(); });
}

sockets::~sockets() {
  {
    std::lock_guard hold(lock_);
    stopping_ = true;
  }
  changed_.notify_all();
  ::eventfd_write(bell_, 1);
  opener_.join();
  reader_.join();
  ::close(poll_);
  ::close(bell_);
}

void sockets::open(std::shared_ptr<connection> what, socket_events events, bool listen) {
  {
    std::lock_guard hold(lock_);
    waiting_.push_back({std::move(what), std::move(events), listen, steady::now()});
  }
  changed_.notify_one();
}

void sockets::stop_opening() {
  std::lock_guard hold(lock_);
  no_more_ = true;
}

void sockets::opener() {
  std::unique_lock hold(lock_);
  for (;;) {
    changed_.wait(hold, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    if (no_more_) continue;
    if (next.not_before > steady::now()) changed_.wait_until(hold, next.not_before, [this] { return stopping_; });
    if (stopping_) return;
    hold.unlock();
    bool good = next.what->open(open_wall_clock);
    hold.lock();
    if (stopping_) return;
    if (!good) {
      next.not_before = steady::now() + reopen_after;
      waiting_.push_back(std::move(next));
      continue;
    }
    auto opened = next.events.opened;
    int fd = next.what->native();
    auto kept = std::make_shared<entry>(std::move(next));
    reading_[fd] = kept;
    if (kept->listen) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.fd = fd;
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, fd, &event);
    }
    hold.unlock();
    opened();
    hold.lock();
  }
}

void sockets::reader() {
  std::array<epoll_event, 256> events{};
  for (;;) {
    int n = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < n; ++i) {
      int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == bell_) return; // rung only to stop
      read_one(fd);
    }
  }
}

void sockets::read_one(int fd) {
  std::shared_ptr<entry> of;
  {
    std::lock_guard hold(lock_);
    auto it = reading_.find(fd);
    if (it == reading_.end()) return;
    of = it->second;
  }
  std::vector<std::string> messages;
  bool open = of->what->take(messages);
  auto now = steady::now();
  for (auto& message : messages) of->events.message(std::move(message), now);
  if (open) return;
  {
    // A socket that closed itself has given its number back already; another may have it by now.
    std::lock_guard hold(lock_);
    if (auto it = reading_.find(fd); it != reading_.end() && it->second == of) {
      reading_.erase(it);
      ::epoll_ctl(poll_, EPOLL_CTL_DEL, fd, nullptr);
    }
  }
  of->what->close();
  of->events.gone();
}

} // namespace omnium::bench
