#include "tests/support/receiver.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace omnium::testing {
namespace {

constexpr int patience_ms = 3000;

// More bytes of the peer; false: it closed, or says nothing.
bool more(int fd, std::string& into) {
  pollfd one{fd, POLLIN, 0};
  if (::poll(&one, 1, patience_ms) <= 0) return false;
  char buffer[4096];
  auto got = ::recv(fd, buffer, sizeof buffer, 0);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

void say(int fd, const std::string& text) {
  [[maybe_unused]] auto sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
}

std::size_t body_length(const std::string& head) {
  auto at = head.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
}

} // namespace

receiver::receiver(kind what) : kind_(what) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0)
    throw std::runtime_error("no port to receive on");
  port_ = ntohs(here.sin_port);
}

receiver::~receiver() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  ::close(listener_);
}

void receiver::open() {
  ::listen(listener_, 16);
  thread_ = std::thread([this] { loop(); });
}

std::string receiver::address() const { return fmt::format("127.0.0.1:{}", port_); }

std::vector<std::string> receiver::got() const {
  std::lock_guard lock(guard_);
  return got_;
}

void receiver::keep(std::string text) {
  std::lock_guard lock(guard_);
  got_.push_back(std::move(text));
}

void receiver::loop() {
  std::vector<int> held;
  while (!stopping_) {
    pollfd one{listener_, POLLIN, 0};
    if (::poll(&one, 1, 50) <= 0) continue;
    int fd = ::accept(listener_, nullptr, nullptr);
    if (fd < 0) continue;
    if (kind_ == kind::mute) {
      held.push_back(fd);
      continue;
    }
    kind_ == kind::http ? serve_http(fd) : serve_smtp(fd);
    ::close(fd);
  }
  for (int fd : held) ::close(fd);
}

void receiver::serve_http(int fd) {
  std::string text;
  std::size_t end = std::string::npos;
  while ((end = text.find("\r\n\r\n")) == std::string::npos)
    if (!more(fd, text)) return;
  while (text.size() < end + 4 + body_length(text.substr(0, end)))
    if (!more(fd, text)) return;
  int status = status_;
  if (status / 100 == 2) keep(text);
  say(fd, fmt::format("HTTP/1.1 {} Said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status));
}

void receiver::serve_smtp(int fd) {
  std::string all, line;
  bool data = false;
  say(fd, "220-a greeting of two lines\r\n220 ready\r\n");
  for (;;) {
    auto end = line.find("\r\n");
    if (end == std::string::npos) {
      if (!more(fd, line)) break;
      continue;
    }
    auto one = line.substr(0, end);
    line.erase(0, end + 2);
    all += one + "\n";
    if (data && one != ".") continue;
    if (data) say(fd, "250 taken\r\n");
    else if (one == "DATA") say(fd, "354 go on\r\n");
    else if (one == "QUIT") say(fd, "221 bye\r\n");
    else say(fd, "250 ok\r\n");
    data = one == "DATA";
    if (one == "QUIT") break;
  }
  keep(all);
}

} // namespace omnium::testing
