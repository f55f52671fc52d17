#include "apps/omnium/token_keeper.hpp"

#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/tokens.hpp"

#include <memory>

namespace omnium::apps {

token_keeper::~token_keeper() {
  {
    std::lock_guard hold(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::string token_keeper::start(const first_token_wish& wish) {
  auto error = session_.run([&](pg::session::door& door) {
    first_token_ = keep_first_token(door, wish);
    read(door);
  });
  if (error) return "The tokens cannot be read: " + error.detail;
  thread_ = std::thread([this] { loop(); });
  return {};
}

void token_keeper::loop() {
  name_thread("token keeper");
  std::unique_lock hold(guard_);
  while (!wake_.wait_for(hold, period, [this] { return stopping_; })) {
    hold.unlock();
    auto error = session_.run([this](pg::session::door& door) { read(door); });
    static ops::log_limit limit(std::chrono::seconds(30));
    if (error && limit.due()) ops::log_warn("the tokens cannot be read, the last ones stay valid: " + error.detail);
    hold.lock();
  }
}

void token_keeper::read(pg::session::door& door) {
  std::lock_guard hold(reading_);
  directory_.replace(pg::read_valid_tokens(door));
}

access::token_ptr token_keeper::find(const sha256_digest& hash) const { return directory_.find(hash); }

void token_keeper::competition_of(const uuid& fixture, std::function<void(std::optional<uuid>, bool)> done) {
  auto shared = std::make_shared<decltype(done)>(std::move(done));
  bool taken = reads_.submit([fixture, shared](pg::session& mine) {
    std::optional<uuid> found;
    auto error = mine.run([&](pg::session::door& door) { found = pg::competition_of(door, fixture); });
    (*shared)(found, !error);
  });
  if (!taken) (*shared)(std::nullopt, false);
}

} // namespace omnium::apps
