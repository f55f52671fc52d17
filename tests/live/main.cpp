// omnium-live-load: figures of the live socket on this machine, for docs/performance.md. Starts a server of its own
// with its embedded database, and plays the screens and the desks.
//   omnium-live-load latency MATCHES [RATE SECONDS]   commit answered to the change on another socket
//   omnium-live-load watchers COUNT [BALLS]           to the last of COUNT screens of one match
//   omnium-live-load idle COUNT [SECONDS]             memory and CPU of COUNT idle sockets
#include "tests/e2e/live_support.hpp"

#include <fmt/format.h>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::latency_book;
using omnium::testing::swarm;
using steady = std::chrono::steady_clock;

namespace {

constexpr int desks = 8; // threads that send, each its share of the matches

std::unique_ptr<swarm> screens_of(const server_process& server) { return std::make_unique<swarm>(to(server)); }

// A desk's thread: a ball of each of its matches in turn, at an even pace whatever the answers take.
void score(const std::string& url, const std::vector<std::string>& matches, int share, double rate, latency_book& book,
           const std::atomic<bool>& done, std::atomic<int>& failed) {
  desk mine(url);
  auto pace = std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(desks / rate));
  auto next = steady::now() + pace * share / desks;
  for (std::size_t i = static_cast<std::size_t>(share); !done; i += desks) {
    std::this_thread::sleep_until(next);
    next += pace;
    auto match = i % matches.size();
    auto answer =
        mine.match(matches[match], fresh_id(), "football.goal", R"({"kind":"open_play","minute":10,"side":"home"})");
    if (answer.outcome == "accepted") book.answered(match, answer.seq);
    else ++failed;
  }
}

int latency(int count, double rate, int seconds) {
  server_process server({});
  server.start();
  std::vector<std::string> matches;
  desk d(server.url());
  for (int i = 0; i < count; ++i) matches.push_back(d.new_match());
  auto screens = screens_of(server);
  for (const auto& match : matches) screens->add(1, "fixture/" + match);
  if (!screens->run(60s, [&] { return screens->showing() == matches.size(); })) return 1;
  latency_book book;
  screens->on_change = [&](std::size_t index, std::string_view frame) { book.shown(index, version_of(frame)); };
  std::atomic<bool> done{false};
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int share = 0; share < desks; ++share)
    threads.emplace_back([&, share] { score(server.url(), matches, share, rate, book, done, failed); });
  screens->run(3s, [] { return false; });
  book.take({});
  screens->run(std::chrono::seconds(seconds), [] { return false; });
  auto balls = book.count();
  auto ms = book.take({0.5, 0.99, 1});
  done = true;
  for (auto& thread : threads) thread.join();
  fmt::print(
      R"({{"scenario":"latency","matches":{},"asked_per_s":{},"shown_per_s":{:.0f},"balls":{},"not_accepted":{},)"
      R"("p50_ms":{:.2f},"p99_ms":{:.2f},"max_ms":{:.2f}}})"
      "\n",
      count, rate, static_cast<double>(balls) / seconds, balls, failed.load(), ms[0], ms[1], ms[2]);
  return 0;
}

int watchers(int count, int balls) {
  server_process server({});
  server.start();
  desk d(server.url());
  auto match = d.new_match();
  auto screens = screens_of(server);
  screens->add(static_cast<std::size_t>(count), "fixture/" + match);
  if (!screens->run(60s, [&] { return screens->showing() == screens->size(); })) return 1;
  std::vector<double> last;
  std::size_t have = 0;
  std::int64_t wanted = 0;
  screens->on_change = [&](std::size_t, std::string_view frame) { have += version_of(frame) == wanted ? 1 : 0; };
  for (int i = 0; i < balls; ++i) {
    have = 0;
    wanted = screens->at(0).version + 1;
    auto sent = d.match(match, fresh_id(), "football.goal", R"({"kind":"open_play","minute":10,"side":"home"})");
    auto answered = steady::now();
    if (sent.seq != wanted || !screens->run(5s, [&] { return have == screens->size(); })) return 1;
    last.push_back(std::chrono::duration<double, std::milli>(steady::now() - answered).count());
    screens->run(50ms, [] { return false; });
  }
  std::sort(last.begin(), last.end());
  fmt::print(R"({{"scenario":"watchers","sockets":{},"balls":{},"last_p50_ms":{:.2f},"last_max_ms":{:.2f}}})"
             "\n",
             count, balls, last[last.size() / 2], last.back());
  return 0;
}

int idle(int count, int seconds) {
  server_process server({});
  server.start();
  desk d(server.url());
  std::vector<std::string> matches;
  for (int i = 0; i < 100; ++i) matches.push_back(d.new_match());
  std::this_thread::sleep_for(2s);
  auto cpu_of = [&] {
    auto from = cpu_seconds(server.pid());
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    return (cpu_seconds(server.pid()) - from) / seconds * 100;
  };
  auto cpu_before = cpu_of();
  auto memory = resident_kb(server.pid());
  auto screens = screens_of(server);
  for (int i = 0; i < count; ++i) screens->add(1, "fixture/" + matches[static_cast<std::size_t>(i) % matches.size()]);
  auto began = steady::now();
  if (!screens->run(120s, [&] { return screens->showing() == screens->size(); })) {
    fmt::print(stderr, "only {} of {} sockets are up\n", screens->showing(), screens->size());
    return 1;
  }
  auto opened = std::chrono::duration<double>(steady::now() - began).count();
  screens->run(6s, [] { return false; });
  auto per_socket = static_cast<double>(resident_kb(server.pid()) - memory) / count;
  auto from = cpu_seconds(server.pid());
  screens->run(std::chrono::seconds(seconds), [] { return false; });
  auto cpu = (cpu_seconds(server.pid()) - from) / seconds * 100;
  fmt::print(
      R"({{"scenario":"idle","sockets":{},"opened_per_s":{:.0f},"kib_per_socket":{:.1f},"cpu_percent_of_one_core":)"
      R"({:.1f},"cpu_percent_without":{:.1f}}})"
      "\n",
      count, count / opened, per_socket, cpu, cpu_before);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  auto number = [&](int at, int usual) { return argc > at ? std::atoi(argv[at]) : usual; };
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "latency") return latency(number(2, 250), number(3, 125), number(4, 20));
  if (what == "watchers") return watchers(number(2, 1000), number(3, 50));
  if (what == "idle") return idle(number(2, 10000), number(3, 20));
  fmt::print(stderr, "usage: omnium-live-load latency MATCHES [RATE SECONDS] | watchers COUNT [BALLS] | idle COUNT "
                     "[SECONDS]\n");
  return 2;
}
