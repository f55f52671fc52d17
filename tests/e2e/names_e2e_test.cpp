// Names that are formulas, paths, markup or read backwards are names: they come back as they went in, on every way out,
// and no file is ever called after one. Source: known trap X8.
#include "runtime/wire/ws_client.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <set>

using namespace omnium::e2e;
using namespace std::chrono_literals;

namespace {

std::set<std::string> files_below(const std::string& folder) {
  std::set<std::string> out;
  for (const auto& one : std::filesystem::recursive_directory_iterator(folder)) {
    const auto name = one.path().filename().string();
    if (name.find_first_not_of("0123456789ABCDEF._") != std::string::npos)
      out.insert(name); // Postgres' own are numbers
  }
  return out;
}

} // namespace

TEST_CASE("teams called =1+1, ../x, written as markup or right to left come back byte for byte and name no file") {
  temp_folder data;
  server_process node({.data_dir = data.path() + "/omnium"});
  node.start();
  desk d(node.url());
  const std::vector<std::string> names{"=1+1",
                                       "@SUM(A1)",
                                       "-2+3",
                                       "../x",
                                       "..\\\\x", // JSON: two backslashes
                                       "5/10/2026",
                                       "<b>bold</b>",
                                       "\xE2\x80\xAE"
                                       "desrever",
                                       "%2e%2e%2fx",
                                       "' OR 1=1 --",
                                       "\xF0\x9F\x8F\x8F"};
  for (const auto& name : names) {
    INFO(name);
    const auto competition = fresh_id(), fixture = fresh_id();
    REQUIRE(
        d.send("games", "competition", competition,
               fmt::format(R"({{"key":"{}","code":"games.create_competition","input":{{"name":"{}"}},"sender":"t"}})",
                           fresh_id(), name))
            .outcome == "accepted");
    REQUIRE(d.send("games", "competition", competition,
                   fmt::format(R"({{"key":"{}","code":"games.create_fixture","input":{{"id":"{}","sport":"football",)"
                               R"("home":{{"name":"{}"}},"away":{{"name":"B"}}}},"sender":"t"}})",
                               fresh_id(), fixture, name))
                .outcome == "accepted");
    const auto given = at(fmt::format(R"({{"n":"{}"}})", name), "/n");
    const auto shown = d.get("/fixtures/" + fixture);
    CHECK(at(shown->body, "/sides/home/name") == given);
    CHECK(shown->header("Content-Type").find("application/json") != std::string::npos);
    CHECK(shown->header("X-Content-Type-Options") == "nosniff");
    REQUIRE(d.match(fixture, fresh_id(), "match.start").outcome == "accepted");
    REQUIRE(d.match(fixture, fresh_id(), "football.period", R"({"action":"start","period":"H1"})").outcome ==
            "accepted");
    const auto goal = d.match(fixture, fresh_id(), "football.goal",
                              fmt::format(R"({{"kind":"open_play","minute":5,"side":"home","scorer":"{}"}})", name));
    CAPTURE(goal.body);
    REQUIRE(goal.outcome == "accepted");
    CHECK(at(d.get("/fixtures/" + fixture)->body, "/scoreboard/goals/0/scorer") == given);
    CHECK(at(d.get("/fixtures/" + fixture + "/timeline")->body, "/items/2/input/scorer") == given);
    omnium::wire::ws_client socket(node.url());
    REQUIRE_FALSE(socket.open());
    socket.send(fmt::format(R"({{"t":"hello","token":"{}"}})", node.token()));
    socket.send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}"}})", fixture));
    std::string frame;
    while (!socket.receive(frame, 5s) && at(frame, "/t") != "snapshot") {
    }
    CHECK(at(frame, "/data/scoreboard/goals/0/scorer") == given);
    CHECK(ctl(node.url(), "verify " + fixture).text == "ok\n");
  }
  const auto known = files_below(data.path());
  for (const auto& name : {"=1+1", "x", "SUM", "bold", "desrever", "10"})
    for (const auto& file : known) CHECK(file != name);
  REQUIRE(node.stop() == 0);
  CHECK(files_below(data.path()).size() <= known.size() + 2);
  CHECK(node.output().find("=1+1") == std::string::npos); // a log names no names
  node.start();
  CHECK(at(desk(node.url()).get("/fixtures?limit=200")->body, "/items/10/id").size() == 36);
}
