// A match's settings: its sport is asked before there is a match, and a competition's are inherited.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

using namespace omnium::e2e;

namespace {

struct stage {
  stage() : server({.database_url = db.url()}) {
    server.start();
    one = std::make_unique<desk>(server.url());
  }
  answered games(const std::string& code, const std::string& input, const char* tail = "commands") {
    const auto target = fmt::format("/workflows/games/subjects/competition/{}/{}", competition, tail);
    return read_answer(one->http.request(
        "POST", target, fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"t"}})", fresh_id(), code, input)));
  }
  answered match_of(const std::string& sport, const std::string& settings, const std::string& id = fresh_id(),
                    const char* tail = "commands") {
    return games("games.create_fixture",
                 fmt::format(R"({{"id":"{}","sport":"{}","home":{{"name":"A"}},"away":{{"name":"B"}},"settings":{}}})",
                             id, sport, settings),
                 tail);
  }
  database db;
  server_process server;
  std::unique_ptr<desk> one;
  std::string competition = fresh_id();
};

} // namespace

TEST_CASE("settings that a sport cannot read are refused with their place, no match is made and no worker dies") {
  stage s;
  REQUIRE(s.games("games.create_competition", R"({"name":"Cup"})").outcome == "accepted");
  const std::vector<std::array<std::string, 3>> bad = {
      {"curling", R"({"ends":"x"})", "/input/settings/ends"},
      {"curling", R"({"minimum_ends":-1})", "/input/settings/minimum_ends"},
      {"football", R"({"zz":1})", "/input/settings/zz"},
      {"volleyball", R"({"zz":1})", "/input/settings/zz"},
      {"badminton", R"({"best_of":4})", "/input/settings"}, // the sport's own sentence about all of them
      {"basketball", R"({"rules":"street"})", "/input/settings/rules"},
      {"climbing", R"({"zz":{}})", "/input/settings/zz"},
      {"tennis", R"({"best_of":4})", "/input/settings"},
      {"cricket", R"({"balls_per_over":0})", "/input/settings/balls_per_over"},
  };
  for (const auto& [sport, settings, place] : bad) {
    CAPTURE(sport, settings);
    const auto refused = s.match_of(sport, settings);
    const auto sentence = at(refused.body, "/reason/message");
    CAPTURE(sentence);
    CHECK(sentence.ends_with("."));
    CHECK_FALSE(sentence.ends_with(".."));
    CAPTURE(refused.body);
    CHECK(refused.status == 422);
    CHECK(refused.reason == "bad_input");
    CHECK(at(refused.body, "/reason/at").starts_with(place));
    CHECK(at(refused.body, "/reason/release").starts_with(sport + "@"));
    const auto preview = s.match_of(sport, settings, fresh_id(), "commands:preview");
    CHECK(at(preview.body, "/would") == "refused");
    CHECK(at(preview.body, "/reason/at").starts_with(place));
  }
  CHECK(s.db.count("SELECT count(*) FROM fixture") == 0);
  CHECK(s.db.count("SELECT last_seq FROM competition WHERE id <> road.operations()") == 1);
  const auto workers = ctl(s.server.url(), "workers --json").text;
  for (int i = 0; !at(workers, fmt::format("/items/{}", i)).empty(); ++i) {
    CHECK(at(workers, fmt::format("/items/{}/starts", i)) == "1");
    CHECK(at(workers, fmt::format("/items/{}/kills", i)) == "0");
  }
  CHECK(at(workers, "/items/0/release").starts_with("sport/"));
  CHECK(s.match_of("curling", R"({"ends":8})").outcome == "accepted");
}

TEST_CASE("a match that has not begun has its sport's scoreboard, and says that it is scheduled") {
  stage s;
  REQUIRE(s.games("games.create_competition", R"({"name":"Cup"})").outcome == "accepted");
  for (const char* sport :
       {"football", "cricket", "curling", "climbing", "tennis", "volleyball", "badminton", "basketball"}) {
    CAPTURE(sport);
    const auto id = fresh_id();
    REQUIRE(s.match_of(sport, "{}", id).outcome == "accepted");
    const auto shown = s.one->get("/fixtures/" + id)->body;
    CAPTURE(shown);
    CHECK(at(shown, "/scoreboard/status") == "scheduled");
    CHECK(at(shown, "/scoreboard/line") == "not started");
    CHECK(at(shown, "/version") == "0");
    const auto row = at(shown, "/sides/home/row");
    const auto edit =
        s.one->match(id, "edit-" + id, "games.edit_competitor", fmt::format(R"({{"row":"{}","name":"C"}})", row));
    CHECK(edit.outcome == "accepted");
    CHECK(at(s.one->get("/fixtures/" + id)->body, "/scoreboard") == at(shown, "/scoreboard"));
    CHECK(ctl(s.server.url(), "verify " + id).status == 0);
  }
}

