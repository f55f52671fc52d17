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

} // namespace omnium::cricket_test
