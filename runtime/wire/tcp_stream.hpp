#pragma once
// A blocking TCP connection, in the clear or under TLS, with deadlines: bytes as they are, for what speaks its own
// frames over it (the WebSocket client, bench desks, tests of bad input). Owned by one thread. Errors are values.
#include "runtime/wire/outgoing.hpp"

#include <optional>

namespace omnium::wire {

class tcp_stream {
public:
  using time_point = std::chrono::steady_clock::time_point;

  // With TCP_NODELAY; under https with TLS.
  net_error connect(const http_url& where, time_point deadline, const tls_trust& trust = {});
  net_error send_all(std::string_view bytes, time_point deadline);
  // Appends at least one byte to `into`, at most 64 KiB. End of stream is net_error::kind::closed.
  net_error receive(std::string& into, time_point deadline);
  bool open() const { return handle_.has_value(); }
  int native() const; // the socket; -1: not open
  void close() { handle_.reset(); }

private:
  std::optional<curl_handle> handle_;
};

} // namespace omnium::wire
