#pragma once
// Inside runtime/wire only: the server's certificate and key as a context for handshakes.
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

namespace omnium::wire {

struct tls_result {
  std::shared_ptr<boost::asio::ssl::context> context; // null: `error` is a sentence
  std::string error;
};
// Reads both files (PEM). TLS 1.2 and 1.3 only.
tls_result read_tls(const std::string& certificate, const std::string& key);

} // namespace omnium::wire
