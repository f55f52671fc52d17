#pragma once
// Cricket: one match of any length, by one edition of the Laws. sports.md (Cricket), known-traps S1-S8.
#include "sports/cricket/board.hpp"
#include "sports/cricket/laws.hpp"

namespace omnium::cricket {

struct settings {
  std::int64_t balls_per_over = 6;
  std::optional<over_count> overs_limit;
  std::optional<std::int64_t> innings_per_side; // absent: 1 with a limit of overs, else 2
  std::int64_t players_per_side = 11;
  std::optional<std::int64_t> overs_per_bowler, overs_in_a_row;
  static constexpr auto fields = sdk::fields(
      sdk::field("balls_per_over", &settings::balls_per_over, sdk::range(1, balls_per_over_max), sdk::may_be_absent),
      sdk::field("overs_limit", &settings::overs_limit, sdk::range(1, overs_max),
                 sdk::note("Overs of an innings; absent: no limit.")),
      sdk::field("innings_per_side", &settings::innings_per_side, sdk::range(1, 2)),
      sdk::field("players_per_side", &settings::players_per_side, sdk::range(2, players_max), sdk::may_be_absent),
      sdk::field("overs_per_bowler", &settings::overs_per_bowler, sdk::range(1, overs_max),
                 sdk::note("Overs one bowler may bowl in an innings; absent: no limit.")),
      sdk::field("overs_in_a_row", &settings::overs_in_a_row, sdk::range(1, 2),
                 sdk::note("Overs one bowler may bowl in a row: 1 by Law 17.6, 2 where overs are sets of five.")));
};

// After a total loss: where the match stands, as the scoreboard would show it. The innings before the last are closed.
struct baseline_innings {
  side batting{};
  innings_kind kind{};
  std::int64_t runs = 0, wickets = 0, balls = 0;
  std::optional<std::string> overs;
  cricket::extras extras;
  std::optional<std::int64_t> target, balls_per_over;
  std::optional<over_count> overs_limit;
  bool declared = false, closed = false;
  static constexpr auto fields =
      sdk::fields(sdk::field("batting", &baseline_innings::batting),
                  sdk::field("kind", &baseline_innings::kind, sdk::may_be_absent),
                  sdk::field("runs", &baseline_innings::runs, sdk::range(0, runs_max)),
                  sdk::field("wickets", &baseline_innings::wickets, sdk::range(0, wickets_max)),
                  sdk::field("balls", &baseline_innings::balls, sdk::range(0, balls_max)),
                  sdk::field("overs", &baseline_innings::overs, sdk::length(3, 7),
                             sdk::note("As shown, e.g. 19.4; absent: from balls.")),
                  sdk::field("extras", &baseline_innings::extras, sdk::may_be_absent),
                  sdk::field("target", &baseline_innings::target, sdk::range(1, runs_max)),
                  sdk::field("balls_per_over", &baseline_innings::balls_per_over, sdk::range(1, balls_per_over_max)),
                  sdk::field("overs_limit", &baseline_innings::overs_limit, sdk::range(0, overs_max)),
                  sdk::field("declared", &baseline_innings::declared, sdk::may_be_absent),
                  sdk::field("closed", &baseline_innings::closed, sdk::may_be_absent));
};
struct baseline {
  std::vector<baseline_innings> innings;
  std::vector<batter_view> batting;
  std::optional<bowler_view> bowling;
  static constexpr auto fields =
      sdk::fields(sdk::field("innings", &baseline::innings, sdk::items(1, innings_max)),
                  sdk::field("batting", &baseline::batting, sdk::items(0, 2), sdk::may_be_absent,
                             sdk::note("The two at the wicket.")),
                  sdk::field("bowling", &baseline::bowling, sdk::note("The bowler of the over in progress.")));
};

class game : public sdk::sport<state, settings> {
public:
  explicit game(const edition& laws) : laws_(&laws) {}

  std::optional<std::string> check_settings() const;
  verdict may_suspend(const sdk::match_suspend& in, const event& e) const;
  void on_end(const sdk::match_end& in, const event&);

