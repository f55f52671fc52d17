// Football: periods, goals, cards and reviews, each refusal with its law. IFAB Laws of the Game.
#include "tests/unit/football_support.hpp"

using namespace omnium::football_tests;

TEST_CASE("football: the first half starts a match that nobody started, and the match's start alone runs no period") {
  game one;
  REQUIRE(one.period("start", "H1").accepted);
  CHECK(one.board("/status") == "live");
  CHECK(one.board("/period") == "H1");
  game two;
  REQUIRE(two.play("match.start").accepted);
  CHECK(two.board("/status") == "live");
  CHECK(two.board("/period") == "");
  CHECK(two.board("/minute") == "null");
  refused(two.goal("home"), "not_in_play", "Law 7");
  REQUIRE(two.period("start", "H1").accepted);
  CHECK(two.goal("home").accepted);
}

TEST_CASE("football: nothing is played before the start, in a break, after the end") {
  game g;
  refused(g.goal("home"), "not_in_play", "Law 8");
  refused(g.sub("home", "a", "b"), "not_in_play", "Law 8");
  refused(g.kick("home", "scored"), "not_in_play", "Law 8");
  refused(g.play("football.shot", R"({"side":"home"})"), "not_in_play", "Law 8");
  refused(g.period("end", "H1"), "not_in_play", "Law 8");
  refused(g.period("start", "H2"), "not_in_play", "Law 8");
  g.until("H1");
  REQUIRE(g.period("end", "H1").accepted);
  refused(g.goal("home"), "not_in_play", "Law 7");
  refused(g.play("football.penalty", R"({"side":"home","taker":"x","minute":50,"result":"missed"})"), "not_in_play",
          "Law 7");
  refused(g.play("football.added_time", R"({"minutes":3})"), "not_in_play", "Law 7");
  refused(g.play("football.corner", R"({"side":"home"})"), "not_in_play", "Law 7");
  CHECK(g.goal("home", umpire).accepted);
  REQUIRE(g.play("match.end", R"({"reason":"completed"})").accepted);
  refused(g.goal("home", umpire), "not_in_play", "Law 7");
  refused(g.card("home", "a", "red"), "not_in_play", "Law 7");
  refused(g.period("start", "H2"), "not_in_play", "Law 7");
}

TEST_CASE("football: while play is stopped nothing is played") {
  auto g = in_play();
  REQUIRE(g.play("match.suspend", R"({"reason":"floodlights"})").accepted);
  CHECK(g.goal("home").code == "play_stopped");
  CHECK(g.card("home", "a", "yellow").code == "play_stopped");
  CHECK(g.period("end", "H1").code == "play_stopped");
  CHECK(g.var(1, "check").code == "play_stopped");
  REQUIRE(g.play("match.resume").accepted);
  CHECK(g.goal("home").accepted);
}

TEST_CASE("football: periods come in the order of the Laws, one at a time") {
  auto g = in_play();
  refused(g.period("start", "H2"), "period_running", "Law 7");
  refused(g.period("end", "H2"), "period_not_running", "Law 7");
  REQUIRE(g.period("end", "H1").accepted);
  refused(g.period("end", "H1"), "period_not_running", "Law 7");
  refused(g.period("start", "H1"), "period_order", "Law 7");
  refused(g.period("start", "ET1"), "period_order", "Law 7");
  refused(g.period("start", "PSO"), "period_order", "Law 7");
  REQUIRE(g.period("start", "H2").accepted);
  REQUIRE(g.period("end", "H2").accepted);
  refused(g.period("start", "ET2"), "period_order", "Law 7");
  REQUIRE(g.period("start", "ET1").accepted);
  REQUIRE(g.period("end", "ET1").accepted);
  refused(g.period("start", "PSO"), "period_order", "Law 7");
  CHECK(g.play("football.period", R"({"action":"start","period":"PSO","umpire":"no light for the rest"})").accepted);
  refused(g.play("football.period", R"({"action":"start","period":"ET2","umpire":"x"})"), "period_running", "Law 7");
}

