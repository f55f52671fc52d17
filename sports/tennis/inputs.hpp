#pragma once
// Tennis: points, games, sets; tie-breaks, last-set rules, no-ad, match tie-breaks; singles and doubles.
// Source: ITF Rules of Tennis (numbers and Appendix V), sports.md (Tennis).
#include "omnium/sport.hpp"

namespace omnium::tennis {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t player_chars_max = 80; // of a name or id; beyond: bad_shape

// What happens when the last possible set is reached, or becomes level in it.
enum class last_set : std::uint8_t { tiebreak, advantage, tiebreak_10, tiebreak_at_12, match_tiebreak };
OMNIUM_ENUM(last_set, tiebreak, advantage, tiebreak_10, tiebreak_at_12, match_tiebreak)

struct settings {
  std::int64_t best_of = 3;
  last_set final_set{};
  bool no_ad = false;
  bool set_tiebreaks = true;
  std::int64_t games_per_set = 6;
  std::optional<std::int64_t> tiebreak_at; // games each; absent: games_per_set
  std::int64_t tiebreak_points = 7;
  std::int64_t match_tiebreak_points = 10;
  side first_server{};
  static constexpr auto fields = sdk::fields(
      sdk::field("best_of", &settings::best_of, sdk::range(1, 5), sdk::may_be_absent, sdk::note("1, 3 or 5 sets.")),
      sdk::field("final_set", &settings::final_set, sdk::may_be_absent,
                 sdk::note("tiebreak as in other sets; advantage: two games clear; tiebreak_10: to ten points; "
                           "tiebreak_at_12: at twelve games all; match_tiebreak: to ten points in the set's place.")),
      sdk::field("no_ad", &settings::no_ad, sdk::may_be_absent, sdk::note("At deuce one point decides the game.")),
      sdk::field("set_tiebreaks", &settings::set_tiebreaks, sdk::may_be_absent,
                 sdk::note("false: every set is played two games clear.")),
      sdk::field("games_per_set", &settings::games_per_set, sdk::range(1, 10), sdk::may_be_absent),
      sdk::field("tiebreak_at", &settings::tiebreak_at, sdk::range(1, 12)),
      sdk::field("tiebreak_points", &settings::tiebreak_points, sdk::range(3, 20), sdk::may_be_absent),
      sdk::field("match_tiebreak_points", &settings::match_tiebreak_points, sdk::range(3, 20), sdk::may_be_absent),
      sdk::field("first_server", &settings::first_server, sdk::may_be_absent));
};

// --- commands --------------------------------------------------------------------------------------------------------

struct point {
  side winner{};
  std::optional<std::string> how;
  static constexpr auto fields = sdk::fields(
      sdk::field("winner", &point::winner),
      sdk::field("how", &point::how, sdk::length(1, 40), sdk::note("e.g. ace, winner, double_fault, unforced_error.")));
};

struct fault {
  std::optional<tennis::side> side;
  std::optional<std::string> kind;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &fault::side, sdk::note("The server, where the desk wants it checked.")),
                  sdk::field("kind", &fault::kind, sdk::length(1, 40), sdk::note("e.g. net, long, foot.")));
};

enum class let_kind : std::uint8_t { service, point };
OMNIUM_ENUM(let_kind, service, point)
struct let {
  let_kind kind{};
  static constexpr auto fields = sdk::fields(sdk::field("kind", &let::kind, sdk::may_be_absent));
};

struct serve_fix {
  std::optional<tennis::side> server, side; // two names for one thing; neither: the other side than now
  std::optional<std::string> player;
  static constexpr auto fields = sdk::fields(
      sdk::field("server", &serve_fix::server, sdk::note("Who serves from now on; absent: the other side.")),
      sdk::field("side", &serve_fix::side, sdk::note("The same as server.")),
      sdk::field("player", &serve_fix::player, sdk::length(1, player_chars_max),
                 sdk::note("Doubles: which of the two serves.")));
};

struct lineup {
  tennis::side side{};
  std::vector<std::string> players;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &lineup::side),
                  sdk::field("players", &lineup::players, sdk::items(1, 2), sdk::length(1, player_chars_max),
                             sdk::note("In doubles in the order in which they serve in this set.")));
};

enum class violation_kind : std::uint8_t { code, time };
OMNIUM_ENUM(violation_kind, code, time)
enum class penalty : std::uint8_t { warning, fault, point, game, default_ };
constexpr auto omnium_enum(penalty) {
  return sdk::names<penalty>({{penalty::warning, "warning"},
                              {penalty::fault, "fault"},
                              {penalty::point, "point"},
                              {penalty::game, "game"},
                              {penalty::default_, "default"}});
}

struct violation {
  tennis::side side{};
  violation_kind kind{};
  std::optional<tennis::penalty> penalty;
  std::optional<std::string> player, reason;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &violation::side), sdk::field("kind", &violation::kind, sdk::may_be_absent),
      sdk::field("penalty", &violation::penalty, sdk::note("Absent: the next step of the side's penalty schedule.")),
      sdk::field("player", &violation::player, sdk::length(1, player_chars_max)),
      sdk::field("reason", &violation::reason));
};

// Who gives up. `winner` says the same from the other side.
struct retire {
  std::optional<tennis::side> side, winner;
  std::optional<std::string> reason;
  static constexpr auto fields = sdk::fields(sdk::field("side", &retire::side, sdk::note("The side that retires.")),
                                             sdk::field("winner", &retire::winner, sdk::note("Or the side that wins.")),
                                             sdk::field("reason", &retire::reason));
};
struct walkover {
  std::optional<tennis::side> side, winner;
  std::optional<std::string> reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &walkover::side, sdk::note("The side that does not play.")),
                  sdk::field("winner", &walkover::winner, sdk::note("Or the side that wins.")),
                  sdk::field("reason", &walkover::reason));
};

} // namespace omnium::tennis
