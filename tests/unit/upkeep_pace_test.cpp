// The pace of work that nobody waits for: what is left to others, whatever a step takes.
#include "runtime/upkeep/pace.hpp"
#include "tests/catch.hpp"

using namespace omnium::upkeep;
using namespace std::chrono_literals;

namespace {

// Steps that take `per_row` for each row: the steps' rows once the pace has found itself, and the part of time worked.
std::pair<std::uint64_t, double> settle(std::chrono::nanoseconds per_row, int steps = 1000) {
  pace p({});
  std::chrono::nanoseconds worked{}, rested{};
  for (int i = 0; i < steps; ++i) {
    auto took = per_row * p.rows();
    worked += took;
    rested += p.rest_after(took, true);
  }
  return {p.rows(), double(worked.count()) / double((worked + rested).count())};
}

} // namespace

TEST_CASE("a step's rows follow what a row costs, within their bounds, and a fiftieth of the time is work") {
  auto [quick, quick_part] = settle(1us);
  CHECK(quick == pace_options{}.rows_max);
  auto [usual, usual_part] = settle(5us);
  CHECK(usual >= 180);
  CHECK(usual <= 230);
  CHECK(quick_part == Approx(0.02).margin(0.0005));
  CHECK(usual_part == Approx(0.02).margin(0.0005));
}

TEST_CASE(
    "where every step is late, two in ten parts of the time are work at most, and three hundred rows a second go") {
  auto [late, late_part] = settle(600us); // 60 ms for each step
  CHECK(late == pace_options{}.rows_min);
  CHECK(late_part <= 0.2);
  pace p({});
  CHECK(p.rows() / std::chrono::duration<double>(60ms + p.rest_after(60ms, true)).count() >= 300);
  CHECK(settle(100ms).second == Approx(0.5).margin(0.01)); // 10 s for each step: the longest rest is as long
}

TEST_CASE("after a step that took longer than usual the rest is longer, and the next step smaller") {
  pace p({});
  for (int i = 0; i < 1000; ++i) p.rest_after(500us, true);
  auto rows = p.rows();
  CHECK(p.rest_after(1ms, true) == 49ms);
  CHECK(p.rows() == rows);
  CHECK(p.rest_after(3ms, true) == 147ms);
  CHECK(p.rows() == rows / 2);
  CHECK(p.rest_after(20ms, true) == 250ms);
  CHECK(p.rest_after(100ms, true) == 400ms);
  CHECK(p.rest_after(30s, true) == pace_options{}.rest_max);
}

TEST_CASE("a step that found few rows makes the next one no larger") {
  pace p({});
  for (int i = 0; i < 1000; ++i) p.rest_after(10us, false);
  CHECK(p.rows() == pace_options{}.rows_min);
}

TEST_CASE("whatever steps take, their rows and rests keep to the bounds") {
  rc::check([](const std::vector<std::uint32_t>& took) {
    pace p({});
    pace_options bounds;
    for (auto us : took) {
      auto length = std::chrono::microseconds(us);
      auto rest = p.rest_after(length, us % 2 == 0);
      RC_ASSERT(p.rows() >= bounds.rows_min && p.rows() <= bounds.rows_max);
      RC_ASSERT(rest == bounds.rest_max || rest >= bounds.rest_least * length);
      RC_ASSERT(rest <= bounds.rest_max);
    }
  });
}
