// Releases of one sport side by side in the running server: pins, defaults, moves, and packages that are not the ones
// installed. Source: P3, P6, P7, issue 3.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>

using namespace omnium::e2e;

namespace {

const std::string a = "2017.3.0", b = "2026.10.0"; // of cricket

struct stage {
  database db;
  std::unique_ptr<server_process> server;
  std::unique_ptr<desk> one;
  std::string competition;

  explicit stage(const std::string& sports_dir = {}) {
    start(sports_dir);
    competition = fresh_id();
    REQUIRE(games("games.create_competition", R"({"name":"Cup"})").outcome == "accepted");
  }
  void start(const std::string& sports_dir = {}) {
    server = std::make_unique<server_process>(server_options{.database_url = db.url(), .sports_dir = sports_dir});
    server->start();
    one = std::make_unique<desk>(server->url());
  }
  answered games(const std::string& code, const std::string& input) {
    return one->send("games", "competition", competition,
                     fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input));
  }
  std::string match(const std::string& release = {}) {
    auto id = fresh_id();
    auto named = release.empty() ? "" : fmt::format(R"(,"release":"{}")", release);
    auto made = games(
        "games.create_fixture",
        fmt::format(R"({{"id":"{}","sport":"cricket","home":{{"name":"H"}},"away":{{"name":"A"}}{}}})", id, named));
    CAPTURE(made.body);
    REQUIRE(made.outcome == "accepted");
    return id;
  }
  answered send(const std::string& id, const std::string& code, const std::string& input = "{}",
                const std::string& workflow = "cricket") {
    return one->send(workflow, "fixture", id,
                     fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input));
  }
  void play(const std::string& id, const std::string& code, const std::string& input = "{}") {
    auto answer = send(id, code, input);
    CAPTURE(code, input, answer.body);
    REQUIRE(answer.outcome == "accepted");
  }
  void begin(const std::string& id) {
    play(id, "match.start");
    play(id, "cricket.innings", R"({"action":"start","batting":"home"})");
  }
  void ball(const std::string& id, const std::string& more = "") {
    play(id, "cricket.ball", R"({"batter":"A","non_striker":"B","bowler":"X","runs":{"batter":0})" + more + "}");
  }
  std::string shown(const std::string& id, const std::string& pointer) {
    return at(one->get("/fixtures/" + id)->body, pointer);
  }
  said releases(const std::string& words) { return ctl(server->url(), "releases " + words); }
  void check(const std::string& words) {
    auto answer = releases(words);
    CAPTURE(words, answer.text);
    REQUIRE(answer.status == 0);
  }
  bool supervised(const std::string& release) {
    return one->get("/ops/tree")->body.find("sport/cricket/" + release) != std::string::npos;
  }
};

} // namespace

TEST_CASE("a match on A goes on on A while B is the default, beside one on B, which stays there when B is taken back") {
  stage s;
  s.check("install cricket " + a + " --approved-by Ada");
  s.check("install cricket " + b);
  s.check("default cricket " + a);
  auto on_a = s.match();
  s.begin(on_a);
  s.ball(on_a);
  s.check("default cricket " + b);
  auto on_b = s.match();
  s.begin(on_b);
  for (int i = 0; i < 2; ++i) s.ball(on_a), s.ball(on_b);
  CHECK(s.shown(on_a, "/release") == a);
  CHECK(s.shown(on_b, "/release") == b);
  CHECK((s.supervised(a) && s.supervised(b)));
  s.check("default cricket " + a); // B is taken back
  s.ball(on_b);
  CHECK(s.shown(on_b, "/release") == b);
  CHECK(s.shown(on_b, "/scoreboard/innings/0/balls") == "3");
  CHECK(s.shown(on_a, "/scoreboard/innings/0/balls") == "3");
  CHECK(s.shown(s.match(), "/release") == a);
  // After a restart of the server as before it.
  s.server.reset();
  s.start();
  s.ball(on_b);
  CHECK(s.shown(on_b, "/release") == b);
  CHECK(at(s.one->get("/sports")->body, "/items/3/sport") == "cricket");
  CHECK(at(s.one->get("/sports")->body, "/items/3/default") == a);
}

