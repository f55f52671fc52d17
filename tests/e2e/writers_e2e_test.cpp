// Two servers, one match (L12): the row lock, not the actor, is what makes it correct.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <barrier>
#include <fmt/format.h>
#include <thread>

using namespace omnium::e2e;

namespace {

// Rounds in which both servers send one goal to one match at the same moment. A round is wrong when the log does not
// hold exactly the two goals once each, in the two numbers that were free, or an answer says otherwise than the log.
struct round_counts {
  int wrong = 0, unanswered = 0;
};

round_counts play_rounds(const database& db, const std::string& url_one, const std::string& url_two,
                         const std::string& fixture, int rounds) {
  round_counts out;
  std::vector<answered> first(static_cast<std::size_t>(rounds)), second(first.size());
  std::barrier gate(2);
  auto play = [&](const std::string& url, const char* side, std::vector<answered>& answers) {
    desk d(url);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      gate.arrive_and_wait();
      auto key = fmt::format("{}-{}", side, i);
      auto input = fmt::format(R"({{"kind":"open_play","minute":10,"side":"{}"}})", side);
      for (int tries = 0; tries < 20 && (answers[i].outcome.empty() || answers[i].outcome == "try_again"); ++tries)
        answers[i] = d.match(fixture, key, "football.goal", input);
    }
  };
  std::thread one(play, std::cref(url_one), "home", std::ref(first));
  std::thread two(play, std::cref(url_two), "away", std::ref(second));
  one.join();
  two.join();
  auto connection = db.connect();
  pqxx::nontransaction tx(connection);
  for (std::size_t i = 0; i < first.size(); ++i) {
    bool answered_well = first[i].outcome == "accepted" && second[i].outcome == "accepted";
    if (!answered_well) ++out.unanswered;
    auto seqs = tx.exec(fmt::format("SELECT count(*), count(DISTINCT seq), max(CASE WHEN key = 'home-{0}' THEN seq "
                                    "END), max(CASE WHEN key = 'away-{0}' THEN seq END) "
                                    "FROM timeline_item WHERE stream_id = '{1}' AND key IN ('home-{0}', 'away-{0}')",
                                    i, fixture));
    bool good = answered_well && seqs[0][0].as<int>() == 2 && seqs[0][1].as<int>() == 2 &&
                seqs[0][2].as<std::int64_t>(0) == first[i].seq && seqs[0][3].as<std::int64_t>(0) == second[i].seq;
    if (!good) ++out.wrong;
  }
  return out;
}

std::int64_t holes(const database& db, const std::string& fixture) {
  return db.count(fmt::format("SELECT coalesce(max(seq), 0) - count(*) + count(*) - count(DISTINCT seq) FROM "
                              "timeline_item WHERE stream_id = '{}'",
                              fixture));
}

} // namespace

TEST_CASE("two servers on one match: a thousand rounds, none wrong") {
  database db;
  server_process one({.database_url = db.url()}), two({.database_url = db.url()});
  one.start();
  two.start();
  auto fixture = desk(one.url()).new_match();
  auto counts = play_rounds(db, one.url(), two.url(), fixture, 1000);
  REQUIRE(counts.wrong == 0);
  REQUIRE(counts.unanswered == 0);
  REQUIRE(holes(db, fixture) == 0);
  desk d(two.url());
  auto shown = d.get("/fixtures/" + fixture);
  REQUIRE(at(shown->body, "/scoreboard/score/home") == "1000");
  REQUIRE(at(shown->body, "/scoreboard/score/away") == "1000");
  // A node's folded state stands at the seq it says; the next command brings it up to what the other node wrote.
  REQUIRE(d.match(fixture, "last", "match.note", R"({"text":"full time"})").outcome == "accepted");
  REQUIRE(at(d.get("/fixtures/" + fixture + "/state")->body, "/state/score/home") == "1000");
}

TEST_CASE("with the lock taken out, wrong rounds appear") {
  database db;
  server_process one({.database_url = db.url()}), two({.database_url = db.url()});
  one.start();
  two.start();
  auto fixture = desk(one.url()).new_match();
  // The log's primary key is a second fence behind the lock; without the lock it turns a wrong round into a failed
  // call, so it goes as well. A pause between the look and the writes is what a busy server would add by itself.
  db.edit_commit("FOR NO KEY UPDATE SKIP LOCKED", "");
  db.edit_commit("FOR NO KEY UPDATE", "");
  db.edit_commit("IF v_ok IS NOT NULL THEN", "PERFORM pg_sleep(0.002); IF v_ok IS NOT NULL THEN");
  db.run("ALTER TABLE timeline_item DROP CONSTRAINT timeline_item_pkey");
  auto counts = play_rounds(db, one.url(), two.url(), fixture, 60);
  REQUIRE(counts.wrong + holes(db, fixture) > 0);
}

TEST_CASE("what a node shows of a match is never behind what another node wrote") {
  database db;
  server_process one({.database_url = db.url()}), two({.database_url = db.url()});
  one.start();
  two.start();
  desk here(one.url()), there(two.url());
  auto fixture = here.new_match();
  for (int i = 0; i < 30; ++i) {
    auto& writer = i % 3 == 0 ? there : here; // also a node that has the match awake
    auto goal = writer.match(fixture, fmt::format("g{}", i), "football.goal",
                             R"({"kind":"open_play","minute":10,"side":"home"})");
    REQUIRE(goal.outcome == "accepted");
    if (i % 7 == 6)
      REQUIRE(
          here.match(fixture, fmt::format("v{}", i), "match.void", fmt::format(R"({{"seq":{}}})", goal.seq)).outcome ==
          "accepted");
    auto first = here.get("/fixtures/" + fixture + "/state"), second = there.get("/fixtures/" + fixture + "/state");
    REQUIRE(first);
    REQUIRE(second);
    INFO("after " << i);
    CHECK(std::stoll(at(second->body, "/seq")) >= goal.seq);
    CHECK(first->body == second->body);
    auto page = there.get("/fixtures/" + fixture);
    REQUIRE(page);
    CHECK(at(page->body, "/version") == at(second->body, "/seq"));
  }
}
