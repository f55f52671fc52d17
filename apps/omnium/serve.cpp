#include "apps/omnium/demo.hpp"
#include "apps/omnium/programs.hpp"
#include "apps/omnium/server.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/ops/config.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/ops/notify.hpp"
#include "runtime/postgres/conninfo.hpp"
#include "runtime/wire/tls_fault.hpp"

#include <csignal>
#include <fmt/core.h>
#include <optional>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace omnium::apps {
namespace {

constexpr const char* usage =
    "usage: omnium serve [--config FILE] [--print-config] [--check-config] [--demo] [--new-first-token]\n"
    "                    [--SECTION.KEY VALUE …]\n\n"
    "  --config FILE       settings in TOML: configs/omnium.toml has every option with its default\n"
    "  --print-config      every value and where it came from, and no start\n"
    "  --check-config      what is wrong with the settings, and no start\n"
    "  --demo              a competition to look at\n"
    "  --new-first-token   an admin's token in the data folder, also where the database has other admins\n\n"
    "Each option below is also OMNIUM_SECTION_KEY in the environment and a line of the file; flags win.\n\n";

struct request {
  ops::config_sources sources;
  bool print = false, check = false, demo = false, help = false, new_first_token = false;
  std::vector<std::string> errors;
};

request read_words(const words& args) {
  request out;
  auto split = ops::take_flags(args);
  out.sources.flags = split.flags;
  out.sources.environment = ops::process_environment();
  out.errors = split.errors;
  for (std::size_t i = 0; i < split.rest.size(); ++i) {
    const auto& word = split.rest[i];
    if (word == "--config" && i + 1 < split.rest.size()) out.sources.file = split.rest[++i];
    else if (word == "--print-config") out.print = true;
    else if (word == "--check-config") out.check = true;
    else if (word == "--demo") out.demo = true;
    else if (word == "--new-first-token") out.new_first_token = true;
    else if (word == "--config") out.errors.emplace_back("--config needs a file.");
    else if (word == "--help" || word == "-h") out.help = true;
    else out.errors.push_back(fmt::format("There is no option \"{}\".", word));
  }
  return out;
}

// Signals are taken by one call of sigwait; every thread made later inherits the mask.
sigset_t take_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return set;
}

// A stop ends within the bound, always: whatever hangs, the data is safe in the database.
void start_watchdog() {
  std::thread([] {
    std::this_thread::sleep_for(limits::stop_wall_clock - std::chrono::milliseconds(500));
    constexpr char line[] = "omnium: the stop took too long; ending now\n";
    [[maybe_unused]] auto ignored = ::write(2, line, sizeof line - 1);
    ::_exit(1);
  }).detach();
}

// What stands otherwise in the file now, and needs a new process.
void tell_what_waits(const ops::loaded_config& started, const ops::loaded_config& now) {
  for (std::size_t i = 0; i < now.shown.size(); ++i)
    if (ops::option_list()[i].needs == ops::when_changed::restart && now.shown[i].value != started.shown[i].value)
      ops::log_warn(now.shown[i].name + " changes at the next start only");
}

// The configuration as it is now; what can change without a new process is taken over.
void reload(server& node, const ops::config_sources& sources, const ops::loaded_config& started) {
  if (auto why = ops::reopen_log(); !why.empty()) ops::log_error(why);
  auto config = ops::load_config(sources);
  for (const auto& error : config.errors) ops::log_error("the configuration was not reloaded: " + error);
  if (!config.errors.empty()) return;
  ops::log_level level = ops::log_level::info;
  ops::parse_log_level(config.values.log.level, level);
  ops::set_log_level(level);
  if (auto why = node.reload(config.values); !why.empty()) ops::log_error("the old certificate stays: " + why);
  tell_what_waits(started, config);
  ops::log_info("the configuration was reloaded");
}

// The desk's address. The token stands in it until the desk's first page has taken it out, as notebook servers do.
std::string desk_address(const server& node) {
  auto token = node.first_token();
  return node.url() + "/" + (token.empty() ? "" : "?token=" + token);
}

