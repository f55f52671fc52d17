#pragma once
// Tennis: what is kept of a match, what a viewer sees, and the rules as a class.
#include "sports/tennis/inputs.hpp"

namespace omnium::tennis {

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
  sdk::nullable<sdk::match_result> result;
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
  std::optional<sdk::match_result> result() const;
  std::string line() const;
};

} // namespace omnium::tennis
