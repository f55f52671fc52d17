#pragma once
// Golden matches: the scoreboard after every play, kept as data. A release's results never change: a golden that no
// longer fits means a new version of the sport, with goldens of its own.
//
//   {"release":"1.0.0","settings":{…},"plays":[
//   {"code":"…","input":{…},"at":"…","scoreboard":{…}},
//   …
//   ]}
#include "omnium/sport_test.hpp"

#include <string>

namespace omnium::sdk::test {

// The golden of a match: its log, played again, one play a line.
std::string golden_of(const std::string& package, const std::string& release, const std::string& settings,
                      const std::vector<logged>& log);

// Plays a golden's text on a package. Empty when every scoreboard is as recorded, else a sentence naming the first that
// is not (or what is wrong with the file).
std::string golden_fault(const std::string& package, const std::string& golden);

} // namespace omnium::sdk::test
