#include "actors/match.hpp"

#include "runtime/ops/log.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace omnium::actors {
namespace {

using namespace std::chrono_literals;

constexpr ops::stage stage_of(road::stage what) {
  switch (what) {
  case road::stage::queue:
    return ops::stage::queue;
  case road::stage::worker:
    return ops::stage::worker;
  case road::stage::database:
    return ops::stage::database;
  }
  return ops::stage::queue;
}

// The subject's doors, carried out with the store and the sports actor. Answers come back as messages to this actor;
// while one is under way its callback holds a strong handle, so that the actor cannot end with a COMMIT open.
class ports final : public road::subject_ports {
public:
  ports(match_actor::pointer self, subject_ref subject, std::shared_ptr<const context> ctx, sports_actor sports)
      : self_(self), subject_(subject), ctx_(std::move(ctx)), sports_(std::move(sports)) {}

  void run(std::uint64_t op, const std::string& sport, const std::string& release,
           std::shared_ptr<const road::run_request> request) override {
    auto job = std::make_shared<run_job>();
    job->sport = sport;
    job->release = release;
    job->request = std::move(request);
    job->done = [me = handle(), op](road::run_reply reply) {
      caf::anon_send(me, ran_atom_v, op, std::make_shared<road::run_reply>(std::move(reply)));
    };
    caf::anon_send(sports_, run_atom_v, std::move(job));
  }
  void commit(std::uint64_t op, std::shared_ptr<const road::subject_batch> batch) override {
    auto* traces = batch->dry ? nullptr : ctx_->traces;
    if (traces != nullptr)
      for (const auto& c : batch->commands) traces->decided(*c.source, c.item ? c.item->seq : 0);
    auto send = [me = handle(), op, batch, traces, ctx = ctx_](road::batch_result result) {
      if (traces != nullptr && result.what == road::batch_result::kind::committed)
        for (const auto& c : batch->commands) traces->committed(*c.source);
      host here(ctx->hosts);
      caf::anon_send(me, commit_atom_v, op, std::make_shared<road::batch_result>(std::move(result)));
    };
    if (ctx_->store->commit(batch, send)) return;
    road::batch_result full;
    full.what = road::batch_result::kind::failed;
    full.why = {"overloaded", "Too many matches wait for the database; send the command again a little later."};
    send(std::move(full));
  }
  void load(std::uint64_t op, road::load_depth depth) override {
    auto send = [me = handle(), op](std::optional<road::loaded_subject> what, reason why) {
      caf::anon_send(me, loaded_atom_v, op,
                     std::make_shared<loaded_message>(loaded_message{std::move(what), std::move(why)}));
    };
    if (!ctx_->store->load(subject_, depth, send))
      send(std::nullopt, {"overloaded", "Too many matches are being loaded; try again a little later."});
  }
  void find_keys(std::uint64_t op, std::vector<std::string> keys) override {
    auto send = [me = handle(), op](std::optional<std::vector<road::seen_command>> what, reason why) {
      caf::anon_send(me, keys_atom_v, op,
                     std::make_shared<keys_message>(keys_message{std::move(what), std::move(why)}));
    };
    if (!ctx_->store->find_keys(subject_, std::move(keys), true, send))
      send(std::nullopt,
           {"database_unavailable", "The outcome could not be read back; send the command again with the same key."});
  }
  void note_failure(const road::command_trouble& what) override {
    ctx_->store->note_failure(what.cmd.key, fmt::format("{}: {}", what.code, what.message));
    static ops::log_limit limit{100ms};
    if (!limit.due()) return;
    auto match = subject_key(subject_);
    auto left_out = limit.skipped() == 0 ? std::string() : fmt::format(" ({} more left out)", limit.skipped());
    ops::log_warn("a command could not be carried out: its sender was told to try again" + left_out,
                  {.trace = what.cmd.trace,
                   .match = match,
                   .command = what.cmd.key,
                   .sport = what.sport,
                   .release = what.release,
                   .code = what.code});
  }
  void save_snapshot(road::snapshot snap) override { ctx_->store->save_snapshot(subject_, std::move(snap)); }
  void ring() override {
    if (ctx_->ring) ctx_->ring(subject_);
  }
  const road::rule_book& rules() const override { return *ctx_->rules; }
  std::chrono::steady_clock::time_point now() const override { return self_->clock().now(); }
  void observe(road::stage what, std::chrono::nanoseconds took) override { ctx_->metrics->took(stage_of(what), took); }
  void observe_batch(std::size_t commands) override {
    ctx_->metrics->batch_commands.observe(static_cast<double>(commands));
  }
  void quarantined(const road::fold_trouble& what) override {
    auto match = subject_key(subject_);
    auto why = fmt::format("log row {} cannot be folded", what.seq);
    ops::log_error("match quarantined: " + why,
                   {.match = match, .sport = what.sport, .release = what.release, .code = "match-quarantined"});
    sentence_ = why + "; omnium ctl verify says why";
    raise_quarantine();
  }
  // An alert closes when nobody raises it any more, so what goes on is raised again.
  void raise_quarantine() const {
    if (ctx_->raise) ctx_->raise("match-quarantined", subject_key(subject_), sentence_);
  }

private:
  match_actor handle() const { return match_actor{self_}; }
  match_actor::pointer self_;
  subject_ref subject_;
  std::shared_ptr<const context> ctx_;
  sports_actor sports_;
  std::string sentence_; // of the newest quarantine
};

struct match_state {
  static inline const char* name = "match";
  std::shared_ptr<const context> ctx;
  matches_actor registry;
  std::shared_ptr<match_status> status;
  std::unique_ptr<ports> doors;
  std::optional<road::subject> road;
  subject_ref ref;
  std::chrono::steady_clock::time_point last_use{};
  bool stopping = false, leaving = false, looks_again = false;
  match_actor::pointer self = nullptr;

