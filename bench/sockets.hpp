#pragma once
// The desks' sockets on two plain threads: one opens connections, one reads them all (epoll). They know no actors: what
// happens is reported by callbacks, which run on those threads and must only pass it on. Writing is done by whoever
// calls send, at once. Loopback is the caller's to check.
#include "runtime/wire/ws_client.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

namespace omnium::bench {

using steady = std::chrono::steady_clock;

struct socket_events {
  std::function<void()> opened;
  std::function<void(std::string text, steady::time_point at)> message; // the body of an HTTP answer, or a frame's text
  std::function<void()> gone;                                           // the connection ended; open() it again, or not
};

// One connection, over and over again: HTTP/1.1 with pipelining, or a live socket that said hello. Any thread.
class connection {
public:
  virtual ~connection() = default;
  // A whole request, or a frame's text. False: not open, or it died; nobody knows what arrived.
  virtual bool send(std::string_view text) = 0;
  virtual bool open(std::chrono::milliseconds wall_clock) = 0; // blocking
  // Reads what has come without waiting. False: the connection ended.
  virtual bool take(std::vector<std::string>& messages) = 0;
  virtual int native() const = 0;
  virtual void cut() = 0;   // ends it abruptly; the reader notices
  virtual void close() = 0; // by the reading thread alone
};
std::shared_ptr<connection> make_http_connection(const std::string& url);
// `listens` false: after hello it never reads again.
std::shared_ptr<connection> make_live_connection(const std::string& url, const std::string& token);

class sockets {
public:
  sockets();
  ~sockets(); // ends both threads; no callback runs after it
  sockets(const sockets&) = delete;
  sockets& operator=(const sockets&) = delete;

  // Opens the connection, again and again until it is open or this object ends, then reads it until it ends. With
  // `listen` false it is opened and never read: a slow reader.
  void open(std::shared_ptr<connection> what, socket_events events, bool listen = true);
  // No connection is opened any more.
  void stop_opening();

private:
  struct entry {
    std::shared_ptr<connection> what;
    socket_events events;
    bool listen = true;
    steady::time_point not_before{};
  };
  void opener();
  void reader();
  void read_one(int fd);

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<entry> waiting_;
  std::unordered_map<int, std::shared_ptr<entry>> reading_;
  int poll_ = -1, bell_ = -1;
  bool stopping_ = false, no_more_ = false;
  std::thread opener_, reader_;
};

} // namespace omnium::bench
