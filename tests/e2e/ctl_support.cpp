#include "tests/e2e/ctl_support.hpp"

#include "tests/catch.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <sys/wait.h>

namespace omnium::e2e {

said ctl(const std::string& url, const std::string& words) {
  said out;
  auto* pipe = popen(fmt::format("'{}/bin/omnium' ctl --url {} {} 2>&1", OMNIUM_BINARY_DIR, url, words).c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const auto got = fread(buffer, 1, sizeof buffer, pipe)) out.text.append(buffer, got);
  const int status = pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

} // namespace omnium::e2e
