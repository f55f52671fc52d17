#pragma once
// A gate between a client and Postgres: takes connections over TCP on a free port of this machine, forwards their bytes
// to the server's unix socket, and cuts, delays, garbles, halves or withholds them when told to.
#include "tests/support/database.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace omnium::testing {

class gate {
public:
  explicit gate(const std::string& url); // of the database behind it (a unix socket)
  ~gate();
  const std::string& url() const { return url_; }
  // The next answer of the server, on any connection, is dropped once it is whole, and that connection is closed.
  void swallow_next_answer() { swallow_ = true; }
  // While on, nothing passes in either direction; connections wait.
  void stall(bool on) { stalled_ = on; }
  // From now on connections lead to another server; those that are open are cut.
  void lead_to(const std::string& url);
  // Every open connection is cut, both ends with a reset.
  void cut() { ++cuts_; }
  // Everything that passes is held for so long first; 0: nothing is.
  void delay(std::chrono::milliseconds by) { delay_ms_ = by.count(); }
  // What becomes of what one side says: passed on whole; in its place as many random bytes; or the first half of it,
  // and then the connection is cut.
  enum class passing : std::uint8_t { whole, garbage, half };
  void questions(passing how) { questions_ = how; } // what the client says
  void answers(passing how) { answers_ = how; }     // what the server says

private:
  void listen();
  void accept_loop();
  void forward(int client, unsigned seed);
  bool pass(int from, int to, passing how, std::minstd_rand& random) const;
  std::string server_, url_; // server_ under guard_
  int listener_ = -1;
  std::atomic<int> cuts_{0};
  std::atomic<long> delay_ms_{0};
  std::atomic<passing> questions_{passing::whole}, answers_{passing::whole};
  std::atomic<bool> swallow_{false}, stalled_{false}, stopping_{false};
  std::mutex guard_;
  std::vector<std::thread> lines_;
  std::thread acceptor_;
};

} // namespace omnium::testing
