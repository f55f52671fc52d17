#pragma once
// What the readers of basketball feeds share: periods that open and close, substitutions that come as two rows, and
// points that are compared with the feed's own running score.
#include "sports/corpus/recorder.hpp"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace omnium::corpus::basketball {

struct clock_time {
  std::string text;          // "03:12" or "0:08.5"; empty: not known
  std::optional<int> tenths; // of a second, left in the period
};
clock_time parse_clock(std::string_view minutes_seconds); // "11:39", "0:08.5"
clock_time parse_iso_clock(std::string_view iso);         // "PT11M39.00S"

class game_writer {
public:
  // `period_seconds`: of a regulation period; overtimes have 300.
  game_writer(recorder& into, int periods, int period_seconds)
      : into_(into), periods_(periods), period_seconds_(period_seconds) {}

  // Sets where the next commands stand: the feed's id of the row (part of the keys), the period and its clock.
  void at(std::string id, int period, clock_time clock);

  void start_period();
  void end_period();
  void made(int side, int points, const std::string& player, const std::string& assist, const std::string& kind);
  void missed(int side, int points, const std::string& player, const std::string& kind);
  void free_throw(int side, bool made, int points, const std::string& player, int number, int of);
  void foul(int side, const std::string& kind, const std::string& player, const std::string& drawn_by);
  void timeout(int side);
  void substitution(int side, const std::string& off, const std::string& on);
  void leaves(int side, const std::string& player); // half a substitution; paired in order
  void enters(int side, const std::string& player);
  void counted(const char* what, int side, const std::string& player, const std::string& kind);
  void arrow(int side);
  // The feed's running score after the row; a difference is noted once.
  void says(int home, int away);
  // `decided`: the feed says that the game is over. Otherwise the match is left as the file leaves it, and noted.
  void finish(bool decided = true);

  const std::array<int, 2>& score() const { return score_; }
  bool running() const { return running_; }
  int period() const { return period_; }

private:
  std::string period_name(int number) const;
  json_object base(int side) const;
  recorded_command& add(const char* code, std::string_view what, json_object input, bool play = true);
  void pair_up(int side);

  recorder& into_;
  int periods_, period_seconds_;
  std::string id_;
  int period_ = 0, row_period_ = 0;
  clock_time clock_;
  bool running_ = false, differs_ = false;
  std::array<int, 2> score_{};
  std::array<std::deque<std::string>, 2> leaving_, entering_;
};

} // namespace omnium::corpus::basketball
