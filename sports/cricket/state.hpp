#pragma once
// The folded state of a match: the innings in play with every card, and what is left of the innings before it.
//
// Only what a ball touches is read with every ball: the two batters in, the bowler, the over. Cards of batters who are
// out and of the other bowlers, and the closed innings, are frozen parts of the state (omnium/sport/frozen.hpp): a ball
// late in a Test match costs what the first one did. What a ball needs of them, totals and counts, stands apart.
#include "sports/cricket/inputs.hpp"

namespace omnium::cricket {

struct batting_card {
  std::string batter;      // the first member: a card is found in its text by it
  std::int64_t number = 0; // place in the batting order, from 1
  std::int64_t runs = 0, balls = 0, fours = 0, sixes = 0;
  std::optional<dismissal> out; // also retired hurt and retired not out; absent: not out
  std::optional<std::string> bowler, fielder;
  bool may_resume = false; // retired, and since then a wicket fell or another batter retired (Law 25.4.4)
  bool gone() const { return out && is_wicket(*out); }
  bool retired() const { return out && !is_wicket(*out); }
  static constexpr auto fields = sdk::fields(
      sdk::field("batter", &batting_card::batter), sdk::field("number", &batting_card::number),
      sdk::field("runs", &batting_card::runs), sdk::field("balls", &batting_card::balls),
      sdk::field("fours", &batting_card::fours), sdk::field("sixes", &batting_card::sixes),
      sdk::field("out", &batting_card::out), sdk::field("bowler", &batting_card::bowler),
      sdk::field("fielder", &batting_card::fielder), sdk::field("may_resume", &batting_card::may_resume, sdk::sparse));
};

struct bowling_card {
  std::string bowler;      // the first member
  std::int64_t number = 0; // in the order in which they came on
  std::int64_t balls = 0, maidens = 0, runs = 0, wickets = 0, wides = 0, noballs = 0;
  static constexpr auto fields =
      sdk::fields(sdk::field("bowler", &bowling_card::bowler), sdk::field("number", &bowling_card::number),
                  sdk::field("balls", &bowling_card::balls), sdk::field("maidens", &bowling_card::maidens),
                  sdk::field("runs", &bowling_card::runs), sdk::field("wickets", &bowling_card::wickets),
                  sdk::field("wides", &bowling_card::wides, sdk::sparse),
                  sdk::field("noballs", &bowling_card::noballs, sdk::sparse));
};

// The over in progress, or the last one until the next begins.
struct over_state {
  std::int64_t balls = 0;           // that count in the over
  std::int64_t deliveries = 0;      // with wides and no-balls
  std::int64_t conceded = 0;        // charged to its bowlers
  std::vector<std::string> bowlers; // in order; more than one: replaced in the over (Law 17.8)
  std::vector<std::string> before;  // bowlers of the over before
  std::int64_t in_a_row = 1;        // overs its bowler has bowled without a break
  bool open = false;
  bool confirmed = false; // the umpire's call of Over was recorded: no ball can join it any more
  bool relieved = false;  // its bowler was taken off; another may finish it
  bool maiden = false;
  bool broken = false; // the last thing in it was a wicket or a retirement
  static constexpr auto fields = sdk::fields(
      sdk::field("balls", &over_state::balls), sdk::field("deliveries", &over_state::deliveries, sdk::sparse),
      sdk::field("conceded", &over_state::conceded, sdk::sparse), sdk::field("bowlers", &over_state::bowlers),
      sdk::field("before", &over_state::before, sdk::sparse),
      sdk::field("in_a_row", &over_state::in_a_row, sdk::sparse), sdk::field("open", &over_state::open, sdk::sparse),
      sdk::field("confirmed", &over_state::confirmed, sdk::sparse),
      sdk::field("relieved", &over_state::relieved, sdk::sparse),
      sdk::field("maiden", &over_state::maiden, sdk::sparse), sdk::field("broken", &over_state::broken, sdk::sparse));
};

struct innings {
  side batting{};
  innings_kind kind{};
  std::int64_t number = 1; // of its kind in the match
  std::int64_t runs = 0, wickets = 0, balls = 0, overs = 0;
  cricket::extras extras;
  std::int64_t balls_per_over = 6;
  std::optional<over_count> limit;
  std::optional<std::int64_t> target;
  bool last = false;     // reaching the target ends it
  bool official = false; // the target was announced, not derived from the totals
  bool ahead = false;    // the target was set when the runs were already made: ahead of par, a win by runs
  std::optional<end_reason> ended;
  std::vector<batting_card> at;                    // the batters in, the striker of the last ball first
  std::optional<bowling_card> bowler;              // of the over in progress, or of the last one
  std::int64_t used_batters = 0, used_bowlers = 0; // how many have a card
  std::int64_t retired = 0;                        // and are not back; no wickets
  over_state over;
  std::vector<std::string> absent, suspended;
  std::optional<std::string> on_strike; // who must face next, by the fielding captain's choice
  std::vector<powerplay> powerplays;

  batting_card* in(std::string_view name);
  const batting_card* in(std::string_view name) const;
  bool all_out(std::int64_t players) const;
  bool overs_up() const;
  bool target_reached() const { return last && target && runs >= *target; }
  bool complete(std::int64_t players) const {
    return ended.has_value() || all_out(players) || overs_up() || target_reached();
  }
  over_count bowled() const { return {overs, over.open ? over.balls : 0}; }

