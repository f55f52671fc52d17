#pragma once
// Format `cricsheet`: Cricsheet JSON 1.0.0 and 1.1.0 (cricsheet.org, ODC-By 1.0) as cricket commands. The file is told
// as it stands; where the match departed from a rule the delivery carries `umpire`, where the file contradicts itself
// there is a note. Known-traps S1-S8.
#include "sports/corpus/json_in.hpp"
#include "sports/corpus/json_out.hpp"
#include "sports/corpus/recording.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace omnium::corpus::cricsheet {

// Overs as they are printed, 26.1 = 26 overs and 1 ball, in tenths: 261.
std::optional<int> printed_tenths(json_view number);
// 261 -> 26.1, 200 -> 20.
std::string printed(int tenths);

// One match being written.
class match {
public:
  match(std::string id, json_view root);

  recording out;
  json_view info;
  bool limited = false; // a number of overs per innings
  int balls_per_over = 6;
  int limit_tenths = 0; // of an innings, in printed tenths; 0: none

  std::string side(const std::string& team) const; // "home", "away"; "" for a team that does not play here
  void add(std::string code, const std::string& place, const json_object& input);
  void note(std::string sentence) { out.notes.push_back(std::move(sentence)); }

private:
  std::string id_;
  std::map<std::string, std::string> sides_;
};

// What an innings came to, as far as the reader must know it.
struct innings_total {
  std::string side;
  bool super = false;
  int runs = 0, wickets = 0, legal = 0, overs = 0, over_balls = 0;
  std::optional<int> target; // as the file says
};

// Who is in, out and retired: to say where a file departs from Law 25, never to correct it.
class crease {
public:
  // Why the umpires must have let this pair bat; empty: nothing unusual.
  std::string departure(const std::string& batter, const std::string& non_striker) const;
  void bat(const std::string& batter, const std::string& non_striker);
  void out(const std::string& player);
  void retire(const std::string& player, bool hurt);
  std::size_t gone() const { return out_.size() + retired_.size(); }

private:
  struct retirement {
    bool hurt = true, may_resume = false;
  };
  std::string entry(const std::string& player) const;
  void vacate(const std::string& player);
  std::set<std::string> in_, out_;
  std::map<std::string, retirement> retired_;
};

// Adds the commands of innings `index`. `next` is the innings after it, where there is one.
innings_total read_innings(match& into, json_view innings, json_view next, std::size_t index,
                           const std::vector<innings_total>& before);

// Adds the outcome and the end of the match, its truth, and the notes where the balls say otherwise.
void read_outcome(match& into, const std::vector<innings_total>& all);

} // namespace omnium::corpus::cricsheet
