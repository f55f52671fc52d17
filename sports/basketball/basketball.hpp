#pragma once
// Basketball: what is kept of a game, what a viewer sees, and the rules as a class.
#include "sports/basketball/inputs.hpp"

namespace omnium::basketball {

struct player {
  std::int64_t points = 0, fouls = 0, technicals = 0, unsportsmanlike = 0;
  std::int64_t assists = 0, rebounds = 0, steals = 0, blocks = 0, turnovers = 0;
  bool disqualified = false;
  static constexpr auto fields = sdk::fields(
      sdk::field("points", &player::points, sdk::sparse), sdk::field("fouls", &player::fouls, sdk::sparse),
      sdk::field("technicals", &player::technicals, sdk::sparse),
      sdk::field("unsportsmanlike", &player::unsportsmanlike, sdk::sparse),
      sdk::field("assists", &player::assists, sdk::sparse), sdk::field("rebounds", &player::rebounds, sdk::sparse),
      sdk::field("steals", &player::steals, sdk::sparse), sdk::field("blocks", &player::blocks, sdk::sparse),
      sdk::field("turnovers", &player::turnovers, sdk::sparse),
      sdk::field("disqualified", &player::disqualified, sdk::sparse));
};

// A side's totals for the box score.
struct totals {
  std::int64_t made2 = 0, tried2 = 0, made3 = 0, tried3 = 0, made1 = 0, tried1 = 0;
  std::int64_t assists = 0, rebounds = 0, steals = 0, blocks = 0, turnovers = 0, fouls = 0;
  static constexpr auto fields = sdk::fields(
      sdk::field("made2", &totals::made2), sdk::field("tried2", &totals::tried2), sdk::field("made3", &totals::made3),
      sdk::field("tried3", &totals::tried3), sdk::field("made1", &totals::made1), sdk::field("tried1", &totals::tried1),
      sdk::field("assists", &totals::assists), sdk::field("rebounds", &totals::rebounds),
      sdk::field("steals", &totals::steals), sdk::field("blocks", &totals::blocks),
      sdk::field("turnovers", &totals::turnovers), sdk::field("fouls", &totals::fouls));
};

// Absent points: a baseline gave the total alone.
struct period_score {
  std::optional<std::int64_t> home, away;
  static constexpr auto fields =
      sdk::fields(sdk::field("home", &period_score::home), sdk::field("away", &period_score::away));
};

struct state {
  std::vector<period_score> periods; // begun, or with points of an interval before it
  std::int64_t period = 0;           // number of the period in progress or last ended; 0: none yet
  bool running = false;
  both<std::int64_t> carried; // points from a baseline whose periods are not known
  both<std::int64_t> team_fouls, interval_fouls;
  both<std::int64_t> timeouts;      // of this half (FIBA), of regulation (NBA), or of this overtime
  both<std::int64_t> late_timeouts; // of these, in the last two minutes of regulation
  std::optional<side> arrow;
  std::optional<std::string> clock;
  both<std::vector<std::string>> court; // five players; empty: no line-up was given
  both<std::map<std::string, player>> players;
  both<basketball::totals> totals;
  static constexpr auto fields = sdk::fields(
      sdk::field("periods", &state::periods), sdk::field("period", &state::period),
      sdk::field("running", &state::running), sdk::field("carried", &state::carried, sdk::sparse),
      sdk::field("team_fouls", &state::team_fouls), sdk::field("interval_fouls", &state::interval_fouls, sdk::sparse),
      sdk::field("timeouts", &state::timeouts), sdk::field("late_timeouts", &state::late_timeouts, sdk::sparse),
      sdk::field("arrow", &state::arrow), sdk::field("clock", &state::clock),
      sdk::field("court", &state::court, sdk::sparse), sdk::field("players", &state::players),
      sdk::field("totals", &state::totals));
};

struct period_view {
  std::string period;
  sdk::nullable<std::int64_t> home, away;
  static constexpr auto fields =
      sdk::fields(sdk::field("period", &period_view::period), sdk::field("home", &period_view::home),
                  sdk::field("away", &period_view::away));
};

struct board : sdk::headline {
  std::vector<period_view> periods;
  bool running = false;
  sdk::nullable<std::string> clock;
  both<std::int64_t> team_fouls;
  both<bool> bonus; // the side's opponents are over the limit of team fouls
  both<std::int64_t> timeouts_left;
  sdk::nullable<side> arrow;
  std::optional<sdk::match_result> result; // once the match is over
  static constexpr auto fields =
      sdk::fields(sdk::field("periods", &board::periods), sdk::field("running", &board::running),
                  sdk::field("clock", &board::clock), sdk::field("team_fouls", &board::team_fouls),
                  sdk::field("bonus", &board::bonus), sdk::field("timeouts_left", &board::timeouts_left),
                  sdk::field("arrow", &board::arrow), sdk::field("result", &board::result));
};

class game : public sdk::sport<state, settings> {
public:
  verdict decide(const period_change& in, const event& e) const;
  verdict decide(const lineup& in, const event&) const;
  verdict decide(const score& in, const event& e) const;
  verdict decide(const miss& in, const event& e) const;
  verdict decide(const free_throw& in, const event& e) const;
  verdict decide(const foul& in, const event& e) const;
  verdict decide(const timeout& in, const event& e) const;
  verdict decide(const substitution& in, const event& e) const;
  verdict decide(const possession&, const event&) const { return sdk::accept(); }
  template<tally What>
  verdict decide(const counted<What>& in, const event& e) const {
    return may_count(in, e);
  }
  verdict decide(const baseline& in, const event&) const;
  verdict may_end(const sdk::match_end& in, const event& e) const;