TEST_CASE("a preview of what makes things says what the database would say, and makes nothing") {
  stage s;
  const auto taken = fresh_id();
  const auto preview = [&](const std::string& competition, const std::string& code, const std::string& input) {
    const auto body = fmt::format(R"({{"code":"{}","sender":"t","input":{}}})", code, input);
    return s.one->http
        .request("POST", "/workflows/games/subjects/competition/" + competition + "/commands:preview", body)
        ->body;
  };
  const auto fixture = [](const std::string& id, const std::string& participant = {}) {
    return fmt::format(R"({{"id":"{}","sport":"football","home":{{"name":"A"{}}},"away":{{"name":"B"}}}})", id,
                       participant.empty() ? "" : R"(,"participant":")" + participant + '"');
  };
  REQUIRE(s.games("games.create_competition", R"({"name":"Cup"})").outcome == "accepted");
  const auto one = s.match_of("football", "{}", taken);
  REQUIRE(one.outcome == "accepted");
  const auto team = fmt::format(R"({{"id":"{}","name":"X","type":"team"}})", fresh_id());
  REQUIRE(s.games("games.add_participant", team).outcome == "accepted");
  const auto said = [](const std::string& body) { return at(body, "/would") + ' ' + at(body, "/reason/code"); };
  const auto fresh = fresh_id();
  for (int twice = 0; twice < 2; ++twice) {
    CHECK(said(preview(s.competition, "games.create_fixture", fixture(fresh))) == "accepted ");
    CHECK(said(preview(s.competition, "games.create_fixture", fixture(taken))) == "refused already_exists");
    CHECK(said(preview(s.competition, "games.create_fixture", fixture(fresh_id(), fresh_id()))) ==
          "refused unknown_participant");
    CHECK(said(preview(s.competition, "games.add_participant", team)) == "refused already_exists");
    CHECK(said(preview(taken, "games.create_competition", R"({"name":"Cup"})")) == "refused already_exists");
    CHECK(said(preview(fresh_id(), "games.create_competition", R"({"name":"Cup"})")) == "accepted ");
  }
  CHECK(s.one->get("/fixtures/" + fresh)->status == 404);
  CHECK(s.match_of("football", "{}", fresh).outcome == "accepted");
}

TEST_CASE("a match has its competition's settings where its own say nothing, and none that its sport does not know") {
  stage s;
  REQUIRE(s.games("games.create_competition", R"({"name":"Cup","settings":{"substitutions":1,"ends":8,"sponsor":"X"}})")
              .outcome == "accepted");
  const auto football = fresh_id(), own = fresh_id(), curling = fresh_id();
  REQUIRE(s.match_of("football", "{}", football).outcome == "accepted");
  REQUIRE(s.match_of("football", R"({"substitutions":5})", own).outcome == "accepted");
  REQUIRE(s.match_of("curling", "{}", curling).outcome == "accepted");
  auto settings = [&](const std::string& fixture) { return at(s.one->get("/fixtures/" + fixture)->body, "/settings"); };
  CHECK(settings(football) == R"({"substitutions":1})");
  CHECK(settings(own) == R"({"substitutions":5})");
  CHECK(settings(curling) == R"({"ends":8})");
}

TEST_CASE("one participant does not play itself, and a competition is not made where a match is") {
  stage s;
  REQUIRE(s.games("games.create_competition", R"({"name":"Cup"})").outcome == "accepted");
  const auto team = fresh_id(), match = fresh_id();
  REQUIRE(s.games("games.add_participant", fmt::format(R"({{"id":"{}","name":"T","type":"team"}})", team)).outcome ==
          "accepted");
  const auto itself = s.games(
      "games.create_fixture",
      fmt::format(
          R"({{"id":"{0}","sport":"football","home":{{"name":"A","participant":"{1}"}},"away":{{"name":"B","participant":"{1}"}}}})",
          fresh_id(), team));
  CHECK(itself.status == 422);
  CHECK(itself.reason == "same_participant");
  REQUIRE(s.match_of("football", "{}", match).outcome == "accepted");
  s.competition = match;
  const auto clash = s.games("games.create_competition", R"({"name":"Clash"})");
  CHECK(clash.status == 422);
  CHECK(clash.reason == "already_exists");
}