TEST_CASE("football: a goal counts for the side credited, an own goal's scorer belongs to the other") {
  auto g = with_lineups();
  REQUIRE(g.goal("home", R"(,"scorer":"h9","assist":"h10")").accepted);
  REQUIRE(g.goal("home", R"(,"scorer":"a5")", "own_goal", "\"45+2\"").accepted);
  REQUIRE(g.goal("away", R"(,"scorer":"a9")", "free_kick").accepted);
  CHECK(g.board("/score") == R"({"home":2,"away":1})");
  CHECK(g.board("/goals/1") == R"({"side":"home","minute":"45+2","scorer":"a5","kind":"own_goal"})");
  refused(g.goal("home", R"(,"scorer":"h5")", "own_goal"), "own_goal_side", "Law 10.1");
  refused(g.goal("home", R"(,"scorer":"a9")"), "own_goal_side", "Law 10.1");
  CHECK(g.goal("home", R"(,"scorer":"a9")" + umpire).accepted);
}

TEST_CASE("football: a goal that was wrongly an own goal is amended, and the score follows each edit") {
  auto g = with_lineups();
  const auto one = g.goal("home", R"(,"scorer":"h9")");
  REQUIRE(one.accepted);
  const auto edit = [&](const std::string& input) { return g.amend(one.seq, input).accepted; };
  REQUIRE(edit(R"({"side":"away","minute":10,"scorer":"h9","kind":"own_goal"})"));
  CHECK(g.board("/score") == R"({"home":0,"away":1})");
  REQUIRE(edit(R"({"side":"home","minute":10,"scorer":"h9","kind":"open_play"})"));
  CHECK(g.board("/score") == R"({"home":1,"away":0})");
  CHECK(!edit(R"({"side":"home","minute":10,"scorer":"h9","kind":"own_goal"})"));
  REQUIRE(g.void_event(one.seq).accepted);
  CHECK(g.board("/score") == R"({"home":0,"away":0})");
  CHECK(g.board("/goals") == "[]");
  CHECK(g.check() == "");
}

TEST_CASE("football: those who score, assist and take penalties are on the field and were not sent off") {
  auto g = with_lineups();
  refused(g.goal("home", R"(,"scorer":"h12")"), "player_not_on_field", "Law 3");
  refused(g.goal("home", R"(,"scorer":"nobody")"), "player_not_on_field", "Law 3");
  refused(g.goal("home", R"(,"scorer":"h9","assist":"h12")"), "player_not_on_field", "Law 3");
  refused(g.goal("home", R"(,"scorer":"a12")", "own_goal"), "player_not_on_field", "Law 3");
  refused(g.play("football.penalty", R"({"side":"home","taker":"h12","minute":30,"result":"saved"})"),
          "player_not_on_field", "Law 3");
  CHECK(g.goal("home", R"(,"scorer":"h9","assist":"h9")").code == "assist_by_scorer");
  REQUIRE(g.card("home", "h9", "red").accepted);
  refused(g.goal("home", R"(,"scorer":"h9")"), "player_sent_off", "Law 12");
  refused(g.goal("home", R"(,"scorer":"h8","assist":"h9")"), "player_sent_off", "Law 12");
  refused(g.play("football.penalty", R"({"side":"home","taker":"h9","minute":30,"result":"scored"})"),
          "player_sent_off", "Law 12");
  CHECK(g.goal("home", R"(,"scorer":"h9")" + umpire).accepted);
}

TEST_CASE("football: without a line-up nobody is said not to be on the field, but the sent-off stay off") {
  auto g = in_play();
  CHECK(g.goal("home", R"(,"scorer":"somebody")").accepted);
  CHECK(g.goal("home", R"(,"scorer":"somebody")", "own_goal").accepted);
  REQUIRE(g.card("home", "somebody", "red").accepted);
  refused(g.goal("home", R"(,"scorer":"somebody")"), "player_sent_off", "Law 12");
}

