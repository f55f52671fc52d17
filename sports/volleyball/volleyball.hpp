#pragma once
// Volleyball and beach volleyball: what is kept of a match, what a viewer sees, and the rules as a class.
#include "sports/volleyball/inputs.hpp"

#include <algorithm>

namespace omnium::volleyball {

// Points are absent where only the winner of a set is known.
struct set_record {
  side winner{};
  std::optional<std::int64_t> home, away;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &set_record::winner), sdk::field("home", &set_record::home),
                  sdk::field("away", &set_record::away));
};

// A player of the starting six and who took the place; `returned` when the starter came back (15.6).
struct exchange {
  std::string starter, substitute;
  bool returned = false;
  static constexpr auto fields =
      sdk::fields(sdk::field("starter", &exchange::starter), sdk::field("substitute", &exchange::substitute),
                  sdk::field("returned", &exchange::returned, sdk::sparse));
  friend bool operator==(const exchange&, const exchange&) = default;
};

enum class decided_by : std::uint8_t { play, retirement, forfeit };
OMNIUM_ENUM(decided_by, play, retirement, forfeit)
struct decision {
  side winner{};
  decided_by by{};
  static constexpr auto fields = sdk::fields(sdk::field("winner", &decision::winner), sdk::field("by", &decision::by));
  friend bool operator==(const decision&, const decision&) = default;
};

// What begins anew with each set.
struct set_state {
  both<std::int64_t> points;
  side server{}, first_server{};        // now, and in the first rally of the set
  both<std::vector<std::string>> court; // positions I to VI; empty: no line-up was given
  both<std::int64_t> turns;             // rotations, where no line-up was given
  both<std::int64_t> substitutions, timeouts;
  both<std::vector<exchange>> exchanges;
  both<std::vector<std::string>> expelled;
  static constexpr auto fields = sdk::fields(
      sdk::field("points", &set_state::points), sdk::field("server", &set_state::server),
      sdk::field("first_server", &set_state::first_server), sdk::field("court", &set_state::court, sdk::sparse),
      sdk::field("turns", &set_state::turns, sdk::sparse),
      sdk::field("substitutions", &set_state::substitutions, sdk::sparse),
      sdk::field("timeouts", &set_state::timeouts, sdk::sparse),
      sdk::field("exchanges", &set_state::exchanges, sdk::sparse),
      sdk::field("expelled", &set_state::expelled, sdk::sparse));
};

struct state {
  std::vector<set_record> sets;  // finished
  both<std::int64_t> carried;    // sets of a baseline that gave no more than their number
  set_state set;                 // in progress, or the next one
  std::optional<set_state> last; // as it stood when it was won, until a point of the next set is played
  both<std::vector<std::string>> starting;
  both<std::vector<std::string>> disqualified;
  both<bool> delay_warned;
  // The points of the set in progress, or of `last`, in the order in which they were played: an event that was put in
  // later has a higher seq than what it stands before.
  std::vector<std::int64_t> rallies; // the seq of each
  std::string won;                   // of each: h or a, a rally that counts for that side; -, any other point
  std::int64_t newest = 0;           // the highest seq that any set's points came with: a higher one was never played
  std::optional<decision> decided;
  static constexpr auto fields = sdk::fields(
      sdk::field("sets", &state::sets), sdk::field("carried", &state::carried, sdk::sparse),
      sdk::field("set", &state::set), sdk::field("last", &state::last),
      sdk::field("starting", &state::starting, sdk::sparse),
      sdk::field("disqualified", &state::disqualified, sdk::sparse),
      sdk::field("delay_warned", &state::delay_warned, sdk::sparse), sdk::field("rallies", &state::rallies),
      sdk::field("won", &state::won), sdk::field("newest", &state::newest), sdk::field("decided", &state::decided));
};

struct set_view {
  sdk::nullable<std::int64_t> home, away; // null: only the winner of the set is known
  static constexpr auto fields = sdk::fields(sdk::field("home", &set_view::home), sdk::field("away", &set_view::away));
};

