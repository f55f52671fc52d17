// One subtree is restarted while the others go on: nothing is lost, nothing is counted twice, and the tree says so.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <atomic>
#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;

namespace {

// One match's sender: a note every turn, each key sent until its last word.
struct load {
  std::string sport, fixture;
  std::size_t sent = 0;
  std::vector<std::string> faults; // what was neither accepted nor asked to be sent again
  std::chrono::milliseconds slowest{};

  void play(const std::string& url, const std::atomic<bool>& over) {
    desk d(url);
    for (; !over; ++sent) {
      const auto body =
          fmt::format(R"({{"key":"{}-{}","code":"match.note","input":{{"text":"n"}},"sender":"desk"}})", fixture, sent);
      const auto began = std::chrono::steady_clock::now();
      auto a = d.send(sport, "fixture", fixture, body);
      while (a.outcome == "try_again") a = d.send(sport, "fixture", fixture, body);
      if (a.outcome != "accepted") faults.push_back(a.body);
      slowest = std::max(
          slowest, std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began));
    }
  }
};

// The branch of the tree that has this name; empty when there is none.
std::string branch(const std::string& tree, const std::string& name) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  REQUIRE(!parser.parse(tree).get(root));
  std::vector<simdjson::dom::element> open{root};
  while (!open.empty()) {
    auto node = open.back();
    open.pop_back();
    std::string_view its;
    if (!node["name"].get(its) && its == name) return simdjson::minify(node);
    for (auto below : {"children", "workers"}) {
      simdjson::dom::array nodes;
      if (!node[below].get(nodes))
        for (auto child : nodes) open.push_back(child);
    }
  }
  return {};
}

struct stage {
  database db;
  server_process server{{.database_url = db.url()}};
  std::vector<load> loads;
  stage() {
    server.start();
    desk d(server.url());
    for (const char* sport : {"football", "football", "curling", "tennis"})
      loads.push_back({sport, d.new_match(sport, false)});
  }
  void while_scoring(const std::function<void()>& act) {
    std::atomic<bool> over{false};
    std::vector<std::thread> senders;
    for (auto& one : loads) senders.emplace_back([&] { one.play(server.url(), over); });
    std::this_thread::sleep_for(300ms);
    act();
    std::this_thread::sleep_for(300ms);
    over = true;
    for (auto& t : senders) t.join();
  }
  // Every sent command is in its match's log once, in a log without a hole.
  void check_logs() const {
    for (const auto& one : loads) {
      CAPTURE(one.sport, one.fixture, one.faults);
      CHECK(one.faults.empty());
      CHECK(one.sent > 0);
      const auto rows = static_cast<std::int64_t>(one.sent);
      CHECK(db.count(fmt::format("SELECT last_seq FROM fixture WHERE id = '{}'", one.fixture)) == rows);
      CHECK(db.count(fmt::format("SELECT count(DISTINCT seq) FROM timeline_item WHERE stream_id = '{}'",
                                 one.fixture)) == rows);
    }
  }
  std::string tree() const { return desk(server.url()).get("/ops/tree")->body; }
};

} // namespace

TEST_CASE("a sport is restarted under load: other sports are unhurt, nothing is lost, the tree counts it") {
  stage s;
  std::string before;
  s.while_scoring([&] {
    before = s.tree();
    for (int i = 0; i < 3; ++i) {
      const auto answer = ctl(s.server.url(), "restart sport/football/1.0.0");
      CAPTURE(answer.text);
      CHECK(answer.status == 0);
      std::this_thread::sleep_for(50ms);
    }
  });
  s.check_logs();
  const auto after = s.tree();
  const auto football = branch(after, "sport/football/1.0.0");
  CHECK(at(football, "/restarts") == "3");
  CHECK(at(football, "/workers/0/restarts") == "3");
  CHECK(at(football, "/workers/0/pid") != at(branch(before, "sport/football/1.0.0"), "/workers/0/pid"));
  for (const char* other : {"sport/curling/1.0.0", "sport/tennis/1.0.0"}) {
    CHECK(at(branch(after, other), "/restarts") == "0");
    CHECK(at(branch(after, other), "/workers/0/pid") == at(branch(before, other), "/workers/0/pid"));
    CHECK(at(branch(after, other), "/deaths") == "0");
  }
  CHECK(ctl(s.server.url(), "tree")
            .text.find("sport/football/1.0.0  strategy=one_for_one  restart=permanent  "
                       "breaker=closed  restarts=3") != std::string::npos);
}

TEST_CASE("one worker, one match and all matches are restarted by their names in the tree") {
  stage s;
  const auto match = "match/fixture/" + s.loads.front().fixture;
  s.while_scoring([&] {
    CHECK(ctl(s.server.url(), "restart sport/football/1.0.0/worker/1").status == 0);
    CHECK(ctl(s.server.url(), "restart " + match).status == 0);
    // A match is back with its next command; only what is awake can be restarted with all the others.
    for (int looks = 0; looks < 100 && at(branch(s.tree(), match), "/restarts") != "1"; ++looks)
      std::this_thread::sleep_for(20ms);
    CHECK(ctl(s.server.url(), "restart matches").status == 0);
  });
  s.check_logs();
  const auto tree = s.tree();
  CHECK(at(branch(tree, "sport/football/1.0.0"), "/restarts") == "0");
  CHECK(at(branch(tree, "sport/football/1.0.0"), "/workers/0/restarts") == "0");
  CHECK(at(branch(tree, "sport/football/1.0.0"), "/workers/1/restarts") == "1");
  CHECK(at(branch(tree, match), "/restarts") == "2");
  CHECK(at(branch(tree, "matches"), "/restarts") == "1");
}

TEST_CASE("a name that does not run is said to be none, and a body that names nothing is refused") {
  stage s;
  for (const char* name : {"sport/football/9.9.9", "sport/football/1.0.0/worker/77", "match/fixture/nothing", "x"}) {
    const auto answer = ctl(s.server.url(), fmt::format("restart '{}'", name));
    CHECK(answer.status == 1);
    CHECK(answer.text.find("runs here") != std::string::npos);
  }
  desk d(s.server.url());
  CHECK(d.http.request("POST", "/ops/restart", R"({"name":"x"})")->status == 404);
  for (const char* body : {"", "{}", R"({"name":7})", R"({"name":"matches","more":1})", "[]"})
    CHECK(d.http.request("POST", "/ops/restart", body)->status == 400);
  CHECK(d.http.request("GET", "/ops/restart")->status == 405);
}
