#pragma once
// A curling game as every source tells it, end by end, and its commands in the plugin's vocabulary. The readers of the
// JSON form and of the tables fill it in.
#include "sports/corpus/recorder.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace omnium::corpus::curling {

enum class side { home, away };
std::string_view name_of(side which);
side other(side which);

struct stone {
  side by = side::home;
  std::string player, shot, turn;
  std::optional<int> points; // 0-4 as the statisticians grade it
};

struct timeout {
  side by = side::home;
  int before_stone = 0; // 1-based; 0: at the start of the end
};

struct end {
  std::optional<std::array<int, 2>> score; // home, away; nullopt: not played, or begun and given up
  std::optional<side> hammer;              // as the source records it
  std::optional<side> power_play;
  std::vector<stone> stones;
  std::vector<timeout> timeouts;
};

struct game {
  std::string format = "team";
  int scheduled_ends = 8;
  std::optional<side> hammer_first;
  std::vector<end> ends;
  std::optional<side> conceded, winner;
  std::optional<std::array<int, 2>> final_score; // as the source states it, apart from the ends
};

// Adds settings, commands, notes and truth to the recording.
void record(recorder& into, const game& what);

// How many ends were scheduled when the source lists only ends: 8 or 10; what is played beyond are extra ends.
int scheduled(const std::string& format, const std::vector<end>& ends);

} // namespace omnium::corpus::curling
