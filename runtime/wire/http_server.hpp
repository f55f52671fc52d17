#pragma once
// The server's outside: HTTP/1.1 and the live socket on one port, one io thread. Source: contract sections 2 to 4.
// Commands go to service::submit and preview after parse_command; reads to service::read. Answers that the wire gives
// by itself (a malformed command) are counted in metrics::answered here, all others by the service.
#include "runtime/access/directory.hpp"
#include "runtime/access/rate.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/wire/http_route.hpp"
#include "runtime/wire/live.hpp"
#include "runtime/wire/service.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace omnium::wire {

struct live_options {
  std::string node = "node";                        // this server's name, in the welcome
  std::chrono::milliseconds beat{5'000};            // between two beats
  std::chrono::milliseconds hello_deadline{10'000}; // from the connection; beyond: closed
  bool compression = false;                         // offer permessage-deflate
  std::size_t queue_bytes_max = limits::live_queue_bytes_max;
  std::size_t queue_frames_max = limits::live_queue_frames_max;
  std::chrono::milliseconds slow_wall_clock = limits::live_slow_wall_clock;
};

// Where the server's deadlines, and the lives of tokens, read the time; a test may turn its own.
struct wire_clock {
  std::function<std::chrono::steady_clock::time_point()> steady = [] { return std::chrono::steady_clock::now(); };
  std::function<std::chrono::system_clock::time_point()> wall = [] { return std::chrono::system_clock::now(); };
};

struct http_server_options {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;                            // 0: a free one
  std::vector<std::string> allowed_origins;          // exact; empty: this server's own address on this machine
  std::string static_dir;                            // empty: a plain status page at /
  std::size_t connections_max = 16384;               // beyond: 503 and closed
  std::chrono::milliseconds header_deadline{10'000}; // from a request's first byte; beyond: 408 and closed
  std::chrono::milliseconds body_deadline{10'000};   // from the end of the header; beyond: 408 and closed
  std::chrono::milliseconds idle_timeout{75'000};    // between two requests; beyond: closed
  std::chrono::milliseconds write_deadline = limits::http_write_deadline; // no byte taken; beyond: closed
  std::size_t header_bytes_max = limits::http_header_bytes_max;           // beyond: 431 and closed
  std::size_t pipeline_len_max = limits::http_pipeline_len_max;
  std::vector<std::string> read_roots = default_read_roots; // first path segments that service::read answers
  live_options live;
  access::rate_bounds bounds;           // of one token, and of one address
  std::string tls_certificate, tls_key; // PEM files; both empty: HTTP in the clear
  wire_clock clock;
  bool behind_proxy = false; // addresses are those that a proxy writes into X-Forwarded-For
};

struct wire_core;

// start, begin_stop and stop are for one owner thread; the rest is for any.
class http_server {
public:
  // `inside`, `measures`, `hub` and `gate` outlive the server; without a hub there is no /live, without a gate
  // everybody may do everything. The service may call back after stop: then nothing happens.
  http_server(http_server_options options, service& inside, ops::metrics* measures = nullptr, live_hub* hub = nullptr,
              access::gate* gate = nullptr);
  ~http_server(); // stops at once
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;

  std::string start();        // listens and begins; empty, or a sentence why it could not
  std::uint16_t port() const; // the one listened on
  std::string url() const;    // http://127.0.0.1:8400
  std::size_t connections() const;
  // Waits until no more than so many are open. False: they were not in that time.
  bool await_connections(std::size_t at_most, std::chrono::milliseconds wall_clock) const;

  // Runs work on the io thread, where the hub is called too. Any thread, for ever: after stop the work is dropped.
  std::function<void(std::function<void()>)> io_door() const;

  // Reads the certificate and its key again, for connections from now on; standing ones go on under theirs. A sentence
  // when they are no good: then nothing changes.
  std::string reload_tls();
  // Bounds for what comes from now on.
  void set_bounds(const access::rate_bounds& bounds);

  // From now on no connection is accepted, new commands are answered try_again shutting_down, /readyz 503; what is in
  // flight goes on.
  void begin_stop();
  // begin_stop, then waits until every answer owed is sent, at most `bound`; then closes all and joins the io thread.
  void stop(std::chrono::milliseconds bound);

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace omnium::wire
