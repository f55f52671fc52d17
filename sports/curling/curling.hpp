#pragma once
// Curling: what is kept of a game, what a viewer sees, and the rules as a class.
#include "sports/curling/inputs.hpp"

namespace omnium::curling {

// --- state -----------------------------------------------------------------------------------------------------------

// A finished end. Points are absent where a baseline gave the total alone.
struct end_record {
  std::optional<std::int64_t> home, away;
  std::optional<side> hammer, power_play;
  bool recorded = false;    // the hammer was sent, not derived from the end before
  bool out_of_turn = false; // a side delivered when the other was to: it stands, and is shown (R5)
  static constexpr auto fields =
      sdk::fields(sdk::field("home", &end_record::home), sdk::field("away", &end_record::away),
                  sdk::field("hammer", &end_record::hammer), sdk::field("power_play", &end_record::power_play),
                  sdk::field("recorded", &end_record::recorded, sdk::sparse),
                  sdk::field("out_of_turn", &end_record::out_of_turn, sdk::sparse));
};

struct state {
  std::vector<end_record> ends;
  std::optional<side> hammer; // of the end in progress, or of the next one
  bool hammer_recorded = false;
  bool open = false;      // an end is in progress
  bool announced = false; // curling.extra_end opened it; its curling.end may still follow
  both<std::int64_t> stones;
  std::optional<side> last_stone;
  bool out_of_turn = false;
  std::optional<side> power_play; // of the end in progress, or announced for the next one
  both<bool> power_play_used;
  both<std::int64_t> timeouts, extra_timeouts; // the second: in this extra end
  std::optional<side> conceded;
  both<std::int64_t> carried; // points from a baseline whose ends are not known
  static constexpr auto fields = sdk::fields(
      sdk::field("ends", &state::ends), sdk::field("hammer", &state::hammer),
      sdk::field("hammer_recorded", &state::hammer_recorded, sdk::sparse),
      sdk::field("open", &state::open, sdk::sparse), sdk::field("announced", &state::announced, sdk::sparse),
      sdk::field("stones", &state::stones, sdk::sparse), sdk::field("last_stone", &state::last_stone),
      sdk::field("out_of_turn", &state::out_of_turn, sdk::sparse), sdk::field("power_play", &state::power_play),
      sdk::field("power_play_used", &state::power_play_used, sdk::sparse),
      sdk::field("timeouts", &state::timeouts, sdk::sparse),
      sdk::field("extra_timeouts", &state::extra_timeouts, sdk::sparse), sdk::field("conceded", &state::conceded),
      sdk::field("carried", &state::carried, sdk::sparse));
};

// --- scoreboard ------------------------------------------------------------------------------------------------------

struct end_view {
  sdk::nullable<std::int64_t> home, away; // null: not played (shown X), or not known
  sdk::nullable<side> hammer;
  bool blank = false, played = false;
  std::optional<side> power_play;
  bool out_of_turn = false;
  static constexpr auto fields = sdk::fields(
      sdk::field("home", &end_view::home), sdk::field("away", &end_view::away), sdk::field("hammer", &end_view::hammer),
      sdk::field("blank", &end_view::blank), sdk::field("played", &end_view::played),
      sdk::field("power_play", &end_view::power_play), sdk::field("out_of_turn", &end_view::out_of_turn, sdk::sparse));
};

struct board : sdk::headline {
  std::vector<end_view> ends;     // all scheduled ends and the extra ones begun
  sdk::nullable<side> hammer;     // of the end in progress, or of the next one
  std::int64_t stones_thrown = 0; // by both sides in the end in progress
  both<std::int64_t> timeouts_left;
  std::optional<both<bool>> power_play_left; // mixed doubles
  sdk::nullable<side> conceded, winner;
  std::optional<sdk::match_result> result; // once the match is over
  static constexpr auto fields = sdk::fields(
      sdk::field("ends", &board::ends), sdk::field("hammer", &board::hammer),
      sdk::field("stones_thrown", &board::stones_thrown), sdk::field("timeouts_left", &board::timeouts_left),
      sdk::field("power_play_left", &board::power_play_left), sdk::field("conceded", &board::conceded),
      sdk::field("winner", &board::winner), sdk::field("result", &board::result));
};

// --- the game --------------------------------------------------------------------------------------------------------

class game : public sdk::sport<state, settings> {
public:
  std::optional<std::string> check_settings() const;

  verdict decide(const set_hammer& in, const event& e) const;
  verdict decide(const start_end& in, const event&) const;
  verdict decide(const stone& in, const event& e) const;
  verdict decide(const end_score& in, const event&) const;
  verdict decide(const timeout& in, const event& e) const;
  verdict decide(const power_play& in, const event& e) const;
  verdict decide(const concede& in, const event& e) const;
  verdict decide(const extra_end& in, const event&) const;
  verdict decide(const baseline& in, const event&) const;
  verdict may_end(const sdk::match_end& in, const event& e) const;

  void evolve(const set_hammer& in, const event&);
  void evolve(const start_end& in, const event&);
  void evolve(const stone& in, const event&);
  void evolve(const end_score& in, const event&);
  void evolve(const timeout& in, const event&);
  void evolve(const power_play& in, const event&);
  void evolve(const concede& in, const event&);
  void evolve(const extra_end& in, const event&);
  void evolve(const baseline& in, const event&);

  board scoreboard() const;

private:
  bool mixed() const { return settings.format == format::mixed_doubles; }
  std::size_t scheduled() const;
  std::int64_t points_max() const { return mixed() ? 6 : 8; }
  std::int64_t stones_per_side() const { return mixed() ? 5 : 8; }
  both<std::int64_t> total() const;
  bool level() const;
  bool all_played() const { return !state.open && state.ends.size() >= scheduled(); }
  bool in_extra() const { return state.ends.size() >= scheduled(); } // the end in progress, or the next one
  std::optional<sdk::match_result> decided() const;                  // by the rules alone
  std::optional<side> winner() const;
  std::optional<side> next_hammer(const end_record& after) const;
  void derive_hammers(std::size_t from);
  std::size_t power_plays_without_hammer() const;
  void open_end(bool by_extra_end);
  std::string period() const;
  std::string end_label(std::size_t index) const;
  end_view view(std::size_t index) const;
  std::optional<std::size_t> period_index(const std::string& name) const;
  verdict not_conceded() const;
};

} // namespace omnium::curling
