#include "tests/support/swarm_socket.hpp"

#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace omnium::testing {
namespace {

constexpr int receive_bytes = 32 * 1024; // in the kernel: a stuck reader is noticed after little more
// Zero as the mask's key leaves the payload as it is; the protocol asks for a key, not for chance on a loopback test.
constexpr char mask_key[4] = {0, 0, 0, 0};

std::uint64_t big_endian(const char* at, int bytes) {
  std::uint64_t out = 0;
  for (int i = 0; i < bytes; ++i) out = out << 8 | static_cast<unsigned char>(at[i]);
  return out;
}

} // namespace

bool swarm_socket::connect(std::uint16_t port) {
  close();
  fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return false;
  int one = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(fd_, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0 || errno == EINPROGRESS;
}

void swarm_socket::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  upgraded_ = false;
  std::string().swap(in_);
  taken_ = 0;
}

void swarm_socket::shake_hands(std::uint16_t port) {
  send_bytes(fmt::format("GET /live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                         "Sec-WebSocket-Protocol: omnium.v1\r\n\r\n",
                         port));
}

// What a client of these tests sends is small: a kernel buffer that has no room for it is a dead link.
void swarm_socket::send_bytes(std::string_view bytes) {
  [[maybe_unused]] auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void swarm_socket::send_frame(int opcode, std::string_view payload) {
  std::string out(1, static_cast<char>(0x80 | opcode));
  if (payload.size() < 126) out += static_cast<char>(0x80 | payload.size());
  else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(payload.size() >> 8);
    out += static_cast<char>(payload.size() & 0xFF);
  }
  out.append(mask_key, sizeof mask_key).append(payload);
  send_bytes(out);
}

bool swarm_socket::fill() {
  in_.erase(0, std::exchange(taken_, 0));
  char bytes[16384];
  for (;;) {
    auto got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got > 0) in_.append(bytes, static_cast<std::size_t>(got));
    else return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (static_cast<std::size_t>(got) < sizeof bytes) return true;
  }
}

swarm_socket::event swarm_socket::next(std::string_view& text) {
  std::string_view rest = std::string_view(in_).substr(taken_);
  if (!upgraded_) {
    auto end = rest.find("\r\n\r\n");
    if (end == rest.npos) return event::none;
    taken_ += end + 4;
    upgraded_ = rest.starts_with("HTTP/1.1 101");
    return upgraded_ ? event::upgraded : event::refused;
  }
  if (rest.size() < 2) {
    if (rest.empty() && in_.capacity() > 4096) std::string().swap(in_), taken_ = 0;
    return event::none;
  }
  int opcode = rest[0] & 0x0F;
  std::size_t size = static_cast<unsigned char>(rest[1]) & 0x7F, head = 2;
  if (size == 126 || size == 127) {
    int bytes = size == 126 ? 2 : 8;
    if (rest.size() < 2 + static_cast<std::size_t>(bytes)) return event::none;
    size = big_endian(rest.data() + 2, bytes);
    head += static_cast<std::size_t>(bytes);
  }
  if (rest.size() < head + size) return event::none;
  text = rest.substr(head, size);
  taken_ += head + size;
  if (opcode == 0x1) return event::text;
  if (opcode == 0x9) send_frame(0xA, text);
  if (opcode == 0x8) {
    close_code_ = size >= 2 ? static_cast<int>(big_endian(text.data(), 2)) : 1005;
    send_frame(0x8, text.substr(0, 2));
    return event::closed;
  }
  return next(text);
}

} // namespace omnium::testing
