// Mail over SMTP, as RFC 5321 has it without extensions but STARTTLS (RFC 3207): a relay takes it, and sees to the
// rest.
#include "runtime/upkeep/routes.hpp"

#include "runtime/core/json.hpp"
#include "runtime/wire/tcp_stream.hpp"

#include <fmt/format.h>

namespace omnium::upkeep {
namespace {

constexpr std::size_t reply_bytes_max = 64 * 1024;

// A line of a header or an address: what could end it, or begin another, does not pass.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

// The body with CRLF ends, and a dot doubled where it stands first (RFC 5321, 4.5.2).
std::string stuffed(const std::string& text) {
  std::string out;
  bool first = true;
  for (char c : text) {
    if (first && c == '.') out += '.';
    if (c == '\n') out += "\r\n";
    else if (c != '\r') out += c;
    first = c == '\n';
  }
  return out + "\r\n";
}

// One SMTP dialogue; the first fault ends it.
class dialogue {
public:
  dialogue(std::chrono::milliseconds wall_clock, const wire::tls_trust& trust)
      : deadline_(std::chrono::steady_clock::now() + wall_clock), trust_(trust) {}

  bool open(const wire::http_url& where) {
    auto error = stream_.connect(where, deadline_, trust_);
    if (error) fault_ = error.message;
    return !error && expect('2', "its greeting");
  }
  bool say(const std::string& line, char wanted) {
    auto error = stream_.send_all(line + "\r\n", deadline_);
    if (error) fault_ = error.message;
    return !error && expect(wanted, line.substr(0, line.find(' ')));
  }
  // What is said in the clear before it is forgotten, also by who stands between: a server that offers no TLS gets no
  // mail, and nothing that came with its consent is taken for its word afterwards.
  bool start_tls(const std::string& host) {
    if (!say("EHLO omnium", '2')) return false;
    if (!offers_tls_) return fault_ = "the mail server offers no STARTTLS", false;
    if (!say("STARTTLS", '2')) return false;
    if (!buffer_.empty()) return fault_ = "the mail server said more before TLS than it may", false;
    auto error = stream_.start_tls(host, deadline_, trust_);
    if (error) fault_ = error.message;
    return !error;
  }
  const std::string& fault() const { return fault_; }

private:
  // A reply is one or more lines; the last has a space behind its code.
  bool expect(char wanted, const std::string& to) {
    for (;;) {
      auto end = buffer_.find("\r\n");
      if (end != std::string::npos) {
        auto line = buffer_.substr(0, end);
        buffer_.erase(0, end + 2);
        if (line.size() > 4 && line.substr(4) == "STARTTLS") offers_tls_ = true;
        if (line.size() > 3 && line[3] == '-') continue;
        if (!line.empty() && line[0] == wanted) return true;
        fault_ = fmt::format("the mail server answered {} with \"{}\"", to, one_line(line));
        return false;
      }
      auto error = buffer_.size() > reply_bytes_max
                       ? wire::net_error{wire::net_error::kind::protocol, "the mail server does not stop talking"}
                       : stream_.receive(buffer_, deadline_);
      if (error) {
        fault_ = error.message;
        return false;
      }
    }
  }
  wire::tcp_stream stream_;
  std::chrono::steady_clock::time_point deadline_;
  const wire::tls_trust& trust_;
  std::string buffer_, fault_;
  bool offers_tls_ = false;
};

class mail final : public route {
public:
  mail(const std::string& server, std::string from, std::string to, std::chrono::milliseconds wall_clock,
       mail_security security, const std::string& ca_file)
      : route("mail"), from_(one_line(std::move(from))), to_(one_line(std::move(to))), wall_clock_(wall_clock),
        security_(security), trust_{true, ca_file} {
    bad_server_ =
        wire::parse_http_url((security == mail_security::tls ? "https://" : "http://") + server, where_).message;
  }
  std::string send(const message& what) override {
    if (!bad_server_.empty()) return bad_server_;
    dialogue with(wall_clock_, trust_);
    bool sent = with.open(where_) && (security_ != mail_security::starttls || with.start_tls(where_.host)) &&
                with.say("HELO omnium", '2') && with.say("MAIL FROM:<" + from_ + ">", '2') &&
                with.say("RCPT TO:<" + to_ + ">", '2') && with.say("DATA", '3') && with.say(letter(what) + ".", '2');
    if (!sent) return with.fault();
    with.say("QUIT", '2'); // the message is theirs already
    return {};
  }

private:
  std::string letter(const message& what) const {
    auto alert = json::raw_member(what.body, "alert").value_or("{}");
    auto member = [&](std::string_view name) { return json::string_member(alert, name).value_or(""); };
    auto head = fmt::format("From: <{}>\r\nTo: <{}>\r\nSubject: {}\r\nMessage-ID: <omnium-alert-{}@omnium>\r\n"
                            "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
                            "Content-Transfer-Encoding: 8bit\r\n\r\n",
                            from_, to_, one_line(headline(what.body)), what.id);
    return head + stuffed(fmt::format("{}\n\n{}\n\nRunbook: {}\nSince: {}\n", headline(what.body), member("detail"),
                                      member("runbook"), member("first_at")));
  }
  wire::http_url where_;
  std::string bad_server_, from_, to_;
  std::chrono::milliseconds wall_clock_;
  mail_security security_;
  wire::tls_trust trust_;
};

} // namespace

mail_security parse_mail_security(const std::string& word) {
  return word == "starttls" ? mail_security::starttls : word == "tls" ? mail_security::tls : mail_security::none;
}

route_ptr mail_route(const std::string& server, const std::string& from, const std::string& to,
                     std::chrono::milliseconds wall_clock, mail_security security, const std::string& ca_file) {
  return std::make_shared<mail>(server, from, to, wall_clock, security, ca_file);
}

} // namespace omnium::upkeep
