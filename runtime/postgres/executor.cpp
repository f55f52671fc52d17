#include "runtime/postgres/executor.hpp"

#include "runtime/core/thread_name.hpp"

#include <utility>

namespace omnium::pg {

executor::executor(target where, std::size_t threads, std::size_t queue_len_max)
    : where_(std::move(where)), queue_len_max_(queue_len_max) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

executor::~executor() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

bool executor::submit(job what) {
  {
    std::lock_guard lock(guard_);
    if (stopping_ || queue_.size() >= queue_len_max_) return false;
    queue_.push_back(std::move(what));
  }
  wake_.notify_one();
  return true;
}

std::size_t executor::waiting() const {
  std::lock_guard lock(guard_);
  return queue_.size();
}

void executor::loop() {
  name_thread("reads");
  session mine(where_);
  std::unique_lock lock(guard_);
  for (;;) {
    wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto what = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    what(mine);
    what = nullptr;
    lock.lock();
  }
}

} // namespace omnium::pg
