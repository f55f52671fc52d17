#include "apps/omnium/programs.hpp"

#include <filesystem>
#include <fmt/core.h>
#include <functional>
#include <map>

namespace omnium::apps {

std::string program_folder() {
  std::error_code error;
  auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string(".") : self.parent_path().string();
}

namespace {

struct program {
  std::function<int(const words&)> run;
  std::string_view sentence;
};

const std::map<std::string, program>& programs() {
  static const std::map<std::string, program> all = {
      {"serve", {serve_main, "the server"}},
      {"migrate", {migrate_main, "bring the database's schema up to date"}},
      {"ctl", {ctl_main, "ask a running node: tree, matches, workers, locks, failures, releases, verify, restart"}},
      {"replay", {replay_main, "send recorded matches to a server"}},
      {"new-sport", {new_sport_main, "write a sport plugin, its test and golden match into a source tree"}},
  };
  return all;
}

int usage(std::FILE* to, int status) {
  fmt::print(to, "usage: omnium COMMAND …   (omnium COMMAND --help says more; omnium --version)\n\n");
  for (const auto& [name, what] : programs()) fmt::print(to, "  {:<12} {}\n", name, what.sentence);
  return status;
}

} // namespace
} // namespace omnium::apps

int main(int argc, char** argv) {
  using namespace omnium::apps;
  words args(argv + 1, argv + argc);
  if (args.empty()) return usage(stderr, 2);
  auto name = args.front();
  args.erase(args.begin());
  if (name == "help" || name == "--help" || name == "-h") return usage(stdout, 0);
  if (name == "version" || name == "--version") return fmt::print("omnium {}\n", OMNIUM_VERSION), 0;
  auto it = programs().find(name);
  if (it == programs().end()) {
    fmt::print(stderr, "omnium: there is no command \"{}\".\n", name);
    return usage(stderr, 2);
  }
  return it->second.run(args);
}
