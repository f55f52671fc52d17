// What a plugin that means harm can do: cost its own ball and its own process, and nothing else. Source: L10, issue 3.
#include "tests/catch.hpp"

#include "tests/unit/sport_support.hpp"

#include <dirent.h>
#include <fstream>
#include <unistd.h>

using namespace omnium;
using namespace omnium::sport_tests;
using namespace std::chrono_literals;
using reply_kind = road::run_reply::kind;

namespace {

sport::worker_options plugin(const std::string& name) {
  return options_of(OMNIUM_BINARY_DIR "/test_plugins/" + name + ".so");
}

// Sanitizer builds run without limits and filters (confinement.cpp): there the acts that those stop are only survived.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool confined = false;
#else
constexpr bool confined = true;
#endif

struct expectation {
  const char* act;
  reply_kind what;
  const char* part; // of the error; of a refusal: its code
};

road::run_reply try_act(keeper& k, const std::string& act) {
  return k.run({.events = {event(1, "fine"), event(2, act), event(3, "fine")}});
}

bool still_works(keeper& k) {
  const auto reply = k.run({.events = {event(1, "fine")}});
  return reply.what == reply_kind::ok && reply.verdicts.size() == 1 && reply.verdicts[0].accepted;
}

// Acts whose outcome does not depend on limits and filters.
constexpr expectation always[] = {
    {"exit", reply_kind::broken, "ended with status 0"},
    {"throw", reply_kind::broken, "ended with status"},
    {"garbage", reply_kind::broken, "sent a frame of"},
    {"not_json", reply_kind::broken, "no JSON"},
    {"half_frame", reply_kind::broken, "The worker process was ended"},
    {"half_and_loop", reply_kind::broken, "The worker process was ended"},
    {"half_and_exit", reply_kind::broken, "ended with status 0"},
    {"empty_frame", reply_kind::broken, "none of the protocol"},
    {"wrong_index", reply_kind::broken, "does not belong"},
    {"forged_end", reply_kind::broken, "does not belong"},
    {"huge_reply", reply_kind::broken, "more than fits"},
    {"huge_frame", reply_kind::broken, "frame of 104857600 bytes"},
    {"no_reason", reply_kind::broken, "none of the protocol"},
    {"bad_verdict", reply_kind::broken, "no JSON"},
    {"odd_result", reply_kind::broken, "no result of the ABI"},
    {"close_channel", reply_kind::broken, "was killed"},
    {"bad_board", reply_kind::broken, "no JSON"},
    {"big_board", reply_kind::broken, "none of the protocol"},
};

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

void check_broken(keeper& k, const expectation& wanted) {
  const auto reply = try_act(k, wanted.act);
  CAPTURE(wanted.act, reply.error);
  CHECK(reply.what == wanted.what);
  CHECK(reply.error.find(wanted.part) != std::string::npos);
  CHECK(k.took() < 500ms);
  CHECK(still_works(k));
}

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

TEST_CASE("a plugin that dies, lies or babbles costs its ball and its process") {
  keeper k(plugin("hostile"));
  for (const auto& one : always) check_broken(k, one);
  for (const auto& one : stopped_by_the_kernel) {
    if (confined) check_broken(k, one);
    else CHECK((try_act(k, one.act), still_works(k)));
  }
}

TEST_CASE("what a confined plugin asks of the system is denied") {
  keeper k(plugin("hostile"));
  for (const auto& one : denied) {
    if (!confined && std::string_view(one.act) == "allocate") continue; // 4 GB would really be allocated
    const auto reply = try_act(k, one.act);
    CAPTURE(one.act, reply.error);
    REQUIRE(reply.what == reply_kind::ok);
    if (confined) CHECK(reply.verdicts[1].why.code == one.part);
    CHECK(reply.verdicts[2].accepted);
  }
  ::unlink("/tmp/omnium-hostile");
}

TEST_CASE("an endless loop is killed after 500 ms of its own, and the balls before it are answered") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  for (const char* act : {"loop", "deaf_loop", "sleep"}) {
    if (!confined && std::string_view(act) == "deaf_loop") continue; // nothing forbids it to be deaf there
    const auto reply = try_act(k, act);
    CAPTURE(act, reply.error, k.took().count());
    CHECK(reply.what == reply_kind::killed);
    CHECK(reply.index == 1);
    CHECK(reply.verdicts.size() == 1);
    CHECK(k.took() >= 500ms);
    CHECK(k.took() <= 600ms);
    CHECK(still_works(k)); // on a fresh process
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
  REQUIRE(k.took() <= 650ms);
}

TEST_CASE("a plugin that claims to have only just begun is killed all the same") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  const auto reply = k.run({.events = {event(1, "always_fresh")}});
  REQUIRE(reply.what == reply_kind::killed);
  REQUIRE(k.took() <= 1300ms);
}

