#pragma once
// Recorded matches played through a built plugin in this process: what the readers make of the files, command by
// command, and where to find the files.
#include "omnium/sport_test.hpp"
#include "sports/corpus/json_in.hpp"
#include "sports/corpus/recording.hpp"

#include <string>
#include <vector>

namespace omnium::test {

// The folder of the newest built release of a sport.
std::string package_of(const std::string& sport);

// Files kept in this repository (free licences, see tests/data/README.md): tests/data/<name>.
std::string kept(const std::string& name);
// A folder of the larger collection, which is not kept here: $OMNIUM_DATA/<name>, or ../shared/data/<name> beside the
// checkout; empty, with a line that says so, where there is none.
std::string collected(const std::string& name);

struct played {
  sdk::test::match game;
  std::size_t sent = 0;
  std::vector<std::string> refused; // "key code input: refusal code, message"
  corpus::json_document board() const;
};

// Plays every command; a seq_of member is filled in from the answer to the command it names.
played play_recording(const corpus::recording& what);

// The recordings of the files; a reader's sentence fails the test case.
std::vector<corpus::recording> read_recordings(const std::string& format, const std::vector<std::string>& paths);

// Asserts what must hold of every recorded match: nothing refused, and the harness's own check of the log.
void require_sound(const played& what, const std::string& name);

// One line of the table sport × matches × agreed.
void report_agreed(const std::string& sport, const std::string& source, std::size_t matches, std::size_t agreed);

} // namespace omnium::test
