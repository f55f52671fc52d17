// HTTP and the live socket under TLS, and a new certificate without a dropped socket. Source: issue 5 item 1.
#include "runtime/wire/tls_fault.hpp"
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/support/certificate.hpp"
#include "tests/unit/wire_sign_in_support.hpp"

#include <filesystem>
#include <fstream>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
using namespace std::chrono_literals;

namespace {

// A certificate for 127.0.0.1 that no machine trusts, and its key.
struct certificate {
  omnium::testing::authority from;
  certificate() { renew(); }
  std::string file() const { return from.path("own.pem"); }
  std::string key() const { return from.path("own.key"); }
  void renew() const { from.issue("own", "IP:127.0.0.1"); }
};

struct secret_server {
  certificate own;
  fake_service inside;
  quiet_hub hub;
  fake_gate gate;
  ops::metrics measures;
  http_server server{options(), inside, &measures, &hub, &gate};
  std::string token = gate.add(access::role::admin);

  secret_server() { REQUIRE(server.start().empty()); }
  http_server_options options() const {
    http_server_options out;
    out.tls_certificate = own.file();
    out.tls_key = own.key();
    out.header_deadline = 500ms;
    return out;
  }
  http_client client(bool verify = false) const {
    http_client out(server.url(), {.trust = {.verify = verify, .ca_file = {}}});
    out.always("Authorization", "Bearer " + token);
    return out;
  }
};

// The serial number of the certificate a fresh connection is shown.
std::string shown_serial(const http_server& server) {
  http_url url;
  parse_http_url(server.url(), url);
  url.secret = false;
  tcp_stream plain;
  REQUIRE_FALSE(plain.connect(url, std::chrono::steady_clock::now() + 5s));
  auto* context = SSL_CTX_new(TLS_client_method());
  auto* session = SSL_new(context);
  SSL_set_fd(session, plain.native());
  int result = 0;
  for (int i = 0; i < 500 && (result = SSL_connect(session)) != 1; ++i) {
    bool wants_write = SSL_get_error(session, result) == SSL_ERROR_WANT_WRITE;
    pollfd ready{plain.native(), static_cast<short>(wants_write ? POLLOUT : POLLIN), 0};
    REQUIRE(::poll(&ready, 1, 5000) == 1);
  }
  REQUIRE(result == 1);
  auto* peer = SSL_get1_peer_certificate(session);
  auto* number = ASN1_INTEGER_to_BN(X509_get_serialNumber(peer), nullptr);
  char* text = BN_bn2hex(number);
  std::string out = text;
  OPENSSL_free(text);
  BN_free(number);
  X509_free(peer);
  SSL_free(session);
  SSL_CTX_free(context);
  return out;
}

} // namespace

TEST_CASE("commands, reads and large replies go under TLS like in the clear, kept alive") {
  secret_server s;
  CHECK(s.server.url().starts_with("https://127.0.0.1:"));
  auto client = s.client();
  for (int i = 0; i < 50; ++i) {
    auto answer = client.request("POST", command_target, command_body("k" + std::to_string(i)));
    REQUIRE(answer);
    REQUIRE(answer->status == 200);
  }
  CHECK(s.server.connections() == 1);
  auto large = client.request("GET", "/fixtures/large");
  REQUIRE(large);
  CHECK(large->body.size() == 20'000'000);
  CHECK(std::string(client.request("GET", "/")->header("Strict-Transport-Security")).starts_with("max-age="));
  CHECK(s.client().request("GET", "/sports", {}, {{"Origin", s.server.url()}})->header("Access-Control-Allow-Origin") ==
        s.server.url());
  http_client stranger(s.server.url(), {.trust = {.verify = false, .ca_file = {}}});
  CHECK(stranger.request("GET", "/sports")->status == 401);
}

