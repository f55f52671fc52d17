#include "actors/sports.hpp"

#include "actors/sport.hpp"
#include "runtime/ops/log.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <fmt/format.h>
#include <map>
#include <utility>

namespace omnium::actors {
namespace {

// What a plugin prints to stderr, already cut and rate-limited by its keeper, goes into the node's log under its
// release.
std::function<void(std::string_view)> log_of(const sport::worker_options& options) {
  return [sport = options.sport, release = options.version](std::string_view line) {
    ops::log_warn(line, {.sport = sport, .release = release});
  };
}

class process_worker final : public worker_door {
public:
  process_worker(const sport::worker_options& options, std::shared_ptr<const context> ctx)
      : ctx_(std::move(ctx)), worker_(std::make_unique<sport::worker>(options, log_of(options))) {}
  ~process_worker() override { ctx_->reaper.end(std::move(worker_)); }
  void run(std::vector<std::shared_ptr<const road::run_request>> requests, sport::worker::heard_fn heard) override {
    worker_->run(std::move(requests), std::move(heard));
  }
  sport::worker_status status() const override { return worker_->status(); }

private:
  std::shared_ptr<const context> ctx_;
  std::unique_ptr<sport::worker> worker_;
};

struct sports_state {
  static inline const char* name = "sports";
  std::shared_ptr<const context> ctx;
  worker_factory make;
  std::map<std::string, sport_actor> children; // by sport@release
  std::uint64_t restarts = 0;
  sports_actor::pointer self = nullptr;

  void run(run_job_msg job) {
    auto key = job->sport + "@" + job->release;
    auto it = children.find(key);
    if (it == children.end()) {
      const auto known = ctx->find_release(job->sport, job->release);
      if (!known) {
        road::run_reply reply;
        reply.what = road::run_reply::kind::unavailable;
        reply.error = fmt::format("Release {} of {} is not installed on this node.", job->release, job->sport);
        job->answer(std::move(reply));
        return;
      }
      auto child = spawn_sport(self->system(), ctx, *known, make);
      self->monitor(child);
      it = children.emplace(key, std::move(child)).first;
    }
    self->send(it->second, run_atom_v, std::move(job));
  }
  // A supervisor that ended is started anew by the next run (restart: permanent, on demand).
  void down(const caf::down_msg& what) {
    for (auto it = children.begin(); it != children.end(); ++it) {
      if (it->second.address() != what.source) continue;
      children.erase(it);
      ++restarts;
      return;
    }
  }
  // Asks every child and joins their answers.
  caf::result<std::string> tree() {
    auto promise = self->make_response_promise<std::string>();
    auto parts = std::make_shared<std::vector<std::string>>();
    auto left = std::make_shared<std::size_t>(children.size());
    auto finish = [promise, parts, left, times = restarts]() mutable {
      if (*left == 0)
        promise.deliver(fmt::format(R"({{"name":"sports","strategy":"one_for_one","restarts":{},"children":[{}]}})",
                                    times, fmt::join(*parts, ",")));
    };
    for (auto& [key, child] : children)
      self->request(child, std::chrono::seconds(2), tree_atom_v)
          .then(
              [=](const std::string& part) mutable {
                parts->push_back(part);
                --*left;
                finish();
              },
              [=](const caf::error&) mutable {
                --*left;
                finish();
              });
    finish();
    return promise;
  }
  // The supervisors that a name stands for, each with what is named below it: "sports", "sport/<code>",
  // "sport/<code>/<release>", "sport/<code>/<release>/worker/<n>".
  std::vector<std::pair<sport_actor, std::string>> named(const std::string& wanted) const {
    std::vector<std::pair<sport_actor, std::string>> out;
    for (const auto& [key, child] : children) {
      auto shown = "sport/" + key;
      shown[shown.find('@')] = '/';
      if (wanted == "sports" || wanted == shown || shown.starts_with(wanted + "/")) out.emplace_back(child, "");
      else if (wanted.starts_with(shown + "/")) out.emplace_back(child, wanted.substr(shown.size() + 1));
    }
    return out;
  }
  caf::result<bool> restart(const std::string& wanted) {
    auto promise = self->make_response_promise<bool>();
    auto below = named(wanted);
    auto left = std::make_shared<std::size_t>(below.size());
    auto all = std::make_shared<bool>(!below.empty() || wanted == "sports");
    auto finish = [promise, left, all]() mutable {
      if (*left == 0) promise.deliver(*all);
    };
    auto answered = [=](bool ok) mutable {
      --*left;
      *all = *all && ok;
      finish();
    };
    if (wanted == "sports") ++restarts;
    for (const auto& [child, part] : below)
      self->request(child, std::chrono::seconds(10), restart_atom_v, part)
          .then([=](bool ok) mutable { answered(ok); }, [=](const caf::error&) mutable { answered(false); });
    finish();
    return promise;
  }
  void stop() {
    for (auto& [key, child] : children) self->send(child, stop_atom_v);
    self->quit();
  }
};

sports_actor::behavior_type sports_behavior(sports_actor::stateful_pointer<sports_state> self,
                                            std::shared_ptr<const context> ctx, worker_factory make) {
  auto& s = self->state;
  s.self = self;
  s.ctx = std::move(ctx);
  s.make = std::move(make);
  self->set_down_handler([&s](const caf::down_msg& what) { s.down(what); });
  return {
      [&s](run_atom, run_job_msg& job) { s.run(std::move(job)); },
      [&s](tree_atom) -> caf::result<std::string> { return s.tree(); },
      [&s](restart_atom, const std::string& name) -> caf::result<bool> { return s.restart(name); },
      [&s](stop_atom) { s.stop(); },
  };
}

} // namespace

worker_factory process_workers(std::shared_ptr<const context> ctx) {
  return [ctx](const sport::release& what, std::size_t) -> std::unique_ptr<worker_door> {
    sport::worker_options options;
    options.worker_program = ctx->worker_program;
    options.plugin_file = what.plugin_file;
    options.sport = what.sport;
    options.version = what.version;
    options.code_sha = what.code_sha;
    options.ball_wall_clock = ctx->ball_wall_clock;
    return std::make_unique<process_worker>(options, ctx);
  };
}

sports_actor spawn_sports(caf::actor_system& system, std::shared_ptr<const context> ctx, worker_factory make) {
  return system.spawn(sports_behavior, std::move(ctx), std::move(make));
}

} // namespace omnium::actors
