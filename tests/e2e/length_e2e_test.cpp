// A full-length match of every sport through the real server: the last events take what the first took, in time, and in
// what is saved and published. Source: M8, issue 3.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/whole_matches.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

using namespace omnium::e2e;
using omnium::test::whole_match;

namespace {

using steady = std::chrono::steady_clock;

struct took {
  std::vector<double> ms;
  std::string fixture;

  std::size_t window() const { return std::min<std::size_t>(100, ms.size() / 3); }
  double median(bool last) const {
    const auto size = static_cast<std::ptrdiff_t>(window());
    std::vector<double> part(last ? ms.end() - size : ms.begin(), last ? ms.end() : ms.begin() + size);
    std::nth_element(part.begin(), part.begin() + size / 2, part.end());
    return part[static_cast<std::size_t>(size / 2)];
  }
};

std::string new_match(desk& d, const whole_match& what) {
  auto competition = fresh_id(), fixture = fresh_id();
  auto games = [&](const std::string& code, const std::string& input) {
    auto a = d.send("games", "competition", competition,
                    fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input));
    INFO(a.body);
    REQUIRE(a.outcome == "accepted");
  };
  games("games.create_competition", R"({"name":"Cup"})");
  games("games.create_fixture",
        fmt::format(R"({{"id":"{}","sport":"{}","home":{{"name":"H"}},"away":{{"name":"A"}},"settings":{}}})", fixture,
                    what.sport, what.settings));
  return fixture;
}

took play(desk& d, const whole_match& what) {
  took out;
  out.fixture = new_match(d, what);
  for (std::size_t i = 0; i < what.events.size(); ++i) {
    auto body = fmt::format(R"({{"key":"{}:{}","code":"{}","input":{},"sender":"t"}})", out.fixture, i,
                            what.events[i].code, what.events[i].input);
    auto began = steady::now();
    auto a = d.send(what.sport, "fixture", out.fixture, body);
    out.ms.push_back(std::chrono::duration<double, std::milli>(steady::now() - began).count());
    CAPTURE(what.sport, i, a.body);
    REQUIRE(a.outcome == "accepted");
  }
  return out;
}

// Bytes that an event leaves in the log, with its answer and as an event for readers, over rows after `from` up to
// `to`.
double bytes(const database& db, const std::string& fixture, std::size_t from, std::size_t to) {
  return std::stod(db.ask(fmt::format(
      "SELECT avg(octet_length(t.input) + octet_length(c.answer) + octet_length(e.payload)) FROM timeline_item t JOIN "
      "command c ON c.command_id = t.key JOIN domain_event e ON e.fixture_id = t.stream_id AND e.seq = t.seq WHERE "
      "t.stream_id = '{}' AND t.seq > {} AND t.seq <= {}",
      fixture, from, to)));
}

} // namespace

TEST_CASE("a full-length match of every sport takes the server at its end what it took at its beginning") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  for (const auto& match : omnium::test::whole_matches()) {
    took run;
    double first = 0, last = 0, ratio = 9;
    for (int tries = 0; tries < 5 && ratio > 1.2; ++tries) { // what else runs can only spoil a try
      auto one = play(d, match);
      if (one.median(true) / one.median(false) >= ratio) continue;
      run = std::move(one);
      first = run.median(false), last = run.median(true), ratio = last / first;
    }
    auto n = run.ms.size(), w = run.window();
    auto b1 = bytes(db, run.fixture, 0, w), b2 = bytes(db, run.fixture, n - w, n);
    std::cout << fmt::format(
        "{}: {} events; first {} {:.2f} ms and {:.0f} bytes an event, last {:.2f} ms (x {:.2f}) and "
        "{:.0f} bytes (x {:.2f})\n",
        match.sport, n, w, first, b1, last, ratio, b2, b2 / b1);
    INFO(match.sport);
    CHECK(ratio <= 1.2);
    CHECK(b2 <= 1.3 * b1); // the lists of sets, ends and goals that a scoreboard shows whole
  }
}
