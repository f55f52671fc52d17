#include "runtime/upkeep/watch.hpp"

#include "runtime/core/clock.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/session_door.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sys/statvfs.h>

namespace omnium::upkeep {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using pg::statements::statement;

// What is too much. The numbers are the seed's (p95 30 ms) or safety margins about ten times the ordinary.
constexpr double slow_command_s = 0.03, slow_command_share = 0.95;
constexpr double long_lock_wait_s = 0.5, long_lock_wait_share = 0.99;
constexpr double horizon_age_s = 5;
constexpr double failing_share = 0.05, failing_least = 10;
constexpr double disk_share_low = 0.05;
constexpr double disk_bytes_low = 1024.0 * 1024 * 1024;
constexpr auto window = 60s,
               sizes_every = 60s;   // what is judged is the last minute; how long it must go on is the rule's
constexpr double judged_least = 20; // fewer commands say nothing about a share

const statement beats{"watch_beats", R"(
  INSERT INTO process_beat AS b (node, part, beats, progress, waiting, state, reason, since, beat_at)
  SELECT $1, unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::bigint[]), unnest($6::text[]),
         nullif(unnest($7::text[]), ''), unnest($8::timestamptz[]), unnest($9::timestamptz[])
      ON CONFLICT (node, part) DO UPDATE
     SET beats = excluded.beats, progress = excluded.progress, waiting = excluded.waiting, state = excluded.state,
         reason = excluded.reason, since = excluded.since, beat_at = excluded.beat_at)"};

const statement blocker{"watch_blocker", "SELECT age_s, database, who FROM ops.horizon_blocker()"};

const statement service_age{"watch_alerts", R"(
  SELECT extract(epoch FROM clock_timestamp() - moved_at)::float8 FROM outbox_cursor WHERE name = 'alerts')"};
const statement size{"watch_size", "SELECT pg_database_size(current_database())::float8"};

} // namespace

double share_below(const std::vector<std::pair<double, std::uint64_t>>& before,
                   const std::vector<std::pair<double, std::uint64_t>>& after, double bound) {
  if (after.empty() || before.size() != after.size()) return 1;
  auto grown = [&](std::size_t i) { return static_cast<double>(after[i].second - before[i].second); };
  auto all = grown(after.size() - 1);
  if (all < judged_least) return 1;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i].first >= bound) return grown(i) / all;
  return 1;
}

watch::watch(watch_options options, ops::metrics& metrics, ops::raise_fn raise)
    : options_(std::move(options)), metrics_(metrics), raise_(std::move(raise)), thread_([this] { loop(); }) {}

watch::~watch() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::vector<health_part> watch::health() const {
  std::lock_guard lock(guard_);
  return health_;
}

ops::gauge watch::gauge_of(const std::string& name, const std::string& help, const ops::metric_labels& labels) {
  return metrics_.registry.make_gauge(name, help, labels);
}

void watch::say(const std::string& name, bool ok, const std::string& state, const std::string& reason) {
  gauge_of("omnium_part_ok", "1: the part is well.", {{"part", name}}).set(ok ? 1 : 0);
  std::lock_guard lock(guard_);
  auto known = std::find_if(health_.begin(), health_.end(), [&](const auto& p) { return p.name == name; });
  if (known == health_.end()) known = health_.insert(known, {name, "", "", std::chrono::system_clock::now()});
  if (known->state != state) known->since = std::chrono::system_clock::now();
  known->state = state;
  known->reason = reason;
}

void watch::loop() {
  name_thread("watch");
  pg::session mine(options_.where);
  auto beat = metrics_.beats.add("watch", ops::beat_board::kind::turning, options_.every * 6);
  std::unique_lock lock(guard_);
  while (!stopping_) {
    lock.unlock();
    look(mine);
    beat.turn();
    lock.lock();
    wake_.wait_for(lock, options_.every, [this] { return stopping_; });
  }
}

void watch::look(pg::session& mine) {
  std::vector<ops::beat_view> parts;
  look_at_loops(parts);
  look_at_database(mine, parts);
  look_at_disk();
  look_at_commands();
}

void watch::look_at_loops(std::vector<ops::beat_view>& parts) {
  parts = metrics_.beats.look();
  for (const auto& part : parts) {
    bool ok = part.state == ops::beat_state::ok;
    say(part.part, ok, std::string(to_string(part.state)), part.reason);
    gauge_of("omnium_beat_waiting", "Work that waits for a loop.", {{"part", part.part}})
        .set(static_cast<double>(part.waiting));
    if (ok || !raise_) continue;
    bool breaker = part.state == ops::beat_state::trouble;
    raise_(breaker ? "worker-breaker-open" : "worker-stuck", part.part,
           fmt::format("{} on {}: {}.", part.part, options_.node, part.reason));
  }
}

