#pragma once
// Curling: team, mixed doubles and wheelchair. Source: The Rules of Curling and Rules of Competition (World Curling);
// R numbers are its rules of play, C numbers its rules of competition; sports.md (Curling); known-traps S16-S18.
#include "omnium/sport.hpp"

#include <array>

namespace omnium::curling {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t player_chars_max = 80; // of a name or id; beyond: bad_shape
inline constexpr std::size_t ends_max = 24;         // scheduled and extra ends of one game; beyond: too_many_ends

enum class format : std::uint8_t { team, mixed_doubles, wheelchair };
OMNIUM_ENUM(format, team, mixed_doubles, wheelchair)

struct settings {
  curling::format format{};
  std::optional<std::int64_t> ends; // absent: 10 for a team game, else 8
  std::int64_t minimum_ends = 0;
  std::int64_t timeouts = 1;
  std::int64_t extra_end_timeouts = 1;
  static constexpr auto fields =
      sdk::fields(sdk::field("format", &settings::format, sdk::may_be_absent),
                  sdk::field("ends", &settings::ends, sdk::range(8, 10), sdk::note("Scheduled ends: 8 or 10.")),
                  sdk::field("minimum_ends", &settings::minimum_ends, sdk::range(0, 10), sdk::may_be_absent,
                             sdk::note("Ends to complete before a side may concede.")),
                  sdk::field("timeouts", &settings::timeouts, sdk::range(0, 9), sdk::may_be_absent,
                             sdk::note("Team time-outs a side has in the scheduled ends.")),
                  sdk::field("extra_end_timeouts", &settings::extra_end_timeouts, sdk::range(0, 9), sdk::may_be_absent,
                             sdk::note("Team time-outs a side has in each extra end.")));
};

// --- commands --------------------------------------------------------------------------------------------------------

struct set_hammer {
  curling::side side{};
  std::optional<std::int64_t> end; // absent: the end in progress, or the next one
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &set_hammer::side), sdk::field("end", &set_hammer::end, sdk::range(1, ends_max)));
};

enum class end_action : std::uint8_t { start };
OMNIUM_ENUM(end_action, start)
struct start_end {
  end_action action{};
  static constexpr auto fields = sdk::fields(sdk::field("action", &start_end::action));
};

struct stone {
  curling::side side{};
  std::optional<std::string> player, shot, turn;
  std::optional<std::int64_t> points;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &stone::side), sdk::field("player", &stone::player, sdk::length(1, player_chars_max)),
      sdk::field("shot", &stone::shot, sdk::length(1, 40), sdk::note("The kind of shot, e.g. Draw.")),
      sdk::field("turn", &stone::turn, sdk::length(1, 20), sdk::note("The rotation, e.g. clockwise.")),
      sdk::field("points", &stone::points, sdk::range(0, 4), sdk::note("The statistician's grade, 0 to 4.")));
};

struct end_score {
  std::optional<curling::side> side;
  std::int64_t points = 0;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &end_score::side, sdk::note("Absent with points 0: a blank end.")),
                  sdk::field("points", &end_score::points, sdk::range(0, 99)));
};

struct timeout {
  curling::side side{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &timeout::side));
};
struct power_play {
  curling::side side{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &power_play::side));
};
struct concede {
  curling::side side{};
  static constexpr auto fields = sdk::fields(sdk::field("side", &concede::side));
};
struct extra_end {
  static constexpr auto fields = sdk::fields();
};

struct baseline_end {
  std::int64_t home = 0, away = 0;
  std::optional<side> hammer;
  static constexpr auto fields = sdk::fields(sdk::field("home", &baseline_end::home, sdk::range(0, 99)),
                                             sdk::field("away", &baseline_end::away, sdk::range(0, 99)),
                                             sdk::field("hammer", &baseline_end::hammer));
};
struct baseline {
  std::optional<both<std::int64_t>> score;
  std::optional<std::string> period;
  std::optional<std::vector<baseline_end>> ends;
  std::optional<side> hammer;
  static constexpr auto fields =
      sdk::fields(sdk::field("score", &baseline::score, sdk::range(0, 200)),
                  sdk::field("period", &baseline::period, sdk::length(2, 4),
                             sdk::note("The end in progress: E5, or EE1 for an extra end.")),
                  sdk::field("ends", &baseline::ends, sdk::items(0, ends_max)),
                  sdk::field("hammer", &baseline::hammer,
                             sdk::note("Who has the hammer in the end in progress, or the next one.")));
};

} // namespace omnium::curling
