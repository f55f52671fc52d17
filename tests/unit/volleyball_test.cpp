// The rules of volleyball and beach volleyball, rally by rally.
#include "tests/catch.hpp"
#include "tests/unit/random_match_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

namespace {

using omnium::sdk::test::match;

match live(const std::string& settings = {}) {
  match m(omnium::test::package_of("volleyball"), settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string won(char side) { return std::string{R"({"winner":")"} + (side == 'h' ? "home" : "away") + "\"}"; }
std::string of(const std::string& side) { return R"({"side":")" + side + "\"}"; }

std::int64_t rallies(match& m, const std::string& sides) { // h and a; the seq of the last one
  std::int64_t seq = 0;
  for (const char c : sides) {
    const auto answer = m.play("volleyball.rally", won(c));
    REQUIRE(answer.accepted);
    seq = answer.seq;
  }
  return seq;
}

std::string sub(const char* side, const char* off, const char* on) {
  return std::string{R"({"side":")"} + side + R"(","off":")" + off + R"(","on":")" + on + "\"}";
}

const std::string home_six = R"({"side":"home","players":["1","2","3","4","5","6"],"liberos":["20"]})";

} // namespace

TEST_CASE("volleyball: every rally is a point, a won reception brings the service and a rotation") {
  auto m = live();
  CHECK(m.board("/sets") == "[]");
  CHECK(m.board("/server") == "home");
  CHECK(m.board("/rotation/away/0") == "1");
  rallies(m, "hh");
  CHECK(m.board("/rotation/home/0") == "1");
  rallies(m, "a");
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/rotation/away/0") == "2");
  rallies(m, "h");
  CHECK(m.board("/rotation/home/0") == "2");
  CHECK(m.board("/sets/0/home") == "3");
  CHECK(m.board("/sets/0/away") == "1");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: 25 points and two clear, 15 in the fifth, the service of a set alternates") {
  auto m = live();
  rallies(m, std::string(24, 'h') + std::string(24, 'a') + "h");
  CHECK(m.board("/score/home") == "0");
  rallies(m, "h");
  CHECK(m.board("/score/home") == "1");
  CHECK(m.board("/sets/0/home") == "26");
  CHECK(m.board("/server") == "away");
  CHECK(m.board("/period") == "S2");
  rallies(m, std::string(25, 'a') + std::string(25, 'h') + std::string(25, 'a'));
  CHECK(m.board("/score/away") == "2");
  rallies(m, std::string(15, 'h'));
  CHECK(m.board("/result/winner") == "home");
  CHECK(m.board("/server") == "null");
  const auto late = m.play("volleyball.rally", won('h'));
  CHECK(late.code == "match_decided");
  CHECK(late.law == "6.3");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: beach is best of three to 21, 21, 15 with two players and one time-out") {
  auto m = live(R"({"discipline":"beach"})");
  CHECK(m.board("/rotation/home/1") == "2");
  REQUIRE(m.play("volleyball.timeout", of("home")).accepted);
  CHECK(m.play("volleyball.timeout", of("home")).code == "timeout_used");
  CHECK(m.play("volleyball.substitution", sub("home", "A", "B")).code == "no_substitutions");
  CHECK(m.play("volleyball.lineup", home_six).code == "lineup_size");
  rallies(m, std::string(21, 'h') + std::string(21, 'a') + std::string(14, 'h'));
  CHECK(m.board("/result") == "null");
  rallies(m, "h");
  CHECK(m.board("/result/winner") == "home");
}

TEST_CASE("volleyball: the line-up rotates with its players and comes back in the next set") {
  auto m = live();
  REQUIRE(m.play("volleyball.lineup", home_six).accepted);
  CHECK(m.play("volleyball.lineup", R"({"side":"home","players":["1","2","3","4","5","5"]})").code == "player_twice");
  rallies(m, "ah");
  CHECK(m.board("/rotation/home/0") == "2");
  CHECK(m.board("/rotation/home/5") == "1");
  const auto late = m.play("volleyball.lineup", home_six);
  CHECK(late.code == "lineup_after_start");
  CHECK(late.law == "7.3");
  rallies(m, std::string(24, 'h'));
  CHECK(m.board("/rotation/home/0") == "1");
}

TEST_CASE("volleyball: six substitutions a set, and a starter comes back only for the own substitute") {
  auto m = live();
  REQUIRE(m.play("volleyball.lineup", home_six).accepted);
  REQUIRE(m.play("volleyball.substitution", sub("home", "1", "11")).accepted);
  CHECK(m.board("/rotation/home/0") == "11");
  CHECK(m.play("volleyball.substitution", sub("home", "1", "12")).code == "player_not_on_court");
  CHECK(m.play("volleyball.substitution", sub("home", "2", "3")).code == "player_on_court");
  const auto other = m.play("volleyball.substitution", sub("home", "11", "12"));
  CHECK(other.code == "no_return");
  CHECK(other.law == "15.6");
  CHECK(m.play("volleyball.substitution", sub("home", "2", "1")).code == "no_return");
  REQUIRE(m.play("volleyball.substitution", sub("home", "11", "1")).accepted);
  CHECK(m.play("volleyball.substitution", sub("home", "1", "12")).code == "no_return");
  CHECK(m.play("volleyball.substitution", sub("home", "2", "11")).code == "no_return");
  for (const char* change : {"2 12", "3 13", "4 14", "5 15"})
    REQUIRE(m.play("volleyball.substitution", sub("home", std::string(1, change[0]).c_str(), change + 2)).accepted);
  CHECK(m.board("/substitutions_left/home") == "0");
  CHECK(m.play("volleyball.substitution", sub("home", "6", "16")).code == "subs_exhausted");
  CHECK(m.play("volleyball.substitution", R"({"side":"home","off":"6","on":"16","exceptional":true})").accepted);
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: sanctions give points, delays are warned once, an expelled player stays out of the set") {
  auto m = live();
  REQUIRE(m.play("volleyball.sanction", R"({"side":"home","kind":"delay_warning"})").accepted);
  const auto again = m.play("volleyball.sanction", R"({"side":"home","kind":"delay_warning"})");
  CHECK(again.code == "delay_warned");
  CHECK(again.law == "16.2");
  REQUIRE(m.play("volleyball.sanction", R"({"side":"home","kind":"delay_penalty"})").accepted);
  CHECK(m.board("/points/away") == "1");
  CHECK(m.board("/server") == "away");
  CHECK(m.play("volleyball.sanction", R"({"side":"away","kind":"expulsion"})").code == "player_missing");
  REQUIRE(m.play("volleyball.sanction", R"({"side":"away","kind":"expulsion","player":"9"})").accepted);
  CHECK(m.play("volleyball.substitution", sub("away", "1", "9")).code == "player_expelled");
  REQUIRE(m.play("volleyball.sanction", R"({"side":"away","kind":"disqualification","player":"8"})").accepted);
  rallies(m, std::string(25, 'h'));
  CHECK(m.play("volleyball.substitution", sub("away", "1", "9")).accepted);
  CHECK(m.play("volleyball.substitution", sub("away", "2", "8")).code == "player_disqualified");
}

TEST_CASE("volleyball: two time-outs a set") {
  auto m = live();
  REQUIRE(m.play("volleyball.timeout", of("away")).accepted);
  REQUIRE(m.play("volleyball.timeout", of("away")).accepted);
  const auto third = m.play("volleyball.timeout", of("away"));
  CHECK(third.code == "timeout_used");
  CHECK(third.law == "15.1");
  rallies(m, std::string(25, 'h'));
  CHECK(m.play("volleyball.timeout", of("away")).accepted);
}

TEST_CASE("volleyball: a rotation fault cancels the side's points from there on, the opponent's stay") {
  auto m = live();
  rallies(m, "hh");
  const auto from = rallies(m, "h");
  rallies(m, "hahh");
  CHECK(m.board("/points/home") == "6");
  const auto fault = m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(from) + '}');
  REQUIRE(fault.accepted);
  CHECK(m.board("/points/home") == "2");
  CHECK(m.board("/points/away") == "1");
  CHECK(m.check() == "");
  REQUIRE(m.undo().accepted); // the fault was called wrongly: the points are back
  CHECK(m.board("/points/home") == "6");
  REQUIRE(m.play("volleyball.rotation_fault", of("home")).accepted); // when it began is not known
  CHECK(m.board("/points/home") == "6");
  CHECK(m.board("/points/away") == "2");
  CHECK(m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":99})").code == "unknown_rally");
}

