// The worker process and its keeper, on the example sport: rounds, batches, refusals, what an error does.
#include "tests/catch.hpp"

#include "runtime/sport/reaper.hpp"
#include "runtime/sport/worker.hpp"
#include "tests/support/sport_keeper.hpp"

#include <cerrno>
#include <csignal>
#include <future>
#include <memory>

using namespace omnium;
using namespace omnium::sport_tests;
using reply_kind = road::run_reply::kind;

namespace {

const std::string live = R"({"match":{"status":"live"},"ends":[]})";

} // namespace

TEST_CASE("a ball goes to a worker process and comes back with verdict, state and scoreboard") {
  keeper k(petanque());
  const auto reply =
      k.run({.events = {event(1, "match.start"), event(2, "petanque.end", R"({"winner":"home","points":2})")}});
  REQUIRE(reply.what == reply_kind::ok);
  REQUIRE(reply.verdicts.size() == 2);
  REQUIRE(reply.verdicts[1].accepted);
  REQUIRE(reply.verdicts[1].scoreboard.starts_with(R"({"status":"live","period":"E1","score":{"home":2,"away":0})"));
  REQUIRE(reply.scoreboard == reply.verdicts[1].scoreboard);
  REQUIRE(reply.state == R"({"match":{"status":"live"},"ends":[{"winner":"home","points":2}]})");
  REQUIRE(reply.index == 2);
  REQUIRE(k.status().balls == 2);
}

TEST_CASE("a refused ball says why and who said so, and the state goes on without it") {
  keeper k(petanque());
  const auto reply = k.run({.settings = R"({"target":1})",
                            .state = live,
                            .events = {event(5, "petanque.end", R"({"winner":"home","points":9})"),
                                       event(6, "petanque.end", R"({"winner":"home","points":1})"),
                                       event(7, "petanque.end", R"({"winner":"away","points":1})")}});
  REQUIRE(reply.what == reply_kind::ok);
  REQUIRE(reply.verdicts[0].why.code == "bad_input");
  REQUIRE(reply.verdicts[0].why.at == "/input/points");
  REQUIRE(reply.verdicts[1].accepted);
  REQUIRE(reply.verdicts[2].why.code == "match_decided");
  REQUIRE(reply.verdicts[2].why.law == "FIPJP Article 5");
  REQUIRE(reply.state == R"({"match":{"status":"live"},"ends":[{"winner":"home","points":1}]})");
}

TEST_CASE("a replay folds the log without verdicts, and a check names only what no longer stands") {
  keeper k(petanque());
  std::vector<road::sport_event> log{event(1, "match.start")};
  for (int i = 0; i < 3; ++i) log.push_back(event(2 + i, "petanque.end", R"({"winner":"home","points":6})"));
  const auto folded = k.run({.mode = road::run_mode::replay, .events = log});
  REQUIRE(folded.what == reply_kind::ok);
  REQUIRE(folded.verdicts.empty());
  REQUIRE(folded.scoreboard.find(R"("home":18)") != std::string::npos);
  const auto checked = k.run({.mode = road::run_mode::check, .events = log});
  REQUIRE(checked.what == reply_kind::ok);
  REQUIRE(checked.verdicts.size() == 0); // 6 + 6 = 12 < 13: the third still stands
  log.push_back(event(5, "petanque.end", R"({"winner":"away","points":1})"));
  const auto broken = k.run({.mode = road::run_mode::check, .events = log});
  REQUIRE(broken.verdicts.size() == 1);
  REQUIRE(broken.verdicts[0].index == 4);
  REQUIRE(broken.state == folded.state);
  const auto kept = k.run({.mode = road::run_mode::check, .events = log, .keep_refused = true});
  REQUIRE(kept.verdicts.size() == 1);
  REQUIRE(kept.state != folded.state);
  log.back().settled = true;
  const auto settled = k.run({.mode = road::run_mode::check, .events = log});
  REQUIRE(settled.verdicts.empty());
  REQUIRE(settled.state == kept.state);
}

TEST_CASE("a state or an event that cannot be read is named and costs the match, not the worker") {
  keeper k(petanque());
  auto reply = k.run(
      {.state = R"({"match":{"status":"live"},"ends":7})", .events = {event(1, "match.note", R"({"text":"x"})")}});
  REQUIRE(reply.what == reply_kind::cannot_fold);
  REQUIRE(reply.error.find("/state/ends") != std::string::npos);
  reply = k.run({.mode = road::run_mode::replay,
                 .state = live,
                 .events = {event(1, "match.note", R"({"text":"x"})"), event(2, "petanque.end", R"({"winner":7})")}});
  REQUIRE(reply.what == reply_kind::cannot_fold);
  REQUIRE(reply.index == 1);
  reply = k.run({.state = R"({"match":)", .events = {event(1, "match.note", R"({"text":"x"})")}});
  REQUIRE(reply.what == reply_kind::cannot_fold);
  REQUIRE(k.run({.state = live}).what == reply_kind::ok);
}

TEST_CASE("a run larger than a socket takes at once goes through, one larger than a frame is refused") {
  keeper k(petanque());
  std::vector<road::sport_event> log{event(1, "match.start")};
  const auto note = R"({"text":")" + std::string(1900, 'n') + "\"}";
  for (int i = 0; i < 1500; ++i) log.push_back(event(2 + i, "match.note", note));
  REQUIRE(k.run({.mode = road::run_mode::replay, .events = log}).what == reply_kind::ok);
  for (int i = 0; i < 4000; ++i) log.push_back(event(1502 + i, "match.note", note));
  REQUIRE(k.run({.mode = road::run_mode::replay, .events = log}).what == reply_kind::cannot_fold);
}

