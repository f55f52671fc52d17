#pragma once
// The program as an operator calls it.
#include <string>

namespace omnium::e2e {

struct said {
  int status = -1;  // of the program
  std::string text; // what it printed, errors among it
};

// `before`: what stands before the program, as a shell reads it (timeout 5, NAME=value).
said omnium_says(const std::string& words, const std::string& before = "");
said ctl(const std::string& url, const std::string& words);

} // namespace omnium::e2e
