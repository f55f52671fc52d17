#pragma once
// What a scorer sends: one struct per command. Source: sports.md (Cricket).
#include "sports/cricket/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace omnium::cricket {

inline constexpr auto name_length = sdk::length(1, name_chars_max);

enum class toss_decision : std::uint8_t { bat, field };
OMNIUM_ENUM(toss_decision, bat, field)
struct toss {
  side winner{};
  toss_decision decision{};
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &toss::winner), sdk::field("decision", &toss::decision));
};

enum class innings_action : std::uint8_t { start, end };
OMNIUM_ENUM(innings_action, start, end)
struct innings_change {
  innings_action action{};
  std::optional<side> batting;
  innings_kind kind{};
  std::optional<end_reason> reason;
  std::optional<over_count> overs_limit;
  std::optional<std::int64_t> balls_per_over;
  std::vector<std::string> absent;
  static constexpr auto fields =
      sdk::fields(sdk::field("action", &innings_change::action),
                  sdk::field("batting", &innings_change::batting, sdk::note("Required to start an innings.")),
                  sdk::field("kind", &innings_change::kind, sdk::may_be_absent),
                  sdk::field("reason", &innings_change::reason, sdk::note("Why the innings ended.")),
                  sdk::field("overs_limit", &innings_change::overs_limit, sdk::range(0, overs_max)),
                  sdk::field("balls_per_over", &innings_change::balls_per_over, sdk::range(1, balls_per_over_max)),
                  sdk::field("absent", &innings_change::absent, name_length, sdk::items(0, 11), sdk::may_be_absent,
                             sdk::note("Batters who cannot bat at all: they count towards all out.")));
};

struct ball_runs {
  std::int64_t batter = 0;
  cricket::extras extras;
  std::optional<bool> boundary;
  static constexpr auto fields =
      sdk::fields(sdk::field("batter", &ball_runs::batter, sdk::range(0, ball_runs_max)),
                  sdk::field("extras", &ball_runs::extras, sdk::may_be_absent),
                  sdk::field("boundary", &ball_runs::boundary,
                             sdk::note("False: a 4 or 6 that was run. Absent: a 4 or 6 reached the boundary.")));
};
struct wicket {
  dismissal kind{};
  std::string player_out;
  std::vector<fielder> fielders;
  static constexpr auto fields =
      sdk::fields(sdk::field("kind", &wicket::kind), sdk::field("player_out", &wicket::player_out, name_length),
                  sdk::field("fielders", &wicket::fielders, sdk::items(0, 11), sdk::may_be_absent));
};
struct review {
  std::optional<std::string> by, umpire, batter, decision, type;
  std::optional<bool> umpires_call;
  static constexpr auto fields = sdk::fields(
      sdk::field("by", &review::by, name_length), sdk::field("umpire", &review::umpire, name_length),
      sdk::field("batter", &review::batter, name_length), sdk::field("decision", &review::decision, name_length),
      sdk::field("type", &review::type, name_length), sdk::field("umpires_call", &review::umpires_call));
};

enum class player_role : std::uint8_t { bowler, batter };
OMNIUM_ENUM(player_role, bowler, batter)
struct match_swap {
  std::string in, out;
  std::optional<std::string> team, side, reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("in", &match_swap::in, name_length), sdk::field("out", &match_swap::out, name_length),
                  sdk::field("team", &match_swap::team, name_length),
                  sdk::field("side", &match_swap::side, name_length), sdk::field("reason", &match_swap::reason));
};
struct role_swap {
  std::string in;
  std::optional<std::string> out, reason;
  player_role role{};
  static constexpr auto fields =
      sdk::fields(sdk::field("in", &role_swap::in, name_length), sdk::field("out", &role_swap::out, name_length),
                  sdk::field("reason", &role_swap::reason), sdk::field("role", &role_swap::role));
};
struct ball_replacements {
  std::vector<match_swap> match;
  std::vector<role_swap> role;
  static constexpr auto fields =
      sdk::fields(sdk::field("match", &ball_replacements::match, sdk::items(0, 11), sdk::may_be_absent),
                  sdk::field("role", &ball_replacements::role, sdk::items(0, 4), sdk::may_be_absent));
};

