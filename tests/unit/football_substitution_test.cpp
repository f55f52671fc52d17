// Football: substitutions (Law 3.2, 3.3), whose numbers the competition sets.
#include "tests/unit/football_support.hpp"

using namespace omnium::football_tests;

namespace {

std::string name(char side, int number) { return std::string(1, side) + std::to_string(number); }

} // namespace

TEST_CASE("football: five substitutes in three opportunities, and half-time is none") {
  auto g = with_lineups();
  REQUIRE(g.sub("home", "h2", "h12", "20").accepted);
  REQUIRE(g.sub("home", "h3", "h13", "30").accepted);
  REQUIRE(g.sub("home", "h4", "h14", "40").accepted);
  refused(g.sub("home", "h5", "h15", "44"), "sub_window_used", "Law 3.2");
  // The other side has its own opportunities.
  CHECK(g.sub("away", "a2", "a12", "44").accepted);
  REQUIRE(g.period("end", "H1").accepted);
  REQUIRE(g.sub("home", "h5", "h15", "46").accepted);
  REQUIRE(g.sub("home", "h6", "h16", "46").accepted);
  refused(g.sub("home", "h7", "h17", "46"), "subs_exhausted", "Law 3.2");
  CHECK(g.sub("home", "h7", "h17", "46", umpire).accepted);
}

TEST_CASE("football: substitutes of one stoppage share its opportunity") {
  auto g = with_lineups();
  REQUIRE(g.sub("home", "h2", "h12", "20").accepted);
  REQUIRE(g.sub("home", "h3", "h13", "20").accepted);
  REQUIRE(g.sub("home", "h4", "h14", "21").accepted);
  CHECK(g.in_state("/squads/home/windows") == "1");
  REQUIRE(g.sub("home", "h5", "h15", "30").accepted);
  REQUIRE(g.sub("home", "h6", "h16", "\"45+2\"").accepted);
  CHECK(g.in_state("/squads/home/windows") == "3");
}

TEST_CASE("football: extra time brings one more substitute and one more opportunity") {
  auto g = with_lineups();
  for (int i = 0; i < 3; ++i)
    REQUIRE(g.sub("home", name('h', 2 + i), name('h', 12 + i), std::to_string(20 + 5 * i)).accepted);
  REQUIRE(g.period("end", "H1").accepted);
  REQUIRE(g.period("start", "H2").accepted);
  refused(g.sub("home", "h5", "h15", "70"), "sub_window_used", "Law 3.2");
  REQUIRE(g.period("end", "H2").accepted);
  REQUIRE(g.sub("home", "h5", "h15", "91").accepted);
  REQUIRE(g.sub("home", "h6", "h16", "91").accepted);
  REQUIRE(g.period("start", "ET1").accepted);
  REQUIRE(g.sub("home", "h7", "h17", "95").accepted);
  refused(g.sub("home", "h8", "h2", "95"), "no_return", "Law 3.3");
  refused(g.sub("home", "h8", "h18", "95"), "not_on_bench", "Law 3.2");
  refused(g.sub("home", "h8", "h18", "95", R"(,"concussion":true)"), "not_on_bench", "Law 3.2");
}

TEST_CASE("football: numbers of substitutes are the competition's") {
  auto g = in_play(R"({"substitutions":1,"substitution_windows":0,"extra_time_substitutions":0})");
  REQUIRE(g.sub("home", "a", "b", "20").accepted);
  refused(g.sub("home", "c", "d", "30"), "subs_exhausted", "Law 3.2");
  auto any = in_play(R"({"substitutions":9,"substitution_windows":0})");
  for (int i = 0; i < 9; ++i) CHECK(any.sub("home", name('x', i), name('y', i), std::to_string(4 * i + 1)).accepted);
}

TEST_CASE("football: a concussion substitute counts apart, and the other side gets one more") {
  auto g = with_lineups(R"({"substitutions":1,"substitution_windows":1})");
  REQUIRE(g.sub("home", "h2", "h12", "20").accepted);
  REQUIRE(g.sub("home", "h3", "h13", "30", R"(,"concussion":true)").accepted);
  refused(g.sub("home", "h4", "h14", "31", R"(,"concussion":true)"), "subs_exhausted", "Law 3.2");
  refused(g.sub("home", "h4", "h14", "31"), "subs_exhausted", "Law 3.2");
  REQUIRE(g.sub("away", "a2", "a12", "20").accepted);
  REQUIRE(g.sub("away", "a3", "a13", "35").accepted);
  refused(g.sub("away", "a4", "a14", "40"), "subs_exhausted", "Law 3.2");
}

TEST_CASE("football: who was taken off takes no further part, where the competition allows no return") {
  auto g = with_lineups();
  REQUIRE(g.sub("home", "h2", "h12", "20").accepted);
  refused(g.sub("home", "h3", "h2", "20"), "no_return", "Law 3.3");
  refused(g.sub("home", "h2", "h13", "20"), "player_not_on_field", "Law 3.3");
  refused(g.goal("home", R"(,"scorer":"h2")"), "player_not_on_field", "Law 3");
  CHECK(g.goal("home", R"(,"scorer":"h12")").accepted);
  refused(g.sub("home", "h15", "h16", "20"), "player_not_on_field", "Law 3");
  refused(g.sub("home", "h3", "h12", "20"), "already_on_field", "Law 3");
  refused(g.sub("home", "h3", "h3", "20"), "already_on_field", "Law 3");
  auto park = with_lineups(R"({"return_substitutions":true,"substitutions":10,"substitution_windows":0})");
  REQUIRE(park.sub("home", "h2", "h12", "20").accepted);
  CHECK(park.sub("home", "h3", "h2", "30").accepted);
}

TEST_CASE("football: without a line-up the return of one who was taken off is still no substitution") {
  auto g = in_play();
  REQUIRE(g.sub("home", "a", "b", "20").accepted);
  refused(g.sub("home", "c", "a", "20"), "no_return", "Law 3.3");
  refused(g.sub("home", "a", "d", "20"), "no_return", "Law 3.3");
}

TEST_CASE("football: the sent-off are neither taken off nor brought on") {
  auto g = with_lineups();
  REQUIRE(g.card("home", "h5", "red").accepted);
  REQUIRE(g.card("home", "h13", "red").accepted);
  refused(g.sub("home", "h5", "h12", "20"), "player_sent_off", "Law 12");
  refused(g.sub("home", "h6", "h13", "20"), "player_sent_off", "Law 12");
}

TEST_CASE("football: before kick-off a change of players is a new line-up") {
  game g;
  REQUIRE(g.play("match.start").accepted);
  refused(g.sub("home", "a", "b", "1"), "not_in_play", "Law 3.3");
}

TEST_CASE("football: undoing a substitution gives it back") {
  auto g = with_lineups(R"({"substitutions":1})");
  REQUIRE(g.sub("home", "h2", "h12", "20").accepted);
  refused(g.sub("home", "h3", "h13", "20"), "subs_exhausted", "Law 3.2");
  REQUIRE(g.undo().accepted);
  CHECK(g.sub("home", "h2", "h13", "20").accepted);
}
