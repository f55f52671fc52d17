// A group of runs in a worker's hands: answered in their order, and given back rather than kept behind a slow ball.
#include "tests/catch.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/sport/group.hpp"

using namespace omnium;
using namespace std::chrono_literals;
using sport::group;
using sport::reply_frame;
using sport::turn;
using reply_kind = road::run_reply::kind;

namespace {

const group::clock::time_point start{1h};

std::shared_ptr<const road::run_request> one_ball(std::string input = "{}") {
  road::run_request out;
  out.events = {{1, "toy.add", std::move(input), "2026-10-05T14:03:11.250Z", true}};
  return std::make_shared<const road::run_request>(std::move(out));
}

group of(std::size_t runs) {
  std::vector<std::shared_ptr<const road::run_request>> requests;
  for (std::size_t i = 0; i < runs; ++i) requests.push_back(one_ball());
  group made(std::move(requests), 500ms);
  made.begin(start);
  return made;
}

reply_frame said(reply_frame::kind what, std::chrono::microseconds us = 0us) {
  reply_frame out;
  out.what = what;
  out.us = us.count();
  out.state = out.scoreboard = "{}";
  if (what == reply_frame::kind::done) out.index = 1;
  return out;
}

void play_front(group& g, group::clock::time_point now) {
  REQUIRE(g.take(said(reply_frame::kind::accepted), now) == turn::heard::more);
  REQUIRE(g.take(said(reply_frame::kind::done), now) == turn::heard::over);
}

} // namespace

TEST_CASE("runs sent together are answered one by one, in their order") {
  auto g = of(3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE_FALSE(g.over());
    play_front(g, start + 1ms);
    auto heard = g.heard();
    REQUIRE(heard.size() == 1);
    CHECK(heard[0].index == i);
    CHECK(heard[0].reply->what == reply_kind::ok);
  }
  CHECK(g.over());
  CHECK(g.balls() == 3);
}

TEST_CASE("behind a slow ball nothing waits, and what is still said of it is thrown away") {
  auto g = of(3);
  CHECK(g.take(said(reply_frame::kind::playing, limits::worker_slow_ball - 1us), start + 20ms) == turn::heard::more);
  CHECK(g.heard().empty());
  CHECK(g.take(said(reply_frame::kind::playing, limits::worker_slow_ball), start + 30ms) == turn::heard::slow);
  auto back = g.heard();
  REQUIRE(back.size() == 2);
  CHECK(back[0].index == 1);
  CHECK(back[1].index == 2);
  CHECK_FALSE(back[0].reply);
  CHECK(g.take(said(reply_frame::kind::playing, 2 * limits::worker_slow_ball), start + 40ms) == turn::heard::slow);
  CHECK(g.heard().empty()); // given back once
  play_front(g, start + 50ms);
  REQUIRE(g.heard().size() == 1);
  play_front(g, start + 51ms);
  play_front(g, start + 52ms);
  CHECK(g.heard().empty());
  CHECK(g.over());
}

TEST_CASE("the time of a ball does not begin before the run in front of it is over") {
  auto g = of(2);
  CHECK(g.deadline() == start + 500ms + limits::worker_sign_of_life);
  play_front(g, start + 400ms);
  CHECK(g.deadline() == start + 400ms + 500ms + limits::worker_sign_of_life);
  // It says that it is at its ball for 30 ms: the clock counts from then.
  g.take(said(reply_frame::kind::playing, 30ms), start + 420ms);
  CHECK(g.deadline() == start + 390ms + 500ms);
}

TEST_CASE("a process that dies takes along only the run it was in") {
  auto g = of(3);
  play_front(g, start + 1ms);
  g.fail(reply_kind::killed, "too long", start + 501ms);
  auto heard = g.heard();
  REQUIRE(heard.size() == 3);
  CHECK(heard[0].reply->what == reply_kind::ok);
  CHECK(heard[1].reply->what == reply_kind::killed);
  CHECK_FALSE(heard[2].reply);
  CHECK(g.over());
}

TEST_CASE("a sport that fails on an event costs its run alone") {
  auto g = of(2);
  CHECK(g.take(said(reply_frame::kind::event_error), start + 1ms) == turn::heard::error);
  auto heard = g.heard();
  REQUIRE(heard.size() == 2);
  CHECK(heard[0].reply->what == reply_kind::broken);
  CHECK_FALSE(heard[1].reply);
}

TEST_CASE("with no process to be had, all runs of a group are refused") {
  auto g = of(2);
  g.refuse("There is none.", start);
  auto heard = g.heard();
  REQUIRE(heard.size() == 2);
  for (const auto& one : heard) CHECK(one.reply->what == reply_kind::unavailable);
}

TEST_CASE("a request larger than a frame is answered and not sent, its neighbours are") {
  group g({one_ball(), one_ball('"' + std::string(limits::worker_frame_bytes_max, 'x') + '"'), one_ball()}, 500ms);
  auto heard = g.heard();
  REQUIRE(heard.size() == 1);
  CHECK(heard[0].index == 1);
  CHECK(heard[0].reply->what == reply_kind::cannot_fold);
  g.begin(start);
  play_front(g, start);
  play_front(g, start);
  CHECK(g.over());
  CHECK(g.heard()[1].index == 2);
}
