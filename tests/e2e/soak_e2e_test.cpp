// What comes and goes by the thousand leaves nothing behind in the server: sockets, subscriptions, matches and workers
// that are restarted. And readers by the hundred cost scorers nothing. Source: known traps F2, F3, F4.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::latency_book;
using omnium::testing::swarm;
using steady = std::chrono::steady_clock;

namespace {

std::size_t descriptors_of(pid_t pid) {
  auto all = std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", pid));
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Pages that ask for one match again and again, each with the tag it was given.
struct pollers {
  std::atomic<bool> over{false};
  std::atomic<std::int64_t> asked{0}, unchanged{0}, failed{0};
  std::vector<std::thread> threads;

  pollers(const std::string& url, const std::string& fixture, int count, std::chrono::milliseconds every) {
    constexpr int at_once = 25; // pages that one thread stands for
    for (int from = 0; from < count; from += at_once)
      threads.emplace_back([=, this] {
        std::vector<std::unique_ptr<desk>> pages;
        std::vector<std::string> tags(at_once);
        for (int i = 0; i < at_once; ++i) pages.push_back(std::make_unique<desk>(url));
        while (!over) {
          auto next = steady::now() + every;
          for (std::size_t i = 0; i < pages.size() && !over; ++i) {
            auto answer = pages[i]->http.request("GET", "/fixtures/" + fixture, {}, {{"If-None-Match", tags[i]}});
            ++asked;
            if (!answer || (answer->status != 200 && answer->status != 304)) ++failed;
            else if (answer->status == 304) unchanged += answer->body.empty() ? 1 : 0;
            else tags[i] = std::string(answer->header("ETag"));
          }
          std::this_thread::sleep_until(next);
        }
      });
  }
  ~pollers() {
    over = true;
    for (auto& t : threads) t.join();
  }
};

// The time of each of `count` commands, one after the other, in order of size.
std::vector<double> times_of(desk& d, const std::string& fixture, int count) {
  std::vector<double> ms;
  for (int i = 0; i < count; ++i) {
    auto began = steady::now();
    REQUIRE(d.match(fixture, fresh_id(), "match.note", R"({"text":"n"})").outcome == "accepted");
    ms.push_back(std::chrono::duration<double, std::milli>(steady::now() - began).count());
    std::this_thread::sleep_for(5ms);
  }
  std::sort(ms.begin(), ms.end());
  return ms;
}

// Connections to the database that pools open when they first need them: command 6, read 3, import 2, and the single
// ones of the caretakers.
constexpr std::size_t pooled = 16;

} // namespace

TEST_CASE("three waves of two thousand screens: the memory of the third is the memory of the first") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  constexpr std::size_t count = 2000;
  std::vector<std::int64_t> peaks;
  const auto idle = descriptors_of(server.pid());
  const auto alone = resident_kb(server.pid());
  for (int wave = 0; wave < 3; ++wave) {
    {
      swarm screens(to(server));
      screens.add(count, "fixture/" + fixture);
      REQUIRE(screens.run(60s, [&] { return screens.showing() == count; }));
      auto sent = d.match(fixture, fresh_id(), "match.note", R"({"text":"a ball for all of them"})");
      REQUIRE(sent.outcome == "accepted");
      REQUIRE(screens.run(20s, [&] {
        for (std::size_t i = 0; i < count; ++i)
          if (screens.at(i).version < sent.seq) return false;
        return true;
      }));
      peaks.push_back(resident_kb(server.pid()));
    }
    for (int looks = 0; looks < 500 && descriptors_of(server.pid()) > idle + pooled; ++looks)
      std::this_thread::sleep_for(10ms);
    CHECK(descriptors_of(server.pid()) <= idle + pooled);
  }
  const auto each = static_cast<double>(peaks[0] - alone) / static_cast<double>(count);
  CAPTURE(alone, peaks[0], peaks[1], peaks[2], each); // KiB; `each`: of one idle screen
  CHECK(each < 64);
  CHECK(peaks[1] < peaks[0] + peaks[0] / 10);
  CHECK(peaks[2] < peaks[0] + peaks[0] / 10);
}

