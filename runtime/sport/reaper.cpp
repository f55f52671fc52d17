#include "runtime/sport/reaper.hpp"

#include "runtime/core/thread_name.hpp"

#include <utility>

namespace omnium::sport {

reaper::reaper() : thread_([this] { loop(); }) {}

reaper::~reaper() { finish(); }

void reaper::end(std::unique_ptr<worker> what) {
  {
    std::lock_guard lock(guard_);
    if (!finishing_) waiting_.push_back(std::move(what));
  }
  wake_.notify_one();
}

void reaper::finish() {
  {
    std::lock_guard lock(guard_);
    finishing_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void reaper::loop() {
  name_thread("sport reaper");
  std::unique_lock lock(guard_);
  for (;;) {
    wake_.wait(lock, [&] { return finishing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto gone = std::exchange(waiting_, {});
    lock.unlock();
    gone.clear();
    lock.lock();
  }
}

} // namespace omnium::sport
