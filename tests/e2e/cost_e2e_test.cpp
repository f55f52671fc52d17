// A match does not get slower with its length: neither the fold, nor the log, nor what is saved with a ball may grow
// with the number of balls before it.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

using namespace omnium;
using namespace omnium::e2e;

namespace {

constexpr int window = 100; // balls on each side of a window's middle are its sample

double median_ms(std::vector<double> of) {
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
  return of[of.size() / 2];
}

// Milliseconds from request to answer, ball by ball.
std::vector<double> score(desk& d, const std::string& fixture, int balls) {
  static const char* codes[] = {"football.shot", "football.corner", "football.foul", "football.offside"};
  std::vector<double> out;
  for (int n = 0; n < balls; ++n) {
    auto input = fmt::format(R"({{"side":"{}","minute":{}}})", n % 3 == 0 ? "away" : "home", 1 + n % 45);
    auto began = std::chrono::steady_clock::now();
    auto answer = d.match(fixture, fixture + fmt::format("-{}", n), codes[n % 4], input);
    out.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
    INFO(answer.body);
    REQUIRE(answer.outcome == "accepted");
  }
  return out;
}

double around(const std::vector<double>& took, std::size_t ball) {
  auto from = ball > window ? ball - window : std::size_t{0};
  return median_ms({took.begin() + static_cast<std::ptrdiff_t>(from),
                    took.begin() + static_cast<std::ptrdiff_t>(std::min(took.size(), ball + window))});
}

} // namespace

TEST_CASE("ball 1,000 and ball 3,000 of a match cost what ball 30 costs") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  // Another program on the machine can only make a match look slower or faster for a while, so the best of a few
  // counts.
  double at_1000 = 9, at_3000 = 9;
  for (int tries = 0; tries < 4 && (at_1000 > 1.2 || at_3000 > 1.2); ++tries) {
    auto took = score(d, d.new_match(), 3000);
    auto first = around(took, 30);
    at_1000 = std::min(at_1000, around(took, 1000) / first);
    at_3000 = std::min(at_3000, around(took, 2900) / first);
  }
  CHECK(at_1000 <= 1.2);
  CHECK(at_3000 <= 1.2);
}
