#pragma once
// Badminton: what is kept of a match, what a viewer sees, and the rules as a class.
#include "sports/badminton/inputs.hpp"

namespace omnium::badminton {

// --- state -----------------------------------------------------------------------------------------------------------

struct game_score {
  std::int64_t home = 0, away = 0;
  static constexpr auto fields = sdk::fields(sdk::field("home", &game_score::home, sdk::range(0, points_most)),
                                             sdk::field("away", &game_score::away, sdk::range(0, points_most)));
};

struct baseline {
  std::optional<both<std::int64_t>> score;
  std::optional<std::string> period;
  std::optional<std::vector<game_score>> games;
  std::optional<side> server;
  static constexpr auto fields = sdk::fields(
      sdk::field("score", &baseline::score, sdk::range(0, 4), sdk::note("Games won.")),
      sdk::field("period", &baseline::period, sdk::length(2, 2), sdk::note("The game in progress, e.g. G2.")),
      sdk::field("games", &baseline::games, sdk::items(0, 7), sdk::note("The last one may be in progress.")),
      sdk::field("server", &baseline::server));
};

enum class decided_by : std::uint8_t { play, retirement, walkover, disqualification };
OMNIUM_ENUM(decided_by, play, retirement, walkover, disqualification)
struct decision {
  side winner{};
  decided_by by{};
  static constexpr auto fields = sdk::fields(sdk::field("winner", &decision::winner), sdk::field("by", &decision::by));
  friend bool operator==(const decision&, const decision&) = default;
};

struct card_count {
  std::int64_t yellow = 0, red = 0, black = 0;
  static constexpr auto fields =
      sdk::fields(sdk::field("yellow", &card_count::yellow), sdk::field("red", &card_count::red),
                  sdk::field("black", &card_count::black));
  friend bool operator==(const card_count&, const card_count&) = default;
};

struct state {
  std::vector<game_score> games; // finished
  both<std::int64_t> carried;    // games of a baseline that gave no more than their number
  both<std::int64_t> points;
  side server{};
  both<std::vector<std::string>> players; // right service court, then left; empty: no names were given
  bool interval = false;                  // a side has just reached the middle of the game first
  both<card_count> cards;
  both<std::int64_t> challenges_lost;
  std::optional<decision> decided;
  static constexpr auto fields = sdk::fields(
      sdk::field("games", &state::games), sdk::field("carried", &state::carried, sdk::sparse),
      sdk::field("points", &state::points), sdk::field("server", &state::server),
      sdk::field("players", &state::players, sdk::sparse), sdk::field("interval", &state::interval, sdk::sparse),
      sdk::field("cards", &state::cards, sdk::sparse),
      sdk::field("challenges_lost", &state::challenges_lost, sdk::sparse), sdk::field("decided", &state::decided));
};

// --- scoreboard ------------------------------------------------------------------------------------------------------

enum class court : std::uint8_t { right, left };
OMNIUM_ENUM(court, right, left)

struct board : sdk::headline {   // score: games won
  std::vector<game_score> games; // finished, and the one in progress once a point of it is played
  both<std::int64_t> points;     // of the game in progress
  sdk::nullable<side> server;
  sdk::nullable<court> service_court;
  std::optional<std::string> serving_player, receiving_player;
  bool interval = false;
  both<card_count> cards;
  both<std::int64_t> challenges_left;
  sdk::nullable<sdk::match_result> result;
  static constexpr auto fields = sdk::fields(
      sdk::field("games", &board::games), sdk::field("points", &board::points), sdk::field("server", &board::server),
      sdk::field("service_court", &board::service_court), sdk::field("serving_player", &board::serving_player),
      sdk::field("receiving_player", &board::receiving_player), sdk::field("interval", &board::interval),
      sdk::field("cards", &board::cards), sdk::field("challenges_left", &board::challenges_left),
      sdk::field("result", &board::result));
};

class match_play : public sdk::sport<state, settings> {
public:
  std::optional<std::string> check_settings() const;
  void on_open() { state.server = settings.first_server; }

  verdict decide(const rally&, const event&) const { return undecided(); }
  verdict decide(const lineup& in, const event& e) const;
  verdict decide(const service& in, const event&) const;
  verdict decide(const let&, const event&) const { return undecided(); }
  verdict decide(const card& in, const event& e) const;
  verdict decide(const challenge& in, const event& e) const;
  verdict decide(const retire&, const event&) const { return undecided(); }
  verdict decide(const walkover&, const event&) const;
  verdict decide(const baseline& in, const event&) const;

  void evolve(const rally& in, const event&) { win_rally(in.winner); }
  void evolve(const lineup& in, const event&) { state.players[in.side] = in.players; }
  void evolve(const service& in, const event&);
  void evolve(const let&, const event&) {} // the rally is played again: nothing changes (Law 14)
  void evolve(const card& in, const event&);
  void evolve(const challenge& in, const event&);
  void evolve(const retire& in, const event&);
  void evolve(const walkover& in, const event&);
  void evolve(const baseline& in, const event&);

  board scoreboard() const;

private:
  std::int64_t games_to_win() const { return settings.best_of / 2 + 1; }
  std::int64_t cap() const { return settings.cap.value_or(settings.points + 9); }
  both<std::int64_t> games_won() const;
  std::optional<side> game_winner(const both<std::int64_t>& points, bool* impossible = nullptr) const;
  bool game_begun() const { return state.points.home + state.points.away > 0; }
  verdict undecided() const;
  std::optional<std::string> baseline_fault(const baseline& in) const;

  court court_of(side server) const { return state.points[server] % 2 == 0 ? court::right : court::left; }
  std::optional<std::string> player_in(side of, court where) const;
  void stand(side of, const std::string& player, court where);
  void win_rally(side winner);
  void close_game(side winner);
  std::optional<sdk::match_result> result() const;
  std::string line() const;
};

} // namespace omnium::badminton
