#pragma once
// A blocking TCP connection, in the clear or under TLS, with deadlines, on plain POSIX sockets: what the small clients
// (HTTP, WebSocket) stand on. Owned by one thread. Errors are values.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace omnium::wire {

struct net_error {
  enum class kind : std::uint8_t {
    none,
    bad_url,  // the address is not http[s]://host[:port]; nothing was sent
    connect,  // no connection; nothing was sent
    deadline, // the deadline passed; the request may have been carried out
    closed,   // the peer closed or reset; the request may have been carried out
    protocol, // the peer sent what is not HTTP, or more than the bound
  } what = kind::none;
  std::string message; // one sentence for a person
  explicit operator bool() const { return what != kind::none; }
};

// http[s]://host:port/prefix taken apart. IPv6 hosts stand in brackets.
struct http_url {
  std::string host, port, prefix;
  bool secret = false;           // https
  std::string authority() const; // for the Host header
};
net_error parse_http_url(std::string_view text, http_url& out);

// Whom to believe under TLS.
struct tls_trust {
  bool verify = true;  // the peer's certificate must be of its host, and lead to one that is trusted
  std::string ca_file; // certificates (PEM) to trust beside this machine's (or SSL_CERT_FILE's); empty: those alone
};

class tls_client;

class tcp_stream {
public:
  using time_point = std::chrono::steady_clock::time_point;

  tcp_stream();
  ~tcp_stream();
  tcp_stream(tcp_stream&& other) noexcept;
  tcp_stream& operator=(tcp_stream&& other) noexcept;

  // With TCP_NODELAY; under https with TLS.
  net_error connect(const http_url& where, time_point deadline, const tls_trust& trust = {});
  // TLS from here on, over a connection that began in the clear (STARTTLS). An error closes it.
  net_error start_tls(const std::string& host, time_point deadline, const tls_trust& trust = {});
  net_error send_all(std::string_view bytes, time_point deadline);
  // Appends at least one byte to `into`, at most 64 KiB. End of stream is net_error::kind::closed.
  net_error receive(std::string& into, time_point deadline);
  // True when the peer has closed, or sent something nobody asked for: not fit for another request.
  bool stale() const;
  bool open() const { return fd_ >= 0; }
  int native() const { return fd_; }
  void close();

private:
  net_error connect_plain(const http_url& where, time_point deadline);
  int fd_ = -1;
  std::unique_ptr<tls_client> tls_;
};

} // namespace omnium::wire