TEST_CASE("volleyball: a rotation fault that began with an event between two points counts from the next one") {
  auto m = live();
  rallies(m, "hh");
  const auto from = m.play("volleyball.timeout", of("away")).seq;
  rallies(m, "hha");
  REQUIRE(m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(from) + '}').accepted);
  CHECK(m.board("/points/home") == "2");
  CHECK(m.board("/points/away") == "1");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: a rotation fault reaches the set just won, never one before it") {
  auto m = live();
  const auto first = rallies(m, "h");
  const auto last = rallies(m, std::string(24, 'h'));
  CHECK(m.board("/score/home") == "1");
  REQUIRE(m.play("volleyball.rotation_fault", R"({"side":"home","point":true,"from_seq":)" + std::to_string(last) + '}')
              .accepted);
  CHECK(m.board("/score/home") == "0");
  CHECK(m.board("/points/home") == "24");
  CHECK(m.board("/points/away") == "1");
  CHECK(m.check() == "");
  rallies(m, "hh");
  CHECK(m.board("/score/home") == "1");
  rallies(m, "a");
  const auto closed =
      m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(first) + '}');
  CHECK(closed.code == "fault_in_closed_set");
  CHECK(closed.law == "7.7.2");
  // The match won by the last rally can still be taken back.
  auto n = live(R"({"sets_to_win":1,"points":3,"deciding_points":3})");
  const auto end = rallies(n, "hhh");
  CHECK(n.board("/result/winner") == "home");
  REQUIRE(n.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(end) + '}').accepted);
  CHECK(n.board("/result") == "null");
  CHECK(n.check() == "");
}

