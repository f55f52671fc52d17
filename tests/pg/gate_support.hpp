#pragma once
// A gate between the store and Postgres: forwards bytes over a unix socket of its own, and loses or withholds them when
// told to.
#include "tests/support/database.hpp"

#include <atomic>
#include <mutex>
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
  // While on, nothing passes in either direction.
  void stall(bool on) { stalled_ = on; }
  // From now on connections lead to another server; those that are open are cut.
  void lead_to(const std::string& url);

private:
  void accept_loop();
  void forward(int client);
  temp_folder folder_;
  std::string server_, url_; // server_ under guard_
  int listener_ = -1;
  std::atomic<int> cuts_{0};
  std::atomic<bool> swallow_{false}, stalled_{false}, stopping_{false};
  std::mutex guard_;
  std::vector<std::thread> lines_;
  std::thread acceptor_;
};

} // namespace omnium::testing
