// A full-length match of every sport: its last events cost what its first cost, and state and scoreboard stay in their
// bounds. Cricket's Test match is in cricket_cost_test.cpp; the same over the whole server is in
// tests/e2e/length_e2e_test.cpp. Source: M8, issue 3.
#include "tests/catch.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/whole_matches.hpp"
#include "tests/unit/recorded_match_support.hpp"
#include "tests/unit/turn_support.hpp"

using namespace omnium::test;

// Less than what a command takes on its way through the server beside its turn in the worker (docs/performance.md):
// what is bounded is the whole. A turn grows by some microseconds with the sets, ends and players that its sport shows.
constexpr double way_us = 200;

TEST_CASE("a full-length match of every sport costs at its end what it costs at its beginning") {
  for (const auto& match : whole_matches()) {
    INFO(match.name());
    std::vector<played_event> events;
    for (const auto& one : match.events) events.push_back({one.code, one.input});
    const auto cost = cost_of(package_of(match.sport), match.settings, events);
    report_cost(match.name(), cost);
    CHECK(cost.events >= 80);
    if (!omnium::testing::sanitized) CHECK(way_us + cost.last_us <= 1.2 * (way_us + cost.first_us));
    CHECK(cost.last_bytes <= 2 * cost.first_bytes); // lists of sets, ends and goals, which viewers are to see whole
    CHECK(cost.state_max < 16 * 1024);
    CHECK(cost.board_max < 2 * 1024);
  }
}
