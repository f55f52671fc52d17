// The road, end to end: HTTP in, Postgres out, and the five answers. Real server, real database.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;
using namespace std::chrono_literals;

namespace {

const std::string goal = R"({"kind":"open_play","minute":5,"side":"home"})";
const std::string away_goal = R"({"kind":"open_play","minute":6,"side":"away"})";

struct stage {
  database db;
  server_process server{{.database_url = db.url()}};
  std::unique_ptr<desk> one;
  std::string fixture;
  stage() {
    server.start();
    one = std::make_unique<desk>(server.url());
    fixture = one->new_match();
  }
  std::int64_t rows() const {
    return db.count(fmt::format("SELECT count(*) FROM timeline_item WHERE stream_id = '{}'", fixture));
  }
  std::int64_t keys(const std::string& key) const {
    return db.count(fmt::format("SELECT count(*) FROM command WHERE command_id = '{}'", key));
  }
  // 0 when the log runs 1..n without hole or double and last_seq agrees.
  std::int64_t log_faults() const {
    return db.count(fmt::format("SELECT count(*) FROM (SELECT seq, row_number() OVER (ORDER BY seq) n FROM "
                                "timeline_item WHERE stream_id = '{0}') t "
                                "WHERE seq <> n OR (SELECT last_seq FROM fixture WHERE id = '{0}') <> (SELECT count(*) "
                                "FROM timeline_item WHERE stream_id = '{0}')",
                                fixture));
  }
};

} // namespace

TEST_CASE("a goal is accepted, saved, read back, and its retry is the first answer byte for byte") {
  stage s;
  auto first = s.one->match(s.fixture, "goal-1", "football.goal", goal);
  REQUIRE(first.status == 200);
  REQUIRE(first.outcome == "accepted");
  REQUIRE(first.seq == s.rows());
  auto again = s.one->match(s.fixture, "goal-1", "football.goal", goal);
  REQUIRE(again.status == 200);
  REQUIRE(again.outcome == "duplicate");
  REQUIRE(again.seq == first.seq);
  REQUIRE(again.body.find("\"first\":" + first.body) != std::string::npos);
  auto shown = s.one->get("/fixtures/" + s.fixture);
  REQUIRE(shown->status == 200);
  REQUIRE(at(shown->body, "/scoreboard/score/home") == "1");
  REQUIRE(at(shown->body, "/version") == std::to_string(first.seq));
  REQUIRE(
      s.one->http.request("GET", "/fixtures/" + s.fixture, "", {{"If-None-Match", std::string(shown->header("ETag"))}})
          ->status == 304);
  auto timeline = s.one->get("/fixtures/" + s.fixture + "/timeline?after=" + std::to_string(first.seq - 1));
  REQUIRE(at(timeline->body, "/items/0/key") == "goal-1");
  REQUIRE(at(timeline->body, "/items/0/input/side") == "home");
  auto state = s.one->get("/fixtures/" + s.fixture + "/state");
  REQUIRE(at(state->body, "/seq") == std::to_string(first.seq));
  REQUIRE(s.log_faults() == 0);
}

TEST_CASE("a key that is retried after a restart gets its first answer, and no conflict with itself") {
  stage s;
  const auto started = s.rows();
  auto first = s.one->match(s.fixture, "goal-1", "football.goal", goal, started);
  REQUIRE(first.outcome == "accepted");
  s.server.kill_9();
  s.server.start();
  desk again(s.server.url());
  auto retried = again.match(s.fixture, "goal-1", "football.goal", goal, started);
  CAPTURE(retried.body);
  CHECK(retried.outcome == "duplicate");
  CHECK(retried.body.find("\"first\":" + first.body) != std::string::npos);
  CHECK(again.match(s.fixture, "goal-1", "football.goal", away_goal, started).reason == "key_reused");
  auto other = again.match(s.fixture, "goal-2", "football.goal", goal, started);
  CHECK(other.outcome == "conflict");
  CHECK(at(other.body, "/conflict/since/0/key") == "goal-1");
  CHECK(s.rows() == started + 1);
}

