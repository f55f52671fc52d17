// The janitor beside matches that are scored: what it costs their commands. For figures, not for every run: [.janitor],
// [.janitor_all] (docs/performance.md has what was measured).
#include "runtime/upkeep/leader.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <numeric>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

constexpr std::size_t matches = 50;
// Of one match: 250 commands a second in all.
std::chrono::milliseconds ball_every() {
  return std::chrono::milliseconds(from_environment("OMNIUM_TEST_BALL_MS", 200));
}

// One match at a set rate; latency counts from the time a ball was due.
class pacer {
public:
  pacer(const std::string& url, std::string fixture, std::size_t number)
      : fixture_(std::move(fixture)), thread_([this, url, number] { loop(url, number); }) {}
  ~pacer() {
    stopping_ = true;
    thread_.join();
  }
  std::vector<double> take() {
    std::lock_guard hold(guard_);
    return std::exchange(ms_, {});
  }
  int failed() const { return failed_; }

private:
  void loop(const std::string& url, std::size_t number) {
    desk mine(url);
    auto every = ball_every();
    auto due = steady::now() + every * number / matches;
    for (; !stopping_; due += every) {
      std::this_thread::sleep_until(due);
      auto answer = mine.match(fixture_, fresh_id(), "football.shot", R"({"minute":5,"side":"home"})");
      if (answer.outcome != "accepted") ++failed_;
      std::lock_guard hold(guard_);
      ms_.push_back(std::chrono::duration<double, std::milli>(steady::now() - due).count());
    }
  }
  std::string fixture_;
  std::mutex guard_;
  std::vector<double> ms_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> failed_{0};
  std::thread thread_;
};

double quantile(std::vector<double> ms, double q) {
  std::sort(ms.begin(), ms.end());
  return ms.empty() ? 0 : ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))];
}

// Keeps the server's janitor from its work: takes its lock, away from it if need be.
class janitor_door {
public:
  explicit janitor_door(const database& db) : db_(db) {}
  void shut() {
    connection_ = std::make_unique<pqxx::connection>(db_.url());
    auto taken = [&] {
      return pqxx::nontransaction(*connection_)
          .exec(fmt::format("SELECT pg_try_advisory_lock({})", omnium::upkeep::janitor_lock))[0][0]
          .as<bool>();
    };
    while (!taken())
      db_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND "
              "application_name = 'omnium-janitor'");
  }
  void open() { connection_.reset(); }

private:
  const database& db_;
  std::unique_ptr<pqxx::connection> connection_;
};

// So many old rows, half of them commands, half events; half of the events in a month of their own, which goes whole.
void fill(const database& db, int rows) {
  db.run(fmt::format("INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, "
                     "received_at) SELECT gen_random_uuid(), 's', gen_random_uuid(), sha256('x'), 'accepted', "
                     "repeat('a', 330), n, now() - interval '40 days' FROM generate_series(1, {}) n",
                     rows / 2));
  db.run("SELECT ops.make_month(-3)");
  for (auto when :
       {"date_trunc('month', now()) - interval '3 months' + interval '1 day'", "now() - interval '40 days'"})
    db.run(fmt::format("INSERT INTO domain_event_row (kind, fixture_id, seq, payload, created_at) SELECT 'k', "
                       "gen_random_uuid(), n, repeat('e', 600), {} FROM generate_series(1, {}) n",
                       when, rows / 4));
  db.run("VACUUM ANALYZE command");
  db.run("VACUUM ANALYZE domain_event_row");
  db.run("CHECKPOINT");
}

// The function works under the lock that everybody must let go of; the files go after it was given back.
void drop_a_month(const database& db) {
  auto connection = db.connect();
  auto ms_since = [](steady::time_point then) {
    return std::chrono::duration<double, std::milli>(steady::now() - then).count();
  };
  pqxx::work tx(connection);
  auto began = steady::now();
  std::string dropped = tx.exec("SELECT dropped FROM ops.drop_month(30)")[0][0].c_str();
  auto held = ms_since(began);
  began = steady::now();
  tx.commit();
  fmt::print("{} dropped while matches score: {:.1f} ms, its commit and its files {:.1f} ms\n", dropped, held,
             ms_since(began));
}

