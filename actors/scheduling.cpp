#include "actors/scheduling.hpp"

#include <caf/actor_system.hpp>
#include <caf/execution_unit.hpp>
#include <caf/policy/work_sharing.hpp>
#include <caf/resumable.hpp>
#include <caf/scheduler/coordinator.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace omnium::actors {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t messages_max = 50;    // of one actor in a row
constexpr std::size_t host_waiting_max = 4; // actors in a host's line; those beyond go to the scheduler's threads
constexpr std::size_t host_runs_max = 16;   // of one host; what is left then, likewise
constexpr int next_in_row_max = 16;         // then a worker looks into the queue, whatever its actors wake

// What runs actors on this thread: one of the scheduler's workers (for the thread's life), or a host (while it is one).
thread_local caf::execution_unit* here = nullptr;
thread_local std::optional<clock::time_point> hosted; // when this thread was a host last

// CAF's one queue for all workers, and a place for one actor at each: what the actor in hand wakes first runs next,
// on the same thread, and no other is woken for it.
struct near_sharing : caf::policy::work_sharing {
  using base = caf::policy::work_sharing;
  struct coordinator_data : base::coordinator_data {
    using base::coordinator_data::coordinator_data;
    std::atomic<std::size_t> asleep{0};
  };
  struct worker_data : base::worker_data {
    using base::worker_data::worker_data;
    caf::resumable* next = nullptr;
    int in_row = 0;
  };
  template<class Worker>
  void before_resume(Worker* self, caf::resumable*) {
    here = self;
  }
  template<class Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    auto& mine = d(self);
    if (mine.next == nullptr && mine.in_row < next_in_row_max) mine.next = job;
    else enqueue(self->parent(), job);
  }
  template<class Worker>
  caf::resumable* dequeue(Worker* self) {
    auto& mine = d(self);
    ++mine.in_row;
    if (mine.next != nullptr) return std::exchange(mine.next, nullptr);
    mine.in_row = 0;
    auto& all = d(self->parent());
    std::unique_lock lock(all.lock);
    ++all.asleep;
    all.cv.wait(lock, [&] { return !all.queue.empty(); });
    --all.asleep;
    auto* job = all.queue.front();
    all.queue.pop_front();
    return job;
  }
  template<class Worker, class Function>
  void foreach_resumable(Worker* self, Function f) { // at the end: what no worker will run
    if (auto* left = std::exchange(d(self).next, nullptr)) f(left);
  }
};

} // namespace

class host_coordinator final : public caf::scheduler::coordinator<near_sharing> {
public:
  using super = caf::scheduler::coordinator<near_sharing>;
  host_coordinator(caf::actor_system& system, host_door& door) : super(system), door_(door) {}
  void enqueue(caf::resumable* job) override {
    if (here != nullptr && &here->system() == &system()) here->exec_later(job);
    else share(job);
  }
  void share(caf::resumable* job) { super::enqueue(job); }
  bool seem_asleep() { return data().asleep == num_workers(); } // without the lock: one may have just been woken
  bool sleep() {
    std::lock_guard lock(data().lock);
    return data().queue.empty() && seem_asleep();
  }

protected:
  void start() override {
    super::start();
    door_.open(*this);
  }
  void stop() override {
    door_.close();
    super::stop();
  }

private:
  host_door& door_;
};

void host_door::open(host_coordinator& home) { home_ = &home; }

void host_door::close() {
  home_ = nullptr;
  for (int left = inside_; left > 0; left = inside_) inside_.wait(left);
}

bool host_door::scheduler_sleeps() const { return home_.load()->sleep(); }

host_coordinator* host_door::enter() {
  ++inside_; // before the look: close() waits for whoever may still see it open
  auto* home = home_.load();
  if (home == nullptr) leave();
  return home;
}

void host_door::leave() {
  if (--inside_ == 0) inside_.notify_all();
}

class host::unit final : public caf::execution_unit {
public:
  explicit unit(host_coordinator& home) : caf::execution_unit(&home.system()), home_(home) { here = this; }
  ~unit() override {
    for (std::size_t next = 0; next < line_.size(); ++next) {
      if (next < host_runs_max) run(line_[next]);
      else home_.share(line_[next]);
    }
    here = nullptr;
  }
  void exec_later(caf::resumable* job) override {
    if (line_.size() - ran_ < host_waiting_max && home_.seem_asleep()) line_.push_back(job);
    else home_.share(job);
  }

private:
  void run(caf::resumable* job) {
    ++ran_;
    if (job->resume(this, home_.max_throughput()) == caf::resumable::resume_later) home_.share(job);
    else caf::intrusive_ptr_release(job);
  }
  host_coordinator& home_;
  std::vector<caf::resumable*> line_;
  std::size_t ran_ = 0;
};

host::host(host_door& door) : door_(door) {
  if (here != nullptr || (hosted && clock::now() - *hosted < door_.gap_)) return;
  if (auto* home = door_.enter()) unit_ = std::make_unique<unit>(*home);
}

host::~host() {
  if (!unit_) return;
  unit_.reset();
  hosted = clock::now();
  door_.leave();
}

scheduler_config::scheduler_config(std::size_t threads, host_door& door) {
  set("scheduler.max-threads", threads);
  set("scheduler.max-throughput", messages_max);
  module_factories.emplace_back(
      [&door](caf::actor_system& system) -> caf::actor_system::module* { return new host_coordinator(system, door); });
}

} // namespace omnium::actors