TEST_CASE("a page of the timeline says the match's version, whatever it was asked for") {
  stage s;
  const auto version = std::to_string(s.rows());
  for (const char* query : {"", "?after=0", "?after=1&limit=1", "?after=999", "?after=9223372036854775807"}) {
    CAPTURE(query);
    auto page = s.one->get("/fixtures/" + s.fixture + "/timeline" + query);
    CHECK(at(page->body, "/version") == version);
    CHECK(at(page->body, "/next") == (std::string(query) == "?after=1&limit=1" && version != "2" ? "2" : "null"));
  }
}

TEST_CASE("a conflict over rows shows what came since these rows were seen") {
  stage s;
  const auto row = at(s.one->get("/fixtures/" + s.fixture)->body, "/sides/home/row");
  auto edit = [&](const std::string& key, const std::string& name, std::int64_t seen) {
    return s.one->send(
        "games", "fixture", s.fixture,
        fmt::format(R"({{"key":"{}","code":"games.edit_competitor","sender":"desk","input":{{"row":"{}",)"
                    R"("name":"{}"}},"saw":{{"rows":{{"{}":{}}}}}}})",
                    key, row, name, row, seen));
  };
  const auto seen = std::stoll(at(s.one->get("/fixtures/" + s.fixture)->body, "/sides/home/changed_seq"));
  auto first = edit("e1", "A", seen);
  CAPTURE(first.body);
  REQUIRE(first.outcome == "accepted");
  auto second = edit("e2", "B", seen);
  CAPTURE(second.body);
  REQUIRE(second.outcome == "conflict");
  CHECK(at(second.body, "/conflict/since").find("\"e1\"") != std::string::npos);
  CHECK(at(second.body, "/conflict/rows").find("\"A\"") != std::string::npos);
  CHECK(edit("e1", "A", seen).outcome == "duplicate");
  auto nothing = s.one->send("games", "fixture", s.fixture,
                             fmt::format(R"({{"key":"e3","code":"games.edit_competitor","sender":"desk","input":)"
                                         R"({{"row":"{}"}}}})",
                                         row));
  CHECK(nothing.reason == "bad_input");
}

TEST_CASE("what a screen lacks, and what a sender missed, are bounded in bytes: nobody is thrown out for reading") {
  stage s;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "\U0001F3CF"; // four bytes each
  for (int i = 0; i < 90; ++i)
    REQUIRE(
        s.one->match(s.fixture, fmt::format("n{}", i), "match.note", fmt::format(R"({{"text":"{}"}})", text)).outcome ==
        "accepted");
  REQUIRE(s.one->match(s.fixture, "goal", "football.goal", goal).outcome == "accepted");
  for (bool restarted : {false, true}) { // from the memory of a node, and from the log
    CAPTURE(restarted);
    if (restarted) {
      s.server.kill_9();
      s.server.start();
    }
    omnium::wire::ws_client screen(s.server.url()), first(s.server.url());
    std::string frame;
    const auto next = [&](omnium::wire::ws_client& on, const std::string& kind) {
      for (int i = 0; i < 1000; ++i) {
        REQUIRE_FALSE(on.receive(frame));
        if (const auto t = at(frame, "/t"); t == kind || t == "bye") return t;
      }
      return std::string("nothing");
    };
    for (auto* on : {&first, &screen}) {
      REQUIRE_FALSE(on->open());
      REQUIRE_FALSE(on->send(fmt::format(R"({{"t":"hello","token":"{}"}})", s.server.token())));
      REQUIRE_FALSE(on->send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}"{}}})", s.fixture,
                                         on == &first ? "" : R"(,"have":2)")));
      CHECK(next(*on, "snapshot") == "snapshot");
    }
    REQUIRE_FALSE(screen.send(fmt::format(R"({{"t":"command","id":2,"workflow":"football","kind":"fixture","ref":"{}",)"
                                          R"("body":{{"key":"late{}","code":"football.goal","input":{},"sender":"d",)"
                                          R"("saw":{{"play":1}}}}}})",
                                          s.fixture, restarted, goal)));
    CHECK(next(screen, "answer") == "answer");
    CHECK(at(frame, "/answer/outcome") == "conflict");
    CHECK(frame.size() > 200 * 1024);
    CHECK(frame.size() < 512 * 1024);
  }
}

