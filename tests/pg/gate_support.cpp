#include "tests/pg/gate_support.hpp"

#include <cstring>
#include <poll.h>
#include <regex>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace omnium::testing {
namespace {

constexpr int look_every_ms = 20;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.size() >= sizeof out.sun_path) throw std::runtime_error("socket path too long: " + path);
  std::memcpy(out.sun_path, path.c_str(), path.size());
  return out;
}

// One read's worth from one end to the other; false: the line is over.
bool pass(int from, int to) {
  char bytes[65536];
  auto got = ::recv(from, bytes, sizeof bytes, 0);
  for (ssize_t sent = 0; sent < got;) {
    auto n = ::send(to, bytes + sent, static_cast<std::size_t>(got - sent), MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += n;
  }
  return got > 0;
}

// True once the server has said all it has to say: its last message is ReadyForQuery (Z, length 5, one status byte).
bool answer_is_whole(int server) {
  std::string seen;
  char bytes[65536];
  for (;;) {
    auto got = ::recv(server, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    seen.append(bytes, static_cast<std::size_t>(got));
    if (seen.size() >= 6 && seen[seen.size() - 6] == 'Z') return true;
  }
}

std::smatch host_in(const std::string& url) {
  std::smatch host;
  if (!std::regex_search(url, host, std::regex("host='([^']*)'"))) throw std::runtime_error("no host in " + url);
  return host;
}

std::string socket_of(const std::string& url) { return host_in(url)[1].str() + "/.s.PGSQL.5432"; }

} // namespace

gate::gate(const std::string& url) : server_(socket_of(url)), url_(url) {
  auto host = host_in(url);
  url_.replace(static_cast<std::size_t>(host.position(1)), static_cast<std::size_t>(host.length(1)), folder_.path());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto here = address_of(folder_.path() + "/.s.PGSQL.5432");
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 || ::listen(listener_, 64) != 0)
    throw std::runtime_error("the gate cannot listen");
  acceptor_ = std::thread([this] { accept_loop(); });
}

gate::~gate() {
  stopping_ = true;
  acceptor_.join();
  for (auto& line : lines_) line.join();
  ::close(listener_);
}

void gate::lead_to(const std::string& url) {
  std::lock_guard lock(guard_);
  server_ = socket_of(url);
  ++cuts_;
}

void gate::accept_loop() {
  while (!stopping_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, look_every_ms) <= 0) continue;
    auto client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    std::lock_guard lock(guard_);
    lines_.emplace_back([this, client] { forward(client); });
  }
}

void gate::forward(int client) {
  auto server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto there = [this] {
    std::lock_guard lock(guard_);
    return address_of(server_);
  }();
  int cuts = cuts_;
  bool open = ::connect(server, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
  while (open && !stopping_ && cuts == cuts_) {
    pollfd ends[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (stalled_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(look_every_ms));
      continue;
    }
    if (::poll(ends, 2, look_every_ms) <= 0 || stalled_) continue;
    if (ends[0].revents != 0) open = pass(client, server);
    if (open && ends[1].revents != 0) {
      if (swallow_.exchange(false)) {
        answer_is_whole(server);
        break;
      }
      open = pass(server, client);
    }
  }
  ::close(client);
  ::close(server);
}

} // namespace omnium::testing
