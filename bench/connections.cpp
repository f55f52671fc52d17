// The two kinds of connection: HTTP with pipelining on the product's TCP stream, and its WebSocket client.
#include "bench/sockets.hpp"

#include "runtime/core/json.hpp"

#include <charconv>
#include <fmt/format.h>
#include <sys/socket.h>

namespace omnium::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto send_wall_clock = 10s; // a server that takes nothing for so long: the connection counts as dead

class http_connection final : public connection {
public:
  explicit http_connection(const std::string& url) { wire::parse_http_url(url, url_); }

  bool open(std::chrono::milliseconds wall_clock) override {
    std::lock_guard hold(lock_);
    in_.clear();
    return !stream_.connect(url_, steady::now() + wall_clock);
  }
  bool send(std::string_view text) override {
    std::lock_guard hold(lock_);
    return stream_.open() && !stream_.send_all(text, steady::now() + send_wall_clock);
  }
  // Only the reading thread reads, so the lock is held for the descriptor's life alone.
  bool take(std::vector<std::string>& messages) override {
    for (;;) {
      auto error = stream_.receive(in_, steady::time_point{});
      while (take_answer(messages)) {
      }
      if (error.what == wire::net_error::kind::deadline) return true;
      if (error) return false;
    }
  }
  int native() const override { return stream_.native(); }
  void cut() override {
    std::lock_guard hold(lock_);
    if (stream_.open()) ::shutdown(stream_.native(), SHUT_RDWR);
  }
  void close() override {
    std::lock_guard hold(lock_);
    stream_.close();
  }

private:
  bool take_answer(std::vector<std::string>& messages) {
    constexpr std::string_view length_name = "Content-Length: ";
    auto end = in_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    std::size_t length = 0;
    if (auto at = in_.find(length_name); at < end)
      std::from_chars(in_.data() + at + length_name.size(), in_.data() + end, length);
    if (in_.size() < end + 4 + length) return false;
    messages.push_back(in_.substr(end + 4, length));
    in_.erase(0, end + 4 + length);
    return true;
  }

  wire::http_url url_;
  std::mutex lock_;
  wire::tcp_stream stream_;
  std::string in_;
};

class live_connection final : public connection {
public:
  live_connection(std::string url, std::string token) : url_(std::move(url)), token_(std::move(token)) {}

  bool open(std::chrono::milliseconds wall_clock) override {
    std::lock_guard hold(lock_);
    socket_ = std::make_unique<wire::ws_client>(url_);
    std::string welcome;
    auto hello = fmt::format(R"({{"t":"hello","token":{},"client":"omnium-bench"}})", json::quoted(token_));
    bool good = !socket_->open("/live", {}, "omnium.v1", wall_clock) && !socket_->send(hello) &&
                !socket_->receive(welcome, wall_clock) && welcome.find(R"("t":"welcome")") != std::string::npos;
    if (!good) socket_.reset();
    return good;
  }
  bool send(std::string_view text) override {
    std::lock_guard hold(lock_);
    return socket_ && !socket_->send(text);
  }
  // Held while reading, because a ping is answered on the way.
  bool take(std::vector<std::string>& messages) override {
    std::lock_guard hold(lock_);
    for (std::string text;;) {
      auto error = socket_->receive(text, 0ms);
      if (error.what == wire::net_error::kind::deadline) return true;
      if (error) return false;
      messages.push_back(std::move(text));
    }
  }
  int native() const override { return socket_ ? socket_->native() : -1; }
  void cut() override {
    std::lock_guard hold(lock_);
    if (socket_ && socket_->native() >= 0) ::shutdown(socket_->native(), SHUT_RDWR);
  }
  void close() override {
    std::lock_guard hold(lock_);
    socket_.reset();
  }

private:
  std::string url_, token_;
  std::mutex lock_;
  std::unique_ptr<wire::ws_client> socket_;
};

} // namespace

std::shared_ptr<connection> make_http_connection(const std::string& url) {
  return std::make_shared<http_connection>(url);
}

std::shared_ptr<connection> make_live_connection(const std::string& url, const std::string& token) {
  return std::make_shared<live_connection>(url, token);
}

} // namespace omnium::bench
