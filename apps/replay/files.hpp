#pragma once
// The matches of some files, replayed over several connections at a time.
#include "apps/replay/match.hpp"

#include <functional>
#include <string>
#include <vector>

namespace omnium::replay {

struct files_request {
  std::string format;
  std::vector<std::string> files;
  std::string only; // match key, or the last part of one; empty: all
  std::string url, token;
  std::size_t parallel = 1; // connections, a match on each
  replay_options options;
};

// Sentences (notes of the readers, refusals) go to `tell`, the JSON lines of the contract to `print`. Returns the exit
// status: 0 nothing was refused, 1 something was or could not be settled, 2 the files or the format are no good.
int replay_files(const files_request& what, const say& tell, const std::function<void(const std::string& line)>& print);

} // namespace omnium::replay
