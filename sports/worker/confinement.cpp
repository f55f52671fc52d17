#include "sports/worker/confinement.hpp"

#include "sports/worker/channel.hpp"
#include "sports/worker/landlock.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <seccomp.h>
#include <span>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace omnium::worker {
namespace {

// The one place where sanitizer builds are let off: their shadow memory needs terabytes of address space, and their
// reports need files and system calls of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool relaxed_for_sanitizers = true;
#else
constexpr bool relaxed_for_sanitizers = false;
#endif

constexpr rlim_t cpu_seconds_per_run = 30;

bool limit(int what, rlim_t value, const char* name, std::string& fault) {
  const rlimit both{value, value};
  if (setrlimit(static_cast<__rlimit_resource>(what), &both) == 0) return true;
  fault = std::string("The limit ") + name + " cannot be set: " + std::strerror(errno) + ".";
  return false;
}

// Why two answers. A call that libc makes on its own and can do without (a locale file, the time zone, the number of
// processors) gets EPERM, and the rules go on. A call no rule has a reason to make (exec, fork, sockets, ptrace) ends
// the process: its keeper reports it, the breaker counts it, and the operator learns that a release tries such things.
constexpr auto refuse_action = SCMP_ACT_ERRNO(EPERM);
constexpr auto kill_action = SCMP_ACT_KILL_PROCESS;

constexpr std::array fatal_calls{"execve",
                                 "execveat",
                                 "fork",
                                 "vfork",
                                 "clone",
                                 "clone3",
                                 "socket",
                                 "socketpair",
                                 "connect",
                                 "bind",
                                 "listen",
                                 "accept",
                                 "accept4",
                                 "ptrace",
                                 "bpf",
                                 "mount",
                                 "umount2",
                                 "unshare",
                                 "setns",
                                 "chroot",
                                 "pivot_root",
                                 "kexec_load",
                                 "reboot",
                                 "init_module",
                                 "finit_module",
                                 "process_vm_readv",
                                 "process_vm_writev",
                                 "kill",
                                 "tkill",
                                 "rt_sigqueueinfo",
                                 "pidfd_send_signal",
                                 "pidfd_open",
                                 "io_uring_setup",
                                 "userfaultfd",
                                 "perf_event_open",
                                 "keyctl",
                                 "add_key"};

// What the worker's own loop and a plugin's arithmetic need: the channel, memory, the clock, the way out.
constexpr std::array loop_calls{
    "read",         "readv", "recvfrom", "recvmsg",    "brk",          "munmap",          "mremap",
    "madvise",      "futex", "exit",     "exit_group", "rt_sigreturn", "restart_syscall", "clock_gettime",
    "gettimeofday", "time",  "getpid",   "gettid",     "getppid",      "sched_yield",     "close",
    "poll",         "ppoll"};

// And what loading a library needs on top. Reading alone: an open that could write is refused below.
constexpr std::array load_calls{"pread64",        "fstat",
                                "newfstatat",     "stat",
                                "lstat",          "statx",
                                "lseek",          "access",
                                "faccessat",      "faccessat2",
                                "readlink",       "readlinkat",
                                "getcwd",         "mmap",
                                "mprotect",       "arch_prctl",
                                "seccomp",        "prctl",
                                "getrandom",      "rt_sigaction",
                                "rt_sigprocmask", "sched_getaffinity",
                                "sysinfo",        "set_robust_list",
                                "rseq",           "membarrier",
                                "fcntl",          "uname",
                                "getrlimit"};

class filter {
public:
  filter() : context_(seccomp_init(refuse_action)) {}
  ~filter() {
    if (context_ != nullptr) seccomp_release(context_);
  }
  filter(const filter&) = delete;