  void evolve(const period_change& in, const event&);
  void evolve(const lineup& in, const event&);
  void evolve(const score& in, const event&);
  void evolve(const miss& in, const event&);
  void evolve(const free_throw& in, const event&);
  void evolve(const foul& in, const event&);
  void evolve(const timeout& in, const event&);
  void evolve(const substitution& in, const event&);
  void evolve(const possession& in, const event&) { state.arrow = in.to; }
  template<tally What>
  void evolve(const counted<What>& in, const event&) {
    count(in, What);
  }
  void evolve(const baseline& in, const event&);

  board scoreboard() const;

private:
  bool nba() const { return settings.rules == rule_book::nba; }
  std::int64_t foul_limit() const { return settings.foul_limit.value_or(nba() ? 6 : 5); }
  std::int64_t bonus_after() const;
  std::int64_t timeouts_max() const;
  bool closing(const std::optional<std::string>& clock) const; // FIBA: the last two minutes of regulation
  bool overtime(std::int64_t number) const { return number > settings.periods; }
  bool regulation_over() const { return !state.running && state.period >= settings.periods; }
  std::string name_of(std::int64_t number) const;
  std::optional<std::int64_t> number_of(const std::string& name) const;
  both<std::int64_t> total() const;
  bool level() const { return total().home == total().away; }
  std::int64_t period_of(const free_throw& in) const;
  std::optional<sdk::match_result> result() const;

  const player* find(side of, const std::string& name) const;
  player* entry(side of, const std::optional<std::string>& name);
  bool out(const player& one) const { return one.disqualified || one.fouls >= foul_limit(); }
  verdict in_play() const;
  verdict may_play(side of, const std::optional<std::string>& name, const event& e, const char* member) const;
  verdict may_count(const counted_event& in, const event& e) const;
  void count(const counted_event& in, tally what);
  void add_points(side of, std::int64_t period, std::int64_t points, const std::optional<std::string>& name);
  void at(const std::optional<std::string>& clock) {
    if (clock) state.clock = clock;
  }
};

} // namespace omnium::basketball
