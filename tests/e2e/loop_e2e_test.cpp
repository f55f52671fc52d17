// A plugin with an endless loop in one match costs that match one try_again, and the other matches of its sport nothing
// that their desks notice. Source: L10, issue 2.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;

namespace {

using steady = std::chrono::steady_clock;

constexpr int others = 20;
constexpr auto pause = 20ms; // between two balls of a desk: 20 desks send about 1,000 balls a second at the most

double ms_since(steady::time_point began) {
  return std::chrono::duration<double, std::milli>(steady::now() - began).count();
}

struct shown {
  std::vector<double> ms;
  int not_accepted = 0;

  double at(double part) {
    std::sort(ms.begin(), ms.end());
    return ms.empty() ? 0 : ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
  }
};

struct stage {
  temp_folder disk;
  database db;
  std::unique_ptr<server_process> server;
  std::string looping;
  std::vector<std::string> matches;

  stage() {
    namespace fs = std::filesystem;
    const auto package = disk.path() + "/looping/0.0.0";
    fs::create_directories(package);
    fs::copy(OMNIUM_BINARY_DIR "/test_plugins/looping.so", package + "/plugin.so");
    server = std::make_unique<server_process>(server_options{.database_url = db.url(), .sports_dir = disk.path()});
    server->start();
    desk d(server->url());
    looping = started(d);
    for (int i = 0; i < others; ++i) matches.push_back(started(d));
  }
  std::string started(desk& d) {
    auto id = d.new_match("looping", false);
    REQUIRE(send(d, id, "match.start", "{}").outcome == "accepted");
    return id;
  }
  static answered send(desk& d, const std::string& id, const std::string& code, const std::string& input,
                       const std::string& key = fresh_id()) {
    return d.send("looping", "fixture", id,
                  fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", key, code, input));
  }
  // The others score for a while; `act` happens in the middle of it.
  shown score(const std::function<void()>& act) {
    std::vector<shown> each(matches.size());
    std::atomic<bool> over{false};
    std::vector<std::thread> desks;
    for (std::size_t i = 0; i < matches.size(); ++i)
      desks.emplace_back([&, i] {
        desk d(server->url());
        while (!over) {
          auto began = steady::now();
          if (send(d, matches[i], "looping.ball", R"({"loop":false})").outcome != "accepted") ++each[i].not_accepted;
          each[i].ms.push_back(ms_since(began));
          std::this_thread::sleep_for(pause);
        }
      });
    std::this_thread::sleep_for(500ms);
    act();
    std::this_thread::sleep_for(500ms);
    over = true;
    for (auto& t : desks) t.join();
    shown all;
    for (auto& one : each) {
      all.ms.insert(all.ms.end(), one.ms.begin(), one.ms.end());
      all.not_accepted += one.not_accepted;
    }
    return all;
  }
};

} // namespace

TEST_CASE("an endless loop in one match costs it one try_again and twenty others of its sport nothing") {
  stage s;
  double best = 1e9;
  int loops = 0;
  // Whatever else runs on the machine can only spoil a try.
  for (; loops < 4 && best > 0; ++loops) {
    auto quiet = s.score([] { std::this_thread::sleep_for(600ms); });
    const auto key = fmt::format("loop {}", loops);
    answered looped;
    double took = 0;
    auto beside = s.score([&] {
      desk d(s.server->url());
      auto began = steady::now();
      looped = stage::send(d, s.looping, "looping.ball", R"({"loop":true})", key);
      took = ms_since(began);
    });
    CHECK(looped.outcome == "try_again");
    CHECK(looped.reason == "worker_killed");
    CHECK(looped.status == 503);
    CHECK(took >= 500);
    CHECK(s.db.count(fmt::format("SELECT count(*) FROM command_failure WHERE command_id = '{}'", key)) == 1);
    CHECK(s.db.count(fmt::format("SELECT count(*) FROM command WHERE command_id = '{}'", key)) == 0);
    CHECK(quiet.not_accepted == 0);
    CHECK(beside.not_accepted == 0);
    std::cout << fmt::format("twenty matches alone: p50 {:.1f} ms, p99 {:.1f} ms; beside a loop of {:.0f} ms: p50 "
                             "{:.1f} ms, p99 {:.1f} ms, worst {:.1f} ms\n",
                             quiet.at(0.5), quiet.at(0.99), took, beside.at(0.5), beside.at(0.99), beside.at(1));
    // Killed within 600 ms of the ball's start in the worker (the rest is the way there and back); and no ball waited
    // for the worker that was away for half a second, though one processor of this machine was busy with it.
    const bool good = took < 620 && beside.at(1) < 400 && beside.at(0.99) <= quiet.at(0.99) + 50;
    best = good ? 0 : beside.at(0.99);
  }
  CHECK(best == 0);
  // The match itself goes on with its next ball, in a new process.
  desk d(s.server->url());
  CHECK(stage::send(d, s.looping, "looping.ball", R"({"loop":false})").outcome == "accepted");
  CHECK(at(d.get("/fixtures/" + s.looping)->body, "/scoreboard/balls") == "1");
  CHECK(d.get("/ops/tree")->body.find(fmt::format(R"("deaths":{})", loops)) != std::string::npos);
}
