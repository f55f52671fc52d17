#include "apps/omnium/programs.hpp"
#include "apps/replay/files.hpp"
#include "runtime/wire/client_token.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <fstream>

namespace omnium::apps {
namespace {

constexpr std::size_t connections_max = 64;

// "max", or how many times faster than it was played.
std::string check_speed(const std::string& text) {
  if (text == "max") return {};
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  const bool number = end != text.c_str() && *end == '\0' && std::isfinite(speed) && speed > 0;
  return number ? std::string() : "must be a number above 0, or max";
}

std::string formats_help() {
  std::string out = "Formats:\n";
  for (const auto& one : corpus::formats()) out += fmt::format("  {:<14} {} ({})\n", one.name, one.reads, one.sport);
  return out;
}

void declare(CLI::App& app, replay::files_request& what, std::string& speed, std::string& data, std::string& rows) {
  app.add_option("--format", what.format, "what the files are")->required();
  app.add_option("files", what.files, "recorded matches; .gz is read too")->required()->type_name("FILE");
  app.add_option("--url", what.url, "the server")->capture_default_str()->envname("OMNIUM_URL");
  app.add_option("--token", what.token, "sign-in token; else OMNIUM_TOKEN, else the first token in the data folder");
  app.add_option("--data", data, "the server's data folder, where its first token is")->capture_default_str();
  app.add_option("--speed", speed, "times as fast as it was played, or max")->capture_default_str()->check(check_speed);
  app.add_option("--match", what.only, "only this match: its key, or the last part of it");
  app.add_option("--parallel", what.parallel, "matches at a time, each on its own connection")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, connections_max));
  app.add_option("--rows", rows, "write what became of each command there, one JSON object a line")->type_name("FILE");
  app.add_flag("--keep-going", what.options.keep_going, "go on with a match after a refusal");
  app.footer(formats_help());
}

std::atomic<std::int64_t> told_to_stop_ms{0}; // of the monotonic clock; 0: go on
constexpr std::int64_t same_word_ms = 500;

std::int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// The first Ctrl-C or SIGTERM lets the command under way end and the count be told; another one ends the program. Those
// of one moment are one word: timeout(1), for one, sends its signal to the program and then to the program's group.
void on_signal(int signal) {
  std::int64_t first = 0;
  if (told_to_stop_ms.compare_exchange_strong(first, now_ms()) || now_ms() - first < same_word_ms) return;
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void stop_on_signals() {
  struct sigaction what {};
  what.sa_handler = on_signal;
  for (int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &what, nullptr);
}

} // namespace

int replay_main(const words& args) {
  CLI::App app{"Sends recorded matches to a server, command by command. Run again, it changes nothing.",
               "omnium replay"};
  replay::files_request what;
  what.url = "http://127.0.0.1:8400";
  std::string speed = "max", data = ".omnium", rows;
  declare(app, what, speed, data, rows);
  try {
    app.parse(words(args.rbegin(), args.rend())); // CLI11 takes them last first
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  what.token = wire::find_token(what.token, data, what.url);
  if (speed != "max") what.options.speed = std::strtod(speed.c_str(), nullptr);
  const auto tell = [](const std::string& sentence) { fmt::print(stderr, "{}\n", sentence); };
  const auto print = [](const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  };
  stop_on_signals();
  what.options.stopped = [] { return told_to_stop_ms != 0; };
  std::ofstream written;
  if (!rows.empty()) {
    written.open(rows, std::ios::trunc);
    what.options.row = [&](const std::string& line) { written << line << '\n'; };
  }
  const int status = written ? replay::replay_files(what, tell, print) : 2;
  if (written.is_open()) written.flush();
  if (written) return status;
  tell(fmt::format("{} could not be written: {}.", rows, std::strerror(errno)));
  return std::max(status, 1);
}

} // namespace omnium::apps
