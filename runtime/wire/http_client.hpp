#pragma once
// A small blocking HTTP/1.1 client for our own programs: replay, ctl, bench and tests. One connection, kept alive, one
// request at a time; owned by one thread. Never throws for what the network does: errors are values.
#include "runtime/wire/tcp_stream.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  std::chrono::milliseconds connect_wall_clock{5'000};
  std::chrono::milliseconds request_wall_clock{30'000}; // first byte sent to last byte read
  bool verify = true;  // https: the certificate; false only for one's own server on this machine
  std::string ca_file; // certificates (PEM) trusted beside this machine's
  std::size_t response_bytes_max = 256u * 1024 * 1024; // beyond: net_error protocol
};

class http_client {
public:
  // `url`: http[s]://host:port, with an optional path prefix. A bad one is reported by the first request.
  explicit http_client(std::string_view url, http_client_options options = {});

  // Sends one request and reads its answer. A body without a Content-Type header is sent as application/json.
  // Opens the connection when needed and again after the server closed it between two requests. A request that
  // died on the way is repeated by itself only for GET and HEAD; a command is the caller's to repeat, with its key.
  http_result request(std::string_view method, std::string_view target, std::string_view body = {},
                      const http_headers& headers = {});

  // Sent with every request from now on, e.g. {"Authorization", "Bearer …"}.
  void always(std::string name, std::string value) { always_.emplace_back(std::move(name), std::move(value)); }
  void close() { stream_.close(); }

private:
  std::string compose(std::string_view method, std::string_view target, std::string_view body,
                      const http_headers& headers) const;
  net_error exchange(std::string_view method, std::string_view bytes, http_response& out, bool& answered);
  net_error read_response(std::string_view method, tcp_stream::time_point deadline, http_response& out, bool& answered);

  http_url url_;
  net_error bad_url_;
  http_client_options options_;
  http_headers always_;
  tcp_stream stream_;
};

} // namespace omnium::wire
