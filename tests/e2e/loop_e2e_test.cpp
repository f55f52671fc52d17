// A plugin with an endless loop in one match costs that match one try_again, and the other matches of its sport nothing
// that their desks notice. Source: L10, issue 2.
//
// Twenty matches of its sport are measured beside twenty of another sport, scored at the same moment through the same
// server: what the machine does to them (the loop itself takes one of its processors) it does to both, and only the
// former share their workers with the loop.
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

constexpr int matches_a_group = 20;
constexpr int rounds = 3;
constexpr auto pause = 40ms;    // between two balls of a desk: 40 desks send about 1,000 balls a second at the most
constexpr auto around = 500ms;  // scored before the loop begins, and after it ended
constexpr double late_ms = 250; // half of the loop: what waits for a worker that is in it waits longer, as a rule

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
  std::ptrdiff_t late() const {
    return std::count_if(ms.begin(), ms.end(), [](double one) { return one > late_ms; });
  }
  void add(const shown& more) {
    ms.insert(ms.end(), more.ms.begin(), more.ms.end());
    not_accepted += more.not_accepted;
  }
};

struct group {
  std::string sport, code, input;
  std::vector<std::string> matches;
  shown all;
};

struct stage {
  temp_folder disk;
  database db;
  std::unique_ptr<server_process> server;
  std::string looping;
  group same{"looping", "looping.ball", R"({"loop":false})", {}, {}};
  group control{"petanque", "match.note", R"({"text":"n"})", {}, {}};

  stage() {
    namespace fs = std::filesystem;
    const auto package = disk.path() + "/looping/0.0.0";
    fs::create_directories(package);
    fs::copy(OMNIUM_BINARY_DIR "/test_plugins/looping.so", package + "/plugin.so");
    fs::create_directories(disk.path() + "/petanque");
    fs::copy(OMNIUM_BINARY_DIR "/examples/petanque/1.0.0", disk.path() + "/petanque/1.0.0");
    server = std::make_unique<server_process>(
        server_options{.database_url = db.url(), .data_dir = {}, .sports_dir = disk.path(), .more = {}});
    server->start();
    desk d(server->url());
    looping = started(d, "looping");
    for (auto* one : {&same, &control})
      for (int i = 0; i < matches_a_group; ++i) one->matches.push_back(started(d, one->sport));
  }
  static std::string started(desk& d, const std::string& sport) {
    auto id = d.new_match(sport, false);
    REQUIRE(send(d, sport, id, "match.start", "{}").outcome == "accepted");
    return id;
  }
  static answered send(desk& d, const std::string& sport, const std::string& id, const std::string& code,
                       const std::string& input, const std::string& key = fresh_id()) {
    return d.send(sport, "fixture", id,
                  fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", key, code, input));
  }
  shown score_one(const group& of, std::size_t match, const std::atomic<bool>& over) const {
    shown out;
    desk d(server->url());
    while (!over) {
      auto began = steady::now();
      if (send(d, of.sport, of.matches[match], of.code, of.input).outcome != "accepted") ++out.not_accepted;
      out.ms.push_back(ms_since(began));
      std::this_thread::sleep_for(pause);
    }
    return out;
  }
  // Both groups score for a while; `act` happens in the middle of it.
  void score(const std::function<void()>& act) {
    std::vector<shown> each(2 * matches_a_group);
    std::atomic<bool> over{false};
    std::vector<std::thread> desks;
    for (std::size_t i = 0; i < each.size(); ++i)
      desks.emplace_back([&, i] { each[i] = score_one(i % 2 == 0 ? same : control, i / 2, over); });
    std::this_thread::sleep_for(around);
    act();
    std::this_thread::sleep_for(around);
    over = true;
    for (auto& t : desks) t.join();
    for (std::size_t i = 0; i < each.size(); ++i) (i % 2 == 0 ? same : control).all.add(each[i]);
  }
};

void report(const char* who, shown& what) {
  std::cout << fmt::format("{}: {} balls, p50 {:.1f} ms, p99 {:.1f} ms, worst {:.1f} ms, {} over {} ms\n", who,
                           what.ms.size(), what.at(0.5), what.at(0.99), what.at(1), what.late(), late_ms);
}

} // namespace

TEST_CASE("an endless loop in one match costs it one try_again and twenty others of its sport nothing") {
  stage s;
  std::vector<double> took;
  for (int round = 0; round < rounds; ++round) {
    const auto key = fmt::format("loop {}", round);
    answered looped;
    s.score([&] {
      desk d(s.server->url());
      auto began = steady::now();
      looped = stage::send(d, "looping", s.looping, "looping.ball", R"({"loop":true})", key);
      took.push_back(ms_since(began));
    });
    CHECK(looped.outcome == "try_again");
    CHECK(looped.reason == "worker_killed");
    CHECK(looped.status == 503);
    CHECK(took.back() >= 500);
    CHECK(s.db.count(fmt::format("SELECT count(*) FROM command_failure WHERE command_id = '{}'", key)) == 1);
    CHECK(s.db.count(fmt::format("SELECT count(*) FROM command WHERE command_id = '{}'", key)) == 0);
  }
  auto &same = s.same.all, &control = s.control.all;
  report("matches of its sport", same);
  report("matches of another sport", control);
  std::cout << fmt::format("the loop was answered after {:.0f} ms\n", fmt::join(took, ", "));
  CHECK(same.not_accepted == 0);
  CHECK(control.not_accepted == 0);
  // Killed within 600 ms of the ball's start in the worker; the rest is the way there and back, as long as a ball's of
  // the other sport took at the same time.
  for (double one : took) CHECK(one < 620 + control.at(1));
  // No ball waited for the worker that was away for half a second: one match in its queue would show in each round.
  CHECK(same.late() <= control.late() + rounds - 1);
  CHECK(same.at(0.99) <= control.at(0.99) + 50);
  // The match itself goes on with its next ball, in a new process.
  desk d(s.server->url());
  CHECK(stage::send(d, "looping", s.looping, "looping.ball", R"({"loop":false})").outcome == "accepted");
  CHECK(at(d.get("/fixtures/" + s.looping)->body, "/scoreboard/balls") == "1");
  CHECK(d.get("/ops/tree")->body.find(fmt::format(R"("deaths":{})", rounds)) != std::string::npos);
}