TEST_CASE("football: a penalty that is scored is a goal, a missed one is none") {
  auto g = in_play();
  REQUIRE(g.play("football.penalty", R"({"side":"away","taker":"x","minute":30,"result":"missed"})").accepted);
  REQUIRE(g.play("football.penalty", R"({"side":"away","taker":"x","minute":31,"result":"saved"})").accepted);
  CHECK(g.board("/score/away") == "0");
  REQUIRE(g.play("football.penalty", R"({"side":"away","taker":"x","minute":32,"result":"scored"})").accepted);
  CHECK(g.board("/goals") == R"([{"side":"away","minute":"32","scorer":"x","kind":"penalty"}])");
  CHECK(g.board("/score/away") == "1");
}

// --- cards (Law 12) ------------------------------------------------------------------------------------------------

TEST_CASE("football: two yellow cards send off, and the second is told as such") {
  auto g = with_lineups();
  refused(g.card("home", "h4", "second_yellow"), "second_yellow_needs_second_yellow", "Law 12");
  REQUIRE(g.card("home", "h4", "yellow").accepted);
  refused(g.card("home", "h4", "yellow"), "second_yellow_needs_second_yellow", "Law 12");
  REQUIRE(g.card("home", "h4", "second_yellow").accepted);
  CHECK(g.board("/cards") == R"({"home":{"yellow":2,"red":1},"away":{"yellow":0,"red":0}})");
  refused(g.card("home", "h4", "yellow"), "player_sent_off", "Law 12");
  refused(g.goal("home", R"(,"scorer":"h4")"), "player_sent_off", "Law 12");
  // A yellow for the other side's man of the same number is another matter.
  CHECK(g.card("away", "a4", "yellow").accepted);
}

TEST_CASE("football: voiding the first yellow undoes the sending-off that the second one caused") {
  auto g = with_lineups();
  const auto first = g.card("home", "h4", "yellow");
  const auto second = g.card("home", "h4", "second_yellow");
  REQUIRE(second.accepted);
  REQUIRE(g.void_event(first.seq).accepted);
  CHECK(g.board("/cards/home") == R"({"yellow":1,"red":0})");
  CHECK(g.goal("home", R"(,"scorer":"h4")").accepted);
  // What stands now is a first yellow: the next is a second one.
  refused(g.card("home", "h4", "yellow"), "second_yellow_needs_second_yellow", "Law 12");
  CHECK(g.card("home", "h4", "second_yellow").accepted);
  CHECK(g.board("/cards/home") == R"({"yellow":2,"red":1})");
  CHECK(g.check() == "");
}

TEST_CASE("football: a correction cannot bring in a second yellow without a first") {
  auto g = with_lineups();
  REQUIRE(g.goal("home").accepted);
  const auto yellow = g.card("home", "h4", "yellow");
  CHECK(!g.amend(yellow.seq, R"({"side":"home","player":"h4","minute":20,"card":"second_yellow"})").accepted);
  CHECK(!g.insert(yellow.seq, "football.card", R"({"side":"home","player":"h5","minute":19,"card":"second_yellow"})")
             .accepted);
}

TEST_CASE("football: cards are for players, substitutes and officials; before kick-off only a red one") {
  game early;
  REQUIRE(early.lineup("home").accepted);
  refused(early.card("home", "h3", "yellow"), "not_in_play", "Law 8");
  CHECK(early.card("home", "h3", "red").accepted);
  CHECK(early.card("away", "unknown", "red").accepted);
  auto g = with_lineups();
  CHECK(g.card("home", "h15", "yellow").accepted);
  refused(g.card("home", "stranger", "yellow"), "player_not_on_field", "Law 3");
  CHECK(g.card("home", "the coach", "yellow", R"(,"official":true)").accepted);
  REQUIRE(g.period("end", "H1").accepted);
  CHECK(g.card("away", "a2", "yellow").accepted);
  CHECK(g.board("/cards/home/yellow") == "2");
}

