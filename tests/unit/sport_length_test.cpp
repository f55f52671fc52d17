// A full-length match of every sport: its last events cost what its first cost, and state and scoreboard stay in their
// bounds. Cricket's Test match is in cricket_cost_test.cpp. Source: M8, issue 3.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"
#include "tests/unit/turn_support.hpp"

#include <algorithm>

namespace {

using namespace omnium::test;
using omnium::corpus::recording;

struct whole_match {
  std::string settings;
  std::vector<played_event> events;
};

std::string number_after(std::string input, const std::string& member, std::size_t seq) {
  const auto text = '"' + member + "\":" + std::to_string(seq);
  input.insert(input.size() - 1, input.size() > 2 ? ',' + text : text);
  return input;
}

// The longest of the recordings of some files; every one of its commands is accepted, so row i + 1 is command i.
whole_match longest(const std::string& format, const std::vector<std::string>& files) {
  const auto all = read_recordings(format, files);
  const auto& one = *std::max_element(all.begin(), all.end(), [](const recording& a, const recording& b) {
    return a.commands.size() < b.commands.size();
  });
  whole_match out{one.settings.empty() ? "{}" : one.settings, {}};
  for (const auto& c : one.commands)
    out.events.push_back({c.code, c.seq_of ? number_after(c.input, c.seq_of->member, c.seq_of->command + 1) : c.input});
  return out;
}

// Five sets in which both hold serve to 30 up to a tie-break: about 400 points.
whole_match long_tennis() {
  whole_match out{R"({"best_of":5})", {{"match.start", "{}"}}};
  const auto point = [&](bool home) {
    out.events.push_back({"tennis.point", home ? R"({"winner":"home"})" : R"({"winner":"away"})"});
  };
  for (int set = 0; set < 5; ++set) {
    for (int game = 0; game < 12; ++game) {
      const bool home = game % 2 == 0;
      for (int i = 0; i < 2; ++i) point(!home), point(home);
      point(home), point(home);
    }
    const bool home = set % 2 == 0;   // the tie-break of each set, 7-5; the fifth is decided by home as well
    const int to = set == 4 ? 10 : 7; // a longer final tie-break takes what it needs
    for (int i = 0; i < to - 2; ++i) point(!home), point(home);
    point(home), point(home);
  }
  return out;
}

// A heat that is climbed again and again.
whole_match rerun_climbing() {
  whole_match out{"{}", {{"match.start", "{}"}}};
  for (int i = 0; i < 60; ++i) {
    out.events.push_back({"climbing.start", R"({"lane_a":"LEONARDO Veddriq","lane_b":"WU Peng"})"});
    out.events.push_back({"climbing.finish", R"({"lane":"a","seconds":4.995})"});
    out.events.push_back({"climbing.finish", R"({"lane":"b","seconds":4.997})"});
    out.events.push_back({"climbing.rerun", R"({"reason":"technical incident"})"});
  }
  return out;
}

void check(const std::string& sport, const whole_match& match, std::size_t events_min) {
  INFO(sport);
  const auto cost = cost_of(package_of(sport), match.settings, match.events);
  report_cost(sport, cost);
  CHECK(cost.events >= events_min);
  CHECK(cost.last_us <= 1.2 * cost.first_us);
  CHECK(cost.last_bytes <= 2 * cost.first_bytes); // lists of sets, ends and goals, which viewers are to see whole
  CHECK(cost.state_max < 16 * 1024);
  CHECK(cost.board_max < 2 * 1024);
}

} // namespace

TEST_CASE("a full-length match of football costs at its end what it costs at its beginning") {
  check("football", longest("wyscout", {kept("football/wyscout/1694436.json")}), 150);
}

TEST_CASE("a full-length match of basketball costs at its end what it costs at its beginning") {
  check("basketball", longest("fiba", {kept("basketball/fiba_illapel_boston_pbp.csv.gz")}), 300);
}

TEST_CASE("a full-length match of volleyball costs at its end what it costs at its beginning") {
  check("volleyball", longest("dvw", {kept("volleyball/2020_click_scout.dvw.gz")}), 150);
}

TEST_CASE("a full-length match of badminton costs at its end what it costs at its beginning") {
  check("badminton", longest("shuttleset", {kept("badminton/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP/set1.csv.gz")}),
        80);
}

TEST_CASE("a full-length match of tennis costs at its end what it costs at its beginning") {
  check("tennis", long_tennis(), 400);
}

TEST_CASE("a full-length match of curling costs at its end what it costs at its beginning") {
  check("curling",
        longest("curling-csv", {kept("curling/mixed_doubles_games.csv"), kept("curling/mixed_doubles_shots.csv.gz")}),
        80);
}

TEST_CASE("a heat of speed climbing that is run again and again costs at its end what it costs at its beginning") {
  check("climbing", rerun_climbing(), 200);
}
