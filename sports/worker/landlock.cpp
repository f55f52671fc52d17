#include "sports/worker/landlock.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace omnium::worker {
namespace {

constexpr __u64 reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr __u64 everything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // all rights of the first version

// A folder that does not exist needs no rule.
bool allow(int ruleset, const char* path) {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return true;
  struct stat what {};
  const bool folder = fstat(fd, &what) == 0 && S_ISDIR(what.st_mode);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = folder ? reading : __u64{LANDLOCK_ACCESS_FS_READ_FILE};
  rule.parent_fd = fd;
  const bool added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(fd);
  return added;
}

} // namespace

bool landlock_to_libraries(const std::string& folder, std::string& fault) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = everything;
  const auto ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (ruleset < 0) {
    if (errno == ENOSYS || errno == EOPNOTSUPP) return true;
    fault = std::string("Landlock: ") + std::strerror(errno) + ".";
    return false;
  }
  bool allowed = allow(ruleset, folder.c_str());
  for (const char* path : {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"})
    allowed = allowed && allow(ruleset, path);
  allowed = allowed && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  if (!allowed) fault = std::string("Landlock: ") + std::strerror(errno) + ".";
  close(ruleset);
  return allowed;
}

} // namespace omnium::worker
