// The live socket of the real server, with as many screens as a ground full of people opens: what one of them does, or
// what becomes of the server, costs no other a version and no version a second look.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/live_support.hpp"

#include <csignal>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::latency_book;
using omnium::testing::swarm;

namespace {

bool all_at(const swarm& screens, std::int64_t version) {
  for (std::size_t i = 0; i < screens.size(); ++i)
    if (screens.at(i).version < version) return false;
  return true;
}

// Every screen was shown each version once, and none was missing.
void check_unbroken(const swarm& screens) {
  std::uint64_t gaps = 0, repeats = 0;
  for (std::size_t i = 0; i < screens.size(); ++i) {
    gaps += screens.at(i).gaps;
    repeats += screens.at(i).repeats;
  }
  CHECK(gaps == 0);
  CHECK(repeats == 0);
}

void show(swarm& screens, std::chrono::seconds limit = 10s) {
  REQUIRE(screens.run(limit, [&] { return screens.showing() == screens.size(); }));
}

void run_on(swarm& screens, std::chrono::milliseconds length) {
  screens.run(length, [] { return false; });
}

} // namespace

TEST_CASE("screens that open while balls are scored are shown every version exactly once") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  auto how = to(server);
  how.opening_max = 4; // one after the other, so that they open at every moment of a ball
  swarm screens(how);
  screens.add(300, "fixture/" + fixture);
  scorer ball(server.url(), fixture, 10, 1ms);
  show(screens, 20s);
  run_on(screens, 300ms);
  ball.stop();
  REQUIRE(screens.run(5s, [&] { return all_at(screens, ball.version()); }));
  check_unbroken(screens);
  CHECK(ball.failed() == 0);
}

TEST_CASE("a reader that is stuck among five hundred is closed with the reason, and nobody else notices") {
  server_process server({});
  server.start();
  desk d(server.url());
  // Long notes on one match, which fill the stuck one's queue; short ones on another, which most screens watch.
  std::string matches[] = {d.new_match(), d.new_match()};
  constexpr std::size_t busy = 60, count = 500, stuck = 30;
  swarm screens(to(server));
  screens.add(busy, "fixture/" + matches[0]);
  screens.add(count - busy, "fixture/" + matches[1]);
  show(screens, 20s);
  latency_book book;
  screens.on_change = [&](std::size_t index, std::string_view frame) {
    if (index % 4 == 0) book.shown(index < busy ? 0 : 1, version_of(frame));
  };
  auto slow_consumers = [&] { return at_metric(server.url(), "omnium_live_slow_consumers_total"); };
  scorer notes(server.url(), matches[0], 1900, 3ms, &book, 0), balls(server.url(), matches[1], 10, 25ms, &book, 1);
  run_on(screens, 1s);
  book.take({});
  run_on(screens, 4s);
  auto before = book.take({0.5, 0.99});
  auto memory = resident_kb(server.pid());
  REQUIRE(slow_consumers() == 0);

  screens.stop_reading(stuck);
  auto from = notes.version();
  std::int64_t grown = 0;
  bool closed = false;
  auto looked = std::chrono::steady_clock::now();
  screens.run(60s, [&] {
    if (std::chrono::steady_clock::now() - looked < 250ms) return closed;
    looked = std::chrono::steady_clock::now();
    grown = std::max(grown, resident_kb(server.pid()) - memory);
    closed = slow_consumers() > 0;
    return closed;
  });
  CAPTURE(from, notes.version(), notes.failed());
  REQUIRE(closed);
  auto after = book.take({0.5, 0.99});
  run_on(screens, 500ms);
  notes.stop();
  balls.stop();
  auto all_but_one = [&] {
    for (std::size_t i = 0; i < count; ++i)
      if (i != stuck && screens.at(i).version < (i < busy ? notes : balls).version()) return false;
    return true;
  };
  REQUIRE(screens.run(5s, all_but_one));
  CAPTURE(before, after, grown);
  CHECK(after[1] <= std::max(4 * before[1], before[1] + 100)); // a busy machine is no finding
  CHECK(grown < 16 * 1024);                                    // KiB; the queue's bound is one of them
  CHECK(slow_consumers() == 1);
  for (std::size_t i = 0; i < count; ++i) CHECK((i == stuck || screens.at(i).open));
  check_unbroken(screens);
  // It reads again: what lay in the kernel, then why it was closed.
  screens.read_on(stuck);
  screens.run(3s, [&] { return !screens.at(stuck).open; });
  CHECK(screens.at(stuck).bye == "slow_consumer");
  CHECK(screens.at(stuck).close_code == 1013);
}

