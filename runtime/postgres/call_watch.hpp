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
    void arm(int socket, std::chrono::milliseconds limit);
    void disarm(); // when it returns, the socket is no longer touched and may be closed

  private:
    friend class call_watch;
    void cut_if_over(std::chrono::steady_clock::time_point now);
    std::mutex guard_;
    int socket_ = -1; // -1: no call under way
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
