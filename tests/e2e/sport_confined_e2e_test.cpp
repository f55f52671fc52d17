// What the kernel denies a plugin, what its clock is, and what a thousand kills leave behind. On the release build: the
// sanitizers need what is denied here. Source: L10, issue 3.
#include "tests/support/hostile_plugins.hpp"

#include <dirent.h>
#include <fstream>
#include <unistd.h>

using namespace omnium;
using namespace omnium::sport_tests;
using namespace std::chrono_literals;

namespace {

constexpr expectation stopped_by_the_kernel[] = {
    {"exit_politely", reply_kind::broken, "ended with status 0"},
    {"abort", reply_kind::broken, "signal 6"},
    {"segfault", reply_kind::broken, "signal 11"},
    {"overflow", reply_kind::broken, "signal 11"},
    {"fork", reply_kind::broken, "forbidden system call"},
    {"socket", reply_kind::broken, "forbidden system call"},
    {"execute", reply_kind::broken, "forbidden system call"},
    {"kill_keeper", reply_kind::broken, "forbidden system call"},
    {"kill_all", reply_kind::broken, "forbidden system call"},
};

// Refused by the kernel with an errno, and the plugin lives on.
constexpr expectation denied[] = {
    {"allocate", reply_kind::ok, "errno_12"},    {"read_file", reply_kind::ok, "errno_1"},
    {"read_library", reply_kind::ok, "errno_1"}, {"write_file", reply_kind::ok, "errno_1"},
    {"new_code", reply_kind::ok, "errno_1"},     {"raise_limit", reply_kind::ok, "errno_1"},
};

std::size_t open_descriptors() {
  std::size_t count = 0;
  auto* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Child processes of this one, zombies among them.
std::size_t children() {
  std::size_t count = 0;
  auto* folder = opendir("/proc");
  while (const auto* entry = readdir(folder)) {
    std::ifstream in("/proc/" + std::string(entry->d_name) + "/stat");
    std::string line;
    if (!std::getline(in, line)) continue;
    const auto name_end = line.rfind(')');
    if (name_end == std::string::npos) continue;
    count += std::atoi(line.c_str() + name_end + 4) == getpid();
  }
  closedir(folder);
  return count;
}

} // namespace

TEST_CASE("a plugin that the kernel stops costs its ball and its process") {
  keeper k(plugin("hostile"));
  for (const auto& one : stopped_by_the_kernel) check_broken(k, one);
}

TEST_CASE("what a confined plugin asks of the system is denied") {
  keeper k(plugin("hostile"));
  for (const auto& one : denied) {
    const auto reply = try_act(k, one.act);
    report(one.act, reply, k.took());
    CAPTURE(one.act, reply.error);
    REQUIRE(reply.what == reply_kind::ok);
    CHECK(reply.verdicts[1].why.code == one.part);
    CHECK(reply.verdicts[2].accepted);
  }
}

TEST_CASE("an endless loop is killed after 500 ms of its own, and the balls before it are answered") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  for (const char* act : {"loop", "deaf_loop", "sleep"}) {
    // A busy machine may be late; the keeper must be able to be on time.
    auto fastest = std::chrono::milliseconds::max();
    for (int tries = 0; tries < 3 && fastest > 600ms; ++tries) {
      const auto reply = try_act(k, act);
      report(act, reply, k.took());
      CAPTURE(act, reply.error, k.took().count());
      REQUIRE(reply.what == reply_kind::killed);
      CHECK(reply.index == 1);
      CHECK(reply.verdicts.size() == 1);
      CHECK(k.took() >= 500ms);
      CHECK(still_works(k)); // on a fresh process
      fastest = std::min<std::chrono::milliseconds>(fastest, k.took());
    }
    CHECK(fastest <= 600ms);
  }
  REQUIRE(k.status().kills >= 3);
}

TEST_CASE("the clock of a ball starts when the worker starts that ball") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  // 300 balls of a few microseconds, then the loop: the kill comes 500 ms after the loop began, with all 300 verdicts.
  road::run_request request;
  for (int i = 0; i < 300; ++i) request.events.push_back(event(1 + i, "fine"));
  request.events.push_back(event(301, "loop"));
  const auto reply = k.run(request);
  REQUIRE(reply.what == reply_kind::killed);
  REQUIRE(reply.index == 300);
  REQUIRE(reply.verdicts.size() == 300);
  REQUIRE(k.took() <= 1500ms);
}