TEST_CASE("two thousand screens and a restart: all are back with no gap, and they do not come all at once") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  swarm screens(to(server, true));
  constexpr std::size_t count = 2000;
  screens.add(count, "fixture/" + fixture);
  show(screens, 30s);
  for (int i = 0; i < 5; ++i)
    REQUIRE(d.match(fixture, fresh_id(), "match.note", R"({"text":"x"})").outcome == "accepted");
  screens.forget_connects();
  std::atomic<bool> up{false};
  std::string url;
  server_process next({.database_url = db.url(), .more = {"--http.port", std::to_string(port_of(server))}});
  std::thread restart([&] {
    server.stop();
    next.start();
    up = true;
  });
  screens.run(20s, [&] { return up.load(); });
  restart.join();
  REQUIRE(next.url() == server.url());
  desk again(next.url());
  answered last;
  for (int i = 0; i < 5; ++i) {
    last = again.match(fixture, fresh_id(), "match.note", R"({"text":"y"})");
    REQUIRE(last.outcome == "accepted");
  }
  REQUIRE(screens.run(60s, [&] { return screens.showing() == count && all_at(screens, last.seq); }));
  std::size_t told = 0, resumed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    told += screens.at(i).bye == "restart" ? 1 : 0;
    resumed += screens.at(i).snapshots == 1 ? 1 : 0; // from its version: no second snapshot
  }
  CHECK(told == count);
  CHECK(resumed == count);
  check_unbroken(screens);
  CAPTURE(screens.connects_peak());
  CHECK(screens.connects_peak() < 1000); // of a burst that would be 2,000
}

TEST_CASE("a server killed in the middle of scoring costs no screen a version") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  swarm screens(to(server, true));
  screens.add(100, "fixture/" + fixture);
  show(screens);
  scorer ball(server.url(), fixture, 10, 2ms);
  run_on(screens, 500ms);
  server.kill_9();
  ball.stop();
  server_process next({.database_url = db.url(), .more = {"--http.port", std::to_string(port_of(server))}});
  next.start();
  desk again(next.url());
  auto last = again.match(fixture, fresh_id(), "match.note", R"({"text":"on"})");
  REQUIRE(last.outcome == "accepted");
  REQUIRE(screens.run(40s, [&] { return screens.showing() == screens.size() && all_at(screens, last.seq); }));
  check_unbroken(screens);
}

TEST_CASE("a node that is frozen while another scores catches up at once when it goes on") {
  database db;
  server_process one({.database_url = db.url()}), two({.database_url = db.url()});
  one.start();
  two.start();
  desk d(one.url());
  auto fixture = d.new_match();
  swarm screens(to(two));
  screens.add(50, "fixture/" + fixture);
  show(screens);
  ::kill(two.pid(), SIGSTOP);
  auto due = std::chrono::steady_clock::now();
  auto until = due + std::chrono::seconds(from_environment("OMNIUM_TEST_PAUSE_S", 3));
  answered last;
  do {
    std::this_thread::sleep_until(due += 4ms); // at most 250 a second, on however fast a machine
    last = d.match(fixture, fresh_id(), "match.note", R"({"text":"z"})");
    // More than a socket may have unsent: what a node catches up with must not look like a slow reader.
  } while (last.outcome == "accepted" && (std::chrono::steady_clock::now() < until || last.seq < 1200));
  REQUIRE(last.outcome == "accepted");
  run_on(screens, 100ms);
  CHECK(screens.at(0).version < last.seq);
  ::kill(two.pid(), SIGCONT);
  auto went_on = std::chrono::steady_clock::now();
  REQUIRE(screens.run(5s, [&] { return all_at(screens, last.seq); }));
  CAPTURE(std::chrono::duration<double>(std::chrono::steady_clock::now() - went_on).count(), last.seq);
  check_unbroken(screens);
  for (std::size_t i = 0; i < screens.size(); ++i) CHECK(screens.at(i).open);
}

