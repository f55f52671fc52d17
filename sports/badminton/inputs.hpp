#pragma once
// Badminton: rallies, games, service courts in singles and doubles, misconduct. Source: BWF Laws of Badminton
// (numbers); other scoring systems (3 × 15, 5 × 11) are settings.
#include "omnium/sport.hpp"

namespace omnium::badminton {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t player_chars_max = 60; // of a name or id; beyond: bad_input
inline constexpr std::int64_t points_most = 999;    // of one side in one game; beyond: bad_input

struct settings {
  std::int64_t best_of = 3, points = 21;
  std::optional<std::int64_t> cap; // absent: points + 9 (21 and 30), as Law 7 has it
  side first_server{};
  std::int64_t challenges = 2;
  static constexpr auto fields = sdk::fields(
      sdk::field("best_of", &settings::best_of, sdk::range(1, 7), sdk::may_be_absent, sdk::note("1, 3, 5 or 7 games.")),
      sdk::field("points", &settings::points, sdk::range(3, 50), sdk::may_be_absent, sdk::note("Of a game: 21.")),
      sdk::field("cap", &settings::cap, sdk::range(3, 99), sdk::note("The point that wins a game by itself: 30.")),
      sdk::field("first_server", &settings::first_server, sdk::may_be_absent),
      sdk::field("challenges", &settings::challenges, sdk::range(0, 9), sdk::may_be_absent,
                 sdk::note("Unsuccessful challenges that a side has.")));
};

// --- commands --------------------------------------------------------------------------------------------------------

struct rally {
  side winner{};
  std::optional<std::string> how;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &rally::winner), sdk::field("how", &rally::how, sdk::length(1, 40),
                                                                   sdk::note("e.g. smash, net, out, service_fault.")));
};

struct lineup {
  badminton::side side{};
  std::vector<std::string> players;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &lineup::side),
                  sdk::field("players", &lineup::players, sdk::items(1, 2), sdk::length(1, player_chars_max),
                             sdk::note("Doubles: first who stands in the right service court.")));
};

struct service {
  std::optional<badminton::side> side;
  std::optional<std::string> server, receiver;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &service::side, sdk::note("Who serves: first in the game, or from now on.")),
      sdk::field("server", &service::server, sdk::length(1, player_chars_max), sdk::note("Doubles: which of the two.")),
      sdk::field("receiver", &service::receiver, sdk::length(1, player_chars_max)));
};

struct let {
  std::optional<std::string> reason;
  static constexpr auto fields = sdk::fields(sdk::field("reason", &let::reason));
};

enum class card_kind : std::uint8_t { yellow, red, black };
OMNIUM_ENUM(card_kind, yellow, red, black)
struct card {
  badminton::side side{};
  card_kind card{};
  std::optional<std::string> player, reason;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &card::side),
      sdk::field("card", &card::card, sdk::note("yellow: warning; red: a fault; black: disqualified.")),
      sdk::field("player", &card::player, sdk::length(1, player_chars_max)), sdk::field("reason", &card::reason));
};

enum class challenge_result : std::uint8_t { successful, unsuccessful, no_decision };
OMNIUM_ENUM(challenge_result, successful, unsuccessful, no_decision)
struct challenge {
  badminton::side side{};
  challenge_result result{};
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &challenge::side), sdk::field("result", &challenge::result));
};

struct retire {
  badminton::side side{};
  std::optional<std::string> reason;
  static constexpr auto fields = sdk::fields(sdk::field("side", &retire::side, sdk::note("The side that retires.")),
                                             sdk::field("reason", &retire::reason));
};
struct walkover {
  badminton::side side{};
  std::optional<std::string> reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &walkover::side, sdk::note("The side that does not play.")),
                  sdk::field("reason", &walkover::reason));
};

} // namespace omnium::badminton