  static constexpr auto fields = sdk::fields(
      sdk::field("batting", &innings::batting), sdk::field("kind", &innings::kind),
      sdk::field("number", &innings::number), sdk::field("runs", &innings::runs),
      sdk::field("wickets", &innings::wickets), sdk::field("balls", &innings::balls),
      sdk::field("overs", &innings::overs), sdk::field("extras", &innings::extras),
      sdk::field("balls_per_over", &innings::balls_per_over), sdk::field("limit", &innings::limit),
      sdk::field("target", &innings::target), sdk::field("last", &innings::last, sdk::sparse),
      sdk::field("official", &innings::official, sdk::sparse), sdk::field("ahead", &innings::ahead, sdk::sparse),
      sdk::field("ended", &innings::ended), sdk::field("at", &innings::at), sdk::field("bowler", &innings::bowler),
      sdk::field("used_batters", &innings::used_batters), sdk::field("used_bowlers", &innings::used_bowlers),
      sdk::field("retired", &innings::retired, sdk::sparse), sdk::field("over", &innings::over),
      sdk::field("absent", &innings::absent, sdk::sparse), sdk::field("suspended", &innings::suspended, sdk::sparse),
      sdk::field("on_strike", &innings::on_strike), sdk::field("powerplays", &innings::powerplays, sdk::sparse));
};

// An innings as a viewer sees it: the scoreboard's form, and the form a closed innings is frozen in.
struct innings_line {
  side batting{};
  innings_kind kind{};
  std::int64_t runs = 0, wickets = 0, balls = 0;
  std::string overs; // derived, e.g. 19.4
  cricket::extras extras;
  std::optional<std::int64_t> target;
  std::optional<over_count> overs_limit;
  bool declared = false, forfeited = false;
  bool closed = false;
  static constexpr auto fields = sdk::fields(
      sdk::field("batting", &innings_line::batting), sdk::field("kind", &innings_line::kind),
      sdk::field("runs", &innings_line::runs), sdk::field("wickets", &innings_line::wickets),
      sdk::field("balls", &innings_line::balls), sdk::field("overs", &innings_line::overs),
      sdk::field("extras", &innings_line::extras), sdk::field("target", &innings_line::target),
      sdk::field("overs_limit", &innings_line::overs_limit),
      sdk::field("declared", &innings_line::declared, sdk::sparse),
      sdk::field("forfeited", &innings_line::forfeited, sdk::sparse), sdk::field("closed", &innings_line::closed));
};

struct margin {
  std::optional<std::int64_t> innings, runs, wickets;
  friend bool operator==(const margin&, const margin&) = default;
  static constexpr auto fields = sdk::fields(sdk::field("innings", &margin::innings), sdk::field("runs", &margin::runs),
                                             sdk::field("wickets", &margin::wickets));
};
struct result {
  std::optional<side> winner;
  std::optional<margin> by;
  bool tie = false, draw = false, no_result = false;
  std::optional<std::string> method, decider;
  bool decided() const { return winner || tie || draw || no_result; }
  friend bool operator==(const result&, const result&) = default;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &result::winner), sdk::field("by", &result::by),
                  sdk::field("tie", &result::tie, sdk::sparse), sdk::field("draw", &result::draw, sdk::sparse),
                  sdk::field("no_result", &result::no_result, sdk::sparse), sdk::field("method", &result::method),
                  sdk::field("decider", &result::decider));
};

struct state {
  std::optional<cricket::toss> toss;
  std::optional<innings> now; // in play, or the last one
  both<std::int64_t> totals;  // of the closed normal innings
  both<std::string> told;     // the closed normal innings in short, e.g. "454 & 217/2d"
  both<std::int64_t> pending; // penalty runs for a side's next innings
  std::optional<target> next_target;
  std::optional<over_count> overs_limit; // as announced for the innings to come
  std::optional<std::string> method;
  std::vector<std::string> replaced, barred; // out of the match; may not bowl again in it
  std::optional<cricket::outcome> outcome;
  cricket::result result;
  // Frozen: of the innings in play the cards of batters gone and of the bowlers not bowling; of the closed innings
  // their lines (innings_line), and their cards as {"batting":[…],"bowling":[…]}; each a list.
  std::string batting = "[]", bowling = "[]", lines = "[]", cards = "[]";
  static constexpr auto frozen =
      sdk::frozen(sdk::part("batting", &state::batting), sdk::part("bowling", &state::bowling),
                  sdk::part("innings", &state::lines), sdk::part("cards", &state::cards));
  static constexpr auto fields = sdk::fields(
      sdk::field("toss", &state::toss), sdk::field("now", &state::now), sdk::field("totals", &state::totals),
      sdk::field("told", &state::told), sdk::field("pending", &state::pending, sdk::sparse),
      sdk::field("next_target", &state::next_target), sdk::field("overs_limit", &state::overs_limit),
      sdk::field("method", &state::method), sdk::field("replaced", &state::replaced, sdk::sparse),
      sdk::field("barred", &state::barred, sdk::sparse), sdk::field("outcome", &state::outcome),
      sdk::field("result", &state::result, sdk::sparse));
};

innings_line line_of(const innings& what, std::int64_t players);
// 217/2d, 256 (all out), 0 forfeited.
std::string short_text(const innings_line& line, std::int64_t players);
std::string overs_text(std::int64_t overs, std::int64_t balls);
// The closed innings' lines, read back. For the few events that need them.
std::vector<innings_line> read_lines(const std::string& lines);

} // namespace omnium::cricket