TEST_CASE("idle screens ask the database nothing") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  auto seconds = from_environment("OMNIUM_TEST_IDLE_S", 6);
  auto statements = [&] {
    return db.count("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()");
  };
  swarm screens(to(server));
  // An idle session tells its counts after ten seconds at the latest; before that they belong to what went before.
  auto window = [&] {
    run_on(screens, 10500ms);
    auto from = statements();
    run_on(screens, std::chrono::seconds(seconds));
    return static_cast<double>(statements() - from) / seconds * 60;
  };
  auto alone = window();
  screens.add(200, "fixture/" + fixture);
  show(screens);
  auto watched = window();
  CAPTURE(alone, watched);
  CHECK(alone > 60);                 // it counts at all
  CHECK(alone < 900);                // a minute: the poll, four times a second, the horizon, the tokens, the upkeep
  CHECK(watched < alone * 1.3 + 40); // two hundred screens later
}

TEST_CASE("a thousand watch one match, and the last of them has a ball soon after its scorer") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  swarm screens(to(server));
  screens.add(1000, "fixture/" + fixture);
  show(screens, 20s);
  std::vector<double> last_ms;
  for (int i = 0; i < 20; ++i) {
    auto sent = d.match(fixture, fresh_id(), "match.note", R"({"text":"ball"})");
    auto answered = std::chrono::steady_clock::now();
    REQUIRE(sent.outcome == "accepted");
    REQUIRE(screens.run(5s, [&] { return all_at(screens, sent.seq); }));
    last_ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - answered).count());
    run_on(screens, 20ms);
  }
  std::sort(last_ms.begin(), last_ms.end());
  CAPTURE(last_ms);
  CHECK(last_ms[last_ms.size() / 2] < 100);
}

TEST_CASE("the topic ops shows how the node is at once, and then every beat") {
  server_process server({.more = {"--live.beat_ms", "200"}});
  server.start();
  desk d(server.url());
  for (int i = 0; i < 60; ++i) d.new_match("football", false);
  std::string outside = d.new_match(); // awake: it was started
  swarm screens(to(server));
  screens.add(3, "ops");
  std::string newest;
  screens.on_other = [&](std::size_t, std::string_view frame) {
    if (frame.starts_with(R"({"t":"snapshot","topic":"ops")")) newest = frame;
  };
  REQUIRE(screens.run(10s, [&] {
    return screens.at(0).snapshots >= 3 && screens.at(1).snapshots >= 3 && screens.at(2).snapshots >= 3;
  }));
  CHECK(at(newest, "/data/ready") == "true");
  CHECK(at(newest, "/data/parts/database/ok") == "true");
  CHECK(at(newest, "/data/at").size() == 24);
  CHECK(at(newest, "/data/figures/omnium_sockets{kind=\"live\"}") == "3");
  CHECK(std::stoi(at(newest, "/data/live_matches")) >= 2); // the match and its competition
  CHECK(at(newest, "/data/quantiles/omnium_command_seconds/p95").size() > 2);
  CHECK(at(newest, "/data/health/items/0/part") != "");
  CHECK(at(newest, "/data/alerts/items") == "[]");
  CHECK(at(newest, "/data/locks/items") == "[]");
  CHECK(at(newest, "/data/failures/items") == "[]");
  auto tree = at(newest, "/data/tree/children");
  CHECK(tree.find("\"name\":\"matches\"") != std::string::npos);
  CHECK(tree.find("\"left_out\":") != std::string::npos);
  CHECK(tree.find("\"name\":\"sports\"") != std::string::npos);
  CHECK(tree.find(outside) != std::string::npos);
  CHECK(newest.size() < 64 * 1024);
}