TEST_CASE("a used key with another body is refused and writes nothing") {
  stage s;
  REQUIRE(s.one->match(s.fixture, "k", "football.goal", goal).outcome == "accepted");
  auto rows = s.rows();
  auto other = s.one->match(s.fixture, "k", "football.goal", away_goal);
  REQUIRE(other.status == 422);
  REQUIRE(other.reason == "key_reused");
  // The same key on another match, past the memory of this one's actor.
  auto second = s.one->new_match();
  auto elsewhere = s.one->match(second, "k", "football.goal", goal);
  REQUIRE(elsewhere.reason == "key_reused");
  REQUIRE(s.rows() == rows);
  REQUIRE(s.keys("k") == 1);
}

TEST_CASE("a rule's no leaves the command row and nothing else") {
  stage s;
  s.one->match(s.fixture, "end", "football.period", R"({"action":"end","period":"H1"})");
  auto rows = s.rows();
  auto no = s.one->match(s.fixture, "late", "football.goal", goal);
  REQUIRE(no.status == 422);
  REQUIRE(no.reason == "not_in_play");
  REQUIRE(s.rows() == rows);
  REQUIRE(s.keys("late") == 1);
  REQUIRE(s.db.ask("SELECT outcome FROM command WHERE command_id = 'late'") == "refused");
  auto again = s.one->match(s.fixture, "late", "football.goal", goal);
  REQUIRE(again.outcome == "duplicate");
  REQUIRE(again.body.find("\"first\":" + no.body) != std::string::npos);
  REQUIRE(s.db.count("SELECT count(*) FROM domain_event WHERE kind = 'football.goal'") == 0);
}

TEST_CASE("eight copies at once make one row") {
  stage s;
  for (int round = 0; round < 20; ++round) {
    auto key = fmt::format("copy-{}", round);
    std::vector<answered> got(8);
    std::vector<std::thread> threads;
    for (auto& slot : got)
      threads.emplace_back([&] {
        desk d(s.server.url());
        slot = d.match(s.fixture, key, "football.goal", goal);
      });
    for (auto& t : threads) t.join();
    int accepted = 0, duplicate = 0;
    for (const auto& a : got) accepted += a.outcome == "accepted", duplicate += a.outcome == "duplicate";
    REQUIRE(accepted == 1);
    REQUIRE(duplicate == 7);
    REQUIRE(s.keys(key) == 1);
  }
  REQUIRE(s.log_faults() == 0);
}

TEST_CASE("a play on an old version is a conflict with what was missed, and a pure add is not") {
  stage s;
  auto last = s.rows();
  auto first = s.one->match(s.fixture, "a", "football.goal", goal, last);
  REQUIRE(first.outcome == "accepted");
  auto stale = s.one->match(s.fixture, "b", "football.goal", away_goal, last);
  REQUIRE(stale.status == 409);
  REQUIRE(stale.outcome == "conflict");
  REQUIRE(at(stale.body, "/conflict/play") == std::to_string(first.seq));
  REQUIRE(at(stale.body, "/conflict/since/0/key") == "a");
  REQUIRE(s.keys("b") == 0);
  REQUIRE(s.one->match(s.fixture, "n", "match.note", R"({"text":"hello"})", 1).outcome == "accepted");
  REQUIRE(s.one->match(s.fixture, "b", "football.goal", away_goal, first.seq).outcome == "accepted");
}

