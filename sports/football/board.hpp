#pragma once
// What a viewer sees of a match.
#include "sports/football/state.hpp"

namespace football {

enum class decided_by : std::uint8_t { score, aggregate, shootout, officials, abandoned, no_result };
OMNIUM_ENUM(decided_by, score, aggregate, shootout, officials, abandoned, no_result)

struct result {
  std::optional<sdk::side> winner; // of the match or, where there was a first leg, of the tie; none: drawn, or nobody's
  decided_by by{};
  static constexpr auto fields = sdk::fields(sdk::field("winner", &result::winner), sdk::field("by", &result::by));
};

struct board : sdk::headline {
  sdk::nullable<sdk::both<int>> shootout; // never part of the score
  sdk::nullable<match_minute> minute;
  sdk::both<card_count> cards;
  std::vector<goal> goals;
  int goals_earlier = 0; // further ones, before those listed
  bool in_play = false;  // false: before a period or in a break
  int added_time = 0;
  std::optional<sdk::both<std::string>> shootout_kicks; // "oxo": scored, not scored, scored
  std::optional<sdk::both<int>> aggregate;              // with the first leg's goals
  std::optional<review> var;                            // a check is open
  sdk::both<counts> statistics;
  std::optional<football::result> result; // once the match is over
  static constexpr auto fields = sdk::fields(
      sdk::field("shootout", &board::shootout), sdk::field("minute", &board::minute),
      sdk::field("cards", &board::cards), sdk::field("goals", &board::goals),
      sdk::field("goals_earlier", &board::goals_earlier, sdk::sparse), sdk::field("in_play", &board::in_play),
      sdk::field("added_time", &board::added_time, sdk::sparse), sdk::field("shootout_kicks", &board::shootout_kicks),
      sdk::field("aggregate", &board::aggregate), sdk::field("var", &board::var),
      sdk::field("statistics", &board::statistics), sdk::field("result", &board::result));
};

// Goals of this match and, where there was one, of the first leg.
sdk::both<int> aggregate(const state& match, const settings& competition);

board show(const state& match, const settings& competition, const sdk::match_life& life);

} // namespace football
