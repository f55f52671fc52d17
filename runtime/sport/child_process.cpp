#include "runtime/sport/child_process.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/sport/releases.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace omnium::sport {
namespace {

// A descriptor, closed when it goes.
class owned_fd {
public:
  explicit owned_fd(int fd = -1) : fd_(fd) {}
  ~owned_fd() {
    if (fd_ >= 0) close(fd_);
  }
  owned_fd(const owned_fd&) = delete;
  owned_fd& operator=(owned_fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

private:
  int fd_;
};

// The child's ends must lie above the numbers they are copied to, whatever was closed in this process.
bool lift(int fd, owned_fd& out) {
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 16);
  out = owned_fd(high);
  close(fd);
  return high >= 0;
}

struct ends {
  owned_fd channel, errors, child_channel, child_errors;
};

bool make_ends(ends& out) {
  int pair[2], pipe_ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  out.channel = owned_fd(pair[0]);
  if (!lift(pair[1], out.child_channel)) return false;
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return false;
  out.errors = owned_fd(pipe_ends[0]);
  if (!lift(pipe_ends[1], out.child_errors)) return false;
  return fcntl(out.channel.get(), F_SETFL, O_NONBLOCK) == 0 && fcntl(out.errors.get(), F_SETFL, O_NONBLOCK) == 0;
}

class spawn_plan {
public:
  explicit spawn_plan(const ends& from) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, from.child_errors.get(), 2);
    posix_spawn_file_actions_adddup2(&actions_, from.child_channel.get(), 3);
    posix_spawn_file_actions_addclosefrom_np(&actions_, 4);
    posix_spawn_file_actions_addchdir_np(&actions_, "/");
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~spawn_plan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  spawn_plan(const spawn_plan&) = delete;

  int run(int& pid, const std::string& program, char* const* arguments) {
    char* const environment[] = {nullptr};
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, arguments, environment);
  }

private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).string();
}

std::string how(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGSYS) return "was ended by the kernel for a forbidden system call";
  if (signal == SIGXCPU) return "was ended by the kernel for using up its processor time";
  if (signal == SIGKILL) return "was killed";
  return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
}

// A process that comes in a killed one's place must run the same code: the matches of a release are folded by one
// package, whatever lies on the disk meanwhile.
bool same_package(const worker_options& options, std::string& fault) {
  if (options.code_sha.empty()) return true;
  const auto folder = std::filesystem::path(absolute(options.plugin_file)).parent_path().string();
  if (package_sha(folder) == options.code_sha) return true;
  fault = fmt::format("The package of {} {} on this node's disk is no longer the one that its matches are folded with: "
                      "put that one back, or give the new one a version of its own.",
                      options.sport, options.version);
  return false;
}

} // namespace

bool child_process::start(const worker_options& options, std::string& fault) {
  if (!same_package(options, fault)) return false;
  ends made;
  if (!make_ends(made)) {
    fault = fmt::format("No channel for a sport worker: {}.", std::strerror(errno));
    return false;
  }
  auto program = absolute(options.worker_program), plugin = absolute(options.plugin_file);
  auto memory = std::to_string(options.memory_bytes_max), frame = std::to_string(limits::worker_frame_bytes_max);
  char* const arguments[] = {program.data(), plugin.data(), memory.data(), frame.data(), nullptr};
  spawn_plan plan(made);
  if (const int error = plan.run(pid_, program, arguments); error != 0) {
    pid_ = 0;
    fault = fmt::format("The sport worker {} cannot be started: {}.", program, std::strerror(error));
    return false;
  }
  channel_ = made.channel.release();
  errors_ = made.errors.release();
  return true;
}

std::string child_process::end() {
  if (pid_ <= 0) return {};
  const int pid = std::exchange(pid_, 0);
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(std::exchange(channel_, -1));
  close(std::exchange(errors_, -1));
  return how(status);
}

} // namespace omnium::sport
