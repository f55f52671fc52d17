#pragma once
// A server that the bench starts, kills and starts again for its scenarios of faults. Ends with its owner. One thread.
#include <string>
#include <sys/types.h>

namespace omnium::bench {

class own_server {
public:
  // `program`: the omnium binary. `data`: its data folder; empty: one of its own, removed at the end.
  own_server(std::string program, std::string data);
  ~own_server(); // SIGTERM, and SIGKILL when that takes too long
  own_server(const own_server&) = delete;
  own_server& operator=(const own_server&) = delete;

  std::string start(); // empty when it is ready, or a sentence; the second time on the same port
  void stop(int signal);
  pid_t pid() const { return pid_; }
  const std::string& url() const { return url_; }
  const std::string& data() const { return data_; }

private:
  std::string printed() const;
  std::string program_, data_, folder_, log_, url_;
  bool own_folder_ = false;
  pid_t pid_ = -1;
};

// The parent of a process, or 0.
pid_t parent_of(pid_t pid);

} // namespace omnium::bench
