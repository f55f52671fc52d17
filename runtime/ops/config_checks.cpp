// What is wrong with settings that are each of the right type: texts that lead nowhere, values that contradict each
// other, and files and folders that are not there.
#include "runtime/ops/config.hpp"
#include "runtime/ops/log.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace omnium::ops {
namespace {

// 127.0.0.0/8 or ::1, as a literal address: a name could mean anything tomorrow.
bool is_loopback(const std::string& address) {
  in_addr four{};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool is_port(std::string_view text) {
  int port = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
  return code == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    in6_addr six{};
    return text.ends_with(']') &&
           ::inet_pton(AF_INET6, std::string(text.substr(1, text.size() - 2)).c_str(), &six) == 1;
  }
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c >= 0x80;
  });
}

// Where the port's colon stands behind a host, or npos: an IPv6 address has colons of its own in its brackets.
std::size_t colon_of(std::string_view authority) {
  auto bracket = authority.rfind(']');
  return authority.find(':', bracket == authority.npos ? 0 : bracket);
}

bool is_authority(std::string_view text, bool needs_port) {
  auto colon = colon_of(text);
  if (colon == text.npos) return !needs_port && is_host(text);
  return is_host(text.substr(0, colon)) && is_port(text.substr(colon + 1));
}

bool is_http_address(std::string_view text) {
  auto skip = text.starts_with("https://") ? 8u : text.starts_with("http://") ? 7u : 0u;
  bool plain = std::none_of(text.begin(), text.end(), [](unsigned char c) { return c <= 0x20 || c == 0x7F; });
  auto rest = text.substr(skip);
  return skip > 0 && plain && is_authority(rest.substr(0, rest.find_first_of("/?#")), false);
}

// As a browser sends it: in small letters, without a path.
bool is_origin(std::string_view text) {
  auto end = text.find("://");
  if (end == text.npos || end == 0) return false;
  bool scheme = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '+' || c == '-' || c == '.';
  });
  bool small = std::none_of(text.begin(), text.end(), [](unsigned char c) { return std::isupper(c) != 0; });
  return scheme && small && is_authority(text.substr(end + 3), false);
}

// One address, or several between commas; each a name and a host.
bool are_mail_addresses(std::string_view list, bool several) {
  if (!several && list.find(',') != list.npos) return false;
  bool any = false;
  for (std::size_t at = 0; at <= list.size();) {
    auto comma = std::min(list.find(',', at), list.size());
    auto one = list.substr(at, comma - at);
    at = comma + 1;
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (one.empty()) continue;
    auto sign = one.find('@');
    if (sign == one.npos || sign == 0 || sign + 1 == one.size() || one.find_first_of(" <>") != one.npos) return false;
    any = true;
  }
  return any;
}

// The addresses may hold secrets, so no sentence repeats them.
void check_alerts(const settings& values, std::vector<std::string>& out) {
  const auto& alerts = values.alerts;
  for (const auto& [name, url] :
       {std::pair{"alerts.webhook_url", &alerts.webhook_url}, std::pair{"alerts.slack_url", &alerts.slack_url}})
    if (!url->empty() && !is_http_address(*url))
      out.push_back(std::string(name) + " must be an address http[s]://host[:port]/path.");
  if (!alerts.mail_user.empty() && alerts.mail_tls == "none")
    out.emplace_back("alerts.mail_user would sign in to the mail server unencrypted: set alerts.mail_tls.");
  if (alerts.mail_server.empty()) return;
  if (!is_authority(alerts.mail_server, true))
    out.push_back("alerts.mail_server must be host:port, not \"" + alerts.mail_server + "\".");
  if (!are_mail_addresses(alerts.mail_from, false))
    out.emplace_back("alerts.mail_from must be one mail address, because alerts.mail_server is set.");
  if (!are_mail_addresses(alerts.mail_to, true))
    out.emplace_back("alerts.mail_to must name one or more mail addresses, because alerts.mail_server is set.");
}

std::string folder_fault(std::string_view option, const std::string& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return {};
  return std::string(option) + ": there is no folder " + folder + ".";
}

std::string certificates_fault(std::string_view option, const std::string& file) {
  if (file.empty()) return {};
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return std::string(option) + ": " + file + " cannot be read.";
  if (text.str().find("-----BEGIN CERTIFICATE-----") != std::string::npos) return {};
  return std::string(option) + ": " + file + " holds no certificate (PEM).";
}

} // namespace

std::vector<std::string> contradictions(const settings& values) {
  std::vector<std::string> out;
  const auto& http = values.http;
  const bool tls = !http.tls_certificate.empty();
  if (http.tls_certificate.empty() != http.tls_key.empty())
    out.emplace_back("http.tls_certificate and http.tls_key must be set together.");
  check_alerts(values, out);
  for (const auto& origin : http.allowed_origins)
    if (!is_origin(origin))
      out.push_back("http.allowed_origins: \"" + origin +
                    "\" is no origin: scheme://host or scheme://host:port, with nothing behind it.");
  if (is_loopback(http.listen)) return out;
  if (!values.auth.required)
    out.push_back("auth.required may be false only while http.listen is a loopback address, and " + http.listen +
                  " is none.");
  if (!tls && !http.behind_proxy)
    out.push_back("http.listen " + http.listen +
                  " is open to other machines, where tokens would travel unencrypted: set http.tls_certificate and "
                  "http.tls_key, or http.behind_proxy = true where a proxy ends TLS.");
  return out;
}

std::vector<std::string> faults_on_this_machine(const settings& values) {
  std::vector<std::string> out;
  auto log = log_file_fault(values.log.file);
  if (!log.empty()) log = "log.file cannot be written: " + log + ".";
  for (auto& fault :
       {folder_fault("http.static_dir", values.http.static_dir), folder_fault("sports.dir", values.sports.dir),
        certificates_fault("alerts.tls_ca", values.alerts.tls_ca), log})
    if (!fault.empty()) out.push_back(fault);
  return out;
}

} // namespace omnium::ops
