#pragma once
// What the commands of football carry. Shapes: docs of the sport (football's vocabulary); a player is a participant's
// id or a plain name, `side` is always the side that the event is credited to.
#include "sports/football/minute.hpp"

#include <optional>
#include <string>
#include <vector>

namespace football {

inline constexpr sdk::length name_length{1, 80};
inline constexpr sdk::range goals_range{0, 999}; // of a side in one match
inline constexpr sdk::range kicks_range{0, 199}; // of a side in one shoot-out

enum class period : std::uint8_t { H1, H2, ET1, ET2, PSO };
OMNIUM_ENUM(period, H1, H2, ET1, ET2, PSO)

enum class period_action : std::uint8_t { start, end };
OMNIUM_ENUM(period_action, start, end)

enum class goal_kind : std::uint8_t { open_play, penalty, free_kick, own_goal };
OMNIUM_ENUM(goal_kind, open_play, penalty, free_kick, own_goal)

enum class card_colour : std::uint8_t { yellow, second_yellow, red };
OMNIUM_ENUM(card_colour, yellow, second_yellow, red)

enum class kick_result : std::uint8_t { scored, saved, missed };
OMNIUM_ENUM(kick_result, scored, saved, missed)

enum class var_decision : std::uint8_t { check, confirmed, overturned };
OMNIUM_ENUM(var_decision, check, confirmed, overturned)

struct period_input {
  period_action action{};
  football::period period{};
  std::optional<match_minute> minute; // of a start: where the clock begins; of an end: when it was blown
  static constexpr auto fields =
      sdk::fields(sdk::field("action", &period_input::action), sdk::field("period", &period_input::period),
                  sdk::field("minute", &period_input::minute));
};

struct goal_input {
  sdk::side side{};
  match_minute minute;
  std::optional<std::string> scorer, assist;
  goal_kind kind{};
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &goal_input::side, sdk::note{"The side credited, also for an own goal."}),
                  sdk::field("minute", &goal_input::minute), sdk::field("scorer", &goal_input::scorer, name_length),
                  sdk::field("assist", &goal_input::assist, name_length), sdk::field("kind", &goal_input::kind));
};

struct penalty_input {
  sdk::side side{};
  std::string taker;
  match_minute minute;
  kick_result result{};
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &penalty_input::side), sdk::field("taker", &penalty_input::taker, name_length),
                  sdk::field("minute", &penalty_input::minute), sdk::field("result", &penalty_input::result));
};

struct card_input {
  sdk::side side{};
  std::string player;
  match_minute minute;
  card_colour card{};
  bool official = false; // shown to a team official (Law 12), who is no player
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &card_input::side), sdk::field("player", &card_input::player, name_length),
                  sdk::field("minute", &card_input::minute), sdk::field("card", &card_input::card),
                  sdk::field("official", &card_input::official, sdk::may_be_absent));
};

struct substitution_input {
  sdk::side side{};
  std::string off, on;
  match_minute minute;
  bool concussion = false;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &substitution_input::side), sdk::field("off", &substitution_input::off, name_length),
      sdk::field("on", &substitution_input::on, name_length), sdk::field("minute", &substitution_input::minute),
      sdk::field("concussion", &substitution_input::concussion, sdk::may_be_absent));
};

// Law 3.1: at most eleven players a side, at least seven to start.
struct lineup_input {
  sdk::side side{};
  std::vector<std::string> starting, bench;
  std::optional<std::string> goalkeeper;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &lineup_input::side),
                  sdk::field("starting", &lineup_input::starting, name_length, sdk::items{7, 11}),
                  sdk::field("bench", &lineup_input::bench, name_length, sdk::items{0, 20}, sdk::may_be_absent),
                  sdk::field("goalkeeper", &lineup_input::goalkeeper, name_length));
};

struct added_time_input {
  int minutes = 0;
  static constexpr auto fields = sdk::fields(sdk::field("minutes", &added_time_input::minutes, sdk::range{0, 60}));
};

struct shootout_kick_input {
  sdk::side side{};
  std::optional<std::string> taker;
  kick_result result{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &shootout_kick_input::side),
                                             sdk::field("taker", &shootout_kick_input::taker, name_length),
                                             sdk::field("result", &shootout_kick_input::result));
};

struct var_input {
  std::int64_t about = 0;
  var_decision decision{};
  std::optional<std::string> detail;
  static constexpr auto fields = sdk::fields(
      sdk::field("about", &var_input::about, sdk::any_seq, sdk::note{"The seq of the event reviewed."}),
      sdk::field("decision", &var_input::decision), sdk::field("detail", &var_input::detail, sdk::length{1, 200}));
};

// Counted for the statistics of the match; no plays.
struct count_input {
  sdk::side side{};
  std::optional<std::string> player;
  std::optional<match_minute> minute;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &count_input::side), sdk::field("player", &count_input::player, name_length),
                  sdk::field("minute", &count_input::minute));
};
struct shot_input {
  sdk::side side{};
  std::optional<std::string> player;
  std::optional<match_minute> minute;
  bool on_target = false;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &shot_input::side), sdk::field("player", &shot_input::player, name_length),
      sdk::field("minute", &shot_input::minute), sdk::field("on_target", &shot_input::on_target, sdk::may_be_absent));
};
struct foul_input : count_input {};
struct corner_input : count_input {};
struct offside_input : count_input {};

struct card_count {
  int yellow = 0, red = 0;
  friend bool operator==(const card_count&, const card_count&) = default;
  static constexpr auto fields = sdk::fields(sdk::field("yellow", &card_count::yellow, sdk::range{0, 50}),
                                             sdk::field("red", &card_count::red, sdk::range{0, 20}));
};

// After a total loss: what is given is set at once, and later events fold on top. What is left out stays as it was.
struct baseline_input {
  std::optional<sdk::both<int>> score;
  std::optional<sdk::both<int>> shootout, shootout_kicks; // scored and taken
  std::optional<football::period> period;
  std::optional<bool> in_play; // with a period: true unless said
  std::optional<match_minute> minute;
  std::optional<sdk::both<card_count>> cards;
  static constexpr auto fields =
      sdk::fields(sdk::field("score", &baseline_input::score, goals_range),
                  sdk::field("shootout", &baseline_input::shootout, kicks_range),
                  sdk::field("shootout_kicks", &baseline_input::shootout_kicks, kicks_range),
                  sdk::field("period", &baseline_input::period), sdk::field("in_play", &baseline_input::in_play),
                  sdk::field("minute", &baseline_input::minute), sdk::field("cards", &baseline_input::cards));
};

} // namespace football