// The next signal. Meanwhile systemd's watchdog is fed, as long as every loop of the node turns: one that hangs for
// good is ended by it and started anew.
int next_signal(const sigset_t& signals, const server& node) {
  auto period = ops::watchdog_period();
  for (;;) {
    if (period.count() == 0) period = std::chrono::hours(1);
    timespec wait{period.count() / 1000, (period.count() % 1000) * 1'000'000};
    int signal = ::sigtimedwait(&signals, nullptr, &wait);
    if (signal > 0) return signal;
    auto silent = node.silent_part();
    if (silent.empty()) ops::notify("WATCHDOG=1");
    else ops::log_error("the watchdog is not fed: " + silent);
  }
}

// Why no token stands in the address, for who wonders how to sign in.
constexpr const char* no_first_token = "No token was made: this database has admins' tokens already. With one of them, "
                                       "omnium ctl tokens create makes more; "
                                       "who has none of them starts once with --new-first-token.\n";

int run(const ops::loaded_config& config, const request& asked) {
  auto signals = take_signals();
  server node(config.values, asked.new_first_token);
  if (auto why = node.start(); !why.empty()) {
    fmt::print(stderr, "omnium: {}\n", why);
    start_watchdog();
    return 1;
  }
  if (asked.demo)
    if (auto why = load_demo(node.url(), node.first_token()); !why.empty())
      ops::log_warn("the demo competition could not be loaded: " + why);
  fmt::print("Omnium is ready at {}\n", desk_address(node));
  if (config.values.auth.required && node.first_token().empty()) fmt::print("{}", no_first_token);
  std::fflush(stdout);
  ops::notify("READY=1\nSTATUS=" + node.url());
  while (next_signal(signals, node) == SIGHUP) reload(node, asked.sources, config);
  ops::notify("STOPPING=1");
  ops::log_info("stopping");
  start_watchdog();
  const bool unfit = node.unfit();
  node.stop();
  ops::log_info("stopped");
  ops::stop_log();
  return unfit ? 1 : 0;
}

// What the start would stumble over, found out without starting anything. Whether the database answers is not asked.
std::vector<std::string> faults_of(const ops::settings& settings) {
  auto out = ops::faults_on_this_machine(settings);
  if (auto why = pg::conninfo_fault(settings.database.url); !settings.database.url.empty() && !why.empty())
    out.push_back("database.url cannot be read: " + why);
  const auto& http = settings.http;
  if (!http.tls_certificate.empty() && !http.tls_key.empty())
    if (auto why = wire::tls_fault(http.tls_certificate, http.tls_key); !why.empty()) out.push_back(why + ".");
  return out;
}

} // namespace

int serve_main(const words& args) {
  auto what = read_words(args);
  if (what.help) {
    fmt::print("{}", usage);
    for (const auto& one : ops::option_list())
      fmt::print("  --{:<34} {}\n", fmt::format("{} {}", one.name, one.fallback.empty() ? "\"\"" : one.fallback),
                 one.sentence);
    return 0;
  }
  auto config = ops::load_config(what.sources);
  for (const auto* list : {&what.errors, &config.errors})
    for (const auto& error : *list) fmt::print(stderr, "omnium: {}\n", error);
  if (!what.errors.empty() || !config.errors.empty()) return 2;
  if (what.print) {
    fmt::print("{}", ops::print_config(config));
    return 0;
  }
  const auto faults = faults_of(config.values);
  for (const auto& fault : faults) fmt::print(stderr, "omnium: {}\n", fault);
  if (!faults.empty()) return 2;
  if (what.check) {
    fmt::print("The configuration is good.\n");
    return 0;
  }
  ops::log_level level = ops::log_level::info;
  ops::parse_log_level(config.values.log.level, level);
  if (auto why = ops::start_log(level, config.values.log.file); !why.empty()) {
    fmt::print(stderr, "omnium: {}\n", why);
    return 2;
  }
  return run(config, what);
}

} // namespace omnium::apps
