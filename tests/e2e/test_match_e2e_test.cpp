// A Test match of about 2,500 balls, corrected early, in the middle and late: each correction is answered within 500
// ms, and what is shown then is what a fold of the whole corrected log gives. Source: issue 3 (Shows).
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/wal.hpp"

#include <fmt/format.h>
#include <iostream>
#include <map>

using namespace omnium::e2e;

namespace {

using steady = std::chrono::steady_clock;

constexpr int innings_balls = 624; // 104 overs

struct test_match {
  desk& d;
  const database& db;
  std::string id;
  std::vector<std::int64_t> ball_seq{0};    // by number of the ball, from 1
  std::map<std::size_t, std::string> wal{}; // where the database's log stood behind a ball

  // Bytes a ball, of those after the first named up to the last.
  double written(std::size_t from, std::size_t to) const {
    return omnium::testing::wal_bytes(db, wal.at(from), wal.at(to)) / static_cast<double>(to - from);
  }

  answered send(const std::string& code, const std::string& input) {
    return d.send("cricket", "fixture", id,
                  fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input));
  }
  std::int64_t play(const std::string& code, const std::string& input) {
    auto answer = send(code, input);
    CAPTURE(code, input, answer.body);
    REQUIRE(answer.outcome == "accepted");
    return answer.seq;
  }
  static std::string ball(const std::string& striker, const std::string& other, int over, const std::string& runs) {
    return fmt::format(R"({{"batter":"{}","non_striker":"{}","bowler":"Bowler {}","runs":{}}})", striker, other,
                       over % 2 == 0 ? over / 16 % 5 : 5 + over / 16 % 5, runs);
  }
  static std::string batter_runs(int runs) { return fmt::format(R"({{"batter":{}}})", runs); }

  // Twos and noughts only: the striker changes with the over alone, and an even amendment changes nothing after it.
  void innings(const std::string& batting, int number) {
    play("cricket.innings", fmt::format(R"({{"action":"start","batting":"{}"}})", batting));
    std::string striker = batting + " 1", other = batting + " 2";
    for (int i = 0; i < innings_balls; ++i) {
      const int runs = i % (number == 4 ? 9 : 3) == 0 ? 2 : 0; // the last innings does not reach its target
      ball_seq.push_back(play("cricket.ball", ball(striker, other, i / 6, batter_runs(runs))));
      if (i % 6 == 5) std::swap(striker, other);
      const auto balls = ball_seq.size() - 1, all = std::size_t{4} * innings_balls;
      if (balls == 1 || balls == 101 || balls == all - 100 || balls == all) wal[balls] = omnium::testing::wal_now(db);
    }
    if (number < 4) play("cricket.innings", R"({"action":"end","reason":"declared"})");
  }
};

} // namespace

TEST_CASE("a Test match of 2,500 balls is corrected at ball 30, 1,250 and 2,480, each within 500 ms, equal to a fold") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  test_match m{d, db, d.new_match("cricket", false)};
  m.play("match.start", "{}");
  for (int number = 1; number <= 4; ++number) m.innings(number % 2 == 1 ? "home" : "away", number);
  const double early = m.written(1, 101), late = m.written(4 * innings_balls - 100, 4 * innings_balls);
  std::cout << fmt::format("a Test match: {:.0f} bytes written for each of the first 100 balls, {:.0f} for the last (x "
                           "{:.2f})\n",
                           early, late, late / early);
  // With the closed innings written again in every event x 1.23, and in the scoreboard's row as well x 1.42.
  CHECK(late <= 1.2 * early);
  REQUIRE(m.ball_seq.size() == 4 * innings_balls + 1);
  auto shown = [&](const std::string& pointer) { return at(d.get("/fixtures/" + m.id)->body, pointer); };
  const auto home = std::stoi(shown("/scoreboard/score/home")), away = std::stoi(shown("/scoreboard/score/away"));
  struct correction {
    int ball;
    std::string runs;
    int home, away; // added
  };
  const auto four_for = [&](int ball) { // what the ball was and who bowled it, with other runs
    auto row = at(d.get(fmt::format("/fixtures/{}/timeline?after={}&limit=1", m.id, m.ball_seq[ball] - 1))->body,
                  "/items/0/input");
    REQUIRE(!row.empty());
    return row;
  };
  int by_home = 0, by_away = 0;
  for (const auto& one : {correction{30, R"({"batter":4,"boundary":true})", 4, 0},
                          correction{1250, R"({"batter":0,"extras":{"legbyes":4},"boundary":true})", 4, 0},
                          correction{2480, R"({"batter":6,"boundary":true})", 0, 6}}) {
    auto input = four_for(one.ball);
    const auto before = std::stoi(at(input, "/runs/batter"));
    const auto runs = at(input, "/runs");
    input.replace(input.find(runs), runs.size(), one.runs);
    const auto began = steady::now();
    const auto answer = m.send("match.amend", fmt::format(R"({{"seq":{},"input":{}}})", m.ball_seq[one.ball], input));
    const auto took = std::chrono::duration<double, std::milli>(steady::now() - began).count();
    std::cout << fmt::format("a Test match of {} balls: ball {} amended in {:.0f} ms\n", m.ball_seq.size() - 1,
                             one.ball, took);
    CAPTURE(one.ball, answer.body);
    REQUIRE(answer.outcome == "accepted");
    CHECK(took < 500);
    by_home += one.home - (one.home > 0 ? before : 0);
    by_away += one.away - (one.away > 0 ? before : 0);
    CHECK(shown("/scoreboard/score/home") == std::to_string(home + by_home));
    CHECK(shown("/scoreboard/score/away") == std::to_string(away + by_away));
    // A fold of the whole log from nothing, in another process, shows the same; so does the match built anew.
    CHECK(at(d.get("/ops/verify/" + m.id)->body, "/ok") == "true");
    const auto state = d.get("/fixtures/" + m.id + "/state")->body;
    REQUIRE(d.http.request("POST", "/ops/restart", fmt::format(R"({{"name":"match/fixture/{}"}})", m.id))->status ==
            200);
    CHECK(d.get("/fixtures/" + m.id + "/state")->body == state);
  }
}