TEST_CASE("two operators on different rows never meet, on one row the second is told") {
  stage s;
  auto row = [&](const char* side) {
    return at(s.one->get("/fixtures/" + s.fixture)->body, fmt::format("/sides/{}/row", side));
  };
  auto edit = [&](const std::string& key, const std::string& id, const std::string& name, int saw) {
    return s.one->send(
        "games", "fixture", s.fixture,
        fmt::format(
            R"({{"key":"{}","code":"games.edit_competitor","input":{{"row":"{}","name":"{}"}},"sender":"op","saw":{{"rows":{{"{}":{}}}}}}})",
            key, id, name, id, saw));
  };
  auto home = row("home"), away = row("away");
  auto first = edit("e1", home, "Home FC", 0);
  REQUIRE(first.outcome == "accepted");
  REQUIRE(edit("e2", away, "Away FC", 0).outcome == "accepted");
  auto late = edit("e3", home, "Home United", 0);
  REQUIRE(late.outcome == "conflict");
  REQUIRE(late.body.find("Home FC") != std::string::npos);
  REQUIRE(edit("e3", home, "Home United", static_cast<int>(first.seq)).outcome == "accepted");
  REQUIRE(at(s.one->get("/fixtures/" + s.fixture)->body, "/sides/home/name") == "Home United");
}

TEST_CASE("a row locked by another session is try_again at two seconds, and other matches do not notice") {
  stage s;
  auto other = s.one->new_match();
  auto holder = s.db.connect();
  pqxx::work lock(holder);
  lock.exec(fmt::format("SELECT 1 FROM fixture WHERE id = '{}' FOR NO KEY UPDATE", s.fixture));
  answered locked;
  std::chrono::milliseconds took{};
  std::thread waiter([&] {
    desk d(s.server.url());
    auto began = std::chrono::steady_clock::now();
    locked = d.match(s.fixture, "locked", "football.goal", goal);
    took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  });
  std::this_thread::sleep_for(200ms);
  auto slowest = 0ms;
  for (int i = 0; i < 50; ++i) {
    auto began = std::chrono::steady_clock::now();
    REQUIRE(s.one->match(other, fmt::format("o{}", i), "football.goal", goal).outcome == "accepted");
    slowest = std::max(slowest,
                       std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began));
  }
  waiter.join();
  REQUIRE(locked.status == 503);
  REQUIRE(locked.reason == "lock_timeout");
  REQUIRE(took > 1900ms);
  REQUIRE(took < 2900ms);
  REQUIRE(slowest < 1000ms);
  REQUIRE(s.keys("locked") == 0);
  lock.abort();
  REQUIRE(s.one->match(s.fixture, "locked", "football.goal", goal).outcome == "accepted");
}

TEST_CASE("unknown things are told at the door") {
  stage s;
  auto nowhere = s.one->match(fresh_id(), "x1", "football.goal", goal);
  REQUIRE(nowhere.status == 404);
  REQUIRE(nowhere.reason == "unknown_subject");
  REQUIRE(s.one->match(s.fixture, "x2", "football.nonsense").reason == "unknown_command");
  REQUIRE(
      s.one->send("football", "fixture", "not-a-uuid", R"({"key":"k","code":"football.goal","input":{},"sender":"d"})")
          .reason == "unknown_subject");
  REQUIRE(s.one->send("football", "planet", s.fixture, R"({"key":"k","code":"football.goal","input":{},"sender":"d"})")
              .reason == "unknown_subject");
  REQUIRE(s.one->get("/fixtures/" + fresh_id())->status == 404);
  auto twice = s.one->send(
      "games", "competition", fresh_id(),
      fmt::format(
          R"({{"key":"f2","code":"games.create_fixture","input":{{"id":"{}","sport":"football","home":{{"name":"A"}},"away":{{"name":"B"}}}},"sender":"t"}})",
          fresh_id()));
  REQUIRE(twice.reason == "unknown_subject");
  auto competition = at(s.one->get("/fixtures/" + s.fixture)->body, "/competition");
  auto same = s.one->send(
      "games", "competition", competition,
      fmt::format(
          R"({{"key":"f3","code":"games.create_fixture","input":{{"id":"{}","sport":"football","home":{{"name":"A"}},"away":{{"name":"B"}}}},"sender":"t"}})",
          s.fixture));
  REQUIRE(same.status == 422);
  REQUIRE(same.reason == "already_exists");
  REQUIRE(s.keys("f3") == 1);
}

