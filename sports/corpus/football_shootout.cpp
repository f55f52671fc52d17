// A legal order of kicks for a shoot-out of which a file gives only the totals.
#include "sports/corpus/football.hpp"

#include <algorithm>

namespace omnium::corpus {

namespace {

constexpr int kicks_each = 5; // Law 10.3: both teams take five kicks, then one each until one has more

struct tally {
  int home = 0, away = 0;             // scored
  int home_kicks = 0, away_kicks = 0; // taken
};

// Law 10.3: over as soon as one side has more than the other could still reach; after five each, as soon as both have
// taken the same number of kicks and the scores differ.
bool decided(const tally& now) {
  const int left_home = std::max(0, kicks_each - now.home_kicks);
  const int left_away = std::max(0, kicks_each - now.away_kicks);
  if (left_home + left_away > 0) return now.home > now.away + left_away || now.away > now.home + left_home;
  return now.home_kicks == now.away_kicks && now.home != now.away;
}

tally after(tally now, side which, bool scored) {
  (which == side::home ? now.home_kicks : now.away_kicks) += 1;
  (which == side::home ? now.home : now.away) += scored ? 1 : 0;
  return now;
}

// Depth first: `total` kicks in turn, decided by the last one and not before.
bool search(const tally& now, side turn, int left, score_pair totals, std::vector<reconstructed_kick>& kicks) {
  if (left == 0) return decided(now) && now.home == totals.home && now.away == totals.away;
  if (decided(now) || now.home > totals.home || now.away > totals.away) return false;
  for (const bool scored : {true, false}) {
    kicks.push_back({turn, scored});
    if (search(after(now, turn, scored), other(turn), left - 1, totals, kicks)) return true;
    kicks.pop_back();
  }
  return false;
}

} // namespace

std::vector<reconstructed_kick> reconstruct_shootout(score_pair totals) {
  constexpr int goals_max = 40; // the longest shoot-outs on record end in the twenties
  if (totals.home == totals.away || std::min(totals.home, totals.away) < 0) return {};
  if (std::max(totals.home, totals.away) > goals_max) return {};
  // From six goals on (or five each in sudden death) every further pair was scored by both: only the tail is searched.
  const int pairs = std::max(0, std::min(totals.home, totals.away) - kicks_each + 1);
  // Some totals (4–1 among them) can only end so when the winner kicks first.
  for (const auto first : {side::home, side::away}) {
    std::vector<reconstructed_kick> kicks;
    for (int pair = 0; pair < pairs; ++pair) {
      kicks.push_back({first, true});
      kicks.push_back({first == side::home ? side::away : side::home, true});
    }
    tally start{pairs, pairs, pairs, pairs};
    for (int left = 1; left <= 4 * kicks_each; ++left)
      if (search(start, first, left, totals, kicks)) return kicks;
  }
  return {};
}

} // namespace omnium::corpus