  void add(std::uint32_t action, std::span<const char* const> names) {
    for (const char* name : names) add(action, name, {});
  }
  // A name this architecture or libseccomp does not know cannot be called either: it is left out.
  void add(std::uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> args) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0) return;
    const int result =
        seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(args.size()), args.begin());
    if (result != 0) fault_ = std::string("rule ") + name + ": " + std::strerror(-result);
  }
  bool install(std::string& fault) {
    if (context_ == nullptr) fault_ = "no memory";
    // no_new_privs is set by set_limits; a filter of another architecture's calls ends the process.
    if (fault_.empty() && seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, kill_action) != 0) fault_ = "bad arch";
    if (fault_.empty())
      if (const int result = seccomp_load(context_); result != 0) fault_ = std::strerror(-result);
    if (fault_.empty()) return true;
    fault = "The system call filter cannot be set: " + fault_ + ".";
    return false;
  }

private:
  scmp_filter_ctx context_;
  std::string fault_;
};

void add_common(filter& to) {
  to.add(kill_action, fatal_calls);
  to.add(SCMP_ACT_ALLOW, loop_calls);
  // Writing: the channel and the log; there is nothing else open, and it stays so.
  for (const char* name : {"write", "writev", "sendto", "sendmsg"})
    to.add(SCMP_ACT_ALLOW, name, {SCMP_A0(SCMP_CMP_LE, 3)});
  // The alarm that announces a long ball cannot be turned off: its setting is known by its place in memory.
  to.add(SCMP_ACT_ALLOW, "setitimer",
         {SCMP_A0(SCMP_CMP_EQ, ITIMER_REAL),
          SCMP_A1(SCMP_CMP_EQ, reinterpret_cast<scmp_datum_t>(channel::alarm_setting()))});
  // abort() signals the process itself and nobody else.
  to.add(SCMP_ACT_ALLOW, "tgkill", {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid()))});
  // The renewal of the CPU limit, of this process; the other limits are hard ones.
  to.add(SCMP_ACT_ALLOW, "prlimit64", {SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU)});
  to.add(SCMP_ACT_ALLOW, "setrlimit", {SCMP_A0(SCMP_CMP_EQ, RLIMIT_CPU)});
}

} // namespace

bool set_limits(std::size_t memory_bytes_max, std::string& fault) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // fires when the keeper's thread ends
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fault = "no_new_privs cannot be set.", false;
  renew_cpu_limit();
  if (!limit(RLIMIT_CORE, 0, "CORE", fault)) return false;
  if (relaxed_for_sanitizers) return true;
  // NPROC does not bind root; there the filter alone forbids fork.
  return limit(RLIMIT_AS, memory_bytes_max, "AS", fault) && limit(RLIMIT_NOFILE, 16, "NOFILE", fault) &&
         limit(RLIMIT_FSIZE, 0, "FSIZE", fault) && limit(RLIMIT_NPROC, 0, "NPROC", fault);
}

void renew_cpu_limit() {
  static rlim_t until = 0;
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  const auto now = static_cast<rlim_t>(used.tv_sec);
  if (now + cpu_seconds_per_run / 2 < until) return;
  until = now + cpu_seconds_per_run;
  const rlimit both{until, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &both);
}

bool confine_before_load(const std::string& plugin_folder, std::string& fault) {
  if (relaxed_for_sanitizers) return true;
  if (!landlock_to_libraries(plugin_folder, fault)) return false;
  filter before;
  add_common(before);
  before.add(SCMP_ACT_ALLOW, load_calls);
  constexpr scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
  before.add(SCMP_ACT_ALLOW, "openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY)});
  before.add(SCMP_ACT_ALLOW, "open", {SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY)});
  return before.install(fault);
}

bool confine_after_load(std::string& fault) {
  if (relaxed_for_sanitizers) return true;
  filter after;
  add_common(after);
  // No memory becomes code, and none changes its rights: everything that runs was loaded before.
  after.add(SCMP_ACT_ALLOW, "mmap", {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)});
  return after.install(fault);
}

} // namespace omnium::worker
