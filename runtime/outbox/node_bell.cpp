#include "runtime/outbox/node_bell.hpp"

#include "runtime/core/thread_name.hpp"
#include "runtime/core/uuid.hpp"
#include "runtime/postgres/session_door.hpp"

#include <chrono>
#include <memory>
#include <utility>

namespace omnium::outbox {
namespace {

using namespace std::chrono_literals;

constexpr auto debounce = 15ms;  // the least time between two NOTIFYs of a node
constexpr auto count_every = 2s; // how often it is asked whether anybody else listens
constexpr auto reconnect_pause = 500ms;

const pg::statements::statement notify{"bell_notify", "SELECT pg_notify('omnium_outbox', $1)"};
const pg::statements::statement others{"bell_others", R"(
  SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'omnium-bell %' AND application_name <> 'omnium-bell ' || $1)"};

class receiver final : public pqxx::notification_receiver {
public:
  receiver(pqxx::connection& to, std::string node, const std::function<void()>& rung)
      : pqxx::notification_receiver(to, "omnium_outbox"), node_(std::move(node)), rung_(rung) {}
  void operator()(const std::string& payload, int) override {
    if (payload != node_) rung_();
  }

private:
  std::string node_;
  const std::function<void()>& rung_;
};

} // namespace

node_bell::node_bell(pg::target where, std::function<void()> rung)
    : where_(std::move(where)), node_(to_string(make_uuid7())), rung_(std::move(rung)) {
  teller_ = std::thread([this] { tell(); });
  listener_ = std::thread([this] { listen(); });
}

node_bell::~node_bell() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  teller_.join();
  listener_.join();
}

void node_bell::ring() {
  std::lock_guard lock(guard_);
  if (!std::exchange(pending_, true)) wake_.notify_all();
}

// A node that is alone tells nobody.
void node_bell::tell() {
  name_thread("bell teller");
  pg::session mine(where_);
  bool alone = false;
  std::chrono::steady_clock::time_point counted{};
  std::unique_lock lock(guard_);
  while (!stopping_) {
    wake_.wait(lock, [&] { return pending_ || stopping_; });
    if (stopping_) return;
    pending_ = false;
    lock.unlock();
    auto now = std::chrono::steady_clock::now();
    mine.run([&](pg::session::door& door) {
      if (now - counted > count_every) {
        counted = now;
        alone = door.run(others, node_)[0][0].as<int>(0) == 0;
      }
      if (!alone) door.run(notify, node_);
    });
    lock.lock();
    wake_.wait_for(lock, debounce, [&] { return stopping_; });
  }
}

void node_bell::listen() {
  name_thread("bell listener");
  for (;;) {
    try {
      pqxx::connection connection(where_.url);
      pqxx::nontransaction(connection).exec("SET application_name = 'omnium-bell " + node_ + "'");
      receiver ears(connection, node_, rung_);
      rung_(); // what was told while nobody listened
      for (;;) {
        {
          std::lock_guard lock(guard_);
          if (stopping_) return;
        }
        connection.await_notification(0, 200000);
      }
    } catch (const std::exception&) {
      // The connection is gone; the poll carries on meanwhile.
    }
    std::unique_lock lock(guard_);
    if (wake_.wait_for(lock, reconnect_pause, [&] { return stopping_; })) return;
  }
}

} // namespace omnium::outbox
