#pragma once
// The TLS side of tcp_stream: one session over a connected, non-blocking socket. Owned by one thread; errors are
// values.
#include "runtime/wire/tcp_stream.hpp"

struct ssl_st;

namespace omnium::wire {

class tls_client {
public:
  using time_point = std::chrono::steady_clock::time_point;
  ~tls_client();
  tls_client() = default;
  tls_client(const tls_client&) = delete;
  tls_client& operator=(const tls_client&) = delete;

  net_error shake_hands(int fd, const std::string& host, const tls_trust& trust, time_point deadline);
  net_error send_all(int fd, std::string_view bytes, time_point deadline);
  net_error receive(int fd, std::string& into, time_point deadline);
  bool stale() const; // something came that nobody asked for, or the end

private:
  ssl_st* session_ = nullptr;
};

} // namespace omnium::wire
