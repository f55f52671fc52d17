#pragma once
// A worker's stderr as lines of the operator's log: long lines are cut, many lines are counted instead of written.
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace omnium::sport {

class worker_log {
public:
  using clock = std::chrono::steady_clock;
  explicit worker_log(std::function<void(std::string_view line)> write) : write_(std::move(write)) {}

  // Reads what the descriptor has now, up to a bound (the rest comes with the next call). False: it was closed.
  bool drain(int fd, clock::time_point now);
  void add(std::string_view bytes, clock::time_point now);
  // One line of the keeper's own, never dropped.
  void say(std::string_view line) { write_(line); }

private:
  void end_line(clock::time_point now);
  void new_second(clock::time_point now);
  std::function<void(std::string_view line)> write_;
  std::string line_;
  clock::time_point second_{};
  std::size_t lines_ = 0, dropped_ = 0;
};

} // namespace omnium::sport
