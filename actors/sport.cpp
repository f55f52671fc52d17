#include "actors/sport.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <utility>

namespace omnium::actors {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::uint64_t workers_max = 64; // of one release; a setting beyond it is cut

struct sport_state {
  static inline const char* name = "sport";
  std::shared_ptr<const context> ctx;
  sport::release what;
  worker_factory make;
  restart_intensity limits;
  std::vector<std::unique_ptr<worker_door>> workers;
  std::vector<run_job_msg> at;  // what each worker is at; nullptr: free
  std::uint64_t generation = 0; // of the workers; an answer of an earlier one is nobody's
  std::deque<run_job_msg> fresh, replays;
  std::deque<clock::time_point> deaths;
  std::uint64_t runs = 0, died = 0;
  bool open = false, probing = false; // the breaker
  std::chrono::milliseconds open_for{};
  sport_actor::pointer self = nullptr;

  void start() {
    ++generation;
    for (std::size_t i = 0; i < std::min<std::size_t>(ctx->workers_per_release, workers_max); ++i)
      workers.push_back(make(what, i));
    at.assign(workers.size(), nullptr);
    open_for = limits.open_for;
  }
  void take(run_job_msg job) {
    if (open && !probing) {
      refuse(*job,
             fmt::format("The workers of {} {} keep dying; they are started again shortly.", what.sport, what.version));
      return;
    }
    auto& queue = job->request->mode == road::run_mode::decide ? fresh : replays;
    if (queue.size() >= omnium::limits::worker_queue_len_max) {
      refuse(*job, "Too many runs wait for a sport worker; send the command again a little later.");
      return;
    }
    queue.push_back(std::move(job));
    dispatch();
  }
  static void refuse(run_job& job, std::string why) {
    road::run_reply reply;
    reply.what = road::run_reply::kind::unavailable;
    reply.error = std::move(why);
    job.done(std::move(reply));
  }
  // Fresh balls go first; one worker is never given to replays while others wait for it with a ball.
  void dispatch() {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (at[i]) continue;
      auto& queue = !fresh.empty() ? fresh : replays;
      if (queue.empty()) return;
      at[i] = std::move(queue.front());
      queue.pop_front();
      workers[i]->run(at[i]->request,
                      [me = sport_actor{self}, number = generation * workers_max + i](road::run_reply reply) {
                        caf::anon_send(me, ran_atom_v, number, std::make_shared<road::run_reply>(std::move(reply)));
                      });
    }
  }
  void ran(std::uint64_t number, run_reply_msg reply) {
    if (number / workers_max != generation) return;
    auto job = std::exchange(at[number % workers_max], nullptr);
    ++runs;
    count_death(*reply);
    if (job) job->done(std::move(*reply));
    if (!open) dispatch();
  }
  void count_death(const road::run_reply& reply) {
    using kind = road::run_reply::kind;
    if (reply.what == kind::ok || reply.what == kind::cannot_fold) {
      deaths.clear();
      if (std::exchange(open, false)) open_for = limits.open_for;
      probing = false;
      return;
    }
    ++died;
    ctx->metrics->worker_killed(what.sport);
    auto now = clock::now();
    deaths.push_back(now);
    while (!deaths.empty() && now - deaths.front() > limits.period) deaths.pop_front();
    if (probing || deaths.size() > limits.intensity) open_breaker();
  }
  void open_breaker() {
    if (open && !probing) return;
    if (probing) open_for = std::min(open_for * 2, limits.open_max);
    open = true;
    probing = false;
    auto why =
        fmt::format("The workers of {} {} keep dying; they are started again shortly.", what.sport, what.version);
    for (auto* queue : {&fresh, &replays})
      for (auto& job : std::exchange(*queue, {})) refuse(*job, why);
    self->delayed_send(self, open_for, tick_atom_v);
  }
  std::string tree() const {
    std::string out = fmt::format(
        R"({{"name":"sport/{}/{}","strategy":"one_for_one","restart":"permanent","breaker":"{}","waiting":{},"runs":{},"deaths":{},"workers":[)",
        what.sport, what.version,
        !open     ? "closed"
        : probing ? "half_open"
                  : "open",
        fresh.size() + replays.size(), runs, died);
    for (std::size_t i = 0; i < workers.size(); ++i) {
      auto status = workers[i]->status();
      out += fmt::format(R"({}{{"name":"worker/{}","pid":{},"busy":{},"starts":{},"kills":{},"balls":{}}})",
                         i > 0 ? "," : "", i, status.pid, at[i] != nullptr, status.starts, status.kills, status.balls);
    }
    return out + "]}";
  }
  void end_workers(const std::string& why) {
    workers.clear(); // kills the processes; what they were at has no answer any more
    for (auto& job : std::exchange(at, {}))
      if (job) refuse(*job, why);
  }
  bool restart() {
    end_workers("The workers were restarted; send the command again with the same key.");
    start();
    open = probing = false;
    deaths.clear();
    dispatch();
    return true;
  }
  void stop() {
    end_workers("The server is stopping.");
    for (auto* queue : {&fresh, &replays})
      for (auto& job : std::exchange(*queue, {})) refuse(*job, "The server is stopping.");
    self->quit();
  }
};

sport_actor::behavior_type sport_behavior(sport_actor::stateful_pointer<sport_state> self,
                                          std::shared_ptr<const context> ctx, sport::release what, worker_factory make,
                                          restart_intensity limits) {
  auto& s = self->state;
  s.self = self;
  s.ctx = std::move(ctx);
  s.what = std::move(what);
  s.make = std::move(make);
  s.limits = limits;
  s.start();
  return {
      [&s](run_atom, run_job_msg& job) { s.take(std::move(job)); },
      [&s](ran_atom, std::uint64_t number, run_reply_msg& reply) { s.ran(number, std::move(reply)); },
      [&s](tick_atom) { s.probing = s.open; },
      [&s](tree_atom) { return s.tree(); },
      [&s](restart_atom) { return s.restart(); },
      [&s](stop_atom) { s.stop(); },
  };
}

} // namespace

sport_actor spawn_sport(caf::actor_system& system, std::shared_ptr<const context> ctx, const sport::release& what,
                        worker_factory make, restart_intensity limits) {
  return system.spawn(sport_behavior, std::move(ctx), what, std::move(make), limits);
}

} // namespace omnium::actors
