#pragma once
// Basketball: settings and the inputs of the commands. Source: FIBA Official Basketball Rules (article numbers); the
// NBA's differences (six fouls, other time-outs and team fouls) are a setting.
#include "omnium/sport.hpp"

namespace omnium::basketball {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;

inline constexpr std::size_t player_chars_max = 60;  // of a name or id; beyond: bad_input
inline constexpr std::size_t roster_max = 20;        // players of a side that events name; beyond: roster_full
inline constexpr std::int64_t late_timeouts_max = 2; // of a side, in the last two minutes of regulation (Art. 18.2.5)
inline constexpr std::size_t periods_max = 24;       // regulation and overtimes; beyond: too_many_periods

enum class rule_book : std::uint8_t { fiba, nba };
OMNIUM_ENUM(rule_book, fiba, nba)

struct settings {
  rule_book rules{};
  std::int64_t periods = 4;
  bool ties = false;
  std::optional<std::int64_t> foul_limit, bonus_after; // absent: the rule book's own
  static constexpr auto fields =
      sdk::fields(sdk::field("rules", &settings::rules, sdk::may_be_absent),
                  sdk::field("periods", &settings::periods, sdk::range(1, 8), sdk::may_be_absent,
                             sdk::note("Of regulation time: 4 quarters, or 2 halves.")),
                  sdk::field("ties", &settings::ties, sdk::may_be_absent,
                             sdk::note("A level game may end so, as in a series of two games.")),
                  sdk::field("foul_limit", &settings::foul_limit, sdk::range(2, 12),
                             sdk::note("Fouls with which a player is out: FIBA 5, NBA 6.")),
                  sdk::field("bonus_after", &settings::bonus_after, sdk::range(1, 20),
                             sdk::note("Team fouls of a period after which each one is penalised: 4.")));
};

// "03:12", "12:00", "0:08.5": what is left of the period.
bool is_clock(std::string_view text);
inline constexpr sdk::form clock_form{&is_clock, "^[0-9]{1,2}:[0-5][0-9](\\.[0-9])?$"};
// Q1 to Q8 and OT1 onwards.
bool is_period(std::string_view text);
inline constexpr sdk::form period_form{&is_period, "^(Q[1-8]|OT([1-9]|1[0-9]))$"};

enum class period_action : std::uint8_t { start, end };
OMNIUM_ENUM(period_action, start, end)
struct period_change {
  period_action action{};
  std::string period;
  static constexpr auto fields = sdk::fields(sdk::field("action", &period_change::action),
                                             sdk::field("period", &period_change::period, period_form));
};

struct lineup {
  basketball::side side{};
  std::vector<std::string> starters;
  std::optional<std::vector<std::string>> bench;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &lineup::side),
                  sdk::field("starters", &lineup::starters, sdk::items(1, 5), sdk::length(1, player_chars_max)),
                  sdk::field("bench", &lineup::bench, sdk::items(0, roster_max), sdk::length(1, player_chars_max)));
};

struct score {
  basketball::side side{};
  std::int64_t points = 2;
  std::optional<std::string> player, assist, kind, clock;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &score::side), sdk::field("points", &score::points, sdk::range(1, 3)),
                  sdk::field("player", &score::player, sdk::length(1, player_chars_max)),
                  sdk::field("assist", &score::assist, sdk::length(1, player_chars_max)),
                  sdk::field("kind", &score::kind, sdk::length(1, 40), sdk::note("e.g. layup, dunk, jump shot.")),
                  sdk::field("clock", &score::clock, clock_form));
};

struct miss {
  basketball::side side{};
  std::int64_t points = 2;
  std::optional<std::string> player, kind, clock;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &miss::side), sdk::field("points", &miss::points, sdk::range(1, 3)),
                  sdk::field("player", &miss::player, sdk::length(1, player_chars_max)),
                  sdk::field("kind", &miss::kind, sdk::length(1, 40)), sdk::field("clock", &miss::clock, clock_form));
};