struct board : sdk::headline { // score: sets won
  std::vector<set_view> sets;  // finished, and the one in progress once a point of it is played
  both<std::int64_t> points;   // of the set in progress
  sdk::nullable<side> server;
  both<std::vector<std::string>>
      rotation; // positions I to VI; where no line-up was given, the starting positions 1 to 6
  both<std::int64_t> timeouts_left, substitutions_left;
  sdk::nullable<sdk::match_result> result;
  static constexpr auto fields = sdk::fields(
      sdk::field("sets", &board::sets), sdk::field("points", &board::points), sdk::field("server", &board::server),
      sdk::field("rotation", &board::rotation), sdk::field("timeouts_left", &board::timeouts_left),
      sdk::field("substitutions_left", &board::substitutions_left), sdk::field("result", &board::result));
};

class game : public sdk::sport<state, settings> {
public:
  std::optional<std::string> check_settings() const;
  void on_open() { state.set.server = state.set.first_server = settings.first_server; }

  verdict decide(const rally&, const event&) const { return undecided(); }
  verdict decide(const serve&, const event&) const { return undecided(); }
  verdict decide(const lineup& in, const event& e) const;
  verdict decide(const substitution& in, const event& e) const;
  verdict decide(const timeout& in, const event& e) const;
  verdict decide(const sanction& in, const event& e) const;
  verdict decide(const rotation_fault& in, const event&) const;
  verdict decide(const set_score& in, const event&) const;
  verdict decide(const forfeit&, const event&) const { return undecided(); }
  verdict decide(const retire&, const event&) const { return undecided(); }
  verdict decide(const baseline& in, const event&) const;

  void evolve(const rally& in, const event& e);
  void evolve(const serve& in, const event&);
  void evolve(const lineup& in, const event&);
  void evolve(const substitution& in, const event&);
  void evolve(const timeout& in, const event&) { ++state.set.timeouts[in.side]; }
  void evolve(const sanction& in, const event& e);
  void evolve(const rotation_fault& in, const event& e);
  void evolve(const set_score& in, const event& e);
  void evolve(const forfeit& in, const event& e);
  void evolve(const retire& in, const event&);
  void evolve(const baseline& in, const event& e);

  board scoreboard() const;

private:
  bool beach() const { return settings.discipline == discipline::beach; }
  std::size_t court_size() const { return beach() ? 2 : 6; }
  std::int64_t sets_to_win() const { return settings.sets_to_win.value_or(beach() ? 2 : 3); }
  std::int64_t timeouts_max() const { return settings.timeouts.value_or(beach() ? 1 : 2); }
  std::int64_t substitutions_max() const { return beach() ? 0 : settings.substitutions; }
  both<std::int64_t> sets_won() const;
  std::int64_t target(const both<std::int64_t>& won) const;
  // nullopt: the set goes on; a side: it has won. `impossible` when no set ever stands so.
  std::optional<side> set_winner(const both<std::int64_t>& points, std::int64_t target,
                                 bool* impossible = nullptr) const;
  bool set_begun() const { return state.set.points.home + state.set.points.away > 0; }
  verdict undecided() const;
  verdict may_exchange(const substitution& in) const;
  std::optional<std::string> baseline_fault(const baseline& in) const;

  void win_point(side winner, std::int64_t seq, char mark);
  void close_set(side winner, std::optional<both<std::int64_t>> points);
  void begin_set();
  void entered(std::int64_t seq) { state.newest = std::max(state.newest, seq); }
  // Where among the open points a fault began: at that point, or, named by an event between two points, at the next
  // one; past the end: before or after all of them.
  std::size_t place_of(std::int64_t seq) const;
  void cancel_points(side of, std::int64_t from_seq);
  void rotate(side of);
  std::vector<std::string> rotation(side of) const;
  std::optional<sdk::match_result> result() const;
  std::string line() const;
};

} // namespace omnium::volleyball
