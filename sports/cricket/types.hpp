#pragma once
// What cricket's commands, state and scoreboard are made of: counts of overs, fielders, kinds of dismissal.
// Balls are stored, overs are derived (known-traps S7); an over may hold any number of balls.
#include "omnium/sport.hpp"

namespace omnium::cricket {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t name_chars_max = 64; // of a player's name or id; beyond: bad_shape
inline constexpr std::int64_t balls_per_over_max = 12;
inline constexpr std::int64_t overs_max = 1000; // of a limit or a target
inline constexpr std::int64_t balls_max = overs_max * balls_per_over_max;
inline constexpr std::int64_t runs_max = 9999;    // of a target, an award or a baseline
inline constexpr std::int64_t wickets_max = 21;   // of an innings, of a side of players_max
inline constexpr std::int64_t ball_runs_max = 99; // of one delivery, of each kind; the Laws know no bound
inline constexpr std::size_t innings_max = 40;    // of one match, super overs included; beyond: too_many_innings
inline constexpr std::size_t players_max = 22;    // of a side
inline constexpr std::int64_t cards_max = 40;     // of batters or bowlers in one innings; beyond: too_many_players

// A number of overs as it is written, 26.1 = 26 overs and 1 ball, never a decimal fraction.
struct over_count {
  std::int64_t overs = 0, balls = 0;
  friend auto operator<=>(const over_count&, const over_count&) = default;
};
// bad_input for a count of overs whose balls would have made another over: 2.6 with six balls to an over.
verdict whole_overs(const std::optional<over_count>& told, std::int64_t balls_per_over, std::string_view member);

// A fielder by name, or {"name"?,"substitute"?} where a substitute took part (who may stay unnamed).
struct fielder {
  std::string name;
  bool substitute = false;
  friend bool operator==(const fielder&, const fielder&) = default;
};

// Law 32-40. "handled the ball" is a dismissal of the codes before October 2017. The last three are no deliveries'
// wickets: retired hurt and retired not out are no wickets at all (Law 25.4).
enum class dismissal : std::uint8_t {
  bowled,
  caught,
  caught_and_bowled,
  lbw,
  stumped,
  hit_wicket,
  run_out,
  obstructing,
  handled,
  hit_twice,
  timed_out,
  retired_out,
  retired_hurt,
  retired_not_out
};
constexpr auto omnium_enum(dismissal) {
  return sdk::names<dismissal>({{dismissal::bowled, "bowled"},
                                {dismissal::caught, "caught"},
                                {dismissal::caught_and_bowled, "caught and bowled"},
                                {dismissal::lbw, "lbw"},
                                {dismissal::stumped, "stumped"},
                                {dismissal::hit_wicket, "hit wicket"},
                                {dismissal::run_out, "run out"},
                                {dismissal::obstructing, "obstructing the field"},
                                {dismissal::handled, "handled the ball"},
                                {dismissal::hit_twice, "hit the ball twice"},
                                {dismissal::timed_out, "timed out"},
                                {dismissal::retired_out, "retired out"},
                                {dismissal::retired_hurt, "retired hurt"},
                                {dismissal::retired_not_out, "retired not out"},
                                // The same without spaces, for senders that write them so.
                                {dismissal::caught_and_bowled, "caught_and_bowled"},
                                {dismissal::hit_wicket, "hit_wicket"},
                                {dismissal::run_out, "run_out"},
                                {dismissal::obstructing, "obstructing_the_field"},
                                {dismissal::handled, "handled_the_ball"},
                                {dismissal::hit_twice, "hit_the_ball_twice"},
                                {dismissal::timed_out, "timed_out"},
                                {dismissal::retired_out, "retired_out"},
                                {dismissal::retired_hurt, "retired_hurt"},
                                {dismissal::retired_not_out, "retired_not_out"}});
}

constexpr bool is_retirement(dismissal how) { return how >= dismissal::retired_out; }
constexpr bool is_wicket(dismissal how) { return how <= dismissal::retired_out; }
// Credited to the bowler (Laws 32-36, 39).
constexpr bool is_bowlers(dismissal how) { return how <= dismissal::hit_wicket; }
// Only the striker can be out in this way (Laws 32-36, 39; 34 hit the ball twice).
constexpr bool is_strikers(dismissal how) { return is_bowlers(how) || how == dismissal::hit_twice; }

// The Law a dismissal is given by; the same number in both editions.
constexpr std::string_view law_of(dismissal how) {
  constexpr std::array<std::string_view, 14> laws{"Law 32", "Law 33",     "Law 33",     "Law 36",    "Law 39",
                                                  "Law 35", "Law 38",     "Law 37",     "Law 37",    "Law 34",
                                                  "Law 40", "Law 25.4.3", "Law 25.4.2", "Law 25.4.3"};
  return laws[static_cast<std::size_t>(how)];
}

// Of one delivery, or of an innings.
struct extras {
  std::int64_t wides = 0, noballs = 0, byes = 0, legbyes = 0, penalty = 0;
  std::int64_t total() const { return wides + noballs + byes + legbyes + penalty; }
  friend bool operator==(const extras&, const extras&) = default;
  static constexpr auto fields =
      sdk::fields(sdk::field("wides", &extras::wides, sdk::range(0, ball_runs_max), sdk::may_be_absent),
                  sdk::field("noballs", &extras::noballs, sdk::range(0, ball_runs_max), sdk::may_be_absent),
                  sdk::field("byes", &extras::byes, sdk::range(0, ball_runs_max), sdk::may_be_absent),
                  sdk::field("legbyes", &extras::legbyes, sdk::range(0, ball_runs_max), sdk::may_be_absent),
                  sdk::field("penalty", &extras::penalty, sdk::range(0, ball_runs_max), sdk::may_be_absent));
};

// How a target is set after a stoppage.
constexpr bool is_target_method(std::string_view text) { return text == "D/L" || text == "VJD"; }

enum class innings_kind : std::uint8_t { normal, super_over };
OMNIUM_ENUM(innings_kind, normal, super_over)

enum class end_reason : std::uint8_t { all_out, declared, forfeited, overs, target, rain, end_of_match };
OMNIUM_ENUM(end_reason, all_out, declared, forfeited, overs, target, rain, end_of_match)

} // namespace omnium::cricket

namespace omnium::sdk {

template<>
struct codec<cricket::over_count> {
  static bool read(const value& from, cricket::over_count& out, const rules& rule, reader& in);
  static void write(const cricket::over_count& what, std::string& out);
  static void schema(const rules& rule, std::string& out);
};

template<>
struct codec<cricket::fielder> {
  static bool read(const value& from, cricket::fielder& out, const rules& rule, reader& in);
  static void write(const cricket::fielder& what, std::string& out);
  static void schema(const rules& rule, std::string& out);
};

} // namespace omnium::sdk
