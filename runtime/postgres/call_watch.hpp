#pragma once
// Ends calls that never return. statement_timeout is the server's and needs a server that answers: behind a cut cable,
// a stuck proxy or a frozen machine a call would wait for ever, and with it a connection of the pool. One thread for
// the whole process looks at all calls under way and shuts the socket of one that is over its time; the blocked read
// then ends like any lost connection, outcome unknown.
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace omnium::pg {

class call_watch {
public:
  // One session's line: armed around each call by the session's thread, cut by the watch's.
  class line {
  public:
    line() = default;
    ~line();
    line(const line&) = delete;
    line& operator=(const line&) = delete;
    // The socket of the connection that is used from now on. The line keeps a descriptor of its own for it: a library
    // that closes its socket in the middle of a call, and whoever is given that number next, is not cut by mistake.
    // Throws std::system_error when the process has no descriptor left.
    void watch(int socket);
    void leave(); // the connection is closed: until then the other end would see it open
    void arm(std::chrono::milliseconds limit);
    void disarm();

  private:
    friend class call_watch;
    void cut_if_over(std::chrono::steady_clock::time_point now);
    std::mutex guard_;
    int socket_ = -1; // -1: no connection
    bool armed_ = false;
    std::chrono::steady_clock::time_point until_;
  };

  static std::shared_ptr<line> open_line(); // any thread; watched as long as somebody holds it

  ~call_watch();

private:
  call_watch();
  void loop();
  std::mutex guard_;
  std::condition_variable wake_;
  std::vector<std::weak_ptr<line>> lines_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace omnium::pg