struct free_throw {
  basketball::side side{};
  bool made = false;
  std::int64_t points = 1;
  std::optional<std::string> player, clock, period;
  std::optional<std::int64_t> number, of;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &free_throw::side), sdk::field("made", &free_throw::made),
      sdk::field("points", &free_throw::points, sdk::range(1, 3), sdk::may_be_absent,
                 sdk::note("What it is worth: 1, more where one throw stands for two or three.")),
      sdk::field("player", &free_throw::player, sdk::length(1, player_chars_max)),
      sdk::field("clock", &free_throw::clock, clock_form),
      sdk::field("period", &free_throw::period, period_form,
                 sdk::note("Whose points they are, where that is not the period in progress or the next one.")),
      sdk::field("number", &free_throw::number, sdk::range(1, 9)), sdk::field("of", &free_throw::of, sdk::range(1, 9)));
};

enum class foul_kind : std::uint8_t {
  personal,
  shooting,
  offensive,
  technical,
  bench_technical,
  unsportsmanlike,
  disqualifying
};
OMNIUM_ENUM(foul_kind, personal, shooting, offensive, technical, bench_technical, unsportsmanlike, disqualifying)
struct foul {
  basketball::side side{};
  foul_kind kind{};
  std::optional<std::string> player, drawn_by, clock;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &foul::side),
                  sdk::field("kind", &foul::kind,
                             sdk::note("bench_technical: charged to the coach, no player's and no team foul.")),
                  sdk::field("player", &foul::player, sdk::length(1, player_chars_max)),
                  sdk::field("drawn_by", &foul::drawn_by, sdk::length(1, player_chars_max)),
                  sdk::field("clock", &foul::clock, clock_form));
};

struct timeout {
  basketball::side side{};
  std::optional<std::string> clock;
  static constexpr auto fields =
      sdk::fields(sdk::field("side", &timeout::side), sdk::field("clock", &timeout::clock, clock_form));
};

struct substitution {
  basketball::side side{};
  std::string off, on;
  std::optional<std::string> clock;
  static constexpr auto fields = sdk::fields(sdk::field("side", &substitution::side),
                                             sdk::field("off", &substitution::off, sdk::length(1, player_chars_max)),
                                             sdk::field("on", &substitution::on, sdk::length(1, player_chars_max)),
                                             sdk::field("clock", &substitution::clock, clock_form));
};

struct possession {
  basketball::side to{};
  static constexpr auto fields = sdk::fields(
      sdk::field("to", &possession::to, sdk::note("Whom the alternating possession arrow favours from now on.")));
};

// What is only counted for the box score.
struct counted_event {
  basketball::side side{};
  std::optional<std::string> player, kind, clock;
  static constexpr auto fields = sdk::fields(
      sdk::field("side", &counted_event::side),
      sdk::field("player", &counted_event::player, sdk::length(1, player_chars_max), sdk::note("Absent: the team's.")),
      sdk::field("kind", &counted_event::kind, sdk::length(1, 40)),
      sdk::field("clock", &counted_event::clock, clock_form));
};
enum class tally : std::uint8_t { assist, rebound, steal, block, turnover };
template<tally What>
struct counted : counted_event {};

struct baseline_period {
  std::string period;
  std::int64_t home = 0, away = 0;
  static constexpr auto fields = sdk::fields(sdk::field("period", &baseline_period::period, period_form),
                                             sdk::field("home", &baseline_period::home, sdk::range(0, 200)),
                                             sdk::field("away", &baseline_period::away, sdk::range(0, 200)));
};
struct baseline {
  std::optional<both<std::int64_t>> score;
  std::optional<std::string> period, clock;
  std::optional<std::vector<baseline_period>> periods;
  std::optional<both<std::int64_t>> team_fouls;
  std::optional<side> arrow;
  static constexpr auto fields = sdk::fields(
      sdk::field("score", &baseline::score, sdk::range(0, 999)),
      sdk::field("period", &baseline::period, period_form, sdk::note("The period in progress.")),
      sdk::field("clock", &baseline::clock, clock_form),
      sdk::field("periods", &baseline::periods, sdk::items(0, periods_max),
                 sdk::note("From Q1 on; the last one may be in progress.")),
      sdk::field("team_fouls", &baseline::team_fouls, sdk::range(0, 99)), sdk::field("arrow", &baseline::arrow));
};

} // namespace omnium::basketball
