// Football: penalties (penalty shoot-out), Law 10.3, and the totals that a source gives instead of kicks.
#include "sports/corpus/football.hpp"
#include "tests/unit/football_support.hpp"

using namespace omnium::football_tests;

namespace {

// "hs am": home scored, away missed.
void kicks(game& g, const std::string& all) {
  for (std::size_t i = 0; i + 1 < all.size(); i += 3) {
    const auto one = g.kick(all[i] == 'h' ? "home" : "away", all[i + 1] == 's' ? "scored" : "missed");
    INFO(all.substr(0, i + 2) << ": " << one.message);
    REQUIRE(one.accepted);
  }
}

} // namespace

TEST_CASE("football: a shoot-out begins only with level scores, after the second half or extra time") {
  auto g = in_play();
  REQUIRE(g.goal("home").accepted);
  REQUIRE(g.period("end", "H1").accepted);
  REQUIRE(g.period("start", "H2").accepted);
  REQUIRE(g.period("end", "H2").accepted);
  refused(g.period("start", "PSO"), "shootout_not_level", "Law 10.3");
  CHECK(g.play("football.period", R"({"action":"start","period":"PSO","umpire":"agreed before the match"})").accepted);
  // With a first leg the tie's score counts.
  game tie(R"({"first_leg":{"home":0,"away":1}})");
  tie.until("H1");
  REQUIRE(tie.goal("home").accepted);
  REQUIRE(tie.period("end", "H1").accepted);
  REQUIRE(tie.period("start", "H2").accepted);
  REQUIRE(tie.period("end", "H2").accepted);
  REQUIRE(tie.period("start", "PSO").accepted);
  CHECK(tie.board("/aggregate") == R"({"home":1,"away":1})");
}

TEST_CASE("football: kicks are taken alternately, whoever begins, and are never added to the score") {
  game g;
  g.until("PSO");
  REQUIRE(g.kick("away", "scored").accepted);
  refused(g.kick("away", "scored"), "kick_order", "Law 10.3");
  REQUIRE(g.kick("home", "saved").accepted);
  refused(g.kick("home", "scored"), "kick_order", "Law 10.3");
  CHECK(g.board("/score") == R"({"home":0,"away":0})");
  CHECK(g.board("/shootout") == R"({"home":0,"away":1})");
  CHECK(g.board("/shootout_kicks") == R"({"home":"x","away":"o"})");
  refused(g.goal("home"), "not_in_play", "Law 10.3");
  CHECK(g.kick("home", "scored", "x").code == "kick_order");
  CHECK(g.play("football.shootout_kick", R"({"side":"home","result":"scored","umpire":"retaken"})").accepted);
}

TEST_CASE("football: kicks before the shoot-out are none") {
  auto g = in_play();
  refused(g.kick("home", "scored"), "not_in_play", "Law 10.3");
}

TEST_CASE("football: the shoot-out ends as soon as it is decided, and no kick is left to take") {
  game g;
  g.until("PSO");
  kicks(g, "hs am hs am hs");
  CHECK(g.period("end", "PSO").code == "shootout_undecided");
  refused(g.play("match.end", R"({"reason":"completed"})"), "shootout_undecided", "Law 10.3");
  kicks(g, "am");
  refused(g.kick("home", "scored"), "shootout_decided", "Law 10.3");
  REQUIRE(g.period("end", "PSO").accepted);
  REQUIRE(g.play("match.end", R"({"reason":"completed"})").accepted);
  CHECK(g.board("/result") == R"({"winner":"home","by":"shootout"})");
  CHECK(g.board("/score") == R"({"home":0,"away":0})");
}

TEST_CASE("football: after five each it goes on in pairs until one scores and the other does not") {
  game g;
  g.until("PSO");
  kicks(g, "hs as hs as hs as hs as hs as");
  kicks(g, "hm am hs");
  CHECK(g.period("end", "PSO").code == "shootout_undecided");
  kicks(g, "as hm");
  CHECK(g.period("end", "PSO").code == "shootout_undecided");
  kicks(g, "as");
  refused(g.kick("home", "scored"), "shootout_decided", "Law 10.3");
  CHECK(g.board("/shootout") == R"({"home":6,"away":7})");
  CHECK(g.check() == "");
}

TEST_CASE("football: a lead that five kicks could still reach decides nothing") {
  game g;
  g.until("PSO");
  kicks(g, "hs am hs am hm as hm as hm");
  CHECK(g.period("end", "PSO").code == "shootout_undecided");
  kicks(g, "as");
  CHECK(g.kick("home", "scored").code == "shootout_decided");
  CHECK(g.board("/shootout") == R"({"home":2,"away":3})");
}

TEST_CASE("football: nobody kicks twice before all of his side have, and only those on the field kick") {
  game g;
  REQUIRE(g.lineup("home").accepted);
  REQUIRE(g.lineup("away").accepted);
  g.until("H1");
  REQUIRE(g.card("home", "h11", "red").accepted);
  REQUIRE(g.period("end", "H1").accepted);
  for (const char* next : {"H2", "ET1", "ET2"}) {
    REQUIRE(g.period("start", next).accepted);
    REQUIRE(g.period("end", next).accepted);
  }
  REQUIRE(g.period("start", "PSO").accepted);
  refused(g.kick("home", "scored", "h12"), "player_not_on_field", "Law 3");
  refused(g.kick("home", "scored", "h11"), "player_sent_off", "Law 12");
  for (int i = 1; i <= 10; ++i) {
    REQUIRE(g.kick("home", "scored", "h" + std::to_string(i)).accepted);
    if (i < 10) {
      REQUIRE(g.kick("away", "scored", "a" + std::to_string(i)).accepted);
      refused(g.kick("home", "scored", "h1"), "kick_order", "Law 10.3");
    }
  }
  REQUIRE(g.kick("away", "scored", "a10").accepted);
  // Home's ten have all kicked: any of them may again. Away has reduced to ten, who have kicked too.
  REQUIRE(g.kick("home", "scored", "h1").accepted);
  REQUIRE(g.kick("away", "scored", "a1").accepted);
  REQUIRE(g.kick("home", "scored", "h2").accepted);
  refused(g.kick("away", "scored", "a1"), "kick_order", "Law 10.3");
  CHECK(g.kick("away", "scored", "a2").accepted);
}

