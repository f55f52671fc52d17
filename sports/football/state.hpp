#pragma once
// The folded state of one match, and the settings of its competition.
#include "sports/football/inputs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace football {

// Law 3.2 leaves the numbers to the competition (up to five substitutes; in three opportunities beside the breaks; one
// more of each in extra time where the competition says so). Defaults: the top competitions' since 2020.
struct settings {
  int substitutions = 5;
  int substitution_windows = 3; // opportunities while the match is on; 0: any number
  int extra_time_substitutions = 1;
  int extra_time_windows = 1;
  int concussion_substitutions = 1;        // beside the others (Law 3, additional permanent concussion substitutions)
  bool return_substitutions = false;       // Law 3.2: grassroots and youth football only
  std::optional<sdk::both<int>> first_leg; // of a tie of two legs: its score, by the sides of this match
  static constexpr auto fields = sdk::fields(
      sdk::field("substitutions", &settings::substitutions, sdk::range{0, 20}, sdk::may_be_absent),
      sdk::field("substitution_windows", &settings::substitution_windows, sdk::range{0, 20}, sdk::may_be_absent),
      sdk::field("extra_time_substitutions", &settings::extra_time_substitutions, sdk::range{0, 20},
                 sdk::may_be_absent),
      sdk::field("extra_time_windows", &settings::extra_time_windows, sdk::range{0, 20}, sdk::may_be_absent),
      sdk::field("concussion_substitutions", &settings::concussion_substitutions, sdk::range{0, 5}, sdk::may_be_absent),
      sdk::field("return_substitutions", &settings::return_substitutions, sdk::may_be_absent),
      sdk::field("first_leg", &settings::first_leg, goals_range));
};

enum class whereabouts : std::uint8_t {
  unknown, // named by an event, in no line-up
  on_field,
  bench,
  substituted // came off
};
OMNIUM_ENUM(whereabouts, unknown, on_field, bench, substituted)

struct player {
  std::string name;
  whereabouts where{};
  int yellows = 0;
  int kick_yellows = 0; // in the shoot-out, into which no caution is carried (Law 10.3)
  bool sent_off = false;
  friend bool operator==(const player&, const player&) = default;
  static constexpr auto fields =
      sdk::fields(sdk::field("name", &player::name), sdk::field("where", &player::where, sdk::sparse),
                  sdk::field("yellows", &player::yellows, sdk::sparse),
                  sdk::field("kick_yellows", &player::kick_yellows, sdk::sparse),
                  sdk::field("sent_off", &player::sent_off, sdk::sparse));
};

struct window { // an opportunity in which a side substituted
  football::period period{};
  match_minute minute;
  friend bool operator==(const window&, const window&) = default;
  static constexpr auto fields =
      sdk::fields(sdk::field("period", &window::period), sdk::field("minute", &window::minute));
};

struct counts {
  int shots = 0, on_target = 0, fouls = 0, corners = 0, offsides = 0;
  friend bool operator==(const counts&, const counts&) = default;
  static constexpr auto fields =
      sdk::fields(sdk::field("shots", &counts::shots), sdk::field("on_target", &counts::on_target),
                  sdk::field("fouls", &counts::fouls), sdk::field("corners", &counts::corners),
                  sdk::field("offsides", &counts::offsides));
};

struct squad {
  bool lineup = false, bench = false; // a line-up was given; with a bench
  std::vector<player> players;
  std::string goalkeeper;
  int substitutions = 0, concussions = 0, windows = 0;
  std::optional<window> last_window;
  card_count cards;
  football::counts counts;
  static constexpr auto fields = sdk::fields(
      sdk::field("lineup", &squad::lineup, sdk::sparse), sdk::field("bench", &squad::bench, sdk::sparse),
      sdk::field("players", &squad::players, sdk::sparse), sdk::field("goalkeeper", &squad::goalkeeper, sdk::sparse),
      sdk::field("substitutions", &squad::substitutions, sdk::sparse),
      sdk::field("concussions", &squad::concussions, sdk::sparse), sdk::field("windows", &squad::windows, sdk::sparse),
      sdk::field("last_window", &squad::last_window), sdk::field("cards", &squad::cards, sdk::sparse),
      sdk::field("counts", &squad::counts, sdk::sparse));
};

struct goal {
  sdk::side side{};
  match_minute minute;
  sdk::nullable<std::string> scorer;
  goal_kind kind{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &goal::side), sdk::field("minute", &goal::minute),
                                             sdk::field("scorer", &goal::scorer), sdk::field("kind", &goal::kind));
};

struct shootout {
  sdk::both<int> scored, kicks;
  sdk::both<std::string> marks; // o scored, x not; the newest, see shootout.cpp
  std::optional<sdk::side> last;
  sdk::both<std::vector<std::string>> takers; // of this round: nobody kicks twice before all have (Law 10.3)
  static constexpr auto fields =
      sdk::fields(sdk::field("scored", &shootout::scored), sdk::field("kicks", &shootout::kicks),
                  sdk::field("marks", &shootout::marks), sdk::field("last", &shootout::last),
                  sdk::field("takers", &shootout::takers));
};

struct review { // a video check that is open
  std::int64_t about = 0;
  static constexpr auto fields = sdk::fields(sdk::field("about", &review::about));
};

struct state {
  std::optional<football::period> period; // the last one that began
  bool in_play = false;                   // it runs
  std::int64_t began_ms = 0;              // when its first minute began, by the events' time
  match_minute minute;                    // the furthest known
  int added_time = 0;                     // announced for this period
  sdk::both<int> score;
  std::vector<goal> goals; // the newest goals_kept of them
  int goals_earlier = 0;   // and how many there were before
  sdk::both<squad> squads;
  std::optional<football::shootout> shootout;
  std::optional<football::review> review;
  // Seqs, in the order in which it came: what a review can be about, and what it cannot (starts, ends, line-ups,
  // reviews).
  std::vector<std::int64_t> reviewable, milestones;
  static constexpr auto fields =
      sdk::fields(sdk::field("period", &state::period), sdk::field("in_play", &state::in_play),
                  sdk::field("began_ms", &state::began_ms), sdk::field("minute", &state::minute),
                  sdk::field("added_time", &state::added_time, sdk::sparse), sdk::field("score", &state::score),
                  sdk::field("goals", &state::goals), sdk::field("goals_earlier", &state::goals_earlier, sdk::sparse),
                  sdk::field("squads", &state::squads), sdk::field("shootout", &state::shootout),
                  sdk::field("review", &state::review), sdk::field("reviewable", &state::reviewable),
                  sdk::field("milestones", &state::milestones));

  bool in_shootout() const { return in_play && period == football::period::PSO; }
  bool ball_in_play() const { return in_play && period != football::period::PSO; }
  bool kicks() const { return period == football::period::PSO; }
  bool began() const { return period.has_value(); }
};

// Bounds that keep the state small whatever is sent. Beyond: the oldest goals are only counted, and a
// further person named by an event is not kept; a review cannot reach back further.
inline constexpr std::size_t goals_kept = 40;
inline constexpr std::size_t people_max = 40;
inline constexpr std::size_t reviewable_kept = 256;
inline constexpr std::size_t milestones_kept = 32;
inline constexpr std::size_t marks_kept = 40;

} // namespace football
