#pragma once
// What the wire's tests share: a service that answers from a thread of its own, a server on a free port, and a raw
// socket that can send what no client library would.
#include "runtime/ops/metrics.hpp"
#include "runtime/wire/http_client.hpp"
#include "runtime/wire/http_server.hpp"
#include "runtime/wire/tcp_stream.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace omnium::wire::testing {

// Accepts every command and counts it up; reads echo their path. Answers come from a thread, in order, after `delay`,
// and not at all while `held`.
class fake_service : public service {
public:
  fake_service();
  ~fake_service() override;
  void submit(command_ptr what, std::function<void(encoded_answer)> done) override;
  void preview(command_ptr what, std::function<void(encoded_answer)> done) override;
  void read(read_request what, std::function<void(read_reply)> done) override;
  void act(action_request what, std::function<void(read_reply)> done) override;

  void hold(bool on);
  std::size_t waiting();
  std::vector<command_ptr> commands();
  // Each waits for its condition, five seconds at most, and says whether it came.
  bool await_waiting(std::size_t count);
  bool await_commands(std::size_t at_least);
  bool await_idle(); // every answer was given
  std::chrono::milliseconds delay{0};
  std::chrono::milliseconds in_database{0}; // what each command's answer says

private:
  void later(std::function<void()> work);
  void run();
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::vector<command_ptr> commands_;
  bool held_ = false, over_ = false, busy_ = false;
  std::thread thread_;
};

// The server's time, turned by hand: what a deadline does is seen without waiting for it.
class hand_clock {
public:
  wire_clock clock();
  void advance(std::chrono::milliseconds by);

private:
  struct times {
    std::mutex guard;
    std::chrono::steady_clock::time_point steady = std::chrono::steady_clock::now();
    std::chrono::system_clock::time_point wall = std::chrono::system_clock::now();
  };
  std::shared_ptr<times> times_ = std::make_shared<times>();
};

// The io thread has turned over whatever came before this call: it answered a few requests that came after.
void let_it_turn(const http_server& server);

struct running_server {
  explicit running_server(http_server_options options = {});
  fake_service inside;
  ops::metrics measures;
  http_server server;
  http_client client();
};

// One TCP connection by hand.
class raw_socket {
public:
  explicit raw_socket(const http_server& server);
  bool send(std::string_view bytes);
  void finish_sending();
  // Everything until the peer closes (or `wait` passes: then `timed_out`).
  std::string rest(std::chrono::milliseconds wait = std::chrono::milliseconds(5000));
  // Until the text was seen, or the end.
  std::string until(std::string_view text, std::chrono::milliseconds wait = std::chrono::milliseconds(5000));
  bool timed_out = false;

private:
  tcp_stream stream_;
  std::string seen_;
};

std::string command_body(std::string_view key, std::string_view code = "football.goal");
std::string post(std::string_view body, std::string_view extra_headers = {}, std::string_view target = {});
inline constexpr std::string_view command_target =
    "/workflows/football/subjects/fixture/0190a0a0-0000-7000-8000-000000000001/commands";

std::size_t count(std::string_view text, std::string_view part);
std::size_t open_descriptors();

} // namespace omnium::wire::testing