// The machine's time as /proc/stat counts it: the part in which it had nothing to do since the last look, and nobody
// else (another guest of the host) had it.
class idle_watch {
public:
  double part() {
    std::ifstream in("/proc/stat");
    std::string cpu;
    std::array<double, 8> now{}; // user, nice, system, idle, iowait, irq, softirq, steal
    in >> cpu;
    for (auto& ticks : now) in >> ticks;
    auto all = std::accumulate(now.begin(), now.end(), 0.0), idle = now[3] + now[4];
    auto out = (idle - std::exchange(idle_, idle)) / std::max(1.0, all - std::exchange(all_, all));
    return out;
  }

private:
  double all_ = 0, idle_ = 0;
};

struct phase {
  std::vector<double> ms;
  double p99 = 0, idle = 0, went = 0;
};

struct phase_kind {
  void add(const phase& one) {
    all.insert(all.end(), one.ms.begin(), one.ms.end());
    p99s.push_back(one.p99);
    old_rows += one.went;
  }
  const char* name;
  std::vector<double> all, p99s; // ms: of every command; of each phase
  double old_rows = 0;           // that went
};

// A server with old rows, fifty matches that are scored, and its janitor held back until the door is opened.
struct scene {
  scene() : server({.database_url = db.url()}), door(db) {
    server.start();
    door.shut();
    fill(db, from_environment("OMNIUM_TEST_OLD_ROWS", 2'000'000));
    desk d(server.url());
    for (std::size_t i = 0; i < matches; ++i) play.push_back(std::make_unique<pacer>(server.url(), d.new_match(), i));
    std::this_thread::sleep_for(3s);
    take();
  }
  std::vector<double> take() {
    std::vector<double> all;
    for (auto& one : play)
      for (auto ms : one->take()) all.push_back(ms);
    return all;
  }
  // Counted without the tables, so that looking costs nothing.
  double gone() { return at_metric(server.url(), "omnium_janitor_rows_total"); }
  std::int64_t old_rows() {
    return db.count("SELECT (SELECT count(*) FROM command WHERE received_at < now() - interval '30 days') + (SELECT "
                    "count(*) FROM domain_event WHERE created_at < now() - interval '30 days')");
  }
  phase measure(const char* name, std::chrono::seconds length) {
    phase out;
    auto before = gone();
    take();
    idle.part();
    std::this_thread::sleep_for(length);
    out.ms = take();
    out.idle = idle.part();
    out.went = gone() - before;
    out.p99 = quantile(out.ms, 0.99);
    fmt::print("{:8}{:6} commands, p50 {:.2f} ms, p99 {:.2f} ms, worst {:.1f} ms, {} old rows went, machine {:.0f} % "
               "idle\n",
               name, out.ms.size(), quantile(out.ms, 0.5), out.p99, quantile(out.ms, 1), out.went, 100 * out.idle);
    return out;
  }
  // Four seconds of the matches' commands.
  phase slice() {
    take();
    std::this_thread::sleep_for(4s);
    phase out{.ms = take()};
    out.p99 = quantile(out.ms, 0.99);
    return out;
  }
  // Before and after the janitor, so that what the machine and its host do in the course of it falls on both.
  void rest(phase_kind& without, std::chrono::seconds length) {
    for (auto until = steady::now() + length; steady::now() < until;) without.add(slice());
  }
  // The rest goes, however long it takes, while the matches go on. What autovacuum does behind it is told apart, and is
  // the janitor's all the same. How many are left is counted seldom and between two slices: that costs more than the
  // janitor.
  void drain(std::chrono::seconds at_most, std::chrono::seconds at_rest) {
    phase_kind without{.name = "without"}, with{.name = "with"}, vacuumed{.name = "of it beside a vacuum"};
    rest(without, at_rest);
    const auto first = gone();
    auto left = old_rows();
    const auto was = static_cast<double>(left);
    const auto began = steady::now();
    auto counted = began;
    door.open();
    while (left > 0 && steady::now() - began < at_most) {
      auto one = slice();
      with.add(one);
      if (db.count("SELECT count(*) FROM pg_stat_progress_vacuum") > 0) vacuumed.add(one);
      if (gone() - first < was && steady::now() - counted < 60s) continue;
      left = old_rows();
      counted = steady::now();
    }
    auto seconds = std::chrono::duration<double>(steady::now() - began).count();
    left = old_rows();
    door.shut();
    fmt::print("the rest: {} rows in {:.0f} s, {} left\n", gone() - first, seconds, left);
    rest(without, at_rest);
    for (const auto& kind : {without, with, vacuumed})
      fmt::print(
          "  {}: {} commands in {} slices, median of their p99 {:.2f} ms, p99 of all {:.2f} ms, worst {:.1f} ms\n",
          kind.name, kind.all.size(), kind.p99s.size(), quantile(kind.p99s, 0.5), quantile(kind.all, 0.99),
          quantile(kind.all, 1));
    for (const auto& kind : {without, with}) // in the order of time: a bad minute of the machine is seen
      fmt::print("  p99 of the slices {}: {:.1f}\n", kind.name, fmt::join(kind.p99s, " "));
    REQUIRE((!with.p99s.empty() && !without.p99s.empty()));
    auto ratio = quantile(with.p99s, 0.5) / quantile(without.p99s, 0.5);
    fmt::print("with : without: median of the p99 {:.2f} x, p99 of all {:.2f} x\n", ratio,
               quantile(with.all, 0.99) / quantile(without.all, 0.99));
    CHECK(left == 0);
    CHECK(ratio <= 1.2);
  }

