#pragma once
// A full-length match of every sport, as commands that are all accepted: recorded ones of tests/data, and made-up ones
// where none kept there is long.
#include <string>
#include <vector>

namespace omnium::test {

struct whole_match {
  struct event {
    std::string code, input;
  };
  std::string sport, settings;
  std::vector<event> events; // row i + 1 of the log is event i
  std::string form = {};     // which of a sport's lengths; empty: it has one

  std::string name() const { return form.empty() ? sport : sport + ", " + form; }
};

std::vector<whole_match> whole_matches();

} // namespace omnium::test
