#include "tests/support/gate.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
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

bool send_all(int to, const char* bytes, std::size_t size) {
  for (std::size_t sent = 0; sent < size;) {
    auto n = ::send(to, bytes + sent, size - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
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

std::smatch place_in(const std::string& url) {
  std::smatch place;
  if (!std::regex_search(url, place, std::regex("host='([^']*)' port=([0-9]+)")))
    throw std::runtime_error("no host and port in " + url);
  return place;
}

std::string socket_of(const std::string& url) {
  auto place = place_in(url);
  return place[1].str() + "/.s.PGSQL." + place[2].str();
}

// The other end hears of a reset, not of an orderly end.
void close_hard(int fd) {
  linger now{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  ::close(fd);
}

} // namespace

gate::gate(const std::string& url) : server_(socket_of(url)) {
  listen();
  sockaddr_in here{};
  socklen_t size = sizeof here;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size);
  auto place = place_in(url);
  url_ = fmt::format("{}host='127.0.0.1' port={}{}", place.prefix().str(), ntohs(here.sin_port), place.suffix().str());
  acceptor_ = std::thread([this] { accept_loop(); });
}

void gate::listen() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&any), sizeof any) != 0 || ::listen(listener_, 64) != 0)
    throw std::runtime_error("the gate cannot listen");
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
  for (unsigned number = 1; !stopping_;) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, look_every_ms) <= 0) continue;
    auto client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    std::lock_guard lock(guard_);
    lines_.emplace_back([this, client, number] { forward(client, number); });
    ++number;
  }
}

// One read's worth from one end to the other; false: the line is over.
bool gate::pass(int from, int to, passing how, std::minstd_rand& random) const {
  char bytes[65536];
  auto got = ::recv(from, bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  auto size = static_cast<std::size_t>(got);
  if (delay_ms_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms_));
  if (how == passing::half) {
    send_all(to, bytes, size / 2);
    return false;
  }
  if (how == passing::garbage)
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(random());
  return send_all(to, bytes, size);
}

void gate::forward(int client, unsigned seed) {
  std::minstd_rand random(seed);
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
    if (ends[0].revents != 0) open = pass(client, server, questions_, random);
    if (open && ends[1].revents != 0) {
      if (swallow_.exchange(false)) {
        answer_is_whole(server);
        break;
      }
      open = pass(server, client, answers_, random);
    }
  }
  close_hard(client);
  ::close(server);
}

} // namespace omnium::testing