TEST_CASE("volleyball: a rotation fault reaches from its rally on in the order of play, whatever was put in later") {
  const auto fault = [](const char* side, std::int64_t from) {
    return std::string{R"({"side":")"} + side + R"(","from_seq":)" + std::to_string(from) + '}';
  };
  for (const bool inserted_first : {true, false}) {
    auto m = live();
    const auto first = rallies(m, "h");
    const auto last = rallies(m, "hhh");
    if (inserted_first) REQUIRE(m.insert(first, "volleyball.rally", won('h')).accepted);
    REQUIRE(m.play("volleyball.rotation_fault", fault("home", last)).accepted);
    if (!inserted_first) REQUIRE(m.insert(first, "volleyball.rally", won('h')).accepted);
    CHECK(m.board("/points/home") == "4"); // as when the five rallies are keyed one after the other
    CHECK(m.check() == "");
  }
  // The inserted rally itself is named like any other: what came after it in play is taken back.
  auto n = live();
  const auto before = rallies(n, "hh");
  rallies(n, "ha");
  const auto missed = n.insert(before, "volleyball.rally", won('h'));
  REQUIRE(missed.accepted);
  CHECK(n.board("/points/home") == "4");
  REQUIRE(n.play("volleyball.rotation_fault", fault("home", missed.seq)).accepted);
  CHECK(n.board("/points/home") == "1");
  CHECK(n.board("/points/away") == "1");
  CHECK(n.check() == "");
}

TEST_CASE("volleyball: a rally that was put into a finished set later belongs to that set") {
  auto m = live(R"({"points":3})");
  const auto first = rallies(m, "h");
  rallies(m, "hh");
  const auto missed = m.insert(first, "volleyball.rally", won('a'));
  REQUIRE(missed.accepted);
  CHECK(m.board("/sets/0/away") == "1");
  rallies(m, "aa");
  const auto no =
      m.play("volleyball.rotation_fault", R"({"side":"away","from_seq":)" + std::to_string(missed.seq) + '}');
  CHECK(no.code == "fault_in_closed_set");
  CHECK(m.board("/points/away") == "2");
}

TEST_CASE("volleyball: a rally whose point was taken back is still one of its set") {
  auto m = live();
  const auto first = rallies(m, "h");
  const std::string fault = R"({"side":"home","from_seq":)" + std::to_string(first) + '}';
  REQUIRE(m.play("volleyball.rotation_fault", fault).accepted);
  CHECK(m.board("/points/home") == "0");
  rallies(m, "h");
  REQUIRE(m.play("volleyball.rotation_fault", fault).accepted);
  CHECK(m.board("/points/home") == "0");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: with the points that stand after a rotation fault the opponent may have won the set") {
  auto m = live(R"({"points":3})");
  rallies(m, "haha");
  const auto from = rallies(m, "h");
  rallies(m, "aha"); // 4-4
  REQUIRE(m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(from) + '}').accepted);
  CHECK(m.board("/sets/0/home") == "2");
  CHECK(m.board("/sets/0/away") == "4");
  CHECK(m.board("/score/away") == "1");
  // A set that the opponent won stays won, with fewer points of the side at fault.
  rallies(m, "h");
  const auto second = rallies(m, "h");
  rallies(m, "aaaa");
  CHECK(m.board("/score/away") == "2");
  REQUIRE(m.play("volleyball.rotation_fault", R"({"side":"home","from_seq":)" + std::to_string(second) + '}').accepted);
  CHECK(m.board("/sets/1/home") == "1");
  CHECK(m.board("/sets/1/away") == "4");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: a set can be entered by its score, finished or as it stands") {
  auto m = live(R"({"discipline":"beach"})");
  CHECK(m.play("volleyball.set_score", R"({"home":23,"away":20})").code == "set_score_impossible");
  CHECK(m.play("volleyball.set_score", R"({"home":21})").code == "points_missing");
  CHECK(m.play("volleyball.set_score", R"({"home":21,"away":19,"winner":"away"})").code == "set_score_impossible");
  REQUIRE(m.play("volleyball.set_score", R"({"home":37,"away":35})").accepted);
  REQUIRE(m.play("volleyball.set_score", R"({"winner":"away"})").accepted);
  CHECK(m.board("/sets/1/home") == "null");
  REQUIRE(m.play("volleyball.set_score", R"({"home":9,"away":6})").accepted);
  CHECK(m.play("volleyball.set_score", R"({"home":15,"away":6})").code == "set_in_progress");
  REQUIRE(m.play("volleyball.retire", of("away")).accepted);
  CHECK(m.board("/result/by") == "retirement");
  CHECK(m.board("/sets/2/home") == "9");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: a forfeit gives the opponent the sets it needs") {
  auto m = live();
  rallies(m, std::string(25, 'h') + "hha");
  REQUIRE(m.play("volleyball.forfeit", R"({"side":"home","kind":"incomplete","reason":"five players"})").accepted);
  CHECK(m.board("/score/home") == "1");
  CHECK(m.board("/score/away") == "3");
  CHECK(m.board("/sets/1/home") == "2");
  CHECK(m.board("/sets/1/away") == "25");
  CHECK(m.board("/sets/3/away") == "25");
  CHECK(m.board("/result/by") == "forfeit");
  match d(omnium::test::package_of("volleyball"));
  REQUIRE(d.play("volleyball.forfeit", of("away")).accepted);
  CHECK(d.board("/score/home") == "3");
  CHECK(d.board("/sets/2/away") == "0");
  CHECK(d.board("/status") == "ended"); // nobody could complete what did not begin
  CHECK(d.board("/line") == "3–0 forfeit, home won");
  CHECK(d.board("/result/by") == "forfeit");
  CHECK(d.check() == "");
  auto s = live();
  REQUIRE(s.play("volleyball.forfeit", R"({"side":"home","scope":"set","kind":"incomplete"})").accepted);
  CHECK(s.board("/score/away") == "1");
  CHECK(s.board("/result") == "null");
}

TEST_CASE("volleyball: a baseline sets the sets and the service") {
  auto m = live();
  CHECK(m.play("match.baseline", R"({"sets":[{"home":10,"away":9},{"home":1,"away":0}]})").code ==
        "baseline_impossible");
  CHECK(m.play("match.baseline", R"({"sets":[{"home":28,"away":25}]})").code == "baseline_impossible");
  REQUIRE(m.play("match.baseline",
                 R"({"sets":[{"home":25,"away":20},{"home":24,"away":24}],"server":"away","period":"S2"})")
              .accepted);
  rallies(m, "aa");
  CHECK(m.board("/sets/1/away") == "26");
  CHECK(m.board("/score/away") == "1");
  REQUIRE(m.play("match.baseline", R"({"score":{"home":2,"away":2}})").accepted);
  rallies(m, std::string(15, 'a'));
  CHECK(m.board("/result/winner") == "away");
  CHECK(m.check() == "");
}

TEST_CASE("volleyball: random play with corrections folds alike however it is folded") {
  for (const std::string& settings : {std::string{}, std::string{R"({"discipline":"beach"})"}})
    omnium::test::check_folds_alike("volleyball", [&] { return live(settings); }, {.rolls = 3200});
}
