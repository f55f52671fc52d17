#include "actors/sport.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace omnium::actors {
namespace {

using clock = std::chrono::steady_clock;

constexpr const char* breaker_open = "its workers keep dying and the breaker is open";
constexpr std::uint64_t workers_max = 64; // of one release; a setting beyond it is cut

struct sport_state {
  static inline const char* name = "sport";
  std::shared_ptr<const context> ctx;
  sport::release what;
  worker_factory make;
  restart_intensity limits;
  std::vector<std::unique_ptr<worker_door>> workers;
  struct hands {                   // what a worker is at
    std::vector<run_job_msg> jobs; // as they were handed over; answered ones are null
    std::uint64_t number = 0;      // of the group: an answer to another is a replaced worker's, and nobody's
    bool free = true;
    std::size_t waiting() const {
      return static_cast<std::size_t>(
          std::count_if(jobs.begin(), jobs.end(), [](const auto& j) { return j != nullptr; }));
    }
  };
  std::vector<hands> at;
  std::vector<std::uint64_t> replaced; // by worker: how often an operator had it replaced
  std::uint64_t numbers = 0;
  std::deque<run_job_msg> fresh, replays;
  std::deque<clock::time_point> deaths;
  std::uint64_t runs = 0, died = 0, restarts = 0;
  ops::beat beat;
  bool open = false, probing = false; // the breaker
  std::chrono::milliseconds open_for{};
  sport_actor::pointer self = nullptr;