TEST_CASE("the narrower default wins, and ctl shows which release is whose default") {
  stage s;
  for (const auto& release : {a, b}) s.check("install cricket " + release + " --approved-by Ada");
  s.check("default cricket " + a + " --competition " + s.competition);
  CHECK(s.shown(s.match(), "/release") == a);
  s.check("default cricket " + b);
  CHECK(s.shown(s.match(), "/release") == a);
  CHECK(s.shown(s.match(b), "/release") == b);
  auto list = s.releases("list").text;
  CHECK(list.find("[\"" + s.competition + "\"]") != std::string::npos);
  CHECK(list.find("[\"everywhere\"]") != std::string::npos);
  CHECK(list.find("Ada") != std::string::npos);
  s.check("default cricket --none --competition " + s.competition);
  CHECK(s.shown(s.match(), "/release") == b);
  auto football = s.releases("default football 1.0.0");
  CHECK(football.status == 1);
  CHECK(football.text.find("not_installed") != std::string::npos);
  auto missing = s.releases("install cricket 9.9.9");
  CHECK(missing.text.find("does not lie on this node's disk") != std::string::npos);
  CHECK(at(s.one->get("/competitions")->body, "/items/1") == ""); // the operators' subject is in no list
}

TEST_CASE("a match moves to another release only if its whole log folds there") {
  stage s;
  auto good = s.match(a), bad = s.match(a);
  for (const auto& id : {good, bad}) s.begin(id), s.ball(id);
  s.ball(bad, R"(,"wickets":[{"kind":"bowled","player_out":"A"}])");
  s.play(bad, "match.suspend", R"({"reason":"stumps"})"); // the 4th Edition has the over finished first
  auto before = s.one->get("/fixtures/" + bad)->body;
  auto refused = s.releases("move " + bad + " " + b);
  CHECK(refused.status == 1);
  CHECK(refused.text.find("row 5 (match.suspend)") != std::string::npos);
  CHECK(s.one->get("/fixtures/" + bad)->body == before);
  s.check("move " + good + " " + b + " --reason 'played under the new code'");
  CHECK(s.shown(good, "/release") == b);
  CHECK(s.shown(good, "/version") == "4");
  CHECK(s.shown(good, "/last_play") == "4");
  s.ball(good);
  CHECK(s.shown(good, "/scoreboard/innings/0/balls") == "2");
  CHECK(ctl(s.server->url(), "verify " + good).text == "ok\n");
  CHECK(s.send(good, "match.void", R"({"seq":4})").reason == "not_correctable");
}

TEST_CASE("only an operator says which release a match is folded with") {
  stage s;
  auto id = s.match(a);
  auto told = ctl(s.server->url(), "tokens create --name feed --role integrator").text;
  const auto token = told.substr(told.find("omn_"), told.find('\n', told.find("omn_")) - told.find("omn_"));
  omnium::wire::http_client feed(s.server->url());
  feed.always("Authorization", "Bearer " + token);
  auto send = [&](const std::string& subject, const std::string& code, const std::string& input) {
    return read_answer(
        feed.request("POST", "/workflows/ops/subjects/" + subject + "/commands",
                     fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input)));
  };
  for (const auto& no :
       {send("competition/" + s.competition, "ops.set_default_release", R"({"sport":"cricket","release":"2026.10.0"})"),
        send("competition/00000000-0000-4000-8000-0000006f7073", "ops.install_release",
             R"({"sport":"cricket","release":"2026.10.0"})"),
        send("fixture/" + id, "results.set_release", R"({"release":"2026.10.0"})")}) {
    CHECK(no.status == 403);
    CHECK(no.reason == "not_allowed");
  }
  CHECK(send("fixture/" + id, "match.start", "{}").outcome == "accepted"); // the same token scores
  CHECK(s.shown(id, "/release") == a);
}

