#pragma once
// A small blocking HTTP/1.1 client for our own programs, on libcurl: replay, ctl, bench, alerts and tests. One
// connection, kept alive, one request at a time; owned by one thread. Never throws for what the network does: errors
// are values.
#include "runtime/wire/outgoing.hpp"

#include <cstddef>
#include <optional>

namespace omnium::wire {

using http_headers = std::vector<std::pair<std::string, std::string>>;

struct http_response {
  int status = 0;
  http_headers headers; // names as sent
  std::string body;     // chunks joined
  // Value of the first header of that name (any case), or empty.
  std::string_view header(std::string_view name) const;
};

// Either a response or an error: `if (!r) use(r.error.message); else use(r->status)`.
struct http_result {
  std::optional<http_response> response;
  net_error error;
  explicit operator bool() const { return response.has_value(); }
  const http_response* operator->() const { return &*response; }
  const http_response& operator*() const { return *response; }
};

struct http_client_options {
  std::chrono::milliseconds connect_wall_clock{5'000};  // the name looked up, connected, TLS agreed
  std::chrono::milliseconds request_wall_clock{30'000}; // all of it, to the last byte read
  tls_trust trust;                                      // not to verify: only for one's own server on this machine
  std::size_t response_bytes_max = 256u * 1024 * 1024;  // beyond: net_error protocol
};

class http_client {
public:
  // `url`: http[s]://host:port, with an optional path prefix. A bad one is reported by the first request.
  explicit http_client(std::string_view url, http_client_options options = {});

  // Sends one request and reads its answer. A body without a Content-Type header is sent as application/json.
  // Opens the connection when needed and again after the server closed it between two requests. A request over a kept
  // connection that ends before a byte of an answer came is sent once more by libcurl, whatever its method: a POST that
  // must not be carried out twice has a key, or a client of its own.
  http_result request(std::string_view method, std::string_view target, std::string_view body = {},
                      const http_headers& headers = {});

  // Sent with every request from now on, e.g. {"Authorization", "Bearer …"}.
  void always(std::string name, std::string value) { always_.emplace_back(std::move(name), std::move(value)); }
  void close() { handle_ = curl_handle(); }

private:
  http_url url_;
  net_error bad_url_;
  http_client_options options_;
  http_headers always_;
  curl_handle handle_;
};

} // namespace omnium::wire