// --- line-ups (Law 3) -----------------------------------------------------------------------------------------------

TEST_CASE("football: a line-up names seven to eleven, nobody twice, and a goalkeeper who starts") {
  game g;
  const auto lineup = [&](const std::string& rest) {
    return g.play("football.lineup", R"({"side":"home",)" + rest + '}');
  };
  CHECK(lineup(R"("starting":["a","b","c","d","e","f"])").at == "/input/starting");
  CHECK(lineup(R"("starting":["a","b","c","d","e","f","g","h","i","j","k","l"])").at == "/input/starting");
  refused(lineup(R"("starting":["a","b","c","d","e","f","a"])"), "duplicate_player", "Law 3");
  refused(lineup(R"("starting":["a","b","c","d","e","f","g"],"bench":["g"])"), "duplicate_player", "Law 3");
  refused(lineup(R"("starting":["a","b","c","d","e","f","g"],"goalkeeper":"z")"), "goalkeeper_not_starting", "Law 3.1");
  CHECK(lineup(R"("starting":["a","b","c","d","e","f","g"],"goalkeeper":"a")").accepted);
  CHECK(lineup(R"("starting":["a","b","c","d","e","f","h"])").accepted);
  g.until("H1");
  refused(g.lineup("home"), "lineup_closed", "Law 3.3");
  refused(g.goal("home", R"(,"scorer":"g")"), "player_not_on_field", "Law 3");
  CHECK(g.goal("home", R"(,"scorer":"h")").accepted);
}

// --- video review ---------------------------------------------------------------------------------------------------

TEST_CASE("football: while a video check is open, what stands on its outcome waits") {
  auto g = with_lineups();
  const auto goal = g.goal("home", R"(,"scorer":"h9")");
  REQUIRE(g.var(goal.seq, "check").accepted);
  CHECK(g.board("/var/about") == std::to_string(goal.seq));
  refused(g.goal("away"), "var_open", "VAR protocol");
  refused(g.play("football.penalty", R"({"side":"home","taker":"h9","minute":30,"result":"saved"})"), "var_open",
          "VAR protocol");
  refused(g.period("end", "H1"), "var_open", "VAR protocol");
  refused(g.var(goal.seq, "check"), "var_open", "VAR protocol");
  refused(g.var(goal.seq - 1, "confirmed"), "var_not_reviewable", "VAR protocol");
  refused(g.play("match.end", R"({"reason":"completed"})"), "var_open", "VAR protocol");
  CHECK(g.card("away", "a3", "yellow").accepted);
  CHECK(g.sub("home", "h9", "h12").accepted);
  REQUIRE(g.var(goal.seq, "confirmed").accepted);
  CHECK(g.board("/var") == "");
  CHECK(g.board("/score/home") == "1");
  CHECK(g.goal("away").accepted);
}

TEST_CASE("football: an overturned review makes the event void, with or without a check before it") {
  auto g = with_lineups();
  const auto goal = g.goal("home", R"(,"scorer":"h9")");
  REQUIRE(g.var(goal.seq, "check").accepted);
  const auto decision = g.var(goal.seq, "overturned");
  REQUIRE(decision.accepted);
  CHECK(decision.voids == std::vector<std::int64_t>{goal.seq});
  CHECK(g.board("/score/home") == "0");
  CHECK(g.board("/goals") == "[]");
  const auto red = g.card("away", "a6", "red");
  REQUIRE(g.var(red.seq, "overturned").accepted);
  CHECK(g.board("/cards/away/red") == "0");
  CHECK(g.goal("away", R"(,"scorer":"a6")").accepted);
  // Voiding the decision brings the event back.
  REQUIRE(g.void_event(decision.seq).accepted);
  CHECK(g.board("/score/home") == "1");
  CHECK(g.check() == "");
}

