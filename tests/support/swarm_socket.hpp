#pragma once
// One non-blocking WebSocket from the client's side: bytes in, whole text messages out. No extensions, no fragments
// (the server sends none).
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::testing {

class swarm_socket {
public:
  ~swarm_socket() { close(); }
  bool connect(std::uint16_t port); // 127.0.0.1; false: not even begun
  void close();
  int native() const { return fd_; }

  // Sends the upgrade once the connection stands.
  void shake_hands(std::uint16_t port);
  void send_text(std::string_view text) { send_frame(0x1, text); }
  // Reads what is there. False: the connection is over.
  bool fill();
  enum class event : std::uint8_t { none, upgraded, refused, text, closed };
  // The next thing in what was read; pings are answered on the way. `text` stays valid until the next call.
  event next(std::string_view& text);
  int close_code() const { return close_code_; }

private:
  void send_frame(int opcode, std::string_view payload);
  void send_bytes(std::string_view bytes);
  int fd_ = -1;
  bool upgraded_ = false;
  std::string in_;
  std::size_t taken_ = 0; // of in_, by the message handed out last
  int close_code_ = 0;
};

} // namespace omnium::testing