  verdict decide(const toss&, const event&) const;
  verdict decide(const innings_change&, const event&) const;
  verdict decide(const ball&, const event&) const;
  verdict decide(const over_end&, const event&) const;
  verdict decide(const penalty_runs&, const event&) const;
  verdict decide(const retire&, const event&) const;
  verdict decide(const replacement&, const event&) const;
  verdict decide(const target&, const event&) const;
  verdict decide(const overs_limit&, const event&) const;
  verdict decide(const powerplay&, const event&) const;
  verdict decide(const outcome&, const event&) const;
  verdict decide(const baseline&, const event&) const;

  void evolve(const toss&, const event&);
  void evolve(const innings_change&, const event&);
  void evolve(const ball&, const event&);
  void evolve(const over_end&, const event&);
  void evolve(const penalty_runs&, const event&);
  void evolve(const retire&, const event&);
  void evolve(const replacement&, const event&);
  void evolve(const target&, const event&);
  void evolve(const overs_limit&, const event&);
  void evolve(const powerplay&, const event&);
  void evolve(const outcome&, const event&);
  void evolve(const baseline&, const event&);

  board scoreboard() const;

private:
  // What of the match is over, of each side: normal innings begun, and how the lines stand. Only for rare events.
  struct tally {
    std::vector<innings_line> lines; // of all innings, the one in play last
    both<std::int64_t> begun, totals;
    std::vector<const innings_line*> normal, super;
    tally() = default;
    tally(tally&&) = default;
  };
  tally count() const;

  // innings.cpp
  std::int64_t players() const { return settings.players_per_side; }
  std::int64_t innings_per_side() const;
  bool in_play() const { return state.now && !state.now->complete(players()); }
  bool level(const tally& t) const;
  verdict may_begin(const innings_change& in, const event& e) const;
  verdict may_close(const innings_change& in, const event& e) const;
  verdict may_begin_normal(const innings_change& in, const tally& t) const;
  verdict may_begin_super_over(const innings_change& in, const tally& t) const;
  void start(const innings_change& in);
  void freeze();
  void tell(const innings_line& line);
  bool answers(const innings& now) const;
  void set_target(innings& chase, const target& what);
  bool forfeits_next(const innings_change& in) const;

  // crease.cpp
  verdict may_bat(const ball& in, const event& e) const;
  verdict may_come_in(const std::string& name, const event& e) const;
  void let_resume(bool may);
  batting_card come_in(innings& now, const std::string& name);
  void enter(innings& now, const std::string& batter, const std::string& non_striker);
  void fall(innings& now, const std::string& name, dismissal how, std::optional<std::string> bowler,
            std::optional<std::string> fielder);
  bool resumes(const innings& now, const ball& in) const;

  // bowling.cpp
  bool joins_last_over(const innings& now, const std::string& bowler, const event& e) const;
  verdict may_bowl(const ball& in, const event& e) const;
  verdict may_finish_over(const innings& now, const std::string& bowler, const ball& in, const event& e) const;
  verdict may_begin_over(const innings& now, const std::string& bowler, const event& e) const;
  verdict may_bowl_at_all(const innings& now, const std::string& bowler, const ball& in, const event& e) const;
  std::int64_t in_a_row_max(const innings& now) const;
  std::int64_t balls_of(const innings& now, const std::string& bowler) const;
  void close_over(innings& now);
  void begin_or_go_on(innings& now, const std::string& bowler, const event& e);
  void suspend(innings* now, const std::string& bowler, std::string_view reason);

  // ball.cpp
  verdict may_be_bowled(const ball& in, const event& e) const;
  verdict may_score(const ball& in, const event& e) const;
  verdict may_be_out(const ball& in, const event& e) const;
  void take_wickets(innings& now, const ball& in);
  verdict may_fall(const innings& now, const ball& in, std::size_t index, const event& e) const;

  // events.cpp
  bool award_to_closed(side to, std::int64_t runs, bool during);

  // result.cpp
  void settle();
  result derive(const tally& t) const;
  void decide_tie(result& tied, const tally& t) const;
  result stated(const outcome& what, const tally& t) const;
  std::optional<margin> margin_of(side winner, const tally& t) const;
  result derive_chase(const innings& chase) const;

  // board.cpp
  std::string line_text() const;
  std::string super_over_text() const;
  std::string period_text() const;
  std::string closed_lines() const;

  // baseline.cpp
  innings restored(const baseline& from) const;

  const edition* laws_;
};

struct game_2017 : game {
  game_2017() : game(code_2017_3) {}
};
struct game_2026 : game {
  game_2026() : game(code_2017_4) {}
};

} // namespace omnium::cricket
