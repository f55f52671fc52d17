#pragma once
// Recorded matches folded in this process by the sport's own plugin, and where the recorded files lie.
#include "omnium/sport_test.hpp"
#include "sports/corpus/recording.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace omnium::corpus_test {

// A file that lies in the tree and may always be read.
std::string own_data(const std::string& name);

// The larger set of recorded matches: OMNIUM_DATA, or ../shared/data beside the checkout. nullopt: not on this machine;
// then a line on the test's output says what was SKIPPED.
std::optional<std::string> shared_data(const std::string& what);

// The recordings of files, or a failed test with the reader's sentence.
std::vector<corpus::recording> read(const std::string& format, const std::vector<std::string>& paths);

struct played {
  sdk::test::match match;            // of the plugin; after the last command
  std::vector<std::string> refusals; // "code input: refusal code: message" of each command that was refused
};
// `after` is called after each command with its answer.
using after_each =
    std::function<void(const corpus::recorded_command&, const sdk::test::answer&, const sdk::test::match&)>;
// Plays a recording as a replay does: in order, at its recorded pace, with the seqs it names filled in.
played play(const corpus::recording& what, const std::string& package, const after_each& after = {});

// Every member of `truth` (a JSON object) that the scoreboard does not have with the same value; empty: they agree.
std::string disagreement(const std::string& truth, const std::string& scoreboard);

} // namespace omnium::corpus_test
