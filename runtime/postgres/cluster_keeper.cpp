#include "runtime/postgres/cluster_keeper.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"

#include <algorithm>

namespace omnium::pg {

cluster_keeper::cluster_keeper(cluster& kept, std::function<void(const std::string&)> say)
    : kept_(kept), say_(std::move(say)), thread_([this] { loop(); }) {}

cluster_keeper::~cluster_keeper() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  kept_.give_up_waiting();
  wake_.notify_all();
  thread_.join();
}

bool cluster_keeper::pause(std::chrono::milliseconds length) {
  std::unique_lock lock(guard_);
  return wake_.wait_for(lock, length, [this] { return stopping_; });
}

void cluster_keeper::loop() {
  name_thread("cluster keeper");
  std::chrono::milliseconds backoff = limits::cluster_backoff_min;
  while (!pause(limits::cluster_look_every)) {
    kept_.bound_log();
    if (!kept_.ended()) continue;
    say_("the Postgres cluster ended; it is started again");
    auto why = kept_.restart();
    if (why.empty()) {
      backoff = limits::cluster_backoff_min;
      say_("the Postgres cluster answers again");
      continue;
    }
    say_(why);
    if (pause(backoff)) return;
    backoff = std::min<std::chrono::milliseconds>(backoff * 2, limits::cluster_backoff_max);
  }
}

} // namespace omnium::pg
