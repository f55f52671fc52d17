// A plugin that means harm, straight on the C ABI. The code of an event says what it tries; where it should have
// failed, the verdict says how it went: refused with the errno, or accepted.
#include "omnium/sport_abi.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef HOSTILE_ABI
#define HOSTILE_ABI OMNIUM_SPORT_ABI
#endif
#ifndef HOSTILE_TABLE_BYTES
#define HOSTILE_TABLE_BYTES sizeof(omnium_sport_api)
#endif

namespace {

using act_fn = int (*)(const omnium_sport_host*);

int say(const omnium_sport_host* host, std::string_view text, int result) {
  host->write(host->context, text.data(), text.size());
  return result;
}

int refused_with_errno(const omnium_sport_host* host) {
  return say(host, R"({"code":"errno_)" + std::to_string(errno) + R"(","message":"It was not allowed."})",
             OMNIUM_SPORT_REFUSED);
}

int outcome(const omnium_sport_host* host, long result) {
  return result < 0 ? refused_with_errno(host) : int{OMNIUM_SPORT_ACCEPTED};
}

void put(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto wrote = ::write(3, bytes.data(), bytes.size());
    if (wrote <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string frame(std::string_view json) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(json.size() >> (8 * i) & 0xFF);
  return out.append(json);
}

[[noreturn]] void loop_forever() {
  while (true) asm volatile("");
}

void write_stderr(std::size_t bytes) {
  const std::string line(99, 'x');
  for (std::size_t i = 0; i < bytes; i += 100) std::fprintf(stderr, "%s\n", line.c_str());
}

// Touches what it gets, so that it is really there.
int allocate(const omnium_sport_host* host) {
  constexpr std::size_t size = std::size_t{4} << 30;
  auto* memory = static_cast<volatile char*>(std::malloc(size));
  if (memory == nullptr) return refused_with_errno(host);
  for (std::size_t i = 0; i < size; i += 4096) memory[i] = 1;
  return OMNIUM_SPORT_ACCEPTED;
}

int fork_sleeper(const omnium_sport_host* host) {
  const int child = fork();
  if (child == 0) {
    sleep(3600);
    _exit(0);
  }
  return outcome(host, child);
}

int execute(const omnium_sport_host* host) {
  char name[] = "/bin/true";
  char* const arguments[] = {name, nullptr};
  return outcome(host, execv(name, arguments));
}

int overflow_stack(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow_stack(depth + 1) + room[0];
}

int block_alarm_and_loop(const omnium_sport_host*) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  signal(SIGALRM, SIG_IGN);
  const itimerval off{};
  setitimer(ITIMER_REAL, &off, nullptr);
  loop_forever();
}

int huge_reply(const omnium_sport_host* host) {
  const std::string part(1 << 20, '7');
  for (int i = 0; i < 100; ++i) host->write(host->context, part.data(), part.size());
  return OMNIUM_SPORT_ACCEPTED;
}

int huge_frame(const omnium_sport_host*) {
  constexpr std::size_t size = 100u << 20;
  std::string head;
  for (int i = 0; i < 4; ++i) head += static_cast<char>(size >> (8 * i) & 0xFF);
  put(head);
  const std::string part(1 << 20, ' ');
  for (int i = 0; i < 100; ++i) put(part);
  return OMNIUM_SPORT_ACCEPTED;
}

int code_from_memory(const omnium_sport_host* host) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? refused_with_errno(host) : int{OMNIUM_SPORT_ACCEPTED};
}

int raise_limit(const omnium_sport_host* host) {
  const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
  return outcome(host, setrlimit(RLIMIT_AS, &more));
}

struct act {
  std::string_view name;
  act_fn run;
};

