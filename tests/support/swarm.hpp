#pragma once
// Many live sockets in one thread, as many screens as a test wants: RFC 6455 from the client's side on epoll, and what
// desk/bridge does on top of it (hello, a pong for each beat, watching again with `have` after a link broke, its
// back-off). Counts what a screen must never see: a change that does not follow on the last one. Loopback only.
#include "tests/support/swarm_socket.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace omnium::testing {

class swarm {
public:
  struct options {
    std::uint16_t port = 0;
    std::size_t opening_max = 200; // handshakes under way at once
    bool reconnect = false;        // after any close, with the bridge's back-off
    bool pongs = true;             // answer beats
    std::string token;
  };
  // A socket's own numbers. `version` is of its one topic.
  struct screen {
    std::string topic; // empty: watches nothing
    std::int64_t version = -1;
    std::uint64_t changes = 0, snapshots = 0, repeats = 0, gaps = 0, beats = 0, welcomes = 0;
    std::string bye, error; // reason of the last one
    int close_code = 0;
    bool open = false, welcomed = false, reading = true;
  };
  // Called for each change that followed on the last one.
  using change_fn = std::function<void(std::size_t index, std::string_view frame)>;

  explicit swarm(options how);
  ~swarm();
  swarm(const swarm&) = delete;
  swarm& operator=(const swarm&) = delete;

  // Adds sockets that watch this topic; opened while run() runs.
  void add(std::size_t count, const std::string& topic);
  // Works until `enough` says so; false: the time was over first.
  bool run(std::chrono::milliseconds within, const std::function<bool()>& enough);
  void send(std::size_t index, std::string_view text);
  // A stuck reader: nothing more is taken from this socket.
  void stop_reading(std::size_t index);
  void read_on(std::size_t index);
  // The server moved to another port (a restart).
  void set_port(std::uint16_t port) { how_.port = port; }

  const screen& at(std::size_t index) const;
  std::size_t size() const { return lines_.size(); }
  std::size_t showing() const { return showing_; } // sockets that hold a version of their topic on the link of now
  // Starts of connections in the busiest second so far; and forget them.
  std::size_t connects_peak() const;
  void forget_connects() { connects_.clear(); }

  change_fn on_change;
  std::function<void(std::size_t, std::string_view)> on_other; // any other frame

private:
  struct line;
  void open_some();
  void start(line& l);
  void ready(line& l, unsigned events);
  void take(line& l);
  void frame(line& l, std::string_view text);
  void change(line& l, std::string_view text);
  void watch(line& l);
  void lost(line& l);
  void settle(line& l, bool shows);
  options how_;
  int epoll_ = -1;
  std::vector<std::unique_ptr<line>> lines_;
  std::size_t opening_ = 0, showing_ = 0;
  std::vector<std::chrono::steady_clock::time_point> connects_;
  std::minstd_rand random_{std::random_device{}()};
};

} // namespace omnium::testing
