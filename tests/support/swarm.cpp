#include "tests/support/swarm.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <unistd.h>

namespace omnium::testing {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

// A member's number or text in a frame of our own server; enough for frames whose form is known.
std::int64_t number_in(std::string_view frame, std::string_view name) {
  auto at = frame.find(name);
  if (at == frame.npos) return -1;
  std::int64_t out = 0;
  for (at += name.size(); at < frame.size() && frame[at] >= '0' && frame[at] <= '9'; ++at)
    out = out * 10 + frame[at] - '0';
  return out;
}
std::string text_in(std::string_view frame, std::string_view name) {
  auto at = frame.find(name);
  if (at == frame.npos) return {};
  at += name.size();
  return std::string(frame.substr(at, frame.find('"', at) - at));
}

} // namespace

struct swarm::line {
  std::size_t index = 0;
  swarm_socket socket;
  screen seen;
  enum class stage : std::uint8_t { waiting, connecting, shaking, up, over } now = stage::waiting;
  bool shows = false;
  int failures = 0;
  std::int64_t retry_hint_ms = -1;
  steady::time_point not_before{};
};

swarm::swarm(options how) : how_(std::move(how)), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw std::runtime_error("no epoll");
}

swarm::~swarm() { ::close(epoll_); }

void swarm::add(std::size_t count, const std::string& topic) {
  for (std::size_t i = 0; i < count; ++i) {
    lines_.push_back(std::make_unique<line>());
    lines_.back()->index = lines_.size() - 1;
    lines_.back()->seen.topic = topic;
  }
}

void swarm::start(line& l) {
  l.now = line::stage::connecting;
  l.retry_hint_ms = -1;
  ++opening_;
  connects_.push_back(steady::now());
  if (!l.socket.connect(how_.port)) return lost(l);
  epoll_event want{};
  want.events = EPOLLOUT;
  want.data.ptr = &l;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, l.socket.native(), &want);
}

void swarm::open_some() {
  auto now = steady::now();
  for (auto& l : lines_) {
    if (opening_ >= how_.opening_max) return;
    if (l->now == line::stage::waiting && l->not_before <= now) start(*l);
  }
}

bool swarm::run(std::chrono::milliseconds within, const std::function<bool()>& enough) {
  auto until = steady::now() + within;
  auto opened = steady::time_point{};
  while (!enough()) {
    auto now = steady::now();
    if (now >= until) return false;
    if (now - opened >= 5ms) {
      open_some();
      opened = now;
    }
    epoll_event got[256];
    auto count = ::epoll_wait(epoll_, got, 256, 5);
    for (int i = 0; i < count; ++i) ready(*static_cast<line*>(got[i].data.ptr), got[i].events);
  }
  return true;
}

void swarm::ready(line& l, unsigned events) {
  if (l.now == line::stage::connecting) {
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) return lost(l);
    l.now = line::stage::shaking;
    epoll_event want{};
    want.events = EPOLLIN;
    want.data.ptr = &l;
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, l.socket.native(), &want);
    l.socket.shake_hands(how_.port);
    return;
  }
  if (!l.seen.reading) return;
  bool there = l.socket.fill();
  take(l);
  if (!there && l.now != line::stage::over && l.now != line::stage::waiting) lost(l);
}

void swarm::take(line& l) {
  std::string_view text;
  for (;;) {
    switch (l.socket.next(text)) {
    case swarm_socket::event::none:
      return;
    case swarm_socket::event::upgraded:
      --opening_;
      l.now = line::stage::up;
      l.seen.open = true;
      l.socket.send_text(fmt::format(R"({{"t":"hello","token":"{}","client":"swarm"}})", how_.token));
      break;
    case swarm_socket::event::text:
      frame(l, text);
      break;
    case swarm_socket::event::closed:
      l.seen.close_code = l.socket.close_code();
      return lost(l);
    case swarm_socket::event::refused:
      return lost(l);
    }
  }
}

