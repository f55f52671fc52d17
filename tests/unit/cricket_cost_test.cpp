// A Test match of 2,500 balls: what a ball costs does not grow with it, and state and scoreboard stay in their bounds.
#include "omnium/sport_loader.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>

namespace {

using namespace omnium::cricket_test;
using omnium::sdk::bytes_of;
using omnium::sdk::host_writing_to;
using omnium::sdk::loaded_plugin;

struct event {
  std::string code, input;
};

// A participant's id, as a roster gives them.
std::string id(const std::string& side, int number) {
  return "0198b3c4-0000-7000-8000-" + std::string(side == "home" ? "00000000aa" : "00000000bb") +
         (number < 10 ? "0" : "") + std::to_string(number);
}

// Four innings of 625 balls in which all twenty-two bat and nine of a side bowl; a wicket every 62 balls.
std::vector<event> test_match() {
  std::vector<event> out{{"match.start", "{}"}};
  for (int innings = 0; innings < 4; ++innings) {
    const std::string batting = innings % 2 == 0 ? "home" : "away", fielding = innings % 2 == 0 ? "away" : "home";
    out.push_back({"cricket.innings", start(batting)});
    int striker = 1, other = 2, next = 3;
    for (int i = 0; i < 625; ++i) {
      const int over = i / 6;
      const std::string bowler =
          id(fielding, over < 18 ? over % 9 + 1 : (over % 2 == 0 ? over / 20 % 4 : 4 + over / 20 % 5) + 1);
      const bool falls = i % 62 == 61 && next <= 11;
      std::string more;
      if (falls)
        more = R"("wickets":[{"kind":"caught","player_out":")" + id(batting, striker) + R"(","fielders":[")" +
               id(fielding, 11) + R"("]}])";
      // The last innings makes a run every seventh ball, so that it does not reach its target.
      const int runs = falls ? 0 : innings == 3 ? (i % 7 == 0) : i % 3;
      out.push_back({"cricket.ball", ball(id(batting, striker), id(batting, other), bowler, runs, more)});
      if (falls) striker = next++;
      else if (runs == 1) std::swap(striker, other);
      if (i % 6 == 5) std::swap(striker, other);
    }
    if (innings < 3) out.push_back({"cricket.innings", end("declared")});
  }
  return out;
}

class plugin {
public:
  plugin() : loaded_(loaded_plugin::load(laws_2017 + "/plugin.so")) { REQUIRE(loaded_.api() != nullptr); }

  // One event as a worker plays it alone: the state read, the event judged and folded, state and scoreboard written.
  void turn(std::string& state, std::string& board, const event& what) const {
    std::string said;
    auto host = host_writing_to(said);
    const auto& api = *loaded_.api();
    void* session = api.open(&host, bytes_of("{}"), bytes_of(state));
    REQUIRE(session != nullptr);
    omnium_sport_event e{};
    e.struct_size = sizeof e;
    e.seq = 1;
    e.code = bytes_of(what.code);
    e.input = bytes_of(what.input);
    e.at = bytes_of("2026-01-01T12:00:00.000Z");
    const int is = api.play(session, &host, &e, OMNIUM_SPORT_DECIDE | OMNIUM_SPORT_EVOLVE);
    INFO(said << what.input);
    REQUIRE(is == OMNIUM_SPORT_ACCEPTED);
    state.clear();
    board.clear();
    auto to_state = host_writing_to(state), to_board = host_writing_to(board);
    api.state(session, &to_state);
    api.scoreboard(session, &to_board);
    api.close(session);
  }

  // What opening a session on a state says; empty: it opens.
  std::string fault_of(const std::string& state) const {
    std::string said;
    auto host = host_writing_to(said);
    void* session = loaded_.api()->open(&host, bytes_of("{}"), bytes_of(state));
    if (session == nullptr) return said;
    loaded_.api()->close(session);
    return {};
  }

private:
  loaded_plugin loaded_;
};

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

} // namespace

TEST_CASE("a ball late in a Test match of 2,500 balls costs what a ball costs at its beginning") {
  const plugin cricket;
  const auto events = test_match();
  std::vector<double> first, last, middle;
  std::size_t state_max = 0, board_max = 0;
  // What else runs on the machine only ever adds to a round, so the least of the rounds is the cost; a busy machine
  // gets more of them before it is believed.
  const auto least = [](const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); };
  for (int round = 0; round < 9 || (round < 36 && least(last) > 1.2 * least(first)); ++round) {
    std::string state, board;
    std::size_t balls = 0;
    std::vector<double> early, late;
    for (const auto& one : events) {
      const auto before = std::chrono::steady_clock::now();
      cricket.turn(state, board, one);
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - before;
      state_max = std::max(state_max, state.size());
      board_max = std::max(board_max, board.size());
      if (one.code != "cricket.ball") continue;
      if (++balls <= 100) early.push_back(took.count());
      if (balls > 2400) late.push_back(took.count());
    }
    REQUIRE(balls == 2500);
    first.push_back(median(early));
    last.push_back(median(late));
  }
  std::cout << "cricket: first 100 balls " << least(first) << " us, last 100 of 2,500 " << least(last)
            << " us a ball; state " << state_max << " bytes, scoreboard " << board_max << " bytes\n";
  CHECK(least(last) <= 1.2 * least(first));
  CHECK(state_max < 16 * 1024);
  CHECK(board_max < 2 * 1024);
}

TEST_CASE("a state whose frozen parts are not as they were written is refused in words") {
  const plugin cricket;
  std::string state, board;
  for (const auto& one : {event{"match.start", "{}"}, event{"cricket.innings", start("home")},
                          event{"cricket.ball", ball("A", "B", "X", 4)}, event{"cricket.innings", end("declared")},
                          event{"cricket.innings", start("away")}})
    cricket.turn(state, board, one);
  REQUIRE(cricket.fault_of(state).empty());
  const auto says = [&](std::string changed) {
    CHECK(cricket.fault_of(changed) == "the state cannot be read: its frozen parts are not as they were written");
  };
  const auto sizes = state.rfind(R"(,"frozen":[)");
  REQUIRE(sizes != std::string::npos);
  says(state.substr(0, sizes) + '}');                          // no sizes
  says(state.substr(0, sizes) + R"(,"frozen":[2,2,9999,2]})"); // longer than the text
  says(state.substr(0, sizes) + R"(,"frozen":[2,2,x,2]})");    // no number
  says(state.substr(0, sizes) + R"(,"frozen":[2,2]})");        // too few
  auto renamed = state;
  renamed.replace(renamed.rfind(R"("cards":)"), 8, R"("cords":)");
  says(renamed);
  CHECK(cricket.fault_of("{") != "");
}
