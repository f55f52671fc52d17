#include "runtime/upkeep/alerts.hpp"

#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>

namespace omnium::upkeep {
namespace {

using pg::statements::statement;

const statement cluster{"alerts_cluster", "SELECT system_identifier::text FROM pg_control_system()"};
const statement fold{"alerts_fold", "SELECT ops.fold_signals($1, $2::int)"};
const statement decide{"alerts_decide", "SELECT ops.turn_alerts($1::text[])"};
const statement take{"alerts_take",
                     "SELECT id, body FROM ops.take_sends($1, $2::int, $3::float8, $4::float8) ORDER BY id"};
const statement settle{"alerts_settle", "SELECT ops.sent($1::bigint, $2, $3::float8)"};

double seconds(std::chrono::milliseconds length) { return std::chrono::duration<double>(length).count(); }

} // namespace

alert_service::alert_service(alerts_options options, std::function<void(std::uint64_t)> beat)
    : options_(std::move(options)), beat_(std::move(beat)) {
  threads_.emplace_back([this] { loop(); });
  for (const auto& to : options_.routes) threads_.emplace_back([this, to] { lane(*to); });
}

void alert_service::begin_stop() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
}

alert_service::~alert_service() {
  begin_stop();
  for (auto& thread : threads_) thread.join();
}

bool alert_service::pause(std::chrono::nanoseconds length) {
  std::unique_lock lock(guard_);
  return !wake_.wait_for(lock, length, [this] { return stopping_; });
}

void alert_service::loop() {
  name_thread("alerts");
  pg::session mine(options_.where);
  while (turn(mine))
    ;
}

// True: go on. While there is more to fold than one transaction takes, the next turn comes at once.
bool alert_service::turn(pg::session& mine) {
  std::uint64_t folded = 0;
  bool leads = false;
  auto error = mine.run([&](pg::session::door& door) {
    leads = leader_.holds(door);
    if (!leads) return;
    auto here = door.run(cluster)[0][0].as<std::string>();
    folded = door.run(fold, here, limits::alert_fold_max)[0][0].as<std::uint64_t>();
    pg::array_text names;
    for (const auto& to : options_.routes) names.add(std::string_view(to->name()));
    door.run(decide, names.done());
  });
  static ops::log_limit limit{std::chrono::seconds(30)};
  if (error && limit.due()) ops::log_warn("the alert service cannot work: " + error.detail);
  leads = leads && !error;
  if (leads && !leads_) ops::log_info("this node does the alert service's work");
  leads_ = leads;
  if (beat_) beat_(folded);
  return pause(folded == static_cast<std::uint64_t>(limits::alert_fold_max) ? std::chrono::nanoseconds(1)
                                                                            : std::chrono::nanoseconds(options_.turn));
}

void alert_service::lane(route& to) {
  name_thread("alert route");
  pg::session mine(options_.where);
  while (pause(options_.turn))
    if (leads_) deliver(mine, to);
}

// A message is taken (its next try put off) before it is sent and settled after: killed in between, it is sent again
// by whoever follows, under the same delivery number.
void alert_service::deliver(pg::session& mine, route& to) {
  std::vector<message> due;
  mine.run([&](pg::session::door& door) {
    due.clear();
    for (const auto& row : door.run(take, to.name(), limits::alert_sends_max, seconds(options_.backoff_min),
                                    seconds(options_.backoff_max)))
      due.push_back({row[0].as<std::int64_t>(), row[1].c_str()});
  });
  for (const auto& what : due) {
    if (!leads_ || !pause(std::chrono::nanoseconds(0))) return; // the rest is due again later
    auto why = to.send(what);
    why.empty() ? ++sent_ : ++failed_;
    if (!why.empty()) ops::log_warn(fmt::format("alert message {} did not go by {}: {}", what.id, to.name(), why));
    for (int tries = 0; tries < 3; ++tries) {
      auto error =
          mine.run([&](pg::session::door& door) { door.run(settle, what.id, why, seconds(options_.give_up)); });
      if (!error || !pause(std::chrono::milliseconds(300))) break;
    }
  }
}

} // namespace omnium::upkeep
