// The supervisor of a sport release, with workers in the test's hand and a clock that only the test turns: who is given
// what, and what becomes of it when a breaker opens.
#include "actors/sport.hpp"
#include "tests/catch.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <fmt/format.h>

using namespace omnium;
using namespace std::chrono_literals;
using reply_kind = road::run_reply::kind;

namespace {

struct test_config : caf::actor_system_config {
  test_config() { set("scheduler.policy", caf::atom("testing")); }
};

// What one worker was handed and has not answered.
struct hands {
  std::vector<std::string> runs; // by their settings, which is their name here
  sport::worker::heard_fn heard;
};

class hand_worker final : public actors::worker_door {
public:
  explicit hand_worker(hands& mine) : mine_(mine) {}
  void run(std::vector<std::shared_ptr<const road::run_request>> requests, sport::worker::heard_fn heard) override {
    REQUIRE(mine_.runs.empty()); // a worker is given nothing before it is free
    for (const auto& one : requests) mine_.runs.push_back(one->settings);
    mine_.heard = std::move(heard);
  }
  sport::worker_status status() const override { return {}; }

private:
  hands& mine_;
};

struct supervised {
  test_config config;
  caf::actor_system system{config};
  caf::scheduler::test_coordinator& scheduler = dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  ops::metrics metrics;
  std::array<hands, 2> workers;
  std::map<std::string, reply_kind> answers;
  actors::sport_actor sport;

  explicit supervised(std::size_t intensity = 10) {
    auto ctx = std::make_shared<actors::context>();
    ctx->metrics = &metrics;
    ctx->workers_per_release = workers.size();
    sport::release toy{"toy", "1", "sha", "", "", "Toy", "{}", {}, "{}"};
    actors::restart_intensity limits;
    limits.intensity = intensity;
    sport = actors::spawn_sport(
        system, ctx, toy,
        [this](const sport::release&, std::size_t i) { return std::make_unique<hand_worker>(workers.at(i)); }, limits);
    scheduler.run();
  }
  ~supervised() {
    caf::anon_send(sport, actors::stop_atom_v);
    scheduler.run();
  }
  void ask(const std::string& name, road::run_mode mode = road::run_mode::decide) {
    auto request = std::make_shared<road::run_request>();
    request->mode = mode;
    request->settings = name;
    auto job = std::make_shared<actors::run_job>();
    job->request = std::move(request);
    job->done = [this, name](road::run_reply reply) { REQUIRE(answers.emplace(name, reply.what).second); };
    caf::anon_send(sport, actors::run_atom_v, std::move(job));
    scheduler.run();
  }
  static sport::heard_run answered(std::size_t index, reply_kind what = reply_kind::ok) {
    road::run_reply reply;
    reply.what = what;
    return {index, std::move(reply)};
  }
  void tell(std::size_t worker, std::vector<sport::heard_run> heard, bool free) {
    auto to = workers.at(worker).heard;
    if (free) workers.at(worker) = {};
    to(std::move(heard), free);
    scheduler.run();
  }
  void tell_all(std::size_t worker) {
    std::vector<sport::heard_run> all;
    for (std::size_t i = 0; i < workers.at(worker).runs.size(); ++i) all.push_back(answered(i));
    tell(worker, std::move(all), true);
  }
};

using names = std::vector<std::string>;

} // namespace

TEST_CASE("a lone run goes at once, and what waits is shared out among the workers that are free") {
  supervised s;
  for (const char* name : {"a", "b", "c", "d", "e"}) s.ask(name);
  CHECK(s.workers[0].runs == names{"a"});
  CHECK(s.workers[1].runs == names{"b"});
  s.tell_all(1);
  CHECK(s.workers[1].runs == names{"c", "d", "e"});
  s.tell_all(0);
  s.tell_all(1);
  CHECK(s.answers.size() == 5);
}

