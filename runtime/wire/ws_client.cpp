#include "runtime/wire/ws_client.hpp"
#include "runtime/wire/http_route.hpp"

#include <array>
#include <charconv>
#include <openssl/evp.h>

namespace omnium::wire {
namespace {

using kind = net_error::kind;
using clock = std::chrono::steady_clock;

constexpr std::size_t message_bytes_max = 64u * 1024 * 1024;

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                             reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

// What the server must say to show that it read our key.
std::string accept_of(const std::string& key) {
  auto text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  return base64({reinterpret_cast<const char*>(digest.data()), size});
}

std::string_view header_of(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != head.npos && at + 2 < head.size(); at = head.find("\r\n", at + 2)) {
    auto line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    auto colon = line.find(':');
    if (colon == line.npos || !equal_no_case(line.substr(0, colon), name)) continue;
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    return value;
  }
  return {};
}

} // namespace

ws_client::ws_client(std::string_view url) : bad_url_(parse_http_url(url, url_)) {}

net_error ws_client::open(std::string_view target, const http_headers& headers, std::string_view subprotocol,
                          std::chrono::milliseconds wall_clock) {
  if (bad_url_) return bad_url_;
  auto deadline = clock::now() + wall_clock;
  if (auto e = stream_.connect(url_, deadline, {verify, {}})) return e;
  std::string nonce(16, '\0');
  for (auto& c : nonce) c = static_cast<char>(random_());
  auto key = base64(nonce);
  std::string request = "GET " + url_.prefix + std::string(target) + " HTTP/1.1\r\nHost: " + url_.authority() +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: " +
                        key + "\r\n";
  if (!subprotocol.empty()) request += "Sec-WebSocket-Protocol: " + std::string(subprotocol) + "\r\n";
  for (const auto& [name, value] : headers) request += name + ": " + value + "\r\n";
  if (auto e = stream_.send_all(request + "\r\n", deadline)) return e;
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos) {
    if (auto e = stream_.receive(buffer_, deadline)) return e;
  }
  auto head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  status_ = 0;
  if (head.size() > 12) std::from_chars(head.data() + 9, head.data() + 12, status_);
  protocol_ = header_of(head, "Sec-WebSocket-Protocol");
  if (status_ == 101 && header_of(head, "Sec-WebSocket-Accept") == accept_of(key)) return {};
  return {kind::protocol, "the server did not take the handshake: " + head.substr(0, head.find("\r\n"))};
}

net_error ws_client::send_raw(std::string_view bytes) {
  return stream_.send_all(bytes, clock::now() + std::chrono::seconds(10));
}

net_error ws_client::send_frame(opcode what, std::string_view payload, bool last, bool masked, int reserved) {
  std::string out;
  out.reserve(payload.size() + 14);
  out += static_cast<char>((last ? 0x80 : 0) | (reserved << 4) | static_cast<int>(what));
  int mask_bit = masked ? 0x80 : 0;
  auto size = payload.size();
  if (size < 126) {
    out += static_cast<char>(mask_bit | static_cast<int>(size));
  } else {
    int bytes = size < 65536 ? 2 : 8;
    out += static_cast<char>(mask_bit | (bytes == 2 ? 126 : 127));
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(size >> (8 * i));
  }
  if (masked) {
    auto mask = static_cast<std::uint32_t>(random_());
    for (int i = 0; i < 4; ++i) out += static_cast<char>(mask >> (8 * i));
    for (std::size_t i = 0; i < size; ++i)
      out += static_cast<char>(payload[i] ^ static_cast<char>(mask >> (8 * (i % 4))));
  } else {
    out += payload;
  }
  return send_raw(out);
}

net_error ws_client::fill(std::size_t size, tcp_stream::time_point deadline) {
  while (buffer_.size() < size) {
    if (auto e = stream_.receive(buffer_, deadline)) return e;
  }
  return {};
}

net_error ws_client::next_frame(tcp_stream::time_point deadline, opcode& what, bool& last, std::string& payload) {
  if (auto e = fill(2, deadline)) return e;
  auto byte = [this](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
  last = (byte(0) & 0x80) != 0;
  what = static_cast<opcode>(byte(0) & 0x0F);
  std::size_t size = byte(1) & 0x7F, head = 2;
  if (size >= 126) {
    std::size_t bytes = size == 126 ? 2 : 8;
    if (auto e = fill(2 + bytes, deadline)) return e;
    size = 0;
    for (std::size_t i = 0; i < bytes; ++i) size = size << 8 | byte(2 + i);
    head += bytes;
  }
  if (size > message_bytes_max) return {kind::protocol, "the server sent a frame larger than the client's bound"};
  if (auto e = fill(head + size, deadline)) return e;
  payload.append(buffer_, head, size);
  buffer_.erase(0, head + size);
  return {};
}

void ws_client::note_close(const std::string& payload) {
  close_code_ =
      payload.size() < 2 ? 1005 : static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
  close_reason_ = payload.size() < 2 ? "" : payload.substr(2);
}

net_error ws_client::receive(std::string& out, std::chrono::milliseconds wall_clock) {
  auto deadline = clock::now() + wall_clock;
  out.clear();
  while (true) {
    opcode what{};
    bool last = false;
    std::string control;
    if (auto e = fill(2, deadline)) return e;
    bool is_control = (static_cast<unsigned char>(buffer_[0]) & 0x08) != 0;
    if (auto e = next_frame(deadline, what, last, is_control ? control : out)) return e;
    if (what == opcode::ping) {
      ++pings_;
      if (answer_pings) send_frame(opcode::pong, control);
    } else if (what == opcode::close) {
      note_close(control);
      send_frame(opcode::close, control.substr(0, 2));
      stream_.close();
      return {kind::closed, "the server closed the socket"};
    } else if (!is_control && last) {
      return {};
    }
  }
}

void ws_client::close() {
  if (!stream_.open()) return;
  send_frame(opcode::close, std::string("\x03\xe8", 2));
  stream_.close();
}

} // namespace omnium::wire