  void start() {
    for (std::size_t i = 0; i < std::min<std::size_t>(ctx->workers_per_release, workers_max); ++i)
      workers.push_back(make(what, i));
    at.resize(workers.size());
    replaced.resize(workers.size());
    open_for = limits.open_for;
    // The longest a run may take by rights is a full batch whose every ball runs into its wall clock.
    auto longest = omnium::limits::subject_batch_len_max * ctx->ball_wall_clock + std::chrono::seconds(5);
    beat = ctx->metrics->beats.add(part(), ops::beat_board::kind::working, longest);
  }
  std::string dying() const {
    return fmt::format("The workers of {} {} keep dying; they are started again shortly.", what.sport, what.version);
  }
  std::string part() const { return fmt::format("sport/{}/{}", what.sport, what.version); }
  void show() {
    auto waiting = fresh.size() + replays.size();
    for (const auto& one : at) waiting += one.waiting();
    beat.waiting(waiting);
  }
  void take(run_job_msg job) {
    if (open && !probing) {
      refuse(*job, dying());
      return;
    }
    auto& queue = queue_of(*job);
    if (queue.size() >= omnium::limits::worker_queue_len_max) {
      refuse(*job, "Too many runs wait for a sport worker; send the command again a little later.");
      return;
    }
    queue.push_back(std::move(job));
    dispatch();
    show();
  }
  std::deque<run_job_msg>& queue_of(const run_job& job) {
    return job.request->mode == road::run_mode::decide ? fresh : replays;
  }
  static void refuse(run_job& job, std::string why) {
    road::run_reply reply;
    reply.what = road::run_reply::kind::unavailable;
    reply.error = std::move(why);
    job.answer(std::move(reply));
  }
  // Fresh balls go first. What waits is shared out among the workers that are free: each gets its part in one trip. A
  // replay is long and travels alone.
  void dispatch() {
    auto idle = static_cast<std::size_t>(std::count_if(at.begin(), at.end(), [](const auto& h) { return h.free; }));
    for (std::size_t i = 0; i < workers.size() && idle > 0; ++i) {
      if (!at[i].free) continue;
      auto& queue = !fresh.empty() ? fresh : replays;
      if (queue.empty()) return;
      auto share = &queue == &replays || open ? 1 : (fresh.size() + idle - 1) / idle;
      hand_over(i, queue, std::min(share, omnium::limits::worker_runs_max));
      --idle;
    }
  }
  void hand_over(std::size_t i, std::deque<run_job_msg>& queue, std::size_t count) {
    auto end = queue.begin() + static_cast<std::ptrdiff_t>(count);
    at[i] = {{std::move_iterator(queue.begin()), std::move_iterator(end)}, ++numbers, false};
    queue.erase(queue.begin(), end);
    std::vector<std::shared_ptr<const road::run_request>> requests;
    for (const auto& job : at[i].jobs) requests.push_back(job->request);
    workers[i]->run(std::move(requests), [me = sport_actor{self}, ctx = ctx,
                                          number = numbers](std::vector<sport::heard_run> told, bool free) {
      host here(ctx->hosts);
      caf::anon_send(me, ran_atom_v, number, std::make_shared<group_heard>(group_heard{std::move(told), free}));
    });
  }
  void heard(std::uint64_t number, group_heard& told) {
    auto mine = std::find_if(at.begin(), at.end(), [&](const auto& h) { return !h.free && h.number == number; });
    if (mine == at.end()) return;
    std::vector<run_job_msg> back;
    for (auto& run : told.runs) {
      auto job = std::exchange(mine->jobs[run.index], nullptr);
      if (!run.reply) {
        back.push_back(std::move(job));
        continue;
      }
      ++runs;
      beat.progress();
      count_death(*run.reply);
      job->answer(std::move(*run.reply));
    }
    mine->free = told.free;
    put_back(std::move(back));
    if (!open || probing) dispatch(); // what was given back waits for nobody else to ask
    show();
  }
  // To the front, in their order: they waited longest.
  void put_back(std::vector<run_job_msg> jobs) {
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
      if (open && !probing) refuse(**job, dying());
      else queue_of(**job).push_front(std::move(*job));
    }
  }
  void count_death(const road::run_reply& reply) {
    using kind = road::run_reply::kind;
    if (reply.what == kind::ok || reply.what == kind::cannot_fold) {
      deaths.clear();
      if (std::exchange(open, false)) open_for = limits.open_for;
      probing = false;
      beat.trouble(nullptr);
      return;
    }
    ++died;
    ctx->metrics->worker_killed(what.sport);
    auto now = self->clock().now();
    deaths.push_back(now);
    while (!deaths.empty() && now - deaths.front() > limits.period) deaths.pop_front();
    if (probing || deaths.size() > limits.intensity) open_breaker();
  }
  void open_breaker() {
    if (open && !probing) return;
    if (probing) open_for = std::min(open_for * 2, limits.open_max);
    open = true;
    probing = false;
    beat.trouble(breaker_open);
    auto why = dying();
    for (auto* queue : {&fresh, &replays})
      for (auto& job : std::exchange(*queue, {})) refuse(*job, why);
    self->delayed_send(self, open_for, tick_atom_v);
  }
  std::string tree() const {
    std::string out = fmt::format(
        R"({{"name":"sport/{}/{}","strategy":"one_for_one","restart":"permanent","breaker":"{}","restarts":{},"waiting":{},"runs":{},"deaths":{},"workers":[)",
        what.sport, what.version,
        !open     ? "closed"
        : probing ? "half_open"
                  : "open",
        restarts, fresh.size() + replays.size(), runs, died);
    for (std::size_t i = 0; i < workers.size(); ++i) {
      auto status = workers[i]->status();
      out += fmt::format(
          R"({}{{"name":"worker/{}","pid":{},"busy":{},"restarts":{},"starts":{},"kills":{},"balls":{}}})",
          i > 0 ? "," : "", i, status.pid, !at[i].free, replaced[i], status.starts, status.kills, status.balls);
    }
    return out + "]}";
  }
  // Its process is ended; what it was at goes to the front of the queue and is run again: rules change nothing but what
  // they return.
  void replace(std::size_t i) {
    workers[i].reset();
    auto jobs = std::exchange(at[i], {}).jobs;
    std::erase(jobs, nullptr);
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) queue_of(**job).push_front(std::move(*job));
    workers[i] = make(what, i);
    ++replaced[i];
  }
  bool restart(const std::string& below) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (below != fmt::format("worker/{}", i)) continue;
      replace(i);
      dispatch();
      return true;
    }
    if (!below.empty()) return false;
    ++restarts;
    for (std::size_t i = 0; i < workers.size(); ++i) replace(i);
    open = probing = false;
    beat.trouble(nullptr);
    open_for = limits.open_for;
    deaths.clear();
    dispatch();
    return true;
  }
  void stop() {
    ctx->metrics->beats.forget(part());
    workers.clear(); // kills the processes; what they were at has no answer any more
    for (auto& mine : std::exchange(at, {}))
      for (auto& job : mine.jobs)
        if (job) refuse(*job, "The server is stopping.");
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
      [&s](ran_atom, std::uint64_t number, group_heard_msg& told) { s.heard(number, *told); },
      [&s](tick_atom) { s.probing = s.open; },
      [&s](tree_atom) { return s.tree(); },
      [&s](restart_atom, const std::string& below) { return s.restart(below); },
      [&s](stop_atom) { s.stop(); },
  };
}

} // namespace

sport_actor spawn_sport(caf::actor_system& system, std::shared_ptr<const context> ctx, const sport::release& what,
                        worker_factory make, restart_intensity limits) {
  return system.spawn(sport_behavior, std::move(ctx), what, std::move(make), limits);
}

} // namespace omnium::actors
