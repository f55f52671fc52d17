#pragma once
// Inside runtime/wire only: a peer's socket, in the clear or under TLS, as one type, so that the connections above it
// are compiled once. Io thread only; one read and one write may be under way at a time.
#include <boost/asio/async_result.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <memory>
#include <utility>

namespace omnium::wire {

class wire_stream {
public:
  using socket_type = boost::asio::ip::tcp::socket;
  using executor_type = socket_type::executor_type;
  using error_code = boost::system::error_code;

  // `context` null: in the clear.
  wire_stream(socket_type socket, std::shared_ptr<boost::asio::ssl::context> context)
      : plain_(std::move(socket)), context_(std::move(context)) {
    if (context_) tls_ = std::make_unique<boost::asio::ssl::stream<socket_type>>(std::move(plain_), *context_);
  }

  executor_type get_executor() { return socket().get_executor(); }
  socket_type& socket() { return tls_ ? tls_->next_layer() : plain_; }
  bool secret() const { return tls_ != nullptr; }

  // Before anything else, when secret().
  template<class Token>
  auto async_handshake(Token&& token) {
    return tls_->async_handshake(boost::asio::ssl::stream_base::server, std::forward<Token>(token));
  }

  template<class Buffers, class Token>
  auto async_read_some(const Buffers& into, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const auto& to) {
          if (tls_) tls_->async_read_some(to, std::move(handler));
          else plain_.async_read_some(to, std::move(handler));
        },
        token, into);
  }
  template<class Buffers, class Token>
  auto async_write_some(const Buffers& from, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const auto& bytes) {
          if (tls_) tls_->async_write_some(bytes, std::move(handler));
          else plain_.async_write_some(bytes, std::move(handler));
        },
        token, from);
  }

private:
  socket_type plain_;                                  // moved from under TLS
  std::shared_ptr<boost::asio::ssl::context> context_; // of the handshake; a reload does not touch it
  std::unique_ptr<boost::asio::ssl::stream<socket_type>> tls_;
};

// What Beast asks of a stream below a WebSocket. Every frame says its length, so that nobody can cut the end off
// unseen: the socket is closed without TLS's own farewell.
inline void teardown(boost::beast::role_type role, wire_stream& stream, boost::system::error_code& ec) {
  boost::beast::websocket::teardown(role, stream.socket(), ec);
}
template<class Handler>
void async_teardown(boost::beast::role_type role, wire_stream& stream, Handler&& handler) {
  boost::beast::websocket::async_teardown(role, stream.socket(), std::forward<Handler>(handler));
}
inline void beast_close_socket(wire_stream& stream) {
  boost::system::error_code ignored;
  stream.socket().close(ignored);
}

} // namespace omnium::wire
