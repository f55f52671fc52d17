#pragma once
// What alerts are sent to, in tests: a port that refuses until it is opened, then takes HTTP posts or mail, one
// connection at a time, and keeps what it got. Under TLS from the first byte on, or for mail after STARTTLS, with a
// certificate of the test's own.
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace omnium::testing {

class receiver {
public:
  enum class kind { http, smtp, mute }; // mute: accepts and never says a word
  enum class tls { none, at_once, starttls };
  explicit receiver(kind what) : receiver(what, tls::none, {}, {}) {}
  receiver(kind what, tls how, std::string certificate, std::string key); // PEM files
  ~receiver();
  receiver(const receiver&) = delete;
  receiver& operator=(const receiver&) = delete;

  void open();                                       // from now on it listens; before, connections are refused
  void answer_with(int status) { status_ = status; } // of HTTP
  std::string address() const;                       // 127.0.0.1:port
  std::string url() const { return (tls_ == tls::at_once ? "https://" : "http://") + address() + "/hook"; }
  std::vector<std::string> got() const; // HTTP: header and body; SMTP: the whole dialogue of the client

private:
  void loop();
  class line;
  void serve_http(line& peer);
  void serve_smtp(line& peer);
  void keep(std::string text);
  kind kind_;
  tls tls_;
  std::string certificate_, key_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> status_{200};
  std::atomic<bool> stopping_{false};
  mutable std::mutex guard_;
  std::vector<std::string> got_;
  std::thread thread_;
};

} // namespace omnium::testing
