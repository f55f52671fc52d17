// A match's actor while its log cannot be folded: what it tells, and when it ends telling.
#include "actors/matches.hpp"
#include "tests/catch.hpp"
#include "tests/support/within.hpp"

#include <atomic>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

using namespace omnium;
using namespace std::chrono_literals;
using testing::within;

namespace {

const subject_ref match{subject_kind::fixture, make_uuid7()};

// One match with one row in its log.
struct one_match final : road::store {
  bool commit(std::shared_ptr<const road::subject_batch>, std::function<void(road::batch_result)>) override {
    return false;
  }
  bool load(subject_ref subject, road::load_depth,
            std::function<void(std::optional<road::loaded_subject>, reason why)> done) override {
    road::loaded_subject out;
    out.found = out.whole_log = true;
    out.subject = subject;
    out.last_seq = 1;
    out.sport = "toy";
    out.release = "1";
    out.fold_hash = "sha";
    out.settings = "{}";
    out.log.emplace_back();
    out.log.back().seq = 1;
    out.log.back().code = "toy.add";
    out.log.back().input = "{}";
    done(std::move(out), {});
    return true;
  }
  bool find_keys(subject_ref, std::vector<std::string>, bool,
                 std::function<void(std::optional<std::vector<road::seen_command>>, reason why)>) override {
    return false;
  }
  void note_failure(std::string, std::string) override {}
  void save_snapshot(subject_ref, road::snapshot) override {}
};

struct one_release final : road::rule_book {
  std::optional<road::release_facts> find(std::string_view, std::string_view) const override {
    road::release_facts out;
    out.code_sha = "sha";
    return out;
  }
  std::optional<road::release_facts> default_release(std::string_view, const uuid&) const override { return {}; }
  std::optional<bool> is_play(std::string_view, std::string_view, std::string_view) const override { return true; }
};

struct quick_config : caf::actor_system_config {
  quick_config() {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", std::size_t{2});
  }
};

} // namespace

TEST_CASE("a quarantined match stays awake, is raised and tried again until its log folds, and then no more") {
  one_match store;
  one_release rules;
  ops::metrics metrics;
  std::atomic<int> raised{0}, folds{0};
  std::atomic<bool> good{false};
  auto ctx = std::make_shared<actors::context>();
  ctx->store = &store;
  ctx->rules = &rules;
  ctx->metrics = &metrics;
  ctx->subject_idle = ctx->quarantine_look = 50ms;
  ctx->raise = [&](const std::string& rule, const std::string& key, const std::string& detail) {
    CHECK(rule == "match-quarantined");
    CHECK(key == "fixture/" + to_string(match.ref));
    CHECK(detail.find("log row 1 cannot be folded") != std::string::npos);
    ++raised;
  };
  quick_config config;
  caf::actor_system system(config);
  actors::sports_actor sports = system.spawn([&](actors::sports_actor::pointer) -> actors::sports_actor::behavior_type {
    return {[&](actors::run_atom, actors::run_job_msg& job) {
              ++folds;
              road::run_reply reply;
              reply.what = good ? road::run_reply::kind::ok : road::run_reply::kind::cannot_fold;
              reply.error = good ? "" : "it is unreadable";
              reply.state = "{}";
              reply.scoreboard = R"({"status":"live","period":1})";
              job->done(std::move(reply));
            },
            [](actors::tree_atom) { return std::string(); },
            [](actors::restart_atom, const std::string&) { return true; }, [](actors::stop_atom) {}};
  });
  auto matches = actors::spawn_matches(system, ctx, sports);
  caf::scoped_actor self{system};
  auto list = [&] {
    std::string out;
    self->request(matches, 5s, actors::list_atom_v)
        .receive([&](const std::string& live) { out = live; }, [](const caf::error&) {});
    return out;
  };
  auto ask = [&] {
    auto query = std::make_shared<actors::state_query>();
    query->subject = match;
    query->done = [](const road::state_view&) {};
    caf::anon_send(matches, actors::state_atom_v, query);
  };
  ask();
  // Long after it would have gone to sleep.
  CHECK(within(5s, [&] { return raised >= 8; }));
  CHECK(list().find("\"quarantined\":true") != std::string::npos);
  CHECK(folds == 1); // limits::quarantine_retry is not over: no worker is asked meanwhile
  // Begun anew it is tried at once; once it folds nothing is raised, and it sleeps like any other.
  good = true;
  self->request(matches, 5s, actors::restart_atom_v, "match/fixture/" + to_string(match.ref))
      .receive([](bool found) { CHECK(found); }, [](const caf::error&) { FAIL("no answer"); });
  ask();
  CHECK(within(5s, [&] { return folds == 2; }));
  CHECK(within(5s, [&] { return list().find("true") == std::string::npos; }));
  const int then = raised;
  CHECK(within(5s, [&] { return list() == "[]"; }));
  CHECK(raised == then);
  // One that sleeps can be named as well, nonsense cannot.
  for (auto [name, known] :
       {std::pair{"match/fixture/" + to_string(match.ref), true}, {std::string("match/fixture/x"), false}})
    self->request(matches, 5s, actors::restart_atom_v, name)
        .receive([known = known](bool found) { CHECK(found == known); }, [](const caf::error&) { FAIL("no answer"); });
  self->request(matches, 5s, actors::stop_atom_v).receive([](bool) {}, [](const caf::error&) {});
  caf::anon_send_exit(matches, caf::exit_reason::kill);
  caf::anon_send_exit(sports, caf::exit_reason::kill);
}
