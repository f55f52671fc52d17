#pragma once
// What alerts are sent to, in tests: a port that refuses until it is opened, then takes HTTP posts or mail, one
// connection at a time, and keeps what it got.
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
  explicit receiver(kind what);
  ~receiver();
  receiver(const receiver&) = delete;
  receiver& operator=(const receiver&) = delete;

  void open();                                       // from now on it listens; before, connections are refused
  void answer_with(int status) { status_ = status; } // of HTTP
  std::string address() const;                       // 127.0.0.1:port
  std::string url() const { return "http://" + address() + "/hook"; }
  std::vector<std::string> got() const; // HTTP: header and body; SMTP: the whole dialogue of the client

private:
  void loop();
  void serve_http(int fd);
  void serve_smtp(int fd);
  void keep(std::string text);
  kind kind_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> status_{200};
  std::atomic<bool> stopping_{false};
  mutable std::mutex guard_;
  std::vector<std::string> got_;
  std::thread thread_;
};

} // namespace omnium::testing