TEST_CASE(
    "matches and workers restarted and topics watched and left by the thousand: memory and descriptors stay level") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  const int rounds = from_environment("OMNIUM_TEST_RESTARTS", 300);
  omnium::wire::ws_client socket(server.url());
  REQUIRE_FALSE(socket.open());
  REQUIRE_FALSE(socket.send(fmt::format(R"({{"t":"hello","token":"{}"}})", server.token())));
  auto frame_of = [&](const std::string& kind) {
    for (std::string frame; !socket.receive(frame, 5s);)
      if (at(frame, "/t") == kind) return frame;
    return std::string();
  };
  REQUIRE_FALSE(frame_of("welcome").empty());
  auto round = [&](int i) {
    REQUIRE(d.http.request("POST", "/ops/restart", fmt::format(R"({{"name":"match/fixture/{}"}})", fixture))->status ==
            200);
    auto note = d.match(fixture, fresh_id(), "match.note", R"({"text":"n"})");
    while (note.outcome == "try_again") note = d.match(fixture, fresh_id(), "match.note", R"({"text":"n"})");
    REQUIRE(note.outcome == "accepted");
    for (int n = 0; n < 10; ++n) {
      socket.send(fmt::format(R"({{"t":"watch","id":{},"topic":"fixture/{}"}})", n, fixture));
      socket.send(fmt::format(R"({{"t":"unwatch","topic":"fixture/{}"}})", fixture));
    }
    if (i % 10 == 0) {
      CHECK(d.http.request("POST", "/ops/restart", R"({"name":"sport/football/1.0.0/worker/0"})")->status == 200);
      socket.send(R"({"t":"watch","id":"here","topic":"ops/nothing"})"); // an error back: all before it was taken
      REQUIRE_FALSE(frame_of("error").empty());
    }
  };
  for (int i = 0; i < rounds / 3; ++i) round(i);
  const auto memory = resident_kb(server.pid());
  const auto descriptors = descriptors_of(server.pid());
  for (int i = rounds / 3; i < rounds; ++i) round(i);
  const auto after = resident_kb(server.pid());
  CAPTURE(rounds, memory, after);
  CHECK(after < memory + 12 * 1024);
  CHECK(descriptors_of(server.pid()) <= descriptors + pooled);
  CHECK(at(d.get("/fixtures/" + fixture)->body, "/version") == std::to_string(2 + rounds));
}

TEST_CASE("two hundred pages that poll and five hundred screens hold up no scorer, and a page that holds the newest is "
          "sent nothing") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match(), polled = d.new_match();
  // The tag is the version's: another after each command, none in between.
  auto first = d.get("/fixtures/" + polled);
  const std::string tag(first->header("ETag"));
  REQUIRE(tag == "\"" + at(first->body, "/version") + "\"");
  auto same = d.http.request("GET", "/fixtures/" + polled, {}, {{"If-None-Match", tag}});
  CHECK(same->status == 304);
  CHECK(same->body.empty());
  REQUIRE(d.match(polled, fresh_id(), "match.note", R"({"text":"n"})").outcome == "accepted");
  CHECK(d.http.request("GET", "/fixtures/" + polled, {}, {{"If-None-Match", tag}})->status == 200);

  times_of(d, fixture, 50); // warm
  auto alone = times_of(d, fixture, 200);
  swarm screens(to(server));
  screens.add(500, "fixture/" + fixture);
  REQUIRE(screens.run(30s, [&] { return screens.showing() == screens.size(); }));
  std::vector<double> beside;
  std::int64_t asked = 0, unchanged = 0, failed = 0;
  {
    pollers pages(server.url(), polled, 200, 1s);
    std::atomic<bool> done{false};
    std::thread work([&] {
      desk own(server.url());
      beside = times_of(own, fixture, 300);
      done = true;
    });
    screens.run(60s, [&] { return done.load(); });
    work.join();
    asked = pages.asked, unchanged = pages.unchanged, failed = pages.failed;
  }
  const auto p50 = [](const std::vector<double>& all) { return all[all.size() / 2]; };
  const auto p99 = [](const std::vector<double>& all) { return all[all.size() * 99 / 100]; };
  CAPTURE(p50(alone), p99(alone), p50(beside), p99(beside), asked, unchanged);
  CHECK(failed == 0);
  CHECK(asked > 300);
  CHECK(unchanged >= asked - 200);                                  // each page was sent the match once
  CHECK(p99(beside) <= std::max(4 * p99(alone), p99(alone) + 100)); // a busy machine is no finding
}
