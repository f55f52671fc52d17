#pragma once
// The ways an alert's message can go. Each carries one message and says what became of it; deadlines are its own,
// retries are the alert service's. Blocking; one thread a route.
#include "runtime/core/limits.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace omnium::upkeep {

struct message {
  std::int64_t id = 0; // the same at every try, so that a receiver can tell a repetition from another message
  std::string body;    // JSON: {"what": "opened"|"again"|"closed", "alert": {…}}; ops.alert_json
};
// One line for a person: "[page] disk-low opened: …".
std::string headline(const std::string& body);

class route {
public:
  explicit route(std::string name) : name_(std::move(name)) {}
  virtual ~route() = default;
  const std::string& name() const { return name_; }  // as in alert_route
  virtual std::string send(const message& what) = 0; // empty: delivered; else one sentence

private:
  std::string name_;
};
using route_ptr = std::shared_ptr<route>;

// How mail is kept secret on its way to the server: not at all (a relay on this machine), by STARTTLS (RFC 3207), which
// the server must offer, or by TLS from the first byte on.
enum class mail_security : std::uint8_t { none, starttls, tls };
mail_security parse_mail_security(const std::string& word); // none, starttls, tls; another word: none

struct mail_settings {
  std::string server;         // host:port of an SMTP server; empty: no such route
  std::string from, to;       // addresses; several receivers stand between commas
  std::string user, password; // for the server's sign-in (SMTP AUTH, RFC 4954); an empty user: none
  mail_security security = mail_security::none;
};

struct route_settings {
  std::string webhook_url;    // http[s]://host:port/path; empty: no such route
  std::string webhook_secret; // signs the body: HMAC-SHA256
  std::string slack_url;      // an incoming webhook, or what speaks its format
  mail_settings mail;
  std::string ca_file; // certificates (PEM) that receivers' may lead to, beside those this machine trusts
  std::chrono::milliseconds wall_clock = limits::alert_send_wall_clock; // of one message
};

// A line of the log: always there.
route_ptr log_route();
// POST of the body with the headers Omnium-Delivery (the id), Omnium-Timestamp (seconds since 1970) and
// Omnium-Signature: sha256=<hex of HMAC-SHA256(secret, timestamp "." body)>. Delivered: any 2xx.
route_ptr webhook_route(const std::string& url, const std::string& secret, std::chrono::milliseconds wall_clock,
                        const std::string& ca_file = {});
// POST of {"text": …}.
route_ptr slack_route(const std::string& url, std::chrono::milliseconds wall_clock, const std::string& ca_file = {});
// SMTP (RFC 5321), to a relay that sees to the rest.
route_ptr mail_route(const mail_settings& settings, std::chrono::milliseconds wall_clock,
                     const std::string& ca_file = {});

std::vector<route_ptr> make_routes(const route_settings& settings);

std::string hmac_sha256_hex(const std::string& secret, const std::string& text);

} // namespace omnium::upkeep
