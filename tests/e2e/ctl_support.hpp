#pragma once
// `omnium ctl` as an operator calls it.
#include <string>

namespace omnium::e2e {

struct said {
  int status = -1;  // of the program
  std::string text; // what it printed, errors among it
};

said ctl(const std::string& url, const std::string& words);

} // namespace omnium::e2e