TEST_CASE("a preview says what would be, and writes nothing") {
  stage s;
  auto rows = s.db.count("SELECT count(*) FROM command");
  auto target = fmt::format("/workflows/football/subjects/fixture/{}/commands:preview", s.fixture);
  auto shown =
      s.one->http.request("POST", target, fmt::format(R"({{"code":"football.goal","input":{},"sender":"d"}})", goal));
  REQUIRE(shown->status == 200);
  REQUIRE(at(shown->body, "/would") == "accepted");
  REQUIRE(at(shown->body, "/scoreboard/score/home") == "1");
  REQUIRE(shown->body.find(R"({"path":"/score/home","from":0,"to":1})") != std::string::npos);
  REQUIRE(s.db.count("SELECT count(*) FROM command") == rows);
}

TEST_CASE("the log is append-only for the application") {
  stage s;
  auto as_app = s.db.connect();
  pqxx::nontransaction(as_app).exec("SET ROLE omnium_app");
  for (auto sql : {"UPDATE timeline_item SET sender = 'x'", "DELETE FROM timeline_item", "TRUNCATE timeline_item",
                   "UPDATE command SET answer = ''"})
    REQUIRE_THROWS_AS(pqxx::nontransaction(as_app).exec(sql), pqxx::insufficient_privilege);
}

TEST_CASE("a stop under load ends in time, and every accepted answer is in the log") {
  stage s;
  std::vector<std::vector<std::string>> accepted(8);
  std::vector<std::thread> threads;
  std::atomic<bool> over{false};
  for (std::size_t i = 0; i < accepted.size(); ++i)
    threads.emplace_back([&, i] {
      desk d(s.server.url());
      for (int n = 0; !over; ++n) {
        auto key = fmt::format("load-{}-{}", i, n);
        auto a = d.match(s.fixture, key, "football.shot", R"({"minute":1,"side":"home"})");
        if (a.outcome == "accepted") accepted[i].push_back(key);
        if (a.status == 0) return;
      }
    });
  std::this_thread::sleep_for(500ms);
  REQUIRE(s.server.stop() == 0);
  REQUIRE(s.server.stop_took() < 10s);
  over = true;
  for (auto& t : threads) t.join();
  std::size_t answers = 0;
  for (const auto& list : accepted) answers += list.size();
  REQUIRE(answers > 0);
  for (const auto& list : accepted)
    for (const auto& key : list) REQUIRE(s.keys(key) == 1);
  REQUIRE(s.log_faults() == 0);
}

TEST_CASE("who saw less of a competition, or of a match, is told of it by what it is") {
  database db;
  server_process server({.database_url = db.url()});
  server.start();
  desk d(server.url());
  const auto cup = fresh_id();
  const auto games = [&](const std::string& code, const std::string& input, const std::string& more) {
    return d.send(
        "games", "competition", cup,
        fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"{}}})", fresh_id(), code, input, more));
  };
  REQUIRE(games("games.create_competition", R"({"name":"Cup"})", "").outcome == "accepted");
  const auto person = fmt::format(R"({{"id":"{}","name":"P","type":"person"}})", fresh_id());
  const auto late = games("games.add_participant", person, fmt::format(R"(,"saw":{{"rows":{{"{}":1}}}})", cup));
  CHECK(late.outcome == "conflict");
  CHECK(at(late.body, "/reason/message") == "The competition moved on since the sender last saw it.");
  const auto match = d.new_match();
  const auto goal = d.match(match, fresh_id(), "football.goal", R"({"minute":1,"side":"home","kind":"open_play"})", 0);
  CHECK(goal.outcome == "conflict");
  CHECK(at(goal.body, "/reason/message") == "The match moved on since the sender last saw it.");
}
