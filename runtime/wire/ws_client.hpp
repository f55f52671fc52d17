#pragma once
// A small blocking WebSocket client (RFC 6455) for our own programs: bench and tests. No extensions. Owned by one
// thread. Never throws for what the network does: errors are values.
#include "runtime/wire/http_client.hpp"
#include "runtime/wire/tcp_stream.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace omnium::wire {

class ws_client {
public:
  enum class opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

  // `url`: http[s]://host:port. Nothing is opened yet.
  explicit ws_client(std::string_view url);

  // Opens the connection and shakes hands. A refusal is net_error protocol, with the HTTP status in status().
  net_error open(std::string_view target = "/live", const http_headers& headers = {},
                 std::string_view subprotocol = "omnium.v1",
                 std::chrono::milliseconds wall_clock = std::chrono::seconds(5));
  int status() const { return status_; }
  const std::string& protocol() const { return protocol_; } // the one the server chose

  net_error send(std::string_view text) { return send_frame(opcode::text, text); }
  // Any frame, also ones that are against the rules.
  net_error send_frame(opcode what, std::string_view payload, bool last = true, bool masked = true, int reserved = 0);
  net_error send_raw(std::string_view bytes);

  // The next whole text or binary message. Pings are answered on the way (see answer_pings). The end of the connection
  // is net_error closed, a close frame's code in close_code().
  net_error receive(std::string& out, std::chrono::milliseconds wall_clock = std::chrono::seconds(10));
  int close_code() const { return close_code_; } // 0: no close frame was seen
  const std::string& close_reason() const { return close_reason_; }
  std::uint64_t pings() const { return pings_; }

  bool answer_pings = true;
  bool verify = true; // https: the certificate
  void close();       // sends a close frame and lets go
  int native() const { return stream_.native(); }

private:
  net_error fill(std::size_t size, tcp_stream::time_point deadline);
  net_error next_frame(tcp_stream::time_point deadline, opcode& what, bool& last, std::string& payload);
  void note_close(const std::string& payload);

  http_url url_;
  net_error bad_url_;
  tcp_stream stream_;
  std::string buffer_, protocol_, close_reason_;
  int status_ = 0, close_code_ = 0;
  std::uint64_t pings_ = 0;
  std::mt19937 random_{std::random_device{}()};
};

} // namespace omnium::wire
