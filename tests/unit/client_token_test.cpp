// Where our own programs take their token from, and whom they never show it.
#include "runtime/wire/client_token.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace omnium::wire;

TEST_CASE(
    "a tool's token is the one given, else the environment's, else the folder's for a server on this machine only") {
  char name[] = "/tmp/omnium_token_XXXXXX";
  const std::string folder = ::mkdtemp(name), here = "http://127.0.0.1:8400";
  std::ofstream(folder + "/first-token") << "omn_first\n";
  const char* before = std::getenv("OMNIUM_TOKEN");
  const std::string kept = before ? before : "";
  ::setenv("OMNIUM_TOKEN", "omn_environment", 1);
  CHECK(find_token("omn_given", folder, here) == "omn_given");
  CHECK(find_token("", folder, here) == "omn_environment");
  ::unsetenv("OMNIUM_TOKEN");
  for (auto url : {"http://127.0.0.1:8400", "http://127.8.0.1", "https://localhost:1", "http://[::1]:8400"})
    CHECK(find_token("", folder, url) == "omn_first");
  // Nobody else is shown it, nor a name that only begins like an address of this machine.
  for (auto url : {"http://192.168.1.7:8400", "https://omnium.example", "http://localhost.example",
                   "http://127.evil.example", "nonsense"})
    CHECK(find_token("", folder, url).empty());
  CHECK(find_token("", folder + "/nothing", here).empty());
  if (before) ::setenv("OMNIUM_TOKEN", kept.c_str(), 1);
  std::filesystem::remove_all(folder);
}