TEST_CASE("a release that is another package than the installed one, or lies on no disk, does not start its matches") {
  stage s;
  auto id = s.match(b);
  s.begin(id);
  s.db.run("UPDATE plugin_release SET code_sha = repeat('0', 64) WHERE sport = 'cricket'");
  s.server.reset();
  s.start();
  auto changed = s.send(id, "match.note", R"({"text":"x"})");
  CHECK(changed.outcome == "try_again");
  CHECK(changed.reason == "worker_unavailable");
  CHECK(changed.body.find("has another hash") != std::string::npos);
  CHECK(s.server->output().find("is not the installed one") != std::string::npos);
  CHECK(s.releases("list").text.find("hash_differs") != std::string::npos);
  CHECK(s.releases("install cricket " + b).text.find("release_changed") != std::string::npos);
  s.check("install cricket " + b + " --replace");
  s.ball(id);
  // Only the other release on this disk.
  temp_folder disk;
  namespace fs = std::filesystem;
  fs::create_directories(disk.path() + "/cricket");
  fs::copy(std::string(OMNIUM_BINARY_DIR) + "/sports/cricket/" + a, disk.path() + "/cricket/" + a);
  s.server.reset();
  s.start(disk.path());
  auto missing = s.send(id, "match.note", R"({"text":"x"})");
  CHECK(missing.outcome == "try_again");
  CHECK(missing.body.find("Release " + b + " of cricket is not installed on this node.") != std::string::npos);
  CHECK(s.releases("list").text.find("not_on_disk") != std::string::npos);
  auto other = s.match(a);
  s.begin(other); // others are unhurt
  s.ball(other);
}

TEST_CASE(
    "a package put into the sports folder is installed while the server runs; one rebuilt under its version is not") {
  namespace fs = std::filesystem;
  const std::string built = OMNIUM_BINARY_DIR "/sports/cricket/";
  temp_folder disk;
  fs::create_directories(disk.path() + "/cricket");
  fs::copy(built + a, disk.path() + "/cricket/" + a);
  stage s(disk.path());
  auto on_a = s.match();
  s.begin(on_a);
  CHECK(s.releases("install cricket " + b).text.find("does not lie on this node's disk") != std::string::npos);
  fs::create_directories(disk.path() + "/cricket/" + b);
  auto half = s.releases("install cricket " + b); // in the middle of the copy
  CHECK(half.status == 1);
  CHECK(half.text.find("there is no plugin.so in it") != std::string::npos);
  fs::copy(built + b, disk.path() + "/cricket/" + b, fs::copy_options::recursive);
  s.check("install cricket " + b + " --approved-by Ada");
  s.check("default cricket " + b);
  auto on_b = s.match();
  s.begin(on_b);
  s.ball(on_b);
  s.ball(on_a);
  CHECK(s.shown(on_b, "/release") == b);
  CHECK(s.shown(on_a, "/release") == a);
  CHECK(at(s.one->get("/sports")->body, "/items/0/default") == b);
  // The same version, rebuilt: refused in words that say what to do, whoever insists.
  const auto plugin = disk.path() + "/cricket/" + b + "/plugin.so";
  fs::copy(plugin, disk.path() + "/kept");
  std::ofstream(plugin + ".new", std::ios::binary) << std::ifstream(plugin, std::ios::binary).rdbuf() << "rebuilt";
  fs::rename(plugin + ".new", plugin);
  for (const auto& words : {"install cricket " + b, "install cricket " + b + " --replace"}) {
    auto refused = s.releases(words);
    CAPTURE(refused.text);
    CHECK(refused.status == 1);
    CHECK(refused.text.find("package_changed") != std::string::npos);
    CHECK(refused.text.find("give a changed package a version of its own") != std::string::npos);
  }
  // Its matches go on with the code they were folded with, and never with the other.
  s.ball(on_b);
  CHECK(s.one->http.request("POST", "/ops/restart", R"({"name":"sport/cricket/2026.10.0"})")->status == 200);
  auto waits = s.send(on_b, "match.note", R"({"text":"x"})");
  CAPTURE(waits.body);
  CHECK(waits.outcome == "try_again");
  CHECK(waits.body.find("is no longer the one that its matches are folded with") != std::string::npos);
  s.ball(on_a); // others are unhurt
  fs::rename(disk.path() + "/kept", plugin);
  answered back;
  for (int tries = 0; tries < 100 && back.outcome != "accepted"; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    back = s.send(on_b, "match.note", R"({"text":"x"})");
  }
  CHECK(back.outcome == "accepted");
  CHECK(s.shown(on_b, "/scoreboard/innings/0/balls") == "2");
  s.check("install cricket " + b);
}