  database db;
  server_process server;
  janitor_door door;
  idle_watch idle;
  std::vector<std::unique_ptr<pacer>> play;
};

} // namespace

// Phases with and without take turns, each pair in the other order, so that what else the machine does falls on both. A
// pair in which the machine had less idle time than asked for (other programs, other guests of its host) is told and
// not counted.
TEST_CASE("two million old rows go while fifty matches score", "[.janitor]") {
  scene s;
  drop_a_month(s.db);
  std::this_thread::sleep_for(500ms);
  auto meanwhile = s.take();
  fmt::print("meanwhile: {} commands, worst {:.1f} ms; {} old rows left\n", meanwhile.size(), quantile(meanwhile, 1),
             s.old_rows());
  auto length = std::chrono::seconds(from_environment("OMNIUM_TEST_PHASE_S", 8));
  auto idle_min = from_environment("OMNIUM_TEST_IDLE_MIN", 0) / 100.0;
  auto until = steady::now() + std::chrono::seconds(from_environment("OMNIUM_TEST_WITHIN_S", 600));
  auto run_one = [&](bool with) {
    if (with) s.door.open();
    else s.door.shut();
    std::this_thread::sleep_for(2500ms); // the janitor looks every two seconds
    return s.measure(with ? "with" : "without", length);
  };
  phase_kind without{.name = "without"}, with{.name = "with"};
  std::vector<double> of_pairs;
  auto pairs = static_cast<std::size_t>(from_environment("OMNIUM_TEST_PAIRS", 8));
  for (bool first = false; of_pairs.size() < pairs && steady::now() < until; first = !first) {
    std::array<phase, 2> both; // without, with
    for (bool kind : {first, !first}) both[kind] = run_one(kind);
    CHECK(both[0].went == 0);
    if (std::min(both[0].idle, both[1].idle) < idle_min) continue;
    without.add(both[0]);
    with.add(both[1]);
    of_pairs.push_back(both[1].p99 / both[0].p99);
  }
  REQUIRE(!of_pairs.empty());
  auto ratio = quantile(with.p99s, 0.5) / quantile(without.p99s, 0.5);
  fmt::print("{} pairs, median of the phases' p99: without {:.2f} ms, with {:.2f} ms: {:.2f} x\n", of_pairs.size(),
             quantile(without.p99s, 0.5), quantile(with.p99s, 0.5), ratio);
  fmt::print("median of the pairs' ratios: {:.2f} x ({:.2f} to {:.2f})\n", quantile(of_pairs, 0.5),
             quantile(of_pairs, 0), quantile(of_pairs, 1));
  fmt::print("p99 of all: without {:.2f} ms, with {:.2f} ms: {:.2f} x; {} old rows went in the phases with\n",
             quantile(without.all, 0.99), quantile(with.all, 0.99),
             quantile(with.all, 0.99) / quantile(without.all, 0.99), with.old_rows);
  CHECK(with.old_rows > 0);
  CHECK(ratio <= 1.2);
  for (auto& one : s.play) CHECK(one->failed() == 0);
}

TEST_CASE("all of two million old rows go at the janitor's own pace while fifty matches score", "[.janitor_all]") {
  scene s;
  drop_a_month(s.db);
  s.drain(std::chrono::seconds(from_environment("OMNIUM_TEST_WITHIN_S", 1800)),
          std::chrono::seconds(from_environment("OMNIUM_TEST_REST_S", 100)));
  for (auto& one : s.play) CHECK(one->failed() == 0);
}