void swarm::watch(line& l) {
  if (l.seen.topic.empty()) return;
  auto have = l.seen.version < 0 ? std::string() : fmt::format(R"(,"have":{})", l.seen.version);
  l.socket.send_text(fmt::format(R"({{"t":"watch","id":"w","topic":"{}"{}}})", l.seen.topic, have));
}

void swarm::frame(line& l, std::string_view text) {
  if (text.starts_with(R"({"t":"change")")) return change(l, text);
  if (text.starts_with(R"({"t":"beat")")) {
    ++l.seen.beats;
    if (how_.pongs) l.socket.send_text(R"({"t":"pong"})");
    if (auto version = number_in(text, l.seen.topic + "\":"); !l.seen.topic.empty() && version >= 0) {
      if (version == l.seen.version) settle(l, true);
      else if (version > l.seen.version) watch(l);
    }
  } else if (text.starts_with(R"({"t":"welcome")")) {
    l.seen.welcomed = true;
    ++l.seen.welcomes;
    l.failures = 0;
    watch(l);
  } else if (text.starts_with(R"({"t":"snapshot")")) {
    ++l.seen.snapshots;
    l.seen.version = number_in(text, "\"version\":");
    settle(l, true);
  } else if (text.starts_with(R"({"t":"bye")")) {
    l.seen.bye = text_in(text, "\"reason\":\"");
    l.retry_hint_ms = number_in(text, "\"retry_ms\":");
  } else if (text.starts_with(R"({"t":"error")")) l.seen.error = text_in(text, "\"code\":\"");
  if (on_other) on_other(l.index, text);
}

void swarm::change(line& l, std::string_view text) {
  auto version = number_in(text, "\"version\":"), prev = number_in(text, "\"prev\":");
  if (version <= l.seen.version) {
    ++l.seen.repeats;
    return;
  }
  if (prev != l.seen.version) {
    ++l.seen.gaps;
    return watch(l);
  }
  l.seen.version = version;
  ++l.seen.changes;
  settle(l, true);
  if (on_change) on_change(l.index, text);
}

void swarm::settle(line& l, bool shows) {
  if (l.shows == shows) return;
  l.shows = shows;
  showing_ += shows ? 1 : static_cast<std::size_t>(-1);
}

// The bridge's back-off: doubling from half a second to 30 s, half of it chance, and never before the server's hint.
void swarm::lost(line& l) {
  if (l.now == line::stage::connecting || l.now == line::stage::shaking) --opening_;
  l.socket.close();
  l.seen.open = l.seen.welcomed = false;
  settle(l, false);
  l.now = how_.reconnect ? line::stage::waiting : line::stage::over;
  double full = std::min(30000.0, 500.0 * static_cast<double>(1 << std::min(l.failures++, 6)));
  auto wait = full * (0.5 + 0.5 * std::uniform_real_distribution<double>(0, 1)(random_));
  l.not_before = steady::now() + std::chrono::milliseconds(std::max(static_cast<std::int64_t>(wait), l.retry_hint_ms));
}

const swarm::screen& swarm::at(std::size_t index) const { return lines_[index]->seen; }

void swarm::send(std::size_t index, std::string_view text) { lines_[index]->socket.send_text(text); }

void swarm::stop_reading(std::size_t index) {
  lines_[index]->seen.reading = false;
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, lines_[index]->socket.native(), nullptr);
}

void swarm::read_on(std::size_t index) {
  auto& l = *lines_[index];
  l.seen.reading = true;
  epoll_event want{};
  want.events = EPOLLIN;
  want.data.ptr = &l;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, l.socket.native(), &want);
}

std::size_t swarm::connects_peak() const {
  std::size_t most = 0, from = 0;
  for (std::size_t to = 0; to < connects_.size(); ++to) {
    while (connects_[to] - connects_[from] >= 1s) ++from;
    most = std::max(most, to - from + 1);
  }
  return most;
}

} // namespace omnium::testing