TEST_CASE(
    "whoever follows a match by its events' own numbers, amends and retractions included, holds the server's list") {
  server_process server({});
  server.start();
  desk d(server.url());
  auto fixture = d.new_match();
  omnium::wire::ws_client socket(server.url());
  REQUIRE_FALSE(socket.open());
  REQUIRE_FALSE(socket.send(fmt::format(R"({{"t":"hello","token":"{}"}})", server.token())));
  REQUIRE_FALSE(socket.send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}","have":0}})", fixture)));
  auto send = [&](const std::string& code, const std::string& input) {
    auto answer = d.match(fixture, fresh_id(), code, input);
    INFO(answer.body);
    REQUIRE(answer.outcome == "accepted");
    return answer.seq;
  };
  auto goal = [](const char* side, int minute) {
    return fmt::format(R"({{"kind":"open_play","minute":{},"side":"{}"}})", minute, side);
  };
  auto amend = [&](std::int64_t seq, const std::string& input) {
    return send("match.amend", fmt::format(R"({{"seq":{},"input":{}}})", seq, input));
  };
  const auto first = send("football.goal", goal("home", 1)), second = send("football.goal", goal("home", 2)),
             third = send("football.goal", goal("away", 3));
  amend(second, goal("away", 2));
  const auto twice = amend(second, goal("home", 4));
  send("match.void", fmt::format(R"({{"seq":{}}})", first));
  const auto put =
      send("match.insert", fmt::format(R"({{"before":{},"code":"football.goal","input":{}}})", third, goal("away", 3)));
  send("match.void", fmt::format(R"({{"seq":{}}})", twice));
  const auto last = send("match.void", fmt::format(R"({{"seq":{}}})", third));

  std::vector<std::string> rows; // as they came
  std::string scoreboard;
  for (std::string frame; static_cast<std::int64_t>(rows.size()) < last;) {
    REQUIRE_FALSE(socket.receive(frame));
    if (at(frame, "/t") != "change") continue;
    rows.push_back(at(frame, "/item"));
    scoreboard = at(frame, "/scoreboard");
  }
  auto list = d.get("/fixtures/" + fixture + "/timeline")->body;
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(at(list, fmt::format("/items/{}", i)) == rows[i]);
  CHECK(at(list, fmt::format("/items/{}", rows.size())).empty());

  // What stands, by the numbers alone: a row in `voids` is gone, and brings back what it had changed.
  std::map<std::int64_t, std::string> standing;
  std::set<std::int64_t> gone;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const auto seq = std::stoll(at(*row, "/seq"));
    if (gone.count(seq) > 0) continue;
    for (int i = 0; !at(*row, fmt::format("/voids/{}", i)).empty(); ++i)
      gone.insert(std::stoll(at(*row, fmt::format("/voids/{}", i))));
    const auto code = at(*row, "/code");
    if (code == "match.amend") standing.emplace(std::stoll(at(*row, "/replaces")), at(*row, "/input/input"));
    if (code == "match.insert") standing.emplace(seq, at(*row, "/input/input"));
    if (code == "football.goal") standing.emplace(seq, at(*row, "/input"));
  }
  for (auto seq : gone) standing.erase(seq);
  int home = 0, away = 0;
  for (const auto& [seq, input] : standing) ++(at(input, "/side") == "home" ? home : away);
  CHECK(standing.size() == 2);
  CHECK(standing.count(put) == 1);
  CHECK(standing.count(second) == 1); // one number for life: the first amend's input stands under it
  CHECK(home == 0);
  CHECK(away == 2);
  CHECK(at(scoreboard, "/score") == fmt::format(R"({{"home":{},"away":{}}})", home, away));
  CHECK(at(d.get("/fixtures/" + fixture)->body, "/scoreboard") == scoreboard);
}
