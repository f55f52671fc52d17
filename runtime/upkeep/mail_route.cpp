// Mail over SMTP, by libcurl: a relay takes it, and sees to the rest.
#include "runtime/upkeep/routes.hpp"

#include "runtime/core/json.hpp"
#include "runtime/wire/outgoing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace omnium::upkeep {
namespace {

// A line of a header or an address: what could end it, or begin another, does not pass.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\n') out += '\r';
    if (c != '\r') out += c;
  }
  return out;
}

std::vector<std::string> addresses(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream all(one_line(list));
  for (std::string one; std::getline(all, one, ',');) {
    std::erase(one, ' ');
    if (!one.empty()) out.push_back("<" + one + ">");
  }
  return out;
}

std::size_t give(char* into, std::size_t, std::size_t room, void* of) {
  auto& left = *static_cast<std::string_view*>(of);
  auto size = left.copy(into, room);
  left.remove_prefix(size);
  return size;
}

class mail final : public route {
public:
  mail(mail_settings settings, std::chrono::milliseconds wall_clock, const std::string& ca_file)
      : route("mail"), settings_(std::move(settings)), from_("<" + one_line(settings_.from) + ">"),
        to_(addresses(settings_.to)), wall_clock_(wall_clock), trust_{true, ca_file} {}

  std::string send(const message& what) override {
    const auto text = letter(what);
    std::string_view left = text;
    wire::curl_lines receivers;
    for (const auto& one : to_) receivers.add(one);
    wire::curl_handle with;
    with.start_over(trust_, wall_clock_, wall_clock_);
    // What stands behind the slash is the name this server gives itself.
    auto scheme = settings_.security == mail_security::tls ? "smtps" : "smtp";
    with.set(CURLOPT_URL, fmt::format("{}://{}/omnium", scheme, settings_.server).c_str());
    with.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    // A server that offers no STARTTLS gets no mail.
    if (settings_.security == mail_security::starttls) with.set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
    if (!settings_.user.empty()) {
      with.set(CURLOPT_USERNAME, settings_.user.c_str());
      with.set(CURLOPT_PASSWORD, settings_.password.c_str());
    }
    with.set(CURLOPT_MAIL_FROM, from_.c_str());
    with.set(CURLOPT_MAIL_RCPT, receivers.get());
    with.set(CURLOPT_UPLOAD, 1L);
    with.set(CURLOPT_READFUNCTION, &give);
    with.set(CURLOPT_READDATA, &left);
    return with.perform().message;
  }

private:
  std::string letter(const message& what) const {
    auto alert = json::raw_member(what.body, "alert").value_or("{}");
    auto member = [&](std::string_view name) { return json::string_member(alert, name).value_or(""); };
    return with_crlf(fmt::format("From: {}\nTo: {}\nSubject: {}\nMessage-ID: <omnium-alert-{}@omnium>\n"
                                 "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
                                 "Content-Transfer-Encoding: 8bit\n\n{}\n\n{}\n\nRunbook: {}\nSince: {}\n",
                                 from_, fmt::join(to_, ", "), one_line(headline(what.body)), what.id,
                                 headline(what.body), member("detail"), member("runbook"), member("first_at")));
  }
  mail_settings settings_;
  std::string from_;
  std::vector<std::string> to_;
  std::chrono::milliseconds wall_clock_;
  wire::tls_trust trust_;
};

} // namespace

mail_security parse_mail_security(const std::string& word) {
  return word == "starttls" ? mail_security::starttls : word == "tls" ? mail_security::tls : mail_security::none;
}

route_ptr mail_route(const mail_settings& settings, std::chrono::milliseconds wall_clock, const std::string& ca_file) {
  return std::make_shared<mail>(settings, wall_clock, ca_file);
}

} // namespace omnium::upkeep
