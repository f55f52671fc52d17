#include "tests/e2e/full_disk_support.hpp"

#include "bench/own_server.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace omnium::e2e {
namespace {

constexpr const char* size_option = "size=192m,mode=0711"; // a fresh cluster is 70 MB, and its log grows by 16 MB

// The postmaster of this data folder, and its children.
std::vector<pid_t> processes_of(const std::string& data) {
  pid_t postmaster = 0;
  std::ifstream(data + "/pg/postmaster.pid") >> postmaster;
  std::vector<pid_t> out;
  if (postmaster <= 1) return out;
  out.push_back(postmaster);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    auto pid = static_cast<pid_t>(std::atoi(entry.path().filename().c_str()));
    if (pid > 1 && bench::parent_of(pid) == postmaster) out.push_back(pid);
  }
  return out;
}

} // namespace

// OMNIUM_TEST_NO_MOUNT shows the other way where a mount is possible too.
full_disk::full_disk() : path_(folder_.path() + "/disk") {
  std::filesystem::create_directory(path_);
  mounted_ = std::getenv("OMNIUM_TEST_NO_MOUNT") == nullptr &&
             ::mount("tmpfs", path_.c_str(), "tmpfs", MS_NODEV | MS_NOSUID, size_option) == 0;
}

full_disk::~full_disk() {
  if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
}

std::string full_disk::how() const { return mounted_ ? "a small file system" : "a limit on the size of files"; }

void full_disk::fill(std::size_t bytes_left) {
  if (!mounted_) return limit_files(64 * 1024);
  std::ofstream ballast(path_ + "/ballast", std::ios::binary);
  const std::string some(16 * 1024, '\0');
  auto left = [&] { return std::filesystem::space(path_).available; };
  // Postgres takes its part meanwhile: the last of it may not fit.
  while (left() > bytes_left && ballast.write(some.data(), static_cast<std::streamsize>(some.size())).flush()) {
  }
  if (left() > bytes_left + some.size()) throw std::runtime_error("the disk cannot be filled");
}

void full_disk::empty() {
  if (!mounted_) return limit_files(RLIM_INFINITY);
  ::unlink((path_ + "/ballast").c_str());
}

// Done by a child that became the cluster's user: who may not do it to others may do it to his own processes. Sessions
// opened later have it from the postmaster.
void full_disk::limit_files(std::uint64_t bytes) const {
  auto pids = processes_of(path_);
  struct stat owner {};
  if (pids.empty() || ::stat((path_ + "/pg").c_str(), &owner) != 0) return;
  auto child = ::fork();
  if (child == 0) {
    bool done = ::geteuid() == owner.st_uid || (::setresgid(owner.st_gid, owner.st_gid, owner.st_gid) == 0 &&
                                                ::setresuid(owner.st_uid, owner.st_uid, owner.st_uid) == 0);
    for (auto pid : pids) {
      rlimit limit{};
      bool there = ::prlimit(pid, RLIMIT_FSIZE, nullptr, &limit) == 0;
      limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
      there = there && ::prlimit(pid, RLIMIT_FSIZE, &limit, nullptr) == 0;
      done = done && (there || errno == ESRCH); // it ended meanwhile
    }
    ::_exit(done ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("no limit was set");
}

} // namespace omnium::e2e
