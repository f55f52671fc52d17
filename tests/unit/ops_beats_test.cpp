#include "runtime/ops/beats.hpp"
#include "tests/catch.hpp"

using namespace omnium::ops;
using namespace std::chrono_literals;
using kind = beat_board::kind;

namespace {

beat_view only(beat_board& board, std::chrono::milliseconds later) {
  auto all = board.look(beat_board::clock::now() + later);
  REQUIRE(all.size() == 1);
  return all[0];
}

} // namespace

TEST_CASE("a loop that turns by itself is silent when it has not turned for its limit") {
  beat_board board;
  auto loop = board.add("reader", kind::turning, 1000ms);
  loop.turn();
  CHECK(only(board, 900ms).state == beat_state::ok);
  auto late = only(board, 1500ms);
  CHECK(late.state == beat_state::silent);
  CHECK(late.reason.find("not turned") != std::string::npos);
  CHECK(late.beats == 1);
  loop.turn();
  CHECK(only(board, 0ms).state == beat_state::ok);
}

TEST_CASE("a loop that beats without progress while work waits is stuck; one with nothing to do is not") {
  beat_board board;
  auto loop = board.add("worker", kind::working, 1000ms);
  CHECK(only(board, 1h).state == beat_state::ok);
  loop.waiting(3);
  loop.turn();
  CHECK(only(board, 900ms).state == beat_state::ok);
  auto stuck = only(board, 1500ms);
  CHECK(stuck.state == beat_state::stuck);
  CHECK(stuck.waiting == 3);
  loop.progress();
  CHECK(only(board, 0ms).state == beat_state::ok);
  loop.waiting(0);
  CHECK(only(board, 1h).state == beat_state::ok);
}

TEST_CASE("a part says its own trouble, and the board remembers since when") {
  beat_board board;
  auto part = board.add("breaker", kind::working, 1000ms);
  auto before = only(board, 0ms).since;
  part.trouble("the breaker is open");
  auto bad = only(board, 0ms);
  CHECK(bad.state == beat_state::trouble);
  CHECK(bad.reason == "the breaker is open");
  CHECK(bad.since > before);
  CHECK(only(board, 0ms).since == bad.since);
  part.trouble(nullptr);
  CHECK(only(board, 0ms).state == beat_state::ok);
  board.forget("breaker");
  CHECK(board.look().empty());
}

TEST_CASE("the same name is the same part, and an end of no board does nothing") {
  beat_board board;
  board.add("a", kind::turning, 1000ms).turn();
  board.add("a", kind::turning, 1000ms).turn();
  CHECK(only(board, 0ms).beats == 2);
  beat none;
  none.turn();
  none.progress();
  none.waiting(1);
  none.trouble("x");
}