  template<class Step>
  void step(Step&& what) {
    what(*road);
    status->queue = road->queue_len();
    status->last_seq = static_cast<std::uint64_t>(road->last_seq());
    status->phase = static_cast<int>(road->now());
    status->quarantined = !road->quarantine().empty();
    if (status->quarantined && !std::exchange(looks_again, true))
      self->delayed_send(self, ctx->quarantine_look, again_atom_v);
    if (!road->idle()) return;
    if (stopping || leaving) end();
    else if (road->gone()) self->send(registry, idle_atom_v, subject_key(ref)); // no such match: nothing to keep awake
  }
  void used() {
    last_use = std::chrono::steady_clock::now();
    status->commands.fetch_add(1, std::memory_order_relaxed);
  }
  void end() {
    road->sleep();
    self->quit();
  }
  // As long as it is quarantined it stays awake and is tried again: its alert ends when the log folds, and not before.
  void again() {
    looks_again = false;
    if (road->quarantine().empty() || stopping || leaving) return;
    doors->raise_quarantine();
    step([](auto& subject) { subject.want_state([](const road::state_view&) {}); });
  }
  void tick() {
    bool unused = std::chrono::steady_clock::now() - last_use >= ctx->subject_idle;
    if (road->idle() && ((unused && road->quarantine().empty()) || road->gone()))
      self->send(registry, idle_atom_v, subject_key(ref));
    self->delayed_send(self, ctx->subject_idle / 2, tick_atom_v);
  }
};

match_actor::behavior_type match_behavior(match_actor::stateful_pointer<match_state> self, subject_ref ref,
                                          std::shared_ptr<const context> ctx, matches_actor registry,
                                          sports_actor sports, std::shared_ptr<match_status> status) {
  auto& s = self->state;
  s.self = self;
  s.ctx = ctx;
  s.registry = std::move(registry);
  s.status = std::move(status);
  s.ref = ref;
  s.doors = std::make_unique<ports>(self, ref, std::move(ctx), std::move(sports));
  s.road.emplace(ref, *s.doors);
  s.last_use = std::chrono::steady_clock::now();
  self->delayed_send(self, s.ctx->subject_idle / 2, tick_atom_v);
  return {
      [&s](submit_atom, ticket_msg& what) {
        s.used();
        s.step([&](auto& road) { road.accept(std::move(what)); });
      },
      [&s](state_atom, state_query_msg& what) {
        s.used();
        s.step([&](auto& road) { road.want_state(std::move(what->done), what->at_least); });
      },
      [&s](loaded_atom, std::uint64_t op, loaded_msg& what) {
        s.step([&](auto& road) { road.on_loaded(op, std::move(what->what), std::move(what->why)); });
      },
      [&s](ran_atom, std::uint64_t op, run_reply_msg& what) {
        s.step([&](auto& road) { road.on_run(op, std::move(*what)); });
      },
      [&s](commit_atom, std::uint64_t op, batch_result_msg& what) {
        s.step([&](auto& road) { road.on_committed(op, std::move(*what)); });
      },
      [&s](keys_atom, std::uint64_t op, keys_msg& what) {
        s.step([&](auto& road) { road.on_keys(op, std::move(what->what), std::move(what->why)); });
      },
      [&s](tick_atom) { s.tick(); },
      [&s](again_atom) { s.again(); },
      [&s](forget_atom) { s.step([](auto& road) { road.forget(); }); },
      [&s](sleep_atom) {
        s.leaving = true;
        s.step([](auto&) {});
      },
      [&s](stop_atom) {
        s.stopping = true;
        s.step([](auto& road) { road.stop(); });
      },
  };
}

} // namespace

std::string subject_key(const subject_ref& subject) {
  return std::string(to_string(subject.kind)) + "/" + to_string(subject.ref);
}

match_actor spawn_match(caf::actor_system& system, subject_ref subject, std::shared_ptr<const context> ctx,
                        matches_actor registry, sports_actor sports, std::shared_ptr<match_status> status) {
  return system.spawn(match_behavior, subject, std::move(ctx), std::move(registry), std::move(sports),
                      std::move(status));
}

} // namespace omnium::actors