void watch::look_at_database(pg::session& mine, const std::vector<ops::beat_view>& parts) {
  pg::array_text names, turns, progress, waiting, states, reasons, since, last;
  for (const auto& part : parts) {
    names.add(std::string_view(part.part));
    turns.add(static_cast<std::int64_t>(part.beats));
    progress.add(static_cast<std::int64_t>(part.progress));
    waiting.add(static_cast<std::int64_t>(part.waiting));
    states.add(to_string(part.state));
    reasons.add(std::string_view(part.reason));
    since.add(std::string_view(rfc3339_utc_ms(part.since)));
    last.add(std::string_view(rfc3339_utc_ms(part.last)));
  }
  auto error = mine.run([&](pg::session::door& door) {
    door.run(beats, options_.node, names.done(), turns.done(), progress.done(), waiting.done(), states.done(),
             reasons.done(), since.done(), last.done());
    look_at_outbox(door);
    look_at_alerts(door);
    if (steady::now() - sizes_at_ < sizes_every) return;
    sizes_at_ = steady::now();
    gauge_of("omnium_database_bytes", "Size of the database.").set(door.run(size)[0][0].as<double>());
  });
  auto why = !error                           ? ""
             : error.state == "25006"         ? "it takes no writes: it is read-only, or was demoted"
             : error.state.starts_with("57P") ? "it is starting, stopping, or ended our session"
                                              : error.detail;
  say("database", !error, error ? "unavailable" : "ok", why);
  if (!error) return;
  static ops::log_limit limit{30s};
  if (limit.due()) ops::log_error("the database takes no writes: " + error.detail, {.code = error.state});
  if (raise_)
    raise_("database-unavailable", "", fmt::format("Seen by {}: {} (SQLSTATE {}).", options_.node, why, error.state));
}

// The age is the blocker's where we may see it, else what the reader makes of the horizon's own numbers.
void watch::look_at_outbox(pg::session::door& door) {
  auto row = door.run(blocker)[0];
  double age = std::max(row[0].as<double>(0), metrics_.outbox_horizon_lag_seconds.value());
  gauge_of("omnium_outbox_blocker_seconds",
           "Age of the oldest transaction, prepared ones included, that holds readers back.")
      .set(age);
  bool ok = age <= horizon_age_s;
  auto who = row[0].is_null() ? std::string("a transaction this role may not see")
                              : fmt::format("{} in database {}", row[2].c_str(), row[1].c_str());
  auto why = ok ? "" : fmt::format("{} is open for {:.0f} s", who, age);
  say("outbox horizon", ok, ok ? "ok" : "held back", why);
  if (!ok && raise_) raise_("outbox-lag", "", "The outbox is held back: " + why + ".");
}

// The time before this node was there does not count: after a night with all nodes off nobody was silent.
void watch::look_at_alerts(pg::session::door& door) {
  auto rows = door.run(service_age);
  double age = rows.empty() ? 0 : rows[0][0].as<double>(0);
  age = std::min(age, std::chrono::duration<double>(steady::now() - since_).count());
  gauge_of("omnium_alert_service_age_seconds", "Time since any node did the alert service's work.").set(age);
  bool ok = age <= std::chrono::duration<double>(options_.silent_after).count();
  auto why = ok ? "" : fmt::format("no node has folded signals for {:.0f} s", age);
  say("alert service", ok, ok ? "ok" : "silent", why);
  if (ok) return;
  static ops::log_limit limit{30s};
  if (limit.due()) ops::log_error("the alert service is silent: " + why);
  if (raise_) raise_("alert-service-silent", "", fmt::format("Seen by {}: {}.", options_.node, why));
}

void watch::look_at_disk() {
  struct statvfs facts {};
  if (::statvfs(options_.data_dir.c_str(), &facts) != 0) return;
  auto free = static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  auto all = static_cast<double>(facts.f_blocks) * static_cast<double>(facts.f_frsize);
  gauge_of("omnium_disk_free_bytes", "Free on the file system of the data folder.").set(free);
  gauge_of("omnium_disk_bytes", "Size of the file system of the data folder.").set(all);
  bool ok = free >= std::min(disk_bytes_low, all / 2) && free >= all * disk_share_low;
  auto why = ok ? "" : fmt::format("{:.0f} MiB of {:.0f} MiB are free", free / 1048576, all / 1048576);
  say("disk", ok, ok ? "ok" : "low", why);
  if (!ok && raise_)
    raise_("disk-low", options_.node.substr(0, options_.node.find('/')), "The data folder's disk: " + why + ".");
}

void watch::look_at_commands() {
  sample now{steady::now(), metrics_.command_seconds.counted(), metrics_.lock_wait_seconds.counted()};
  for (const auto& one : metrics_.answers) now.answers += one.value();
  now.failing = metrics_.answers[static_cast<std::size_t>(outcome::try_again)].value();
  samples_.push_back(now);
  while (now.at - samples_.front().at > window) samples_.pop_front();
  const auto& then = samples_.front();
  double below = share_below(then.commands, now.commands, slow_command_s);
  if (below < slow_command_share && raise_)
    raise_("slow-commands", options_.node,
           fmt::format("{:.1f} % of the commands of the last minute took over 30 ms on {}.", (1 - below) * 100,
                       options_.node));
  below = share_below(then.locks, now.locks, long_lock_wait_s);
  if (below < long_lock_wait_share && raise_)
    raise_("lock-wait-p99", options_.node,
           fmt::format("{:.1f} % of the commits that waited for a match's row on {} waited over 0.5 s.",
                       (1 - below) * 100, options_.node));
  double answers = now.answers - then.answers, failing = now.failing - then.failing;
  bool ok = failing < failing_least || failing < answers * failing_share;
  auto why = ok ? "" : fmt::format("{:.0f} of {:.0f} answers of the last minute were try_again", failing, answers);
  say("commands", ok, ok ? "ok" : "failing", why);
  if (!ok && raise_) raise_("commands-failing", options_.node, fmt::format("On {}: {}.", options_.node, why));
}

} // namespace omnium::upkeep
