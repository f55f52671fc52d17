#include "tests/unit/wire_support.hpp"

#include <filesystem>
#include <stdexcept>
#include <sys/socket.h>

namespace omnium::wire::testing {
namespace {

constexpr std::chrono::seconds event_wall_clock{5};

} // namespace

fake_service::fake_service() : thread_([this] { run(); }) {}

fake_service::~fake_service() {
  {
    std::lock_guard hold(lock_);
    over_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void fake_service::run() {
  std::unique_lock lock(lock_);
  while (true) {
    changed_.wait(lock, [this] { return over_ || (!held_ && !work_.empty()); });
    if (over_) return;
    auto work = std::move(work_.front());
    work_.pop_front();
    busy_ = true;
    if (delay.count() > 0) changed_.wait_for(lock, delay, [this] { return over_; });
    lock.unlock();
    work();
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void fake_service::later(std::function<void()> work) {
  work_.push_back(std::move(work));
  changed_.notify_all();
}

void fake_service::submit(command_ptr what, std::function<void(encoded_answer)> done) {
  std::lock_guard hold(lock_);
  commands_.push_back(what);
  auto seq = static_cast<std::int64_t>(commands_.size());
  later([what, seq, took = in_database, done = std::move(done)] {
    answer out;
    out.what = outcome::accepted;
    out.key = what->key;
    out.code = what->code;
    out.subject = what->subject;
    out.seq = seq;
    out.trace = what->trace;
    done({200, 0, encode(out), took});
  });
}

void fake_service::preview(command_ptr what, std::function<void(encoded_answer)> done) {
  std::lock_guard hold(lock_);
  later([what, done = std::move(done)] { done({200, 0, R"({"would":"accepted","code":")" + what->code + "\"}"}); });
}

void fake_service::read(read_request what, std::function<void(read_reply)> done) {
  std::lock_guard hold(lock_);
  later([what = std::move(what), done = std::move(done)] {
    read_reply reply;
    if (what.path == "/fixtures/etag") {
      reply.etag = "\"7\"";
      if (what.if_none_match == reply.etag) reply.status = 304;
    }
    if (what.path == "/fixtures/large") reply.body.assign(20'000'000, 'x');
    else if (reply.status == 200) reply.body = "{\"path\":\"" + what.path + "\",\"query\":\"" + what.query + "\"}";
    done(std::move(reply));
  });
}

void fake_service::act(action_request what, std::function<void(read_reply)> done) {
  std::lock_guard hold(lock_);
  later([what = std::move(what), done = std::move(done)] {
    read_reply reply;
    reply.body = "{\"path\":\"" + what.path + "\",\"asked\":" + what.body + "}";
    done(std::move(reply));
  });
}

void fake_service::hold(bool on) {
  std::lock_guard hold(lock_);
  held_ = on;
  changed_.notify_all();
}

std::size_t fake_service::waiting() {
  std::lock_guard hold(lock_);
  return work_.size();
}

bool fake_service::await_waiting(std::size_t count) {
  std::unique_lock lock(lock_);
  return changed_.wait_for(lock, event_wall_clock, [&] { return work_.size() == count; });
}

bool fake_service::await_commands(std::size_t at_least) {
  std::unique_lock lock(lock_);
  return changed_.wait_for(lock, event_wall_clock, [&] { return commands_.size() >= at_least; });
}

bool fake_service::await_idle() {
  std::unique_lock lock(lock_);
  return changed_.wait_for(lock, event_wall_clock, [&] { return work_.empty() && !busy_; });
}

std::vector<command_ptr> fake_service::commands() {
  std::lock_guard hold(lock_);
  return commands_;
}

wire_clock hand_clock::clock() {
  return {[t = times_] {
            std::lock_guard hold(t->guard);
            return t->steady;
          },
          [t = times_] {
            std::lock_guard hold(t->guard);
            return t->wall;
          }};
}

void hand_clock::advance(std::chrono::milliseconds by) {
  std::lock_guard hold(times_->guard);
  times_->steady += by;
  times_->wall += by;
}

void let_it_turn(const http_server& server) {
  http_client other(server.url());
  for (int i = 0; i < 5; ++i) other.request("GET", "/livez");
}

running_server::running_server(http_server_options options) : server(std::move(options), inside, &measures) {
  if (auto error = server.start(); !error.empty()) throw std::runtime_error(error);
}

http_client running_server::client() { return http_client(server.url()); }

raw_socket::raw_socket(const http_server& server) {
  http_url url;
  parse_http_url(server.url(), url);
  url.secret = false; // bytes as they are, also to a server under TLS
  auto error = stream_.connect(url, std::chrono::steady_clock::now() + std::chrono::seconds(5));
  if (error) throw std::runtime_error(error.message);
}

bool raw_socket::send(std::string_view bytes) {
  return !stream_.send_all(bytes, std::chrono::steady_clock::now() + std::chrono::seconds(5));
}

void raw_socket::finish_sending() { ::shutdown(stream_.native(), SHUT_WR); }

std::string raw_socket::rest(std::chrono::milliseconds wait) {
  auto deadline = std::chrono::steady_clock::now() + wait;
  net_error error;
  while (!(error = stream_.receive(seen_, deadline))) {
  }
  timed_out = error.what == net_error::kind::deadline;
  return std::exchange(seen_, {});
}

std::string raw_socket::until(std::string_view text, std::chrono::milliseconds wait) {
  auto deadline = std::chrono::steady_clock::now() + wait;
  while (seen_.find(text) == std::string::npos) {
    if (auto error = stream_.receive(seen_, deadline)) {
      timed_out = error.what == net_error::kind::deadline;
      break;
    }
  }
  return std::exchange(seen_, {});
}

std::string command_body(std::string_view key, std::string_view code) {
  return R"({"key":")" + std::string(key) + R"(","code":")" + std::string(code) +
         R"(","input":{"team":"home"},"sender":"desk-1"})";
}

std::string post(std::string_view body, std::string_view extra_headers, std::string_view target) {
  return "POST " + std::string(target.empty() ? command_target : target) +
         " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string(extra_headers) + "\r\n" + std::string(body);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

std::size_t open_descriptors() {
  namespace fs = std::filesystem;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

} // namespace omnium::wire::testing
