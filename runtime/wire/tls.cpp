#include "runtime/wire/tls.hpp"

#include "runtime/wire/tls_fault.hpp"

#include <openssl/ssl.h>
#include <string_view>

namespace omnium::wire {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// Only HTTP/1.1 is spoken here; a client that offers more is told so instead of guessing.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void*) {
  static constexpr unsigned char ours[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  int found = SSL_select_next_proto(&chosen, size, ours, sizeof ours - 1, offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

} // namespace

tls_result read_tls(const std::string& certificate, const std::string& key) {
  error_code ec;
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  auto* native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS); // some 34 KB less for each idle socket
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  context->use_certificate_chain_file(certificate, ec);
  if (ec) return {nullptr, "http.tls_certificate cannot be used: " + certificate + ": " + ec.message()};
  context->use_private_key_file(key, ssl::context::pem, ec);
  if (ec) return {nullptr, "http.tls_key cannot be used: " + key + ": " + ec.message()};
  return {std::move(context), {}};
}

std::string tls_fault(const std::string& certificate, const std::string& key) {
  return read_tls(certificate, key).error;
}

} // namespace omnium::wire