TEST_CASE("football: a review is about something that happened in play") {
  auto g = in_play();
  const auto goal = g.goal("home");
  refused(g.var(goal.seq + 1, "check"), "var_unknown_event", "VAR protocol");
  refused(g.var(99, "overturned"), "var_unknown_event", "VAR protocol");
  refused(g.var(1, "overturned"), "var_not_reviewable", "VAR protocol");
  const auto other = g.goal("away");
  REQUIRE(g.var(goal.seq, "check").accepted);
  refused(g.var(other.seq, "overturned"), "var_open", "VAR protocol");
}

TEST_CASE("football: a review may be about an event that was put in before it later") {
  auto g = in_play();
  const auto goal = g.goal("home");
  const auto check = g.var(goal.seq, "check");
  REQUIRE(check.accepted);
  const std::string missed = R"({"side":"away","minute":12,"kind":"open_play"})";
  const auto inserted = g.insert(check.seq, "football.goal", missed);
  REQUIRE(inserted.accepted);
  const std::string about_it = R"({"about":)" + std::to_string(inserted.seq) + R"(,"decision":"check"})";
  REQUIRE(g.amend(check.seq, about_it).accepted);
  CHECK(g.board("/var/about") == std::to_string(inserted.seq));
  CHECK(g.check() == "");
  // What was put in after it had not happened then, whatever its seq is.
  REQUIRE(g.var(inserted.seq, "confirmed").accepted);
  const auto later = g.goal("home");
  REQUIRE(later.accepted);
  const auto no = g.amend(check.seq, R"({"about":)" + std::to_string(later.seq) + R"(,"decision":"check"})");
  CHECK(!no.accepted);
  CHECK(no.seq == check.seq);
  refused(g.var(check.seq, "check"), "var_not_reviewable", "VAR protocol");
}

TEST_CASE("football: a review of an event that is gone stands, and later corrections go through") {
  auto g = in_play();
  const auto goal = g.goal("home");
  REQUIRE(g.var(goal.seq, "check").accepted);
  REQUIRE(g.var(goal.seq, "overturned").accepted);
  const auto other = g.goal("away");
  REQUIRE(g.void_event(other.seq).accepted);
  CHECK(g.board("/score") == R"({"home":0,"away":0})");
  refused(g.var(goal.seq, "check"), "var_unknown_event", "VAR protocol");
  CHECK(g.check() == "");
}

TEST_CASE("football: what a review can be about is kept for a whole match, and no longer") {
  auto g = in_play();
  const auto first = g.goal("home");
  for (int i = 1; i < 256; ++i) REQUIRE(g.play("football.foul", R"({"side":"home"})").accepted);
  REQUIRE(g.var(first.seq, "confirmed").accepted);
  REQUIRE(g.play("football.foul", R"({"side":"home"})").accepted);
  refused(g.var(first.seq, "check"), "var_unknown_event", "VAR protocol");
  CHECK(g.check() == "");
}

// --- counted --------------------------------------------------------------------------------------------------------

TEST_CASE("football: shots, fouls, corners and offsides are counted and are no plays") {
  auto g = in_play();
  for (const char* code : {"football.foul", "football.corner", "football.offside"})
    REQUIRE(g.play(code, R"({"side":"away","minute":12})").accepted);
  REQUIRE(g.play("football.shot", R"({"side":"home","player":"x","on_target":true})").accepted);
  REQUIRE(g.play("football.shot", R"({"side":"home"})").accepted);
  CHECK(g.board("/statistics") == R"({"home":{"shots":2,"on_target":1,"fouls":0,"corners":0,"offsides":0},)"
                                  R"("away":{"shots":0,"on_target":0,"fouls":1,"corners":1,"offsides":1}})");
  const auto said = g.describe();
  for (const char* code : {"football.shot", "football.foul", "football.corner", "football.offside"}) {
    const auto at = said.find(code);
    REQUIRE(at != std::string::npos);
    CHECK(said.find(R"("play":false)", at) < said.find(R"("schema")", at));
  }
  const auto goal = said.find("football.goal");
  CHECK(said.find(R"("play":true)", goal) < said.find(R"("schema")", goal));
}
