#include "runtime/wire/tcp_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace omnium::wire {
namespace {

using kind = net_error::kind;

std::chrono::milliseconds left_until(tcp_stream::time_point deadline) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(1'000'000));
}

// Waits until `events` are possible. False: the deadline passed.
bool wait_for(int fd, short events, tcp_stream::time_point deadline) {
  for (;;) {
    auto left = left_until(deadline);
    pollfd entry{fd, events, 0};
    int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready == 0 && left.count() == 0) return false;
    if (ready < 0 && errno != EINTR) return true; // the call that follows reports the error
  }
}

} // namespace

int tcp_stream::native() const {
  curl_socket_t fd = CURL_SOCKET_BAD;
  if (handle_) curl_easy_getinfo(handle_->get(), CURLINFO_ACTIVESOCKET, &fd);
  return fd;
}

net_error tcp_stream::connect(const http_url& where, time_point deadline, const tls_trust& trust) {
  auto left = left_until(deadline);
  handle_.emplace();
  handle_->start_over(trust, left, left);
  handle_->set(CURLOPT_URL, where.origin().c_str());
  handle_->set(CURLOPT_CONNECT_ONLY, 1L);
  auto error = handle_->perform();
  if (!error) return {};
  close();
  error.what = kind::connect; // whatever it was: nothing was sent
  return error;
}

net_error tcp_stream::send_all(std::string_view bytes, time_point deadline) {
  if (!handle_) return {kind::closed, "the connection is closed"};
  while (!bytes.empty()) {
    std::size_t sent = 0;
    auto code = curl_easy_send(handle_->get(), bytes.data(), bytes.size(), &sent);
    if (code == CURLE_OK) bytes.remove_prefix(sent);
    else if (code != CURLE_AGAIN) return {kind::closed, handle_->error_of(code).message};
    else if (!wait_for(native(), POLLOUT, deadline)) return {kind::deadline, "not all was sent before the deadline"};
  }
  return {};
}

net_error tcp_stream::receive(std::string& into, time_point deadline) {
  if (!handle_) return {kind::closed, "the connection is closed"};
  char buffer[64 * 1024];
  for (;;) {
    std::size_t got = 0;
    auto code = curl_easy_recv(handle_->get(), buffer, sizeof buffer, &got);
    if (code == CURLE_OK && got == 0) return {kind::closed, "the server closed the connection"};
    if (code == CURLE_OK) {
      into.append(buffer, got);
      return {};
    }
    if (code != CURLE_AGAIN) return {kind::closed, handle_->error_of(code).message};
    if (!wait_for(native(), POLLIN, deadline)) return {kind::deadline, "no answer before the deadline"};
  }
}

} // namespace omnium::wire
