#pragma once
// What the football readers share: a match is collected event by event in any order, and comes out as a recording in
// the order of play, with its periods, the minutes as they are printed (45+2) and the settings of its time.
#include "sports/corpus/recording.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::corpus {

enum class side { home, away };
std::string_view to_string(side which);
inline side other(side which) { return which == side::home ? side::away : side::home; }

// 1 and 2: the halves, 3 and 4: extra time, 5: the shoot-out. Seconds count from the start of the period; below 0: in
// the break before it.
struct moment {
  int period = 1;
  double second = 0;
};

// The minute as it is printed: the minute being played, counted from 1, and what is beyond the period's length after a
// plus. {1, 47.0} -> "1", {1, 2719.0} -> "45+1", {2, 1.0} -> "46", {4, 185.0} -> "109".
std::string minute_label(moment when);

// The moment of a printed minute, e.g. 90 and 3: the period it belongs to is told by the minute. Its second is the
// minute's first.
moment moment_of(int minute, int added);

struct lineup {
  std::vector<std::string> starting, bench;
  std::string goalkeeper;
};

struct score_pair {
  int home = 0, away = 0;
  friend bool operator==(const score_pair&, const score_pair&) = default;
};

// What the file says of the result apart from its events.
struct stated_result {
  std::optional<score_pair> half_time, full_time, after_extra_time, shootout;
};

class football_match {
public:
  football_match(std::string source, std::string match_id);

  recording& head() { return out_; } // names, keys, time, settings: set by the reader
  void teams(std::string home, std::string home_id, std::string away, std::string away_id);
  void note(std::string sentence) { out_.notes.push_back(std::move(sentence)); }
  // Is it one of the two teams, or none? Otherwise the event is another match's: it is noted and must be left out.
  bool plays_here(const std::string& team, const std::string& event);

  // Numbers of substitutes as the Laws stood on that day (YYYY-MM-DD...): three until 8 May 2020, with one more in
  // extra time from 1 June 2018; five in three windows since.
  void settings_of(std::string_view date);

  void line_up(side which, const lineup& players);
  // `side` is always the credited one. `kind`: open_play, penalty, free_kick, own_goal. Empty names are left out.
  void goal(moment when, side which, std::string_view scorer, std::string_view assist, std::string_view kind,
            std::string_view place);
  void penalty(moment when, side which, std::string_view taker, std::string_view result, std::string_view place);
  void card(moment when, side which, std::string_view player, std::string_view card, std::string_view place,
            bool official = false);
  void substitution(moment when, side which, std::string_view off, std::string_view on, std::string_view place);
  void shootout_kick(double second, side which, std::string_view taker, std::string_view result,
                     std::string_view place);
  void shot(moment when, side which, std::string_view player, bool on_target, std::string_view place);
  void counted(moment when, side which, std::string_view what, std::string_view player, std::string_view place);
  void score_is(moment when, score_pair score, std::string_view place); // a result without its goals

  // The period was played; `second`: when it ended, where the file knows. Every period up to the last is played.
  void played(int period, std::optional<double> second = std::nullopt);
  void remark(moment when, std::string_view text, std::string_view place); // goes into the log as match.note

  void state(const stated_result& result);
  recording finish();

private:
  struct event {
    moment when;
    recorded_command command;
  };
  void add(moment when, std::string code, std::string input, std::string_view place, bool play = true);
  void append(std::string code, std::string input, std::string_view place, double offset_s, bool play = true);
  void append_period(int period, double began);
  double length_of(int period) const;

  recording out_;
  std::string source_, match_, home_id_, away_id_;
  std::vector<event> events_;
  std::array<bool, 6> played_{};
  std::array<std::optional<double>, 6> ended_{};
};

// A shoot-out of which only the totals are known, as a sequence of kicks that leads to them by the Laws (Law 10.3):
// true for scored, the sides in turn, starting with `first`. Empty when no legal sequence has these totals.
struct reconstructed_kick {
  side which = side::home;
  bool scored = false;
};
std::vector<reconstructed_kick> reconstruct_shootout(score_pair totals);

} // namespace omnium::corpus
