// What a plugin that dies, lies or babbles can do: cost its own ball and its own process. Source: L10, issue 3.
// What the kernel denies a plugin is tested on the release build (tests/e2e/sport_confined_e2e_test.cpp): sanitizer
// builds run without limits and filters.
#include "tests/support/hostile_plugins.hpp"

using namespace omnium;
using namespace omnium::sport_tests;

namespace {

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

} // namespace

TEST_CASE("a plugin that dies, lies or babbles costs its ball and its process") {
  keeper k(plugin("hostile"));
  for (const auto& one : always) check_broken(k, one);
}

TEST_CASE("states that are no JSON or too large break the run and not the keeper") {
  keeper k(plugin("hostile"));
  for (const char* act : {"bad_state", "big_state", "throw_state"}) {
    const auto reply = k.run({.events = {event(1, act)}});
    report(act, reply, k.took());
    CAPTURE(act, reply.error);
    CHECK(reply.what == reply_kind::broken);
    CHECK(still_works(k));
  }
}

TEST_CASE("a megabyte on stderr is drained, cut and counted, and the ball is answered") {
  keeper k(plugin("hostile"));
  const auto reply = try_act(k, "stderr");
  report("stderr", reply, k.took());
  REQUIRE(reply.what == reply_kind::ok);
  REQUIRE(reply.verdicts.size() == 3);
  REQUIRE(k.lines().size() < 100);
  REQUIRE(eventually(
      [&] { return try_act(k, "stderr").what == reply_kind::ok && k.logged("lines of this worker were dropped"); }));
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
  for (const char* fault : {"throw", "throw_int", "evolve"}) {
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
