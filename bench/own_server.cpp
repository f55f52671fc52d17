#include "bench/own_server.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace omnium::bench {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
constexpr auto ready_wall_clock = 60s; // from its start to "ready"
constexpr auto stop_wall_clock = 15s;  // from SIGTERM to its end; beyond: SIGKILL
constexpr std::string_view ready = "Omnium is ready at ";

// Its signals must not reach the server through the terminal's group twice, and it must not inherit our mask.
pid_t spawn(std::vector<std::string> words, const std::string& log) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

} // namespace

own_server::own_server(std::string program, std::string data) : program_(std::move(program)), data_(std::move(data)) {
  char name[] = "/tmp/omnium-bench-XXXXXX";
  if (::mkdtemp(name) == nullptr) return;
  folder_ = name;
  ::chmod(name, 0711); // the private cluster runs as another user, who must get through
  log_ = folder_ + "/log";
  if (data_.empty()) data_ = folder_ + "/data";
}

own_server::~own_server() {
  stop(SIGTERM);
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

std::string own_server::start() {
  auto port = url_.empty() ? "0" : url_.substr(url_.rfind(':') + 1);
  pid_ = spawn({program_, "serve", "--http.port", port, "--data.dir", data_, "--log.level", "warn"}, log_);
  if (pid_ < 0) return "cannot start " + program_;
  for (auto until = steady::now() + ready_wall_clock; steady::now() < until; std::this_thread::sleep_for(20ms)) {
    auto text = printed();
    auto from = text.find(ready);
    auto end = from == text.npos ? text.npos : text.find('\n', from);
    if (end != text.npos) {
      url_ = text.substr(from + ready.size(), end - from - ready.size());
      url_ = url_.substr(0, url_.find('/', 8));
      return {};
    }
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      return "the server ended at its start: " + text;
    }
  }
  return "the server did not get ready: " + printed();
}

void own_server::stop(int signal) {
  if (pid_ <= 0) return;
  ::kill(pid_, signal);
  for (auto until = steady::now() + stop_wall_clock; ::waitpid(pid_, nullptr, WNOHANG) != pid_;
       std::this_thread::sleep_for(10ms))
    if (steady::now() > until) ::kill(pid_, SIGKILL);
  pid_ = -1;
}

std::string own_server::printed() const {
  std::ifstream in(log_);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

pid_t parent_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("PPid:", 0) == 0) return static_cast<pid_t>(std::atol(line.c_str() + 5));
  return 0;
}

} // namespace omnium::bench
