#pragma once
// Speed climbing: one heat of two lanes (lane A is the home side, lane B the away side), or of one climber alone.
// Times are kept in thousandths of a second. Source: World Climbing (IFSC) Competition Rules, part Speed;
// sports.md (Speed climbing).
#include "omnium/sport.hpp"

namespace omnium::climbing {

namespace sdk = omnium::sdk;
using sdk::both;
using sdk::event;
using sdk::side;
using sdk::verdict;
using seconds = sdk::decimal<3>;

inline constexpr std::size_t climber_chars_max = 80; // of a name or id; beyond: bad_input

struct settings {
  seconds reaction_limit{100};
  seconds time_cap{60'000};
  static constexpr auto fields =
      sdk::fields(sdk::field("reaction_limit", &settings::reaction_limit, sdk::range(0, 2), sdk::may_be_absent,
                             sdk::note("A start sooner after the signal is a false start.")),
                  sdk::field("time_cap", &settings::time_cap, sdk::range(1, 3600), sdk::may_be_absent,
                             sdk::note("No climb takes longer.")));
};

// A heat sheet prints A and B; a desk's keyboard says a and b.
enum class lane : std::uint8_t { a, b, A, B };
OMNIUM_ENUM(lane, a, b, A, B)
constexpr side side_of(lane of) { return of == lane::a || of == lane::A ? side::home : side::away; }

enum class mark : std::uint8_t { FS, FALL, DNS, DSQ };
OMNIUM_ENUM(mark, FS, FALL, DNS, DSQ)

// --- commands --------------------------------------------------------------------------------------------------------

struct start {
  std::optional<std::string> lane_a, lane_b;
  static constexpr auto fields = sdk::fields(
      sdk::field("lane_a", &start::lane_a, sdk::length(1, climber_chars_max), sdk::note("Who climbs; absent: nobody.")),
      sdk::field("lane_b", &start::lane_b, sdk::length(1, climber_chars_max)));
};

struct reaction {
  climbing::lane lane{};
  climbing::seconds seconds;
  static constexpr auto fields =
      sdk::fields(sdk::field("lane", &reaction::lane), sdk::field("seconds", &reaction::seconds, sdk::range(-10, 60)));
};

struct finish {
  climbing::lane lane{};
  climbing::seconds seconds;
  static constexpr auto fields =
      sdk::fields(sdk::field("lane", &finish::lane), sdk::field("seconds", &finish::seconds, sdk::range(0, 9999)));
};

struct irregular {
  climbing::lane lane{};
  climbing::mark mark{};
  static constexpr auto fields = sdk::fields(
      sdk::field("lane", &irregular::lane),
      sdk::field("mark", &irregular::mark, sdk::note("FS false start, FALL, DNS did not start, DSQ disqualified.")));
};

struct rerun {
  std::string reason;
  static constexpr auto fields = sdk::fields(sdk::field("reason", &rerun::reason));
};

struct confirm {
  std::optional<lane> winner;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &confirm::winner,
                             sdk::note("Only where the times and marks do not decide: who ranked higher before.")));
};

struct baseline_lane {
  std::optional<std::string> climber;
  std::optional<climbing::seconds> reaction, time;
  std::optional<climbing::mark> mark;
  static constexpr auto fields = sdk::fields(
      sdk::field("climber", &baseline_lane::climber, sdk::length(1, climber_chars_max)),
      sdk::field("reaction", &baseline_lane::reaction, sdk::range(-10, 60)),
      sdk::field("time", &baseline_lane::time, sdk::range(0, 9999)), sdk::field("mark", &baseline_lane::mark));
};
struct baseline_lanes {
  std::optional<baseline_lane> a, b;
  static constexpr auto fields = sdk::fields(sdk::field("a", &baseline_lanes::a), sdk::field("b", &baseline_lanes::b));
};
struct baseline {
  baseline_lanes lanes;
  static constexpr auto fields = sdk::fields(sdk::field("lanes", &baseline::lanes));
};

// --- state and scoreboard --------------------------------------------------------------------------------------------

