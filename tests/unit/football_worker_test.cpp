// Football in its real worker process: what a correction asks again, and what it brings itself.
#include "tests/catch.hpp"
#include "tests/support/sport_keeper.hpp"

using namespace omnium;
using namespace omnium::sport_tests;

namespace {

sport::worker_options football() {
  auto out = options_of(OMNIUM_BINARY_DIR "/sports/football/1.0.0/plugin.so");
  out.sport = "football";
  return out;
}

// The log after the first yellow was voided.
std::vector<road::sport_event> corrected() {
  return {event(1, "football.period", R"({"action":"start","period":"H1"})"),
          event(3, "football.card", R"({"card":"second_yellow","minute":30,"player":"x","side":"home"})")};
}

} // namespace

TEST_CASE("a second yellow whose first was voided stands as the first, asked again in a worker") {
  keeper k(football());
  const auto checked = k.run({.mode = road::run_mode::check, .events = corrected()});
  REQUIRE(checked.what == road::run_reply::kind::ok);
  CHECK(checked.verdicts.empty());
  CHECK(checked.scoreboard.find(R"("cards":{"home":{"yellow":1,"red":0})") != std::string::npos);
}

TEST_CASE("a second yellow that the correction itself brings is refused without a first") {
  keeper k(football());
  auto log = corrected();
  log.back().fresh = true;
  const auto checked = k.run({.mode = road::run_mode::check, .events = log});
  REQUIRE(checked.verdicts.size() == 1);
  CHECK(checked.verdicts[0].why.code == "second_yellow_needs_second_yellow");
  CHECK(checked.verdicts[0].why.law == "Law 12");
}
