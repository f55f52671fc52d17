#include "runtime/upkeep/routes.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/core/json.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/wire/http_client.hpp"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace omnium::upkeep {
namespace {

std::string alert_of(const std::string& body) { return json::raw_member(body, "alert").value_or("{}"); }

std::string text_of(const std::string& object, std::string_view name) {
  return json::string_member(object, name).value_or("");
}

class log_lines final : public route {
public:
  log_lines() : route("log") {}
  std::string send(const message& what) override {
    auto detail = text_of(alert_of(what.body), "detail");
    auto line = "alert: " + headline(what.body) + (detail.empty() ? "" : " " + detail);
    text_of(what.body, "what") == "closed" ? ops::log_info(line) : ops::log_error(line);
    return {};
  }
};

// http://host:port and the path behind it: what http_client takes apart.
std::pair<std::string, std::string> split_url(const std::string& url) {
  auto scheme = url.find("://");
  auto path = scheme == std::string::npos ? std::string::npos : url.find('/', scheme + 3);
  if (path == std::string::npos) return {url, "/"};
  return {url.substr(0, path), url.substr(path)};
}

class http_post : public route {
public:
  http_post(std::string name, const std::string& url, std::chrono::milliseconds wall_clock, std::string ca_file)
      : route(std::move(name)), where_(split_url(url)), wall_clock_(wall_clock), trust_{true, std::move(ca_file)} {}

protected:
  std::string post(const std::string& body, const wire::http_headers& headers) const {
    wire::http_client http(where_.first, {.connect_wall_clock = wall_clock_,
                                          .request_wall_clock = wall_clock_,
                                          .trust = trust_,
                                          .response_bytes_max = 1024 * 1024});
    auto answer = http.request("POST", where_.second, body, headers);
    if (!answer) return answer.error.message;
    if (answer->status / 100 != 2) return fmt::format("the receiver answered {}", answer->status);
    return {};
  }

private:
  std::pair<std::string, std::string> where_;
  std::chrono::milliseconds wall_clock_;
  wire::tls_trust trust_;
};

class webhook final : public http_post {
public:
  webhook(const std::string& url, std::string secret, std::chrono::milliseconds wall_clock, const std::string& ca_file)
      : http_post("webhook", url, wall_clock, ca_file), secret_(std::move(secret)) {}
  std::string send(const message& what) override {
    auto now = std::to_string(
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count());
    wire::http_headers headers = {{"Omnium-Delivery", std::to_string(what.id)}, {"Omnium-Timestamp", now}};
    if (!secret_.empty())
      headers.emplace_back("Omnium-Signature", "sha256=" + hmac_sha256_hex(secret_, now + "." + what.body));
    return post(what.body, headers);
  }

private:
  std::string secret_;
};

class slack final : public http_post {
public:
  slack(const std::string& url, std::chrono::milliseconds wall_clock, const std::string& ca_file)
      : http_post("slack", url, wall_clock, ca_file) {}
  std::string send(const message& what) override {
    auto alert = alert_of(what.body);
    auto text =
        fmt::format("{}\n{}\nRunbook: {}", headline(what.body), text_of(alert, "detail"), text_of(alert, "runbook"));
    return post("{\"text\":" + json::quoted(text) + "}", {});
  }
};

} // namespace

std::string headline(const std::string& body) {
  auto alert = alert_of(body);
  auto key = text_of(alert, "key");
  return fmt::format("[{}] {}{} {}: {} ({} times)", text_of(alert, "severity"), text_of(alert, "rule"),
                     key.empty() ? "" : " " + key, text_of(body, "what"), text_of(alert, "sentence"),
                     json::integer_member(alert, "count").value_or(0));
}

std::string hmac_sha256_hex(const std::string& secret, const std::string& text) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(), &size);
  return hex({out.data(), size});
}

route_ptr log_route() { return std::make_shared<log_lines>(); }

route_ptr webhook_route(const std::string& url, const std::string& secret, std::chrono::milliseconds wall_clock,
                        const std::string& ca_file) {
  return std::make_shared<webhook>(url, secret, wall_clock, ca_file);
}

route_ptr slack_route(const std::string& url, std::chrono::milliseconds wall_clock, const std::string& ca_file) {
  return std::make_shared<slack>(url, wall_clock, ca_file);
}

std::vector<route_ptr> make_routes(const route_settings& s) {
  std::vector<route_ptr> out{log_route()};
  if (!s.webhook_url.empty()) out.push_back(webhook_route(s.webhook_url, s.webhook_secret, s.wall_clock, s.ca_file));
  if (!s.slack_url.empty()) out.push_back(slack_route(s.slack_url, s.wall_clock, s.ca_file));
  if (!s.mail.server.empty()) out.push_back(mail_route(s.mail, s.wall_clock, s.ca_file));
  return out;
}

} // namespace omnium::upkeep