struct run {
  std::optional<std::string> climber;
  std::optional<climbing::seconds> reaction, time;
  std::optional<climbing::mark> mark;
  bool taken() const { return climber.has_value(); }
  bool open() const { return taken() && !time && !mark; }
  static constexpr auto fields =
      sdk::fields(sdk::field("climber", &run::climber), sdk::field("reaction", &run::reaction),
                  sdk::field("time", &run::time), sdk::field("mark", &run::mark));
};

struct state {
  both<run> lanes;
  bool started = false, confirmed = false;
  std::int64_t runs = 0; // starts of the heat: more than one after a rerun
  std::optional<std::string> rerun_reason;
  std::optional<side> awarded; // the winner of a heat that times and marks leave open
  static constexpr auto fields = sdk::fields(
      sdk::field("lanes", &state::lanes), sdk::field("started", &state::started, sdk::sparse),
      sdk::field("confirmed", &state::confirmed, sdk::sparse), sdk::field("runs", &state::runs, sdk::sparse),
      sdk::field("rerun_reason", &state::rerun_reason), sdk::field("awarded", &state::awarded));
};

enum class outcome : std::uint8_t { win, loss };
constexpr auto omnium_enum(outcome) { return sdk::names<outcome>({{outcome::win, "W"}, {outcome::loss, "L"}}); }

struct lane_view {
  sdk::nullable<std::string> climber;
  sdk::nullable<climbing::seconds> reaction, time;
  sdk::nullable<std::string> shown; // as result lists print it: hundredths, not rounded; thousandths to split a tie
  sdk::nullable<climbing::mark> mark;
  sdk::nullable<outcome> result;
  static constexpr auto fields =
      sdk::fields(sdk::field("climber", &lane_view::climber), sdk::field("reaction", &lane_view::reaction),
                  sdk::field("time", &lane_view::time), sdk::field("shown", &lane_view::shown),
                  sdk::field("mark", &lane_view::mark), sdk::field("result", &lane_view::result));
};
struct lanes_view {
  lane_view a, b;
  static constexpr auto fields = sdk::fields(sdk::field("a", &lanes_view::a), sdk::field("b", &lanes_view::b));
};

struct board : sdk::headline { // score: 1 to 0 once the heat is decided
  lanes_view lanes;
  sdk::nullable<side> winner;
  bool confirmed = false;
  std::int64_t runs = 0;
  std::optional<sdk::match_result> result; // once the match is over
  static constexpr auto fields = sdk::fields(sdk::field("lanes", &board::lanes), sdk::field("winner", &board::winner),
                                             sdk::field("confirmed", &board::confirmed),
                                             sdk::field("runs", &board::runs), sdk::field("result", &board::result));
};

class heat : public sdk::sport<state, settings> {
public:
  verdict decide(const start& in, const event&) const;
  verdict decide(const reaction& in, const event& e) const;
  verdict decide(const finish& in, const event&) const;
  verdict decide(const irregular& in, const event&) const;
  verdict decide(const rerun& in, const event&) const;
  verdict decide(const confirm& in, const event& e) const;
  verdict decide(const baseline& in, const event&) const;

  void evolve(const start& in, const event&);
  void evolve(const reaction& in, const event&) { state.lanes[side_of(in.lane)].reaction = in.seconds; }
  void evolve(const finish& in, const event&) { state.lanes[side_of(in.lane)].time = in.seconds; }
  void evolve(const irregular& in, const event&) { state.lanes[side_of(in.lane)].mark = in.mark; }
  void evolve(const rerun& in, const event&);
  void evolve(const confirm& in, const event&);
  void evolve(const baseline& in, const event&);

  board scoreboard() const;

private:
  verdict running() const; // started and not confirmed
  verdict lane_taken(lane which) const;
  bool alone() const { return state.lanes.home.taken() != state.lanes.away.taken(); }
  std::optional<side> faster() const; // whom times and marks make the winner
  std::optional<side> winner() const;
  std::string shown(side of) const;
  std::string figures() const;
  lane_view view(side of) const;
};

} // namespace omnium::climbing