struct ball {
  std::string batter, non_striker;
  std::optional<std::string> bowler;
  ball_runs runs;
  std::vector<wicket> wickets;
  std::optional<cricket::review> review;
  std::optional<ball_replacements> replacements;
  bool in_over = true;
  static constexpr auto fields = sdk::fields(
      sdk::field("batter", &ball::batter, name_length), sdk::field("non_striker", &ball::non_striker, name_length),
      sdk::field("bowler", &ball::bowler, name_length, sdk::note("Absent in an over: the bowler of its last ball.")),
      sdk::field("runs", &ball::runs), sdk::field("wickets", &ball::wickets, sdk::items(0, 4), sdk::may_be_absent),
      sdk::field("review", &ball::review), sdk::field("replacements", &ball::replacements),
      sdk::field("in_over", &ball::in_over, sdk::may_be_absent,
                 sdk::note("False: an offence of the fielders keeps the ball out of the over (Law 17.3.2).")));
};

enum class over_ended_by : std::uint8_t { umpire };
OMNIUM_ENUM(over_ended_by, umpire)
struct over_end {
  over_ended_by by{};
  static constexpr auto fields = sdk::fields(sdk::field("by", &over_end::by, sdk::may_be_absent));
};

enum class award_time : std::uint8_t { pre, post, during };
OMNIUM_ENUM(award_time, pre, post, during)
struct penalty_runs {
  side to{};
  std::int64_t runs = 0;
  award_time when{};
  std::optional<std::string> reason, on_strike;
  static constexpr auto fields = sdk::fields(
      sdk::field("to", &penalty_runs::to), sdk::field("runs", &penalty_runs::runs, sdk::range(1, runs_max)),
      sdk::field(
          "when", &penalty_runs::when,
          sdk::note("pre: before its innings; post: to its last completed innings; during: to the one in play.")),
      sdk::field("reason", &penalty_runs::reason),
      sdk::field("on_strike", &penalty_runs::on_strike, name_length,
                 sdk::note("After deliberate short running: the batter the fielding captain chose to face next.")));
};

enum class retire_kind : std::uint8_t { hurt, not_out, out };
OMNIUM_ENUM(retire_kind, hurt, not_out, out)
struct retire {
  std::string batter;
  retire_kind kind{};
  static constexpr auto fields =
      sdk::fields(sdk::field("batter", &retire::batter, name_length), sdk::field("kind", &retire::kind));
};

struct replacement {
  cricket::side side{};
  std::string out, in, reason;
  std::optional<player_role> role;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &replacement::side), sdk::field("out", &replacement::out, name_length),
      sdk::field("in", &replacement::in, name_length), sdk::field("reason", &replacement::reason),
      sdk::field("role", &replacement::role,
                 sdk::note("bowler or batter: only this part is taken over; absent: the player leaves the match.")));
};

struct target {
  std::int64_t runs = 0;
  std::optional<over_count> overs;
  std::optional<std::string> method;
  static constexpr auto fields = sdk::fields(
      sdk::field("runs", &target::runs, sdk::range(1, runs_max)),
      sdk::field("overs", &target::overs, sdk::range(0, overs_max)),
      sdk::field("method", &target::method, sdk::form{&is_target_method, "^(D/L|VJD)$"}, sdk::note("D/L or VJD.")));
};

struct overs_limit {
  over_count overs;
  static constexpr auto fields = sdk::fields(sdk::field("overs", &overs_limit::overs, sdk::range(0, overs_max)));
};

struct powerplay {
  std::optional<std::string> type;
  std::optional<over_count> from, to;
  friend bool operator==(const powerplay&, const powerplay&) = default;
  static constexpr auto fields = sdk::fields(sdk::field("type", &powerplay::type, sdk::length(1, 40)),
                                             sdk::field("from", &powerplay::from, sdk::range(0, overs_max)),
                                             sdk::field("to", &powerplay::to, sdk::range(0, overs_max)));
};

enum class outcome_result : std::uint8_t { tie, draw, no_result };
constexpr auto omnium_enum(outcome_result) {
  return sdk::names<outcome_result>({{outcome_result::tie, "tie"},
                                     {outcome_result::draw, "draw"},
                                     {outcome_result::no_result, "no result"},
                                     {outcome_result::no_result, "no_result"}});
}
struct outcome {
  std::optional<side> winner;
  std::optional<outcome_result> result;
  std::optional<std::string> method;
  std::optional<side> eliminator, bowl_out;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &outcome::winner), sdk::field("result", &outcome::result),
                  sdk::field("method", &outcome::method),
                  sdk::field("eliminator", &outcome::eliminator, sdk::note("Who won the super over after a tie.")),
                  sdk::field("bowl_out", &outcome::bowl_out, sdk::note("Who won the bowl-out after a tie.")));
};

} // namespace omnium::cricket