TEST_CASE("a worker is given no more runs together than the bound") {
  supervised s;
  for (std::size_t i = 0; i < limits::worker_runs_max + 5; ++i) s.ask(fmt::format("{}", i));
  s.tell_all(0);
  CHECK(s.workers[0].runs.size() == limits::worker_runs_max);
}

TEST_CASE("a replay travels alone, and after the fresh balls") {
  supervised s;
  s.ask("a");
  s.ask("b");
  s.ask("r1", road::run_mode::replay);
  s.ask("r2", road::run_mode::replay);
  s.ask("c");
  s.tell_all(0);
  CHECK(s.workers[0].runs == names{"c"});
  s.tell_all(0);
  CHECK(s.workers[0].runs == names{"r1"});
  s.tell_all(1);
  CHECK(s.workers[1].runs == names{"r2"});
}

TEST_CASE("runs given back go to another worker, before what came later and in their order") {
  supervised s;
  for (const char* name : {"a", "b", "c", "d", "e"}) s.ask(name);
  s.tell_all(1); // which is given c, d and e
  s.ask("f");
  s.tell(1, {{1, std::nullopt}, {2, std::nullopt}}, false); // c is slow
  CHECK(s.workers[0].runs == names{"a"});
  s.tell_all(0);
  CHECK(s.workers[0].runs == names{"d", "e", "f"});
  s.tell_all(0);
  s.tell(1, {s.answered(0)}, true);
  CHECK(s.answers.size() == 6);
}

TEST_CASE("runs given back while the breaker is half open are handed out, not kept until somebody asks again") {
  supervised s(0);
  for (const char* name : {"a", "b", "c", "d", "e"}) s.ask(name);
  s.tell_all(1); // which is given c, d and e
  s.tell(0, {s.answered(0, reply_kind::broken)}, true);
  s.ask("f");
  CHECK(s.answers.at("f") == reply_kind::unavailable); // open
  s.scheduler.advance_time(1100ms);
  s.scheduler.run(); // half open
  s.tell(1, {{1, std::nullopt}, {2, std::nullopt}}, false);
  CHECK(s.workers[0].runs == names{"d"}); // one at a time, for a probe
  s.tell_all(0);
  CHECK(s.workers[0].runs == names{"e"});
  s.tell_all(0);
  s.tell(1, {s.answered(0)}, true);
  for (const char* name : {"b", "c", "d", "e"}) CHECK(s.answers.at(name) == reply_kind::ok);
}

TEST_CASE("runs given back while the breaker is open are told so at once") {
  supervised s(0);
  for (const char* name : {"a", "b", "c", "d"}) s.ask(name);
  s.tell_all(1); // which is given c and d
  s.tell(0, {s.answered(0, reply_kind::killed)}, true);
  s.tell(1, {{1, std::nullopt}}, false);
  CHECK(s.answers.at("d") == reply_kind::unavailable);
}

TEST_CASE("what a replaced worker had in its hands is run again, and what it still says is nobody's") {
  supervised s;
  s.ask("a");
  auto old = s.workers[0].heard;
  s.workers[0] = {};
  caf::anon_send(s.sport, actors::restart_atom_v, std::string("worker/0"));
  s.scheduler.run();
  CHECK(s.workers[0].runs == names{"a"});
  old({supervised::answered(0)}, true);
  s.scheduler.run();
  CHECK(s.answers.empty());
  s.tell_all(0);
  CHECK(s.answers.at("a") == reply_kind::ok);
}

TEST_CASE("runs that a supervisor held when it ended are told so, and so is what still came to it") {
  supervised s;
  for (auto name : {"a", "b", "c"}) s.ask(name); // two with the workers, one waits
  REQUIRE(s.answers.empty());
  caf::anon_send_exit(s.sport, caf::exit_reason::kill);
  s.scheduler.run();
  s.ask("d");
  for (auto name : {"a", "b", "c", "d"}) {
    CAPTURE(name);
    REQUIRE(s.answers.count(name) == 1);
    CHECK(s.answers.at(name) == reply_kind::unavailable);
  }
}
