#include "tests/e2e/ctl_support.hpp"

#include "tests/catch.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <sys/wait.h>

namespace omnium::e2e {

said omnium_says(const std::string& words, const std::string& before) {
  said out;
  auto* pipe = popen(fmt::format("{} '{}/bin/omnium' {} 2>&1", before, OMNIUM_BINARY_DIR, words).c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const auto got = fread(buffer, 1, sizeof buffer, pipe)) out.text.append(buffer, got);
  const int status = pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

said ctl(const std::string& url, const std::string& words) {
  return omnium_says(fmt::format("ctl --url {} {}", url, words));
}

} // namespace omnium::e2e