TEST_CASE("football: a side that loses a player during the kicks brings the other down to its number") {
  game g;
  REQUIRE(g.lineup("home").accepted);
  REQUIRE(g.lineup("away").accepted);
  g.until("PSO");
  const auto pair = [&](const std::string& number) {
    REQUIRE(g.kick("home", "scored", "h" + number).accepted);
    REQUIRE(g.kick("away", "scored", "a" + number).accepted);
  };
  for (int i = 1; i <= 3; ++i) pair(std::to_string(i));
  REQUIRE(g.card("home", "h2", "red").accepted);
  for (int i = 4; i <= 10; ++i) pair(std::to_string(i));
  // Nine of home's ten have kicked; of away ten have, as many as kick now.
  refused(g.kick("home", "scored", "h1"), "kick_order", "Law 10.3");
  REQUIRE(g.kick("home", "scored", "h11").accepted);
  REQUIRE(g.kick("away", "scored", "a1").accepted);
  REQUIRE(g.kick("home", "scored", "h1").accepted);
  CHECK(g.check() == "");
}

TEST_CASE("football: no caution is carried into the shoot-out, and there two of them send off") {
  game g;
  REQUIRE(g.lineup("home").accepted);
  REQUIRE(g.lineup("away").accepted);
  g.until("ET2");
  REQUIRE(g.card("home", "h4", "yellow").accepted);
  REQUIRE(g.period("end", "ET2").accepted);
  refused(g.card("home", "h4", "yellow"), "second_yellow_needs_second_yellow", "Law 12"); // the kicks have not begun
  REQUIRE(g.period("start", "PSO").accepted);
  refused(g.card("home", "h4", "second_yellow"), "second_yellow_needs_second_yellow", "Law 12");
  const auto first = g.card("home", "h4", "yellow");
  REQUIRE(first.accepted);
  CHECK(g.board("/cards/home") == R"({"yellow":2,"red":0})");
  REQUIRE(g.kick("home", "scored", "h4").accepted);
  refused(g.card("home", "h4", "yellow"), "second_yellow_needs_second_yellow", "Law 12");
  REQUIRE(g.card("home", "h4", "second_yellow").accepted);
  CHECK(g.board("/cards/home") == R"({"yellow":3,"red":1})");
  // The caution of play does not make up for the voided one of the kicks.
  REQUIRE(g.void_event(first.seq).accepted);
  CHECK(g.board("/cards/home") == R"({"yellow":2,"red":0})");
  CHECK(g.check() == "");
}

TEST_CASE("football: in the shoot-out only the goalkeeper is replaced") {
  game g;
  REQUIRE(g.lineup("home").accepted);
  g.until("PSO");
  refused(g.sub("home", "h5", "h12", "120"), "keeper_only", "Law 10.3");
  REQUIRE(g.sub("home", "h1", "h12", "120").accepted);
  CHECK(g.kick("home", "scored", "h12").accepted);
}

TEST_CASE("football: a voided miss in the middle of a shoot-out is refused where kicks after it would be out of turn") {
  game g;
  g.until("PSO");
  REQUIRE(g.kick("home", "missed").accepted);
  const auto second = g.kick("away", "scored");
  REQUIRE(g.kick("home", "scored").accepted);
  CHECK(g.void_event(second.seq).code == "breaks_later");
  REQUIRE(g.undo().accepted);
  REQUIRE(g.undo().accepted);
  CHECK(g.board("/shootout") == R"({"home":0,"away":0})");
}

TEST_CASE("totals of a shoot-out become kicks that the Laws allow") {
  using namespace omnium::corpus;
  const auto plays_out = [](score_pair totals) {
    const auto all = reconstruct_shootout(totals);
    REQUIRE(!all.empty());
    game g;
    g.until("PSO");
    for (const auto& one : all)
      REQUIRE(g.kick(std::string{to_string(one.which)}, one.scored ? "scored" : "missed").accepted);
    CHECK(g.board("/shootout") ==
          R"({"home":)" + std::to_string(totals.home) + R"(,"away":)" + std::to_string(totals.away) + '}');
    CHECK(g.period("end", "PSO").accepted);
  };
  for (int most = 1; most <= 5; ++most)
    for (int least = 0; least < most; ++least) {
      if (most - least > 3 || (most == 5 && least == 2)) continue; // decided before it came to this
      plays_out({most, least});
      plays_out({least, most});
    }
  plays_out({6, 5});
  plays_out({10, 11});
  plays_out({23, 22});
  for (const score_pair bad :
       {score_pair{3, 3}, score_pair{4, 0}, score_pair{2, 5}, score_pair{9, 2}, score_pair{-1, 2}, score_pair{41, 40}})
    CHECK(reconstruct_shootout(bad).empty());
}
