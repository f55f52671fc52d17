// The janitor beside matches that are scored: what it costs their commands. For figures, not for every run: [.janitor]
// (docs/performance.md has what was measured).
#include "runtime/upkeep/leader.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

constexpr std::size_t matches = 50;
constexpr auto ball_every = 200ms; // of one match: 250 commands a second in all

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
    auto due = steady::now() + ball_every * number / matches;
    for (; !stopping_; due += ball_every) {
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

double quantile(std::vector<double>& ms, double q) {
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

// A million commands and a million events older than the retention; half of the events in a month of their own.
void fill(const database& db, int count) {
  db.run(fmt::format("INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, "
                     "received_at) SELECT gen_random_uuid(), 's', gen_random_uuid(), sha256('x'), 'accepted', "
                     "repeat('a', 330), n, now() - interval '40 days' FROM generate_series(1, {}) n",
                     count));
  db.run("SELECT ops.make_month(-3)");
  for (auto when :
       {"date_trunc('month', now()) - interval '3 months' + interval '1 day'", "now() - interval '40 days'"})
    db.run(fmt::format("INSERT INTO domain_event (kind, fixture_id, seq, payload, created_at) SELECT 'k', "
                       "gen_random_uuid(), n, repeat('e', 600), {} FROM generate_series(1, {}) n",
                       when, count / 2));
  db.run("VACUUM ANALYZE command");
  db.run("VACUUM ANALYZE domain_event");
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

} // namespace

TEST_CASE("two million old rows go while fifty matches score", "[.janitor]") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  janitor_door door(db);
  door.shut();
  fill(db, from_environment("OMNIUM_TEST_OLD_ROWS", 2'000'000) / 2);
  desk d(server.url());
  std::vector<std::unique_ptr<pacer>> play;
  for (std::size_t i = 0; i < matches; ++i) play.push_back(std::make_unique<pacer>(server.url(), d.new_match(), i));
  auto take = [&] {
    std::vector<double> all;
    for (auto& one : play)
      for (auto ms : one->take()) all.push_back(ms);
    return all;
  };
  auto old_rows = [&] {
    return db.count("SELECT (SELECT count(*) FROM command WHERE received_at < now() - interval '30 days') + (SELECT "
                    "count(*) FROM domain_event WHERE created_at < now() - interval '30 days')");
  };
  auto phase = std::chrono::seconds(from_environment("OMNIUM_TEST_PHASE_S", 15));
  std::this_thread::sleep_for(3s);
  take();
  drop_a_month(db);
  std::this_thread::sleep_for(500ms);
  auto meanwhile = take();
  fmt::print("meanwhile: {} commands, worst {:.1f} ms; {} old rows left\n", meanwhile.size(), quantile(meanwhile, 1),
             old_rows());
  std::vector<double> quiet, busy;
  for (int round = 1; round <= 3; ++round)
    for (auto* into : {&quiet, &busy}) {
      if (into == &busy) door.open();
      else door.shut();
      std::this_thread::sleep_for(2500ms); // the janitor looks every two seconds
      auto before = old_rows();
      take();
      std::this_thread::sleep_for(phase);
      auto ms = take();
      fmt::print("round {} {}: {} commands, p50 {:.2f} ms, p99 {:.2f} ms, worst {:.1f} ms, {} old rows went\n", round,
                 into == &busy ? "with" : "without", ms.size(), quantile(ms, 0.5), quantile(ms, 0.99), quantile(ms, 1),
                 before - old_rows());
      into->insert(into->end(), ms.begin(), ms.end());
    }
  auto ratio = quantile(busy, 0.99) / quantile(quiet, 0.99);
  fmt::print("p99 without {:.2f} ms, with {:.2f} ms: {:.2f} x; {} old rows left\n", quantile(quiet, 0.99),
             quantile(busy, 0.99), ratio, old_rows());
  for (auto& one : play) CHECK(one->failed() == 0);
  CHECK(ratio <= 1.2);
}
