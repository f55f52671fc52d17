#pragma once
// One sport worker process and its two descriptors. Owned by the thread that started it: the process dies with it.
// Source: stack-notes section 4.
#include "runtime/sport/worker.hpp"

#include <string>

namespace omnium::sport {

class child_process {
public:
  child_process() = default;
  ~child_process() { end(); }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  // Starts the worker program in a process group of its own, with an empty environment and no descriptor but its
  // channel (3) and its log (2). False: `fault` is a sentence.
  bool start(const worker_options& options, std::string& fault);

  bool running() const { return pid_ > 0; }
  int pid() const { return pid_; }
  int channel() const { return channel_; } // non-blocking stream socket
  int errors() const { return errors_; }   // non-blocking: its stderr

  // Kills the whole group, reaps it, closes the descriptors. Says how the process ended, in words that fit after "it".
  std::string end();

private:
  int pid_ = 0, channel_ = -1, errors_ = -1;
};

} // namespace omnium::sport
