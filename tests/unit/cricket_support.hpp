#pragma once
// Cricket matches in this process: the plugin's packages, recorded matches played on them, and what a scorer expects.
#include "omnium/sport_test.hpp"
#include "sports/corpus/json_in.hpp"
#include "sports/corpus/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace omnium::cricket_test {

inline const std::string laws_2017 = OMNIUM_BINARY_DIR "/sports/cricket/2017.3.0";
inline const std::string laws_2026 = OMNIUM_BINARY_DIR "/sports/cricket/2026.10.0";

struct played {
  sdk::test::match match;
  std::vector<std::string> refusals; // one line per command that was refused
};
played play(const corpus::recording& what);
corpus::recording read(const std::string& path);

// Every point where the folded match is not what expected.json says of it; empty: they agree.
std::vector<std::string> differences(const sdk::test::match& match, corpus::json_view expected);

// A match that has begun; and one ball, e.g. ball("A", "B", "X", 4).
sdk::test::match live(const std::string& package = laws_2017, const std::string& settings = {});
std::string ball(const std::string& batter, const std::string& non_striker, const std::string& bowler, int runs = 0,
                 const std::string& more = {});

// A wicket of a ball's `more`, e.g. wicket("bowled", "A").
std::string wicket(const std::string& kind, const std::string& out);
// A play that must be accepted.
void plays(sdk::test::match& m, const std::string& code, const std::string& input);

std::string start(const std::string& batting, const std::string& more = {});
std::string end(const std::string& reason, const std::string& more = {});
// An innings in which "home" bats, begun.
sdk::test::match batting(const std::string& more = {}, const std::string& package = laws_2017,
                         const std::string& settings = {});
// Full overs of dot balls by bowlers X and Y in turn; the batters are A and B.
void overs(sdk::test::match& m, int count, int balls_per_over = 6);
// Ten wickets, one a ball, batters P1 to P11, all bowled by X and Y in turn.
void all_out(sdk::test::match& m, int runs_first = 0);

} // namespace omnium::cricket_test
