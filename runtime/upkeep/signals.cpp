#include "runtime/upkeep/signals.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/session_door.hpp"

namespace omnium::upkeep {
namespace {

const pg::statements::statement insert{"signals_insert", R"(
  INSERT INTO alert_signal (rule, key, count, detail, node)
  SELECT unnest($1::text[]), unnest($2::text[]), unnest($3::bigint[]), unnest($4::text[]), $5)"};

constexpr auto retry_pause = std::chrono::seconds(1);

} // namespace

signals::signals(pg::target where, std::string node) : where_(std::move(where)), node_(std::move(node)) {
  thread_ = std::thread([this] { loop(); });
}

signals::~signals() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void signals::add(pile& to, const std::pair<std::string, std::string>& about, noticed what) {
  auto it = to.find(about);
  if (it == to.end()) {
    if (to.size() >= limits::signals_waiting_max) {
      lost_ += static_cast<std::uint64_t>(what.count);
      return;
    }
    it = to.emplace(about, noticed{}).first;
  }
  it->second.count += what.count;
  it->second.detail = std::move(what.detail);
}

void signals::raise(const std::string& rule, const std::string& key, const std::string& detail) {
  {
    std::lock_guard lock(guard_);
    add(pile_, {rule, key}, {1, detail.substr(0, limits::alert_detail_chars_max)});
  }
  wake_.notify_one();
}

std::size_t signals::waiting() const {
  std::lock_guard lock(guard_);
  return pile_.size();
}

std::uint64_t signals::lost() const {
  std::lock_guard lock(guard_);
  return lost_;
}

bool signals::write(pg::session& mine, const pile& what) const {
  pg::array_text rules, keys, counts, details;
  for (const auto& [about, seen] : what) {
    rules.add(std::string_view(about.first));
    keys.add(std::string_view(about.second));
    counts.add(seen.count);
    details.add(std::string_view(seen.detail));
  }
  return !mine.run([&](pg::session::door& door) {
    door.run(insert, rules.done(), keys.done(), counts.done(), details.done(), node_);
  });
}

// A write whose outcome is unknown is made again: a signal counted twice says what one counted once does.
void signals::loop() {
  name_thread("alert signals");
  pg::session mine(where_);
  std::unique_lock lock(guard_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !pile_.empty(); });
    if (pile_.empty()) return;
    auto what = std::exchange(pile_, {});
    lock.unlock();
    bool written = write(mine, what);
    lock.lock();
    if (!written) {
      for (auto& [about, newer] : pile_) add(what, about, std::move(newer));
      pile_ = std::move(what);
    }
    if (stopping_ && (!written || pile_.empty())) return;
    wake_.wait_for(lock,
                   written ? std::chrono::nanoseconds(limits::signals_pause) : std::chrono::nanoseconds(retry_pause),
                   [this] { return stopping_; });
  }
}

} // namespace omnium::upkeep