constexpr act acts[] = {
    {"loop", [](const omnium_sport_host*) -> int { loop_forever(); }},
    {"deaf_loop", block_alarm_and_loop},
    {"sleep",
     [](const omnium_sport_host*) -> int {
       for (;;) usleep(1000);
     }},
    {"allocate", allocate},
    {"stderr", [](const omnium_sport_host*) { return write_stderr(1 << 20), int{OMNIUM_SPORT_ACCEPTED}; }},
    {"fork", fork_sleeper},
    {"exit", [](const omnium_sport_host*) -> int { _exit(0); }},
    {"exit_politely", [](const omnium_sport_host*) -> int { std::exit(0); }},
    {"abort", [](const omnium_sport_host*) -> int { std::abort(); }},
    {"segfault", [](const omnium_sport_host*) -> int { return *reinterpret_cast<volatile int*>(8); }},
    {"overflow", [](const omnium_sport_host*) { return overflow_stack(1); }},
    {"throw", [](const omnium_sport_host*) -> int { throw std::runtime_error("thrown across the border"); }},
    {"garbage",
     [](const omnium_sport_host*) {
       return put("no frame at all, but a great deal of text\n"), int{OMNIUM_SPORT_ACCEPTED};
     }},
    {"not_json", [](const omnium_sport_host*) { return put(frame("{\"event\":")), int{OMNIUM_SPORT_ACCEPTED}; }},
    {"half_frame",
     [](const omnium_sport_host*) { return put(frame(R"({"event":0})").substr(0, 9)), int{OMNIUM_SPORT_ACCEPTED}; }},
    {"half_and_loop",
     [](const omnium_sport_host*) -> int {
       put(frame(R"({"event":0})").substr(0, 9));
       loop_forever();
     }},
    {"half_and_exit",
     [](const omnium_sport_host*) -> int {
       put(frame(R"({"event":0})").substr(0, 9));
       _exit(0);
     }},
    {"empty_frame", [](const omnium_sport_host*) { return put(frame("{}")), int{OMNIUM_SPORT_ACCEPTED}; }},
    {"wrong_index",
     [](const omnium_sport_host*) {
       return put(frame(R"({"event":7,"refused":{"code":"x","message":"x"}})")), int{OMNIUM_SPORT_ACCEPTED};
     }},
    {"forged_end",
     [](const omnium_sport_host*) {
       return put(frame(R"({"done":9,"state":{},"scoreboard":{},"us":1})")), int{OMNIUM_SPORT_ACCEPTED};
     }},
    {"always_fresh",
     [](const omnium_sport_host*) -> int {
       for (;;) put(frame(R"({"playing":0,"us":0})")), usleep(20000);
     }},
    {"huge_reply", huge_reply},
    {"huge_frame", huge_frame},
    {"no_reason",
     [](const omnium_sport_host* host) { return say(host, R"({"message":"no code"})", OMNIUM_SPORT_REFUSED); }},
    {"bad_verdict", [](const omnium_sport_host* host) { return say(host, R"({"voids":)", OMNIUM_SPORT_ACCEPTED); }},
    {"odd_result", [](const omnium_sport_host*) { return 77; }},
    {"read_file", [](const omnium_sport_host* host) { return outcome(host, open("/etc/passwd", O_RDONLY)); }},
    {"read_library",
     [](const omnium_sport_host* host) { return outcome(host, open("/usr/lib/os-release", O_RDONLY)); }},
    {"write_file",
     [](const omnium_sport_host* host) {
       return outcome(host, open("/tmp/omnium-hostile", O_WRONLY | O_CREAT, 0600));
     }},
    {"socket", [](const omnium_sport_host* host) { return outcome(host, socket(AF_INET, SOCK_STREAM, 0)); }},
    {"execute", execute},
    {"kill_keeper", [](const omnium_sport_host* host) { return outcome(host, kill(getppid(), SIGTERM)); }},
    {"kill_all", [](const omnium_sport_host* host) { return outcome(host, kill(-1, SIGTERM)); }},
    {"new_code", code_from_memory},
    {"raise_limit", raise_limit},
    {"close_channel",
     [](const omnium_sport_host*) -> int {
       close(3);
       loop_forever();
     }},
    {"close_log", [](const omnium_sport_host*) { return close(2), int{OMNIUM_SPORT_ACCEPTED}; }},
    {"fine", [](const omnium_sport_host*) { return int{OMNIUM_SPORT_ACCEPTED}; }},
    {"bad_state", nullptr},
    {"big_state", nullptr},
    {"big_board", nullptr},
    {"bad_board", nullptr},
    {"throw_state", nullptr},
};

std::string_view last; // what the state and the scoreboard are asked after

int play(void*, const omnium_sport_host* host, const omnium_sport_event* what, std::uint32_t) {
  const std::string_view code(what->code.data, what->code.size);
  for (const auto& one : acts) {
    if (one.name != code) continue;
    last = one.name;
    return one.run ? one.run(host) : int{OMNIUM_SPORT_ACCEPTED};
  }
  return say(host, R"({"code":"unknown_act","message":"No such act."})", OMNIUM_SPORT_REFUSED);
}

int state(void*, const omnium_sport_host* host) {
  if (last == "bad_state") return say(host, R"({"match":{"status":)", OMNIUM_SPORT_OK);
  if (last == "big_state") return say(host, R"({"x":")" + std::string(300 * 1024, 'x') + "\"}", OMNIUM_SPORT_OK);
  if (last == "throw_state") throw 7;
  return say(host, R"({"match":{"status":"live"}})", OMNIUM_SPORT_OK);
}

int scoreboard(void*, const omnium_sport_host* host) {
  if (last == "bad_board") return say(host, "[1,2", OMNIUM_SPORT_OK);
  if (last == "big_board") return say(host, R"({"x":")" + std::string(9 * 1024, 'x') + "\"}", OMNIUM_SPORT_OK);
  return say(host, R"({"status":"live"})", OMNIUM_SPORT_OK);
}

int describe(const omnium_sport_host* host) {
  return say(host, R"({"sport":"hostile","version":"1.0.0","label":"Hostile","settings":{},"commands":[]})",
             OMNIUM_SPORT_OK);
}

void* open_session(const omnium_sport_host*, omnium_bytes, omnium_bytes) { return new int(0); }
void close_session(void* session) { delete static_cast<int*>(session); }

constexpr omnium_sport_api api{HOSTILE_TABLE_BYTES, HOSTILE_ABI,  describe, open_session, play, state,
                               scoreboard,          close_session};

#ifdef HOSTILE_INIT
// What is tried while the library is being loaded; the answer lies in whether the worker comes up, and in its log.
struct initialiser {
  initialiser() {
    const std::string_view act = HOSTILE_INIT;
    if (act == "loop") loop_forever();
    if (act == "passwd" && open("/etc/passwd", O_RDONLY) >= 0) std::fputs("read /etc/passwd\n", stderr);
    if (act == "passwd") std::fputs("tried\n", stderr);
    if (act == "socket") std::fprintf(stderr, "socket %d\n", socket(AF_INET, SOCK_STREAM, 0));
    if (act == "exec") execute(nullptr);
    if (act == "flood") write_stderr(1 << 20);
    if (act == "exit") std::exit(0);
  }
} const at_load;
#endif

} // namespace

extern "C" __attribute__((visibility("default"))) const omnium_sport_api* omnium_sport_entry(std::uint32_t) {
  return &api;
}