TEST_CASE("the live socket goes under TLS, and a new certificate does not drop it") {
  secret_server s;
  ws_client socket(s.server.url());
  CHECK(socket.open()); // not trusted
  socket.verify = false;
  REQUIRE_FALSE(socket.open());
  std::string text;
  auto next = [&](const std::string& part) {
    while (!socket.receive(text, 5s))
      if (text.find(part) != std::string::npos) return true;
    return false;
  };
  socket.send(R"({"t":"hello","token":")" + s.token + "\"}");
  CHECK(next("welcome"));
  s.own.renew();
  CHECK(s.server.reload_tls().empty());
  for (int i = 0; i < 200; ++i) {
    socket.send(
        R"({"t":"command","id":1,"workflow":"football","kind":"fixture","ref":"0190a0a0-0000-7000-8000-000000000001","body":)" +
        command_body("k" + std::to_string(i)) + "}");
    REQUIRE(next("accepted"));
  }
  s.server.stop(2000ms);
  CHECK(next(R"("reason":"restart")"));
  CHECK_FALSE(next("anything"));
  CHECK(socket.close_code() == 1012);
}

TEST_CASE("a client trusts no certificate it does not know") {
  secret_server s;
  auto answer = s.client(true).request("GET", "/sports");
  CHECK_FALSE(answer);
  CHECK(answer.error.message.find("not trusted") != std::string::npos);
}

TEST_CASE("a client that speaks TLS to a server without hears that, and nothing of certificates") {
  fake_service inside;
  http_server plain({}, inside);
  REQUIRE(plain.start().empty());
  auto url = plain.url();
  url.replace(0, 4, "https");
  auto answer = http_client(url).request("GET", "/sports");
  CHECK_FALSE(answer);
  CHECK(answer.error.message.find("does not speak TLS") != std::string::npos);
  CHECK(answer.error.message.find("trusted") == std::string::npos);
}

TEST_CASE("certificate and key are looked at before a start") {
  certificate own;
  CHECK(tls_fault(own.file(), own.key()).empty());
  CHECK(tls_fault("/nonexist", own.key()).starts_with("http.tls_certificate"));
  CHECK(tls_fault(own.file(), "/nonexist").starts_with("http.tls_key"));
}

TEST_CASE("who speaks no TLS, or never finishes its handshake, is cut and hurts nobody") {
  secret_server s;
  raw_socket plain(s.server), silent(s.server), half(s.server);
  plain.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(plain.rest(3s).find("HTTP/1.1 200") == std::string::npos);
  CHECK_FALSE(plain.timed_out);
  half.send(std::string("\x16\x03\x01\x02\x00\x01\x00", 7));
  half.rest(3s);
  CHECK_FALSE(half.timed_out);
  silent.rest(3s);
  CHECK_FALSE(silent.timed_out);
  CHECK(s.client().request("GET", "/livez")->status == 200);
}

TEST_CASE("a new certificate is shown to new connections, standing ones go on, and a bad one changes nothing") {
  secret_server s;
  auto standing = s.client();
  REQUIRE(standing.request("GET", "/sports")->status == 200);
  const auto first = shown_serial(s.server);
  s.own.renew();
  CHECK(shown_serial(s.server) == first);
  CHECK(s.server.reload_tls().empty());
  auto second = first;
  for (int i = 0; i < 100 && second == first; ++i) second = shown_serial(s.server);
  CHECK(second != first);
  CHECK(standing.request("GET", "/sports")->status == 200);
  std::ofstream(s.own.file()) << "no certificate";
  CHECK(s.server.reload_tls().find("http.tls_certificate") != std::string::npos);
  CHECK(shown_serial(s.server) == second);
  certificate other;
  std::filesystem::copy_file(other.file(), s.own.file(), std::filesystem::copy_options::overwrite_existing);
  CHECK(s.server.reload_tls().find("http.tls_key") != std::string::npos);
  CHECK(standing.request("POST", command_target, command_body("k"))->status == 200);
}

TEST_CASE("a server does not start on a certificate it cannot use") {
  fake_service inside;
  for (const auto& [file, key] : {std::pair("/nothing", "/nothing"), std::pair("/etc/passwd", "/etc/passwd")}) {
    http_server_options options;
    options.tls_certificate = file;
    options.tls_key = key;
    http_server server(options, inside);
    CHECK(server.start().find("http.tls_certificate") != std::string::npos);
  }
}