TEST_CASE("a release that is not there is unavailable in words, and its keeper goes on trying") {
  auto options = petanque();
  options.plugin_file += ".gone";
  keeper k(options);
  const auto reply = k.run({.state = live});
  REQUIRE(reply.what == reply_kind::unavailable);
  REQUIRE(reply.error.find("cannot be loaded") != std::string::npos);
  options.worker_program += ".gone";
  keeper no_program(options);
  REQUIRE(no_program.run({.state = live}).what == reply_kind::unavailable);
}

TEST_CASE("a worker process that is killed from outside is replaced") {
  keeper k(petanque());
  k.run({.state = live});
  const auto first = k.status().pid;
  REQUIRE(first > 0);
  ::kill(first, SIGKILL);
  eventually([&] { return k.status().pid != 0 && k.status().pid != first; });
  REQUIRE(k.run({.state = live}).what == reply_kind::ok);
}

TEST_CASE("a sport describes itself in a process of its own") {
  const auto told = sport::describe(petanque());
  REQUIRE(told.ok);
  REQUIRE(told.json.starts_with(R"({"sport":"petanque","version":"1.0.0","label":"Pétanque")"));
}

TEST_CASE("several matches' runs go to a worker together, each with its own state") {
  keeper k(petanque());
  std::vector<road::run_request> group;
  for (int i = 0; i < 32; ++i) {
    const auto input = R"({"winner":"home","points":)" + std::to_string(1 + i % 6) + "}";
    group.push_back({.state = live, .events = {event(5, "petanque.end", input)}});
  }
  const auto told = k.run_together(group);
  for (std::size_t i = 0; i < told.size(); ++i) {
    REQUIRE(told[i].reply);
    REQUIRE(told[i].reply->what == reply_kind::ok);
    CHECK(told[i].reply->scoreboard.find(R"("home":)" + std::to_string(1 + i % 6)) != std::string::npos);
  }
  CHECK(k.status().balls == 32);
}

TEST_CASE("a group larger than a socket takes at once goes through") {
  keeper k(petanque());
  std::vector<road::run_request> group;
  for (int i = 0; i < 32; ++i) {
    std::vector<road::sport_event> log;
    for (int n = 0; n < 30; ++n)
      log.push_back(event(1 + n, "match.note", R"({"text":")" + std::string(1900, 'n') + "\"}"));
    group.push_back({.state = live, .events = std::move(log)});
  }
  for (const auto& one : k.run_together(group)) {
    REQUIRE(one.reply);
    CHECK(one.reply->verdicts.size() == 30);
  }
}

TEST_CASE("a ball that never ends is killed in its own time, and the runs behind it are given back long before") {
  auto options = options_of(OMNIUM_BINARY_DIR "/test_plugins/looping.so");
  keeper k(options);
  const auto ball = [](bool loop) {
    return road::run_request{.events = {event(1, "looping.ball", loop ? R"({"loop":true})" : R"({"loop":false})")}};
  };
  REQUIRE(k.run(ball(false)).what == reply_kind::ok); // the process is up
  const auto told = k.run_together({ball(false), ball(true), ball(false), ball(false)});
  REQUIRE(told[0].reply);
  CHECK(told[0].reply->what == reply_kind::ok);
  CHECK(told[0].after < std::chrono::milliseconds{250});
  REQUIRE(told[1].reply);
  CHECK(told[1].reply->what == reply_kind::killed);
  CHECK(told[1].after >= std::chrono::milliseconds{500});
  for (auto i : {2, 3}) {
    CHECK_FALSE(told[i].reply);
    CHECK(told[i].after < std::chrono::milliseconds{250});
  }
  CHECK(k.run(ball(false)).what == reply_kind::ok);
}

TEST_CASE("a ball that never ends is announced though the time before it went to another match's ball") {
  keeper k(options_of(OMNIUM_BINARY_DIR "/test_plugins/looping.so"));
  const auto ball = [](std::string input) {
    return road::run_request{.events = {event(1, "looping.ball", std::move(input))}};
  };
  REQUIRE(k.run(ball(R"({"loop":false})")).what == reply_kind::ok); // the process is up
  // The first sign of life, after 20 ms of work, comes too early in the second ball to call it slow.
  const auto told =
      k.run_together({ball(R"({"loop":false,"busy_ms":14})"), ball(R"({"loop":true})"), ball(R"({"loop":false})")});
  REQUIRE(told[1].reply);
  CHECK(told[1].reply->what == reply_kind::killed);
  CHECK_FALSE(told[2].reply);
  CHECK(told[2].after < std::chrono::milliseconds{250});
}

TEST_CASE("a worker may be let go of by its own keeper's thread, which ends it elsewhere") {
  auto mine = std::make_unique<sport::worker>(petanque(), [](std::string_view) {});
  sport::reaper ends;
  auto request = std::make_shared<road::run_request>();
  request->events = {event(1, "match.start")};
  std::promise<int> process;
  mine->run({request}, [&](std::vector<sport::heard_run>, bool) {
    const int pid = mine->status().pid;
    ends.end(std::move(mine));
    process.set_value(pid);
  });
  const int pid = process.get_future().get();
  REQUIRE(pid > 0);
  ends.finish();
  REQUIRE(::kill(pid, 0) == -1);
  REQUIRE(errno == ESRCH);
}