TEST_CASE("a plugin that claims to have only just begun is killed all the same") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  const auto reply = k.run({.events = {event(1, "always_fresh")}});
  report("always_fresh", reply, k.took());
  REQUIRE(reply.what == reply_kind::killed);
  REQUIRE(k.took() <= 2500ms);
}

TEST_CASE("a replay has a budget for each event and is killed beyond it") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  const auto reply = k.run({.mode = road::run_mode::replay, .events = {event(1, "fine"), event(2, "loop")}});
  REQUIRE(reply.what == reply_kind::killed);
  REQUIRE(reply.index == 1);
  REQUIRE(k.took() >= 500ms);
  REQUIRE(k.took() <= 2000ms);
}

TEST_CASE("a plugin that closes its log goes on, and its keeper does not spin") {
  keeper k(plugin("hostile"));
  REQUIRE(try_act(k, "close_log").what == reply_kind::ok);
  const auto before = std::clock();
  std::this_thread::sleep_for(200ms);
  REQUIRE(std::clock() - before < CLOCKS_PER_SEC / 20);
  REQUIRE(still_works(k));
}

TEST_CASE("what a plugin tries while it is being loaded") {
  auto options = plugin("init_loop");
  options.start_wall_clock = 300ms;
  keeper looping(options);
  const auto reply = looping.run({.events = {event(1, "fine")}});
  report("a loop while it is loaded", reply, looping.took());
  REQUIRE(reply.what == reply_kind::unavailable);
  REQUIRE(reply.error.find("not ready after 300 ms") != std::string::npos);

  keeper exits(plugin("init_exit"));
  REQUIRE(exits.run({.events = {event(1, "fine")}}).what == reply_kind::unavailable);
  keeper floods(plugin("init_flood"));
  REQUIRE(still_works(floods));
  REQUIRE(!sport::describe(options).ok);
  REQUIRE(sport::describe(plugin("init_flood")).ok);
  for (const char* name : {"init_socket", "init_exec"}) {
    keeper k(plugin(name));
    const auto refused = k.run({.events = {event(1, "fine")}});
    CAPTURE(name, refused.error);
    CHECK(refused.what == reply_kind::unavailable);
    CHECK(refused.error.find("forbidden system call") != std::string::npos);
  }
  keeper reads(plugin("init_passwd"));
  REQUIRE(still_works(reads));
  REQUIRE(eventually([&] { return reads.logged("tried"); }));
  REQUIRE(!reads.logged("read /etc/passwd"));
}

TEST_CASE("a sport of the SDK that runs out of memory fails on that event") {
  keeper k(plugin("faulty"));
  const auto reply = k.run({.events = {event(1, "faulty.ball", R"({"fault":"memory"})")}});
  REQUIRE(reply.what == reply_kind::broken);
  REQUIRE(reply.error.find("bad_alloc") != std::string::npos);
  REQUIRE(k.run({.events = {event(1, "faulty.ball", R"({"fault":"none"})")}}).what == reply_kind::ok);
}

TEST_CASE("a thousand kills leave no zombie, no descriptor and no memory behind") {
  constexpr int keepers = 4, kills_each = 250, warm_up = 25;
  const auto descriptors_before = open_descriptors(), children_before = children();
  std::size_t resident_warm = 0, resident_end = 0;
  std::uint64_t kills = 0;
  {
    auto options = plugin("hostile");
    options.ball_wall_clock = 1ms;
    std::vector<std::unique_ptr<keeper>> all;
    for (int i = 0; i < keepers; ++i) all.push_back(std::make_unique<keeper>(options));
    const auto kill_times = [&](int times) {
      std::vector<std::thread> threads;
      for (auto& k : all)
        threads.emplace_back([&k, times] {
          for (int i = 0; i < times; ++i) k->run({.events = {event(1, "loop")}});
        });
      for (auto& one : threads) one.join();
    };
    kill_times(warm_up);
    resident_warm = resident_bytes();
    kill_times(kills_each - warm_up);
    resident_end = resident_bytes();
    for (auto& k : all) kills += k->status().kills;
    CHECK(children() <= children_before + keepers);
  }
  REQUIRE(kills == keepers * kills_each);
  REQUIRE(children() == children_before);
  REQUIRE(open_descriptors() == descriptors_before);
  REQUIRE(resident_end < resident_warm + 4 * 1024 * 1024);
}
