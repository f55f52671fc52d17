#include "runtime/wire/tls_client.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

namespace omnium::wire {
namespace {

using kind = net_error::kind;

SSL_CTX* make_context() {
  auto* made = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_min_proto_version(made, TLS1_2_VERSION);
  SSL_CTX_set_default_verify_paths(made);
  SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return made;
}

// The context of all sessions that trust what this machine does; one with further certificates is made for its session,
// so that a file that was renewed counts from the next connection on.
SSL* make_session(const tls_trust& trust) {
  static SSL_CTX* context = make_context();
  if (trust.ca_file.empty()) return SSL_new(context);
  auto* own = make_context();
  auto* out = SSL_CTX_load_verify_locations(own, trust.ca_file.c_str(), nullptr) == 1 ? SSL_new(own) : nullptr;
  SSL_CTX_free(own); // the session holds it
  return out;
}

// Waits for what the session needs. An error: the deadline passed, or the session is broken.
net_error settle(SSL* session, int fd, int result, tls_client::time_point deadline, const char* doing) {
  int why = SSL_get_error(session, result);
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd entry{fd, static_cast<short>(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT), 0};
    if (left > 0 && ::poll(&entry, 1, static_cast<int>(std::min<long>(left, 1'000'000))) != 0) return {};
    return {kind::deadline, std::string(doing) + ": the deadline passed"};
  }
  if (why == SSL_ERROR_ZERO_RETURN) return {kind::closed, "the server closed the connection"};
  auto code = ERR_get_error();
  auto verified = SSL_get_verify_result(session);
  if (SSL_get_verify_mode(session) != SSL_VERIFY_NONE && verified != X509_V_OK)
    return {kind::connect,
            std::string("the server's certificate is not trusted: ") + X509_verify_cert_error_string(verified)};
  const char* said = code ? ERR_reason_error_string(code) : nullptr;
  return {kind::closed, std::string(doing) + ": " + (said ? said : "the connection broke")};
}

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

} // namespace

tls_client::~tls_client() {
  if (session_) SSL_free(session_);
}

net_error tls_client::shake_hands(int fd, const std::string& host, const tls_trust& trust, time_point deadline) {
  session_ = make_session(trust);
  if (!session_ && !trust.ca_file.empty())
    return {kind::connect, "no certificates could be read from " + trust.ca_file};
  if (!session_ || SSL_set_fd(session_, fd) != 1) return {kind::connect, "no TLS session could be made"};
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session_), host.c_str());
  } else {
    SSL_set_tlsext_host_name(session_, host.c_str());
    SSL_set1_host(session_, host.c_str());
  }
  SSL_set_verify(session_, trust.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  for (;;) {
    ERR_clear_error();
    int result = SSL_connect(session_);
    if (result == 1) return {};
    if (auto error = settle(session_, fd, result, deadline, "no TLS connection")) {
      error.what = kind::connect;
      return error;
    }
  }
}

net_error tls_client::send_all(int fd, std::string_view bytes, time_point deadline) {
  while (!bytes.empty()) {
    ERR_clear_error();
    int sent = SSL_write(session_, bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20)));
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (auto error = settle(session_, fd, sent, deadline, "cannot send")) return error;
  }
  return {};
}

net_error tls_client::receive(int fd, std::string& into, time_point deadline) {
  char buffer[16 * 1024];
  for (;;) {
    ERR_clear_error();
    int got = SSL_read(session_, buffer, sizeof buffer);
    if (got > 0) {
      into.append(buffer, static_cast<std::size_t>(got));
      return {};
    }
    if (auto error = settle(session_, fd, got, deadline, "cannot receive")) return error;
  }
}

// What lies in the socket may be the session's own (a ticket): only reading tells.
bool tls_client::stale() const {
  char one = 0;
  ERR_clear_error();
  int got = SSL_peek(session_, &one, 1);
  return got > 0 || SSL_get_error(session_, got) != SSL_ERROR_WANT_READ;
}

} // namespace omnium::wire
