// What a worker round trip costs. Hidden: run it with `omnium_e2e_tests "[.speed]"`; the figures stand in
// docs/performance.md.
#include "tests/catch.hpp"

#include "omnium/sport_test.hpp"
#include "tests/support/sport_keeper.hpp"

#include <algorithm>
#include <cstdio>

using namespace omnium;
using namespace omnium::sport_tests;
using clock_type = std::chrono::steady_clock;

namespace {

struct subject {
  const char* sport;
  sport::worker_options options;
  std::string state;      // in the middle of a match
  road::sport_event ball; // one that can be played on it any number of times
};

double us_since(clock_type::time_point began) {
  return std::chrono::duration<double, std::micro>(clock_type::now() - began).count();
}

void print(const char* what, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  std::printf("%-46s p50 %7.1f us   p99 %7.1f us\n", what, us[us.size() / 2], us[us.size() * 99 / 100]);
}

void measure(const subject& s) {
  std::printf("%s: state %zu bytes\n", s.sport, s.state.size());
  keeper k(s.options);
  for (const int batch : {1, 32}) {
    std::vector<double> round, worked;
    for (int i = 0; i < 4000; ++i) {
      road::run_request request{.state = s.state,
                                .events = std::vector<road::sport_event>(static_cast<std::size_t>(batch), s.ball)};
      const auto began = clock_type::now();
      const auto reply = k.run(std::move(request));
      round.push_back(us_since(began));
      REQUIRE(reply.what == road::run_reply::kind::ok);
      REQUIRE(reply.verdicts.front().accepted);
      worked.push_back(static_cast<double>(reply.worked.count()));
    }
    round.erase(round.begin(), round.begin() + 400);
    print(batch == 1 ? "  round trip, 1 ball" : "  round trip, 32 balls", round);
    print(batch == 1 ? "  of it in the worker, 1 ball" : "  of it in the worker, 32 balls", worked);
  }
}

// Open a state, play one ball, write state and scoreboard: without a process between.
void measure_in_process(const subject& s) {
  const auto plugin = sdk::loaded_plugin::load(s.options.plugin_file);
  REQUIRE(plugin.api() != nullptr);
  std::string out;
  const auto host = sdk::host_writing_to(out);
  omnium_sport_event event{};
  event.struct_size = sizeof event;
  event.seq = s.ball.seq;
  event.code = sdk::bytes_of(s.ball.code);
  event.input = sdk::bytes_of(s.ball.input);
  event.at = sdk::bytes_of(s.ball.at);
  std::vector<double> us;
  for (int i = 0; i < 20000; ++i) {
    out.clear();
    const auto began = clock_type::now();
    auto* session = plugin.api()->open(&host, {}, sdk::bytes_of(s.state));
    REQUIRE(session != nullptr);
    const int played = plugin.api()->play(session, &host, &event, OMNIUM_SPORT_DECIDE | OMNIUM_SPORT_EVOLVE);
    plugin.api()->scoreboard(session, &host);
    plugin.api()->state(session, &host);
    plugin.api()->close(session);
    us.push_back(us_since(began));
    REQUIRE(played == OMNIUM_SPORT_ACCEPTED);
  }
  print("  open, play, scoreboard, state in process", us);
}

// The smallest state there is, and an event that does nothing: the cost of the way alone.
subject small() {
  return {"petanque", petanque(), R"({"match":{"status":"live"},"ends":[{"winner":"home","points":1}]})",
          event(9, "match.note", R"({"text":"x"})")};
}

subject football() {
  const std::string package = OMNIUM_BINARY_DIR "/sports/football/1.0.0";
  sdk::test::match m(package);
  const auto play = [&](const char* code, const std::string& input) { REQUIRE(m.play(code, input).accepted); };
  const auto eleven = [&](const char* side) {
    std::string starting, bench;
    for (int i = 1; i <= 11; ++i)
      starting += (i > 1 ? "," : "") + ("\"" + std::string(side) + " player " + std::to_string(i) + "\"");
    for (int i = 12; i <= 23; ++i)
      bench += (i > 12 ? "," : "") + ("\"" + std::string(side) + " player " + std::to_string(i) + "\"");
    play("football.lineup", R"({"side":")" + std::string(side) + R"(","starting":[)" + starting + R"(],"bench":[)" +
                                bench + R"(],"goalkeeper":")" + side + " player 1\"}");
  };
  eleven("home");
  eleven("away");
  play("match.start", "{}");
  play("football.period", R"({"action":"start","period":"H1"})");
  for (int minute = 1; minute < 40; minute += 5)
    play("football.goal",
         R"({"side":"home","minute":)" + std::to_string(minute) + R"(,"scorer":"home player 9","kind":"open_play"})");
  auto options = options_of(package + "/plugin.so");
  options.sport = "football";
  return {"football", options, m.state(), event(30, "football.shot", R"({"side":"home","minute":41})")};
}

std::string cricket_ball(int i, const char* runs) {
  const bool turned = i / 6 % 2 == 1;
  return std::string(R"({"batter":")") + (turned ? "Batter 2" : "Batter 1") + R"(","non_striker":")" +
         (turned ? "Batter 1" : "Batter 2") + R"(","bowler":"Bowler )" + std::to_string(i / 6 % 5 + 1) +
         R"(","runs":)" + runs + "}";
}

// Deep in a second innings; a wide can be bowled again and again without an end of the over.
subject cricket() {
  const std::string package = OMNIUM_BINARY_DIR "/sports/cricket/2026.10.0";
  sdk::test::match m(package);
  const auto play = [&](const char* code, const std::string& input) { REQUIRE(m.play(code, input).accepted); };
  play("match.start", "{}");
  std::int64_t seq = 2;
  for (const char* side : {"home", "away"}) {
    play("cricket.innings", std::string(R"({"action":"start","batting":")") + side + "\"}");
    for (int i = 0; i < 303; ++i, ++seq)
      play("cricket.ball", cricket_ball(i, i % 3 == 0 && side[0] == 'h' ? R"({"batter":2})" : R"({"batter":0})"));
    if (side[0] == 'h') play("cricket.innings", R"({"action":"end","reason":"declared"})");
  }
  auto options = options_of(package + "/plugin.so");
  options.sport = "cricket";
  options.version = "2026.10.0";
  return {"cricket", options, m.state(),
          event(seq + 4, "cricket.ball", cricket_ball(303, R"({"batter":0,"extras":{"wides":1}})"))};
}

} // namespace

TEST_CASE("what a worker round trip costs", "[.speed]") {
  for (const auto& s : {small(), football(), cricket()}) {
    measure_in_process(s);
    measure(s);
  }
}
