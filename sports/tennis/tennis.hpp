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

// --- state -----------------------------------------------------------------------------------------------------------

struct set_score {
  std::int64_t home = 0, away = 0;
  std::optional<both<std::int64_t>> tiebreak;
  static constexpr auto fields = sdk::fields(sdk::field("home", &set_score::home, sdk::range(0, 999)),
                                             sdk::field("away", &set_score::away, sdk::range(0, 999)),
                                             sdk::field("tiebreak", &set_score::tiebreak, sdk::range(0, 999)));
};

struct baseline {
  std::optional<both<std::int64_t>> score;
  std::optional<std::string> period;
  std::optional<std::vector<set_score>> sets;
  std::optional<both<std::string>> game;
  std::optional<side> server;
  static constexpr auto fields = sdk::fields(
      sdk::field("score", &baseline::score, sdk::range(0, 3), sdk::note("Sets won.")),
      sdk::field("period", &baseline::period, sdk::length(2, 2), sdk::note("The set in progress, e.g. S2.")),
      sdk::field("sets", &baseline::sets, sdk::items(0, 5), sdk::note("The last one may be in progress.")),
      sdk::field("game", &baseline::game, sdk::length(1, 3),
                 sdk::note("As the scoreboard shows it: 0, 15, 30, 40, AD; points in a tie-break.")),
      sdk::field("server", &baseline::server));
};

enum class decided_by : std::uint8_t { play, retirement, walkover, default_ };
constexpr auto omnium_enum(decided_by) {
  return sdk::names<decided_by>({{decided_by::play, "play"},
                                 {decided_by::retirement, "retirement"},
                                 {decided_by::walkover, "walkover"},
                                 {decided_by::default_, "default"}});
}
struct decision {
  side winner{};
  decided_by by{};
  static constexpr auto fields = sdk::fields(sdk::field("winner", &decision::winner), sdk::field("by", &decision::by));
  friend bool operator==(const decision&, const decision&) = default;
};

struct state {
  std::vector<set_score> sets; // finished
  both<std::int64_t> carried;  // sets of a baseline that gave no more than their number
  both<std::int64_t> games, points;
  side server{};           // of this game; of a tie-break, the side that began it
  std::int64_t faults = 0; // on this point: 0 or 1
  both<std::vector<std::string>> players;
  both<std::int64_t> service_games; // begun in this set; says whose turn it is in doubles
  both<std::int64_t> code_violations, time_violations;
  both<std::int64_t> won, aces, double_faults;
  std::optional<decision> decided;
  static constexpr auto fields = sdk::fields(
      sdk::field("sets", &state::sets), sdk::field("carried", &state::carried, sdk::sparse),
      sdk::field("games", &state::games), sdk::field("points", &state::points), sdk::field("server", &state::server),
      sdk::field("faults", &state::faults, sdk::sparse), sdk::field("players", &state::players, sdk::sparse),
      sdk::field("service_games", &state::service_games, sdk::sparse),
      sdk::field("code_violations", &state::code_violations, sdk::sparse),
      sdk::field("time_violations", &state::time_violations, sdk::sparse), sdk::field("won", &state::won, sdk::sparse),
      sdk::field("aces", &state::aces, sdk::sparse), sdk::field("double_faults", &state::double_faults, sdk::sparse),
      sdk::field("decided", &state::decided));
};

// --- scoreboard ------------------------------------------------------------------------------------------------------

struct board : sdk::headline {           // score: sets won
  std::vector<set_score> sets;           // finished, and the one in progress once a point of it is played
  sdk::nullable<both<std::string>> game; // 0, 15, 30, 40, AD; points in a tie-break; null when the match is decided
  sdk::nullable<side> server;
  std::optional<std::string> serving_player; // doubles
  bool tiebreak = false;
  std::int64_t faults = 0;
  both<std::int64_t> points; // won in the match
  sdk::nullable<decision> result;
  static constexpr auto fields = sdk::fields(
      sdk::field("sets", &board::sets), sdk::field("game", &board::game), sdk::field("server", &board::server),
      sdk::field("serving_player", &board::serving_player), sdk::field("tiebreak", &board::tiebreak),
      sdk::field("faults", &board::faults), sdk::field("points", &board::points), sdk::field("result", &board::result));
};

// --- the match -------------------------------------------------------------------------------------------------------

class game : public sdk::sport<state, settings> {
public:
  std::optional<std::string> check_settings() const;
  void on_open() { state.server = settings.first_server; }

  verdict decide(const point&, const event&) const { return undecided(); }
  verdict decide(const fault& in, const event&) const;
  verdict decide(const let&, const event&) const { return undecided(); }
  verdict decide(const serve_fix& in, const event& e) const;
  verdict decide(const lineup& in, const event& e) const;
  verdict decide(const violation& in, const event&) const;
  verdict decide(const retire& in, const event&) const;
  verdict decide(const walkover& in, const event&) const;
  verdict decide(const baseline& in, const event&) const;

  void evolve(const point& in, const event&);
  void evolve(const fault&, const event&) { add_fault(); }
  void evolve(const let& in, const event&);
  void evolve(const serve_fix& in, const event&);
  void evolve(const lineup& in, const event&) { state.players[in.side] = in.players; }
  void evolve(const violation& in, const event&);
  void evolve(const retire& in, const event&);
  void evolve(const walkover& in, const event&);
  void evolve(const baseline& in, const event&);

  board scoreboard() const;

private:
  // How the set in progress is won.
  struct set_rules {
    bool match_tiebreak = false;
    std::optional<std::int64_t> tiebreak_at; // nullopt: two games clear however long it takes
    std::int64_t tiebreak_points = 7;
  };

  verdict undecided() const;
  std::int64_t sets_to_win() const { return settings.best_of / 2 + 1; }
  both<std::int64_t> sets_won() const;
  bool deciding_set(const both<std::int64_t>& won) const;
  set_rules rules_of_set(const both<std::int64_t>& won) const;
  set_rules rules_now() const { return rules_of_set(sets_won()); }
  bool in_tiebreak() const;
  bool set_begun() const;
  side server_now() const;
  std::optional<std::string> serving_player() const;
  std::size_t turn_of(side server) const;
  std::optional<side> set_winner(const set_score& games, const set_rules& rules) const;
  tennis::penalty schedule(const violation& in) const;

  void win_point(side winner);
  void win_game(side winner);
  void win_set(side winner, std::optional<both<std::int64_t>> tiebreak);
  void add_fault();
  void decide_match(side winner, decided_by by) { state.decided = decision{winner, by}; }

  std::optional<both<std::int64_t>> points_of(const both<std::string>& shown, bool tiebreak) const;
  both<std::string> shown_points() const;
  std::optional<std::string> baseline_fault(const baseline& in) const;
  std::string line() const;
};

} // namespace omnium::tennis