TEST_CASE("a replay has a budget for each event and is killed beyond it") {
  keeper k(plugin("hostile"));
  REQUIRE(still_works(k));
  const auto reply = k.run({.mode = road::run_mode::replay, .events = {event(1, "fine"), event(2, "loop")}});
  REQUIRE(reply.what == reply_kind::killed);
  REQUIRE(reply.index == 1);
  REQUIRE(k.took() >= 500ms);
  REQUIRE(k.took() <= 750ms);
}

TEST_CASE("states that are no JSON or too large break the run and not the keeper") {
  keeper k(plugin("hostile"));
  for (const char* act : {"bad_state", "big_state", "throw_state"}) {
    const auto reply = k.run({.events = {event(1, act)}});
    CAPTURE(act, reply.error);
    CHECK(reply.what == reply_kind::broken);
    CHECK(still_works(k));
  }
}

TEST_CASE("a megabyte on stderr is drained, cut and counted, and the ball is answered") {
  keeper k(plugin("hostile"));
  const auto reply = try_act(k, "stderr");
  REQUIRE(reply.what == reply_kind::ok);
  REQUIRE(reply.verdicts.size() == 3);
  REQUIRE(k.lines().size() < 100);
  REQUIRE(eventually(
      [&] { return try_act(k, "stderr").what == reply_kind::ok && k.logged("lines of this worker were dropped"); }));
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
  REQUIRE(reply.what == reply_kind::unavailable);
  REQUIRE(reply.error.find("not ready after 300 ms") != std::string::npos);

  keeper exits(plugin("init_exit"));
  REQUIRE(exits.run({.events = {event(1, "fine")}}).what == reply_kind::unavailable);
  keeper floods(plugin("init_flood"));
  REQUIRE(still_works(floods));
  REQUIRE(!sport::describe(options).ok);
  REQUIRE(sport::describe(plugin("init_flood")).ok);
  if (!confined) return;
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

TEST_CASE("a plugin for an ABI of the future, or with too short a table, is refused in words") {
  keeper newer(plugin("newer_abi"));
  auto reply = newer.run({.events = {event(1, "fine")}});
  REQUIRE(reply.what == reply_kind::unavailable);
  REQUIRE(reply.error.find("built for sport ABI 2; this host speaks ABI 1") != std::string::npos);
  keeper shorter(plugin("short_table"));
  reply = shorter.run({.events = {event(1, "fine")}});
  REQUIRE(reply.error.find("table has 16 bytes") != std::string::npos);
  keeper longer(
      plugin("longer_table")); // of a later revision of the same ABI: what this host does not know is not read
  REQUIRE(still_works(longer));
}

TEST_CASE("what a sport of the SDK throws is an error of that event") {
  keeper k(plugin("faulty"));
  const auto ball = [](const char* fault) {
    return event(1, "faulty.ball", std::string(R"({"fault":")") + fault + "\"}");
  };
  for (const char* fault : {"throw", "throw_int", "memory", "evolve"}) {
    if (!confined && std::string_view(fault) == "memory") continue;
    const auto reply = k.run({.events = {ball("none"), ball(fault), ball("none")}});
    CAPTURE(fault, reply.error);
    CHECK(reply.what == reply_kind::broken);
    CHECK(reply.index == 1);
    CHECK(reply.verdicts.size() == 1);
  }
  const auto reply = k.run({.events = {ball("none"), ball("none"), ball("none")}});
  REQUIRE(reply.what == reply_kind::broken);
  REQUIRE(reply.error.find("the scoreboard fell over") != std::string::npos);
  REQUIRE(reply.index == 2);
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
