#include "runtime/sport/shelf.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"

#include <fmt/format.h>
#include <utility>

namespace omnium::sport {
namespace {

// Says what is new since `before`: each package and each fault once.
void tell(const catalogue& before, const catalogue& after) {
  for (const auto& one : after.faults) {
    const auto* known = before.fault_of(one.sport, one.version);
    if (known == nullptr || known->why != one.why) ops::log_error(one.sentence());
  }
  for (const auto& one : after.releases)
    if (before.find(one.sport, one.version) == nullptr)
      ops::log_info(fmt::format("release {} of {} lies on this node's disk now", one.version, one.sport));
}

} // namespace

shelf::shelf(std::string directory, std::string worker_program)
    : directory_(std::move(directory)), worker_program_(std::move(worker_program)),
      listing_(folder_listing(directory_)),
      now_(std::make_shared<const catalogue>(read_catalogue(directory_, worker_program_))), rules_(*now_) {
  for (const auto& fault : now_->faults) ops::log_error(fault.sentence());
  thread_ = std::thread([this] { loop(); });
}

void shelf::end() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<const catalogue> shelf::now() const {
  std::lock_guard lock(guard_);
  return now_;
}

std::optional<release> shelf::find(const std::string& sport, const std::string& version) const {
  const auto all = now();
  const auto* found = all->find(sport, version);
  if (found == nullptr) return std::nullopt;
  return *found;
}

void shelf::freshen(std::function<void()> then) {
  {
    std::lock_guard lock(guard_);
    if (!stopping_) waiting_.push_back(std::exchange(then, nullptr));
  }
  if (then) then();
  wake_.notify_all();
}

void shelf::loop() {
  name_thread("sport shelf");
  std::unique_lock lock(guard_);
  while (!stopping_ || !waiting_.empty()) {
    wake_.wait_for(lock, limits::shelf_look_every, [this] { return stopping_ || !waiting_.empty(); });
    auto asked = std::exchange(waiting_, {});
    lock.unlock();
    look();
    for (auto& then : asked) then();
    lock.lock();
  }
}

void shelf::look() {
  auto listing = folder_listing(directory_);
  if (listing == listing_) return;
  listing_ = std::move(listing);
  const auto before = now();
  auto after = std::make_shared<const catalogue>(read_catalogue(directory_, worker_program_, *before));
  tell(*before, *after);
  rules_.take(*after);
  std::lock_guard lock(guard_);
  now_ = std::move(after);
}

} // namespace omnium::sport
