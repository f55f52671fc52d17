#include "bench/load.hpp"

#include "runtime/core/uuid.hpp"
#include "runtime/wire/http_client.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace omnium::bench {
namespace {

using steady = std::chrono::steady_clock;

// What a desk sends in an endless, always legal match of each sport.
struct ball {
  std::string code, input;
};

std::vector<ball> opening(const std::string& sport) {
  if (sport == "football") return {{"match.start", "{}"}, {"football.period", R"({"action":"start","period":"H1"})"}};
  return {{"match.start", "{}"}};
}

ball next_ball(const std::string& sport, std::uint64_t n) {
  if (sport == "football") {
    switch (n % 4) {
    case 0:
      return {"football.shot", R"({"minute":12,"side":"home"})"};
    case 1:
      return {"football.corner", R"({"minute":12,"side":"away"})"};
    case 2:
      return {"football.foul", R"({"minute":13,"side":"home"})"};
    default:
      return {"football.offside", R"({"minute":14,"side":"away"})"};
    }
  }
  return {"match.note", R"({"text":"A line of commentary."})"};
}

int outcome_index(std::string_view body) {
  constexpr std::string_view before = R"("outcome":")";
  auto from = body.find(before);
  if (from == std::string_view::npos) return 4;
  constexpr std::array<std::string_view, 5> names = {"accepted", "duplicate", "refused", "conflict", "try_again"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (body.substr(from + before.size()).starts_with(names[i])) return static_cast<int>(i);
  return 4;
}

class desk {
public:
  desk(std::string fixture, const scenario& what, std::size_t number) : what_(what), number_(number) {
    target_ = fmt::format("/workflows/{}/subjects/fixture/{}/commands", what.sport, fixture);
  }
  ~desk() {
    if (fd_ >= 0) ::close(fd_);
  }
  desk(const desk&) = delete;
  desk& operator=(const desk&) = delete;

  bool open(const sockaddr_in& to, int poll) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return false;
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = this;
    return ::epoll_ctl(poll, EPOLL_CTL_ADD, fd_, &event) == 0;
  }
  void fill() {
    while (sent_.size() < what_.in_flight) send_one();
  }
  // False: the connection is gone.
  bool take(load_result& into, bool measuring) {
    char buffer[16 * 1024];
    for (;;) {
      auto got = ::recv(fd_, buffer, sizeof buffer, 0);
      if (got < 0 && errno == EAGAIN) break;
      if (got <= 0) return false;
      in_.append(buffer, static_cast<std::size_t>(got));
    }
    while (take_answer(into, measuring)) {
    }
    return true;
  }

private:
  void send_one() {
    auto ball = next_ball(what_.sport, n_);
    auto body = fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"bench-{}"}})", to_string(make_uuid7()),
                            ball.code, ball.input, number_);
    auto request = fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        target_, body.size(), body);
    ++n_;
    sent_.push_back(steady::now());
    // A command is far smaller than the socket's buffer, and in_flight bounds how many lie in it.
    [[maybe_unused]] auto ignored = ::send(fd_, request.data(), request.size(), MSG_NOSIGNAL);
  }
  bool take_answer(load_result& into, bool measuring) {
    auto end = in_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    auto at = in_.find("Content-Length: ");
    std::size_t length = 0;
    if (at < end) std::from_chars(in_.data() + at + 16, in_.data() + end, length);
    if (in_.size() < end + 4 + length) return false;
    auto index = outcome_index(std::string_view(in_).substr(end + 4, length));
    if (measuring) {
      ++into.answers[static_cast<std::size_t>(index)];
      if (index == 0 && !sent_.empty()) into.latency.add(steady::now() - sent_.front());
    }
    if (!sent_.empty()) sent_.pop_front();
    in_.erase(0, end + 4 + length);
    send_one();
    return true;
  }

  const scenario& what_;
  std::size_t number_;
  std::string target_, in_;
  int fd_ = -1;
  std::uint64_t n_ = 0;
  std::deque<steady::time_point> sent_;
};

// Creates the competition and the matches; empty or a sentence.
std::string prepare(const std::string& url, const scenario& what, std::vector<std::string>& fixtures) {
  wire::http_client http(url);
  auto send = [&](const std::string& workflow, const std::string& kind, const std::string& ref, const std::string& code,
                  const std::string& input) {
    auto body =
        fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"bench"}})", to_string(make_uuid7()), code, input);
    auto answer = http.request("POST", fmt::format("/workflows/{}/subjects/{}/{}/commands", workflow, kind, ref), body);
    if (!answer) return answer.error.message;
    return answer->status == 200 ? std::string{} : answer->body;
  };
  auto competition = to_string(make_uuid7());
  if (auto why = send("games", "competition", competition, "games.create_competition", R"({"name":"Bench"})");
      !why.empty())
    return why;
  for (std::size_t i = 0; i < what.matches; ++i) {
    fixtures.push_back(to_string(make_uuid7()));
    auto input = fmt::format(R"({{"id":"{}","sport":"{}","home":{{"name":"H"}},"away":{{"name":"A"}}}})",
                             fixtures.back(), what.sport);
    if (auto why = send("games", "competition", competition, "games.create_fixture", input); !why.empty()) return why;
    for (const auto& ball : opening(what.sport))
      if (auto why = send(what.sport, "fixture", fixtures.back(), ball.code, ball.input); !why.empty()) return why;
  }
  return {};
}

} // namespace

load_result run_load(const std::string& url, const scenario& what) {
  load_result out;
  wire::http_url where;
  if (auto error = wire::parse_http_url(url, where)) {
    out.error = error.message;
    return out;
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(where.port)));
  ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  out.error = prepare(url, what, out.fixtures);
  if (!out.error.empty()) return out;
  int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<std::unique_ptr<desk>> desks;
  for (std::size_t i = 0; i < what.matches * what.desks; ++i) {
    desks.push_back(std::make_unique<desk>(out.fixtures[i % what.matches], what, i));
    if (!desks.back()->open(to, poll)) {
      out.error = fmt::format("desk {} cannot connect: {}", i, std::strerror(errno));
      ::close(poll);
      return out;
    }
  }
  for (auto& d : desks) d->fill();
  auto seconds = [](double s) {
    return std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(s));
  };
  auto begin = steady::now() + seconds(what.warm_up_seconds), end = begin + seconds(what.seconds);
  epoll_event events[256];
  for (auto now = steady::now(); now < end; now = steady::now()) {
    int n = ::epoll_wait(poll, events, 256, 50);
    for (int i = 0; i < n; ++i)
      if (!static_cast<desk*>(events[i].data.ptr)->take(out, now >= begin)) {
        ++out.broken;
        events[i].events = 0;
        out.error = "a connection was closed by the server";
        ::close(poll);
        return out;
      }
  }
  out.seconds = what.seconds;
  ::close(poll);
  return out;
}

} // namespace omnium::bench
