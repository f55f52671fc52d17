#pragma once
// Volleyball and beach volleyball: settings and the inputs of the commands.
// Source: FIVB Official Volleyball Rules (numbers), FIVB Official Beach Volleyball Rules, sports.md (volleyball).
#include "omnium/sport.hpp"

namespace omnium::volleyball {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t player_chars_max = 48; // of a name or id; beyond: bad_input
inline constexpr std::size_t set_points_max = 999;  // of one side in one set; beyond: bad_input

enum class discipline : std::uint8_t { indoor, beach };
OMNIUM_ENUM(discipline, indoor, beach)

struct settings {
  volleyball::discipline discipline{};
  std::optional<std::int64_t> sets_to_win, points, timeouts; // absent: the discipline's own
  std::int64_t deciding_points = 15;
  std::optional<std::int64_t> cap;
  std::int64_t substitutions = 6;
  side first_server{};
  static constexpr auto fields = sdk::fields(
      sdk::field("discipline", &settings::discipline, sdk::may_be_absent),
      sdk::field("sets_to_win", &settings::sets_to_win, sdk::range(1, 4), sdk::note("Indoor 3, beach 2.")),
      sdk::field("points", &settings::points, sdk::range(3, 50), sdk::note("Of a set: indoor 25, beach 21.")),
      sdk::field("deciding_points", &settings::deciding_points, sdk::range(3, 50), sdk::may_be_absent),
      sdk::field("cap", &settings::cap, sdk::range(3, 99), sdk::note("Points at which one point of lead is enough.")),
      sdk::field("substitutions", &settings::substitutions, sdk::range(0, 20), sdk::may_be_absent,
                 sdk::note("Of a side in a set; beach has none.")),
      sdk::field("timeouts", &settings::timeouts, sdk::range(0, 9),
                 sdk::note("Of a side in a set: indoor 2, beach 1.")),
      sdk::field("first_server", &settings::first_server, sdk::may_be_absent));
};

struct rally {
  side winner{};
  std::optional<std::string> how;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &rally::winner),
                  sdk::field("how", &rally::how, sdk::length(1, 40), sdk::note("e.g. ace, attack, block, error.")));
};

struct serve {
  volleyball::side side{};
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &serve::side, sdk::note("Who has the first service of the set, or the service from now on.")));
};

struct lineup {
  volleyball::side side{};
  std::vector<std::string> players;
  std::optional<std::vector<std::string>> liberos;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &lineup::side),
                  sdk::field("players", &lineup::players, sdk::items(2, 6), sdk::length(1, player_chars_max),
                             sdk::note("Positions I to VI, the server first; beach: the serving order.")),
                  sdk::field("liberos", &lineup::liberos, sdk::items(0, 2), sdk::length(1, player_chars_max)));
};

struct substitution {
  volleyball::side side{};
  std::string off, on;
  bool exceptional = false;
  static constexpr auto fields = sdk::fields(sdk::field("side", &substitution::side),
                                             sdk::field("off", &substitution::off, sdk::length(1, player_chars_max)),
                                             sdk::field("on", &substitution::on, sdk::length(1, player_chars_max)),
                                             sdk::field("exceptional", &substitution::exceptional, sdk::may_be_absent,
                                                        sdk::note("For an injured player; not counted (15.7).")));
};

struct timeout {
  volleyball::side side{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &timeout::side));
};

enum class sanction_kind : std::uint8_t { warning, penalty, expulsion, disqualification, delay_warning, delay_penalty };
OMNIUM_ENUM(sanction_kind, warning, penalty, expulsion, disqualification, delay_warning, delay_penalty)
struct sanction {
  volleyball::side side{};
  sanction_kind kind{};
  std::optional<std::string> player, reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &sanction::side),
                  sdk::field("kind", &sanction::kind,
                             sdk::note("penalty and delay_penalty give the opponent a point and the service.")),
                  sdk::field("player", &sanction::player, sdk::length(1, player_chars_max)),
                  sdk::field("reason", &sanction::reason));
};

struct rotation_fault {
  volleyball::side side{};
  std::optional<std::int64_t> from_seq;
  std::optional<bool> point;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &rotation_fault::side, sdk::note("The side at fault.")),
      sdk::field(
          "from_seq", &rotation_fault::from_seq, sdk::any_seq,
          sdk::note("The rally in which it began: the side's points from there on are cancelled. Absent: not known.")),
      sdk::field(
          "point", &rotation_fault::point,
          sdk::note("Also give the opponent the point and the service of this rally. Absent: only without from_seq; "
                    "else the rally that was stopped is entered as any other.")));
};

struct set_score {
  std::optional<side> winner;
  std::optional<std::int64_t> home, away;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &set_score::winner, sdk::note("Where the points of the set are not known.")),
                  sdk::field("home", &set_score::home, sdk::range(0, set_points_max)),
                  sdk::field("away", &set_score::away, sdk::range(0, set_points_max)));
};

enum class forfeit_kind : std::uint8_t { default_, incomplete };
constexpr auto omnium_enum(forfeit_kind) {
  return sdk::names<forfeit_kind>({{forfeit_kind::default_, "default"}, {forfeit_kind::incomplete, "incomplete"}});
}
enum class forfeit_scope : std::uint8_t { match, set };
OMNIUM_ENUM(forfeit_scope, match, set)
struct forfeit {
  volleyball::side side{};
  forfeit_kind kind{};
  forfeit_scope scope{};
  std::optional<std::string> reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &forfeit::side, sdk::note("The side that loses by it.")),
                  sdk::field("kind", &forfeit::kind, sdk::may_be_absent,
                             sdk::note("default: refused to play, every set to nil; incomplete: what was won stands.")),
                  sdk::field("scope", &forfeit::scope, sdk::may_be_absent), sdk::field("reason", &forfeit::reason));
};

struct retire {
  volleyball::side side{};
  std::optional<std::string> reason;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &retire::side, sdk::note("The side that retires; the points stay as played.")),
                  sdk::field("reason", &retire::reason));
};

struct baseline_set {
  std::int64_t home = 0, away = 0;
  static constexpr auto fields = sdk::fields(sdk::field("home", &baseline_set::home, sdk::range(0, set_points_max)),
                                             sdk::field("away", &baseline_set::away, sdk::range(0, set_points_max)));
};
struct baseline {
  std::optional<both<std::int64_t>> score;
  std::optional<std::string> period;
  std::optional<std::vector<baseline_set>> sets;
  std::optional<side> server;
  static constexpr auto fields = sdk::fields(
      sdk::field("score", &baseline::score, sdk::range(0, 4), sdk::note("Sets won.")),
      sdk::field("period", &baseline::period, sdk::length(2, 2), sdk::note("The set in progress, e.g. S2.")),
      sdk::field("sets", &baseline::sets, sdk::items(0, 7), sdk::note("The last one may be in progress.")),
      sdk::field("server", &baseline::server));
};

} // namespace omnium::volleyball
