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
  std::chrono::milliseconds delay{0};

private:
  void later(std::function<void()> work);
  void run();
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::vector<command_ptr> commands_;
  bool held_ = false, over_ = false;
  std::thread thread_;
};

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
