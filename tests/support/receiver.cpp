#include "tests/support/receiver.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace omnium::testing {
namespace {

constexpr int patience_ms = 3000;

std::size_t body_length(const std::string& head) {
  auto at = head.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
}

} // namespace

// One connection, in the clear or under TLS.
class receiver::line {
public:
  explicit line(int fd) : fd_(fd) {}
  ~line() {
    if (session_ != nullptr) SSL_shutdown(session_);
    SSL_free(session_);
    ::close(fd_);
  }
  line(const line&) = delete;
  line& operator=(const line&) = delete;

  bool begin_tls(const std::string& certificate, const std::string& key) {
    auto* context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate_file(context, certificate.c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM);
    session_ = SSL_new(context);
    SSL_CTX_free(context);
    timeval patience{patience_ms / 1000, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    SSL_set_fd(session_, fd_);
    if (SSL_accept(session_) == 1) return true;
    SSL_free(session_);
    session_ = nullptr;
    return false;
  }
  // More bytes of the peer; false: it closed, or says nothing.
  bool more(std::string& into) {
    char buffer[4096];
    auto got = session_ != nullptr ? SSL_read(session_, buffer, sizeof buffer) : receive(buffer, sizeof buffer);
    if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }
  bool secret() const { return session_ != nullptr; }
  void say(const std::string& text) {
    if (session_ != nullptr) SSL_write(session_, text.data(), static_cast<int>(text.size()));
    else [[maybe_unused]] auto sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }

private:
  int receive(char* into, std::size_t size) {
    pollfd one{fd_, POLLIN, 0};
    return ::poll(&one, 1, patience_ms) <= 0 ? 0 : static_cast<int>(::recv(fd_, into, size, 0));
  }
  int fd_;
  SSL* session_ = nullptr;
};

receiver::receiver(kind what, tls how, std::string certificate, std::string key)
    : kind_(what), tls_(how), certificate_(std::move(certificate)), key_(std::move(key)) {
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
  std::signal(SIGPIPE, SIG_IGN); // a client that breaks off under TLS
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
    line peer(fd);
    if (tls_ == tls::at_once && !peer.begin_tls(certificate_, key_)) continue;
    kind_ == kind::http ? serve_http(peer) : serve_smtp(peer);
  }
  for (int fd : held) ::close(fd);
}

void receiver::serve_http(line& peer) {
  std::string text;
  std::size_t end = std::string::npos;
  while ((end = text.find("\r\n\r\n")) == std::string::npos)
    if (!peer.more(text)) return;
  while (text.size() < end + 4 + body_length(text.substr(0, end)))
    if (!peer.more(text)) return;
  int status = status_;
  if (status / 100 == 2) keep(text);
  peer.say(fmt::format("HTTP/1.1 {} Said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status));
}

void receiver::serve_smtp(line& peer) {
  std::string all, input, before;
  bool data = false;
  peer.say("220-a greeting of two lines\r\n220 ready\r\n");
  for (;;) {
    auto end = input.find("\r\n");
    if (end == std::string::npos) {
      if (!peer.more(input)) break;
      continue;
    }
    auto one = input.substr(0, end);
    input.erase(0, end + 2);
    all += one + "\n";
    if (data && one != ".") continue;
    if (data) peer.say("250 taken\r\n");
    else if (one == "DATA") peer.say("354 go on\r\n");
    else if (one == "QUIT") peer.say("221 bye\r\n");
    else if (one == "EHLO omnium" && tls_ == tls::starttls && !peer.secret())
      peer.say("250-receiver\r\n250-STARTTLS\r\n250 8BITMIME\r\n");
    else if (one == "EHLO omnium" && tls_ != tls::none) peer.say("250-receiver\r\n250 AUTH PLAIN\r\n");
    else if (one == "AUTH PLAIN") peer.say("334 \r\n");
    else if (before == "AUTH PLAIN") peer.say("235 signed in\r\n");
    else if (one == "STARTTLS") {
      peer.say("220 go on\r\n");
      if (!peer.begin_tls(certificate_, key_)) break;
    } else peer.say("250 ok\r\n");
    data = one == "DATA";
    before = one;
    if (one == "QUIT") break;
  }
  keep(all);
}

} // namespace omnium::testing
