#include "runtime/wire/tls_client.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace omnium::wire {
namespace {

using kind = net_error::kind;

net_error failed(kind what, std::string message) { return {what, std::move(message)}; }
net_error failed(kind what, std::string_view doing, int error) {
  return {what, std::string(doing) + ": " + std::strerror(error)};
}

// Waits until `events` are possible. False: the deadline passed.
bool wait_for(int fd, short events, tcp_stream::time_point deadline) {
  for (;;) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd entry{fd, events, 0};
    int ready = ::poll(&entry, 1, left > 0 ? static_cast<int>(std::min<long>(left, 1'000'000)) : 0);
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR) return true; // the call that follows reports the error
  }
}

net_error connect_one(int fd, const addrinfo& address, tcp_stream::time_point deadline) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return {};
  if (errno != EINPROGRESS) return failed(kind::connect, "cannot connect", errno);
  if (!wait_for(fd, POLLOUT, deadline)) return failed(kind::connect, "no connection before the deadline");
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error ? failed(kind::connect, "cannot connect", error) : net_error{};
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

std::string http_url::authority() const {
  auto name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (secret ? "443" : "80") ? name : name + ":" + port;
}

net_error parse_http_url(std::string_view text, http_url& out) {
  constexpr std::string_view scheme = "http://", secret_scheme = "https://";
  auto bad = [&] { return failed(kind::bad_url, "not an http[s]://host[:port] address: " + std::string(text)); };
  out.secret = text.starts_with(secret_scheme);
  if (!out.secret && !text.starts_with(scheme)) return bad();
  auto rest = text.substr(out.secret ? secret_scheme.size() : scheme.size());
  auto slash = rest.find('/');
  auto authority = rest.substr(0, slash);
  out.prefix = slash == std::string_view::npos ? "" : std::string(rest.substr(slash));
  while (out.prefix.ends_with('/')) out.prefix.pop_back();
  std::string_view after;
  if (authority.starts_with('[')) {
    auto end = authority.find(']');
    if (end == std::string_view::npos) return bad();
    out.host = authority.substr(1, end - 1);
    after = authority.substr(end + 1);
  } else {
    auto colon = authority.find(':');
    out.host = authority.substr(0, colon);
    after = colon == std::string_view::npos ? "" : authority.substr(colon);
  }
  if (out.host.empty() || out.host.find('@') != std::string::npos) return bad();
  if (!after.empty() && (after.front() != ':' || !all_digits(after.substr(1)))) return bad();
  out.port = !after.empty() ? std::string(after.substr(1)) : out.secret ? "443" : "80";
  return {};
}

tcp_stream::tcp_stream() = default;
tcp_stream::~tcp_stream() { close(); }

tcp_stream::tcp_stream(tcp_stream&& other) noexcept : fd_(std::exchange(other.fd_, -1)), tls_(std::move(other.tls_)) {}

tcp_stream& tcp_stream::operator=(tcp_stream&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
    tls_ = std::move(other.tls_);
  }
  return *this;
}

void tcp_stream::close() {
  tls_.reset();
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

net_error tcp_stream::connect(const http_url& where, time_point deadline, const tls_trust& trust) {
  close();
  if (auto error = connect_plain(where, deadline)) return error;
  return where.secret ? start_tls(where.host, deadline, trust) : net_error{};
}

net_error tcp_stream::start_tls(const std::string& host, time_point deadline, const tls_trust& trust) {
  tls_ = std::make_unique<tls_client>();
  auto error = tls_->shake_hands(fd_, host, trust, deadline);
  if (error) close();
  return error;
}

net_error tcp_stream::connect_plain(const http_url& where, time_point deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (int rc = ::getaddrinfo(where.host.c_str(), where.port.c_str(), &hints, &found); rc != 0) {
    return failed(kind::connect, "cannot resolve " + where.host + ": " + ::gai_strerror(rc));
  }
  std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  net_error last = failed(kind::connect, "no address for " + where.host);
  for (auto* it = found; it; it = it->ai_next) {
    fd_ = ::socket(it->ai_family, it->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, it->ai_protocol);
    if (fd_ < 0) {
      last = failed(kind::connect, "cannot make a socket", errno);
      continue;
    }
    last = connect_one(fd_, *it, deadline);
    if (!last) {
      int on = 1;
      ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return {};
    }
    close();
  }
  return last;
}

net_error tcp_stream::send_all(std::string_view bytes, time_point deadline) {
  if (tls_) return tls_->send_all(fd_, bytes, deadline);
  while (!bytes.empty()) {
    auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(fd_, POLLOUT, deadline)) return failed(kind::deadline, "not all was sent before the deadline");
    } else if (errno != EINTR) {
      return failed(kind::closed, "cannot send", errno);
    }
  }
  return {};
}

net_error tcp_stream::receive(std::string& into, time_point deadline) {
  if (tls_) return tls_->receive(fd_, into, deadline);
  char buffer[64 * 1024];
  for (;;) {
    auto got = ::recv(fd_, buffer, sizeof buffer, 0);
    if (got > 0) {
      into.append(buffer, static_cast<std::size_t>(got));
      return {};
    }
    if (got == 0) return failed(kind::closed, "the server closed the connection");
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(fd_, POLLIN, deadline)) return failed(kind::deadline, "no answer before the deadline");
    } else if (errno != EINTR) {
      return failed(kind::closed, "cannot receive", errno);
    }
  }
}

bool tcp_stream::stale() const {
  if (tls_) return tls_->stale();
  pollfd entry{fd_, POLLIN | POLLRDHUP, 0};
  return fd_ < 0 || ::poll(&entry, 1, 0) != 0;
}

} // namespace omnium::wire
