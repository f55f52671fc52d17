#include "runtime/ops/log.hpp"
#include "runtime/ops/metrics.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace omnium::ops;
using namespace std::chrono_literals;

TEST_CASE("a log line is one JSON object with only the members that are known") {
  CHECK(
      format_log_line(
          "2026-10-05T14:03:11.250Z", log_level::warn, "The worker was killed.",
          {.trace = "ab", .match = "m", .command = {}, .sport = "football", .release = {}, .code = "worker_killed"}) ==
      R"({"ts":"2026-10-05T14:03:11.250Z","level":"warn","msg":"The worker was killed.","trace":"ab","match":"m","sport":"football","code":"worker_killed"})");
}

TEST_CASE("quotes, line ends, control characters and broken UTF-8 never reach a log line raw") {
  using namespace std::string_view_literals;
  auto line = format_log_line("t", log_level::info, "a\"b\\c\nd\x01\x7f\xff\xc3\xa9\xed\xa0\x80"sv, {});
  CHECK(line == "{\"ts\":\"t\",\"level\":\"info\",\"msg\":"
                "\"a\\\"b\\\\c\\u000ad\\u0001\\u007f\\ufffd\xc3\xa9\\ufffd\\ufffd\\ufffd\"}");
}

TEST_CASE("lines under the level are not written, and what waits is written at the stop") {
  char name[] = "/tmp/omnium_log_XXXXXX";
  ::close(::mkstemp(name));
  REQUIRE(start_log(log_level::info, name).empty());
  for (int i = 0; i < 100; ++i) log_info("line");
  log_debug("not this");
  set_log_level(log_level::debug);
  log_debug("but this");
  stop_log();
  set_log_level(log_level::info);
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  std::remove(name);
  auto whole = text.str();
  CHECK(std::count(whole.begin(), whole.end(), '\n') == 101);
  CHECK(whole.find("not this") == std::string::npos);
  CHECK(whole.find("but this") != std::string::npos);
}

TEST_CASE("a log file that cannot be opened is a sentence, not an end") {
  CHECK(start_log(log_level::info, "/dev/null/log") != "");
  CHECK(log_file_fault("/dev/null/log") != "");
  CHECK(log_file_fault("/tmp") != "");
  CHECK(log_file_fault("") == "");
}

TEST_CASE("no folder is made for a log file: a path that was misspelt is told, by the start and by a look before it") {
  char folder[] = "/tmp/omnium_log_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const auto missing = std::string(folder) + "/nobody/made/log", good = std::string(folder) + "/log";
  CHECK(start_log(log_level::info, missing).find("log.file") != std::string::npos);
  CHECK(log_file_fault(missing).find(std::string(folder) + "/nobody/made") != std::string::npos);
  CHECK(::access((std::string(folder) + "/nobody").c_str(), F_OK) != 0);
  CHECK(log_file_fault(good).empty());
  CHECK(::access(good.c_str(), F_OK) != 0); // a look makes nothing
  ::rmdir(folder);
}

TEST_CASE("a log file that was renamed is written on until it is opened anew, and then a new one stands in its place") {
  char folder[] = "/tmp/omnium_log_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const auto name = std::string(folder) + "/log", old = name + ".1";
  auto text = [](const std::string& file) {
    std::stringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
  };
  // The log's own thread writes: the kernel says when.
  const int changes = ::inotify_init1(IN_CLOEXEC);
  REQUIRE(::inotify_add_watch(changes, folder, IN_MODIFY) >= 0);
  auto written = [&](const std::string& file, const char* what) {
    constexpr int longest_ms = 10'000;
    std::array<char, 4096> told;
    while (text(file).find(what) == std::string::npos) {
      pollfd waiting{changes, POLLIN, 0};
      if (::poll(&waiting, 1, longest_ms) <= 0 || ::read(changes, told.data(), told.size()) <= 0) return false;
    }
    return true;
  };
  REQUIRE(start_log(log_level::info, name).empty());
  log_info("before");
  CHECK(written(name, "before"));
  REQUIRE(std::rename(name.c_str(), old.c_str()) == 0);
  log_info("between");
  CHECK(written(old, "between"));
  CHECK(reopen_log().empty());
  log_info("after");
  CHECK(written(name, "after"));
  CHECK(text(name).find("before") == std::string::npos);
  CHECK(text(old).find("after") == std::string::npos);
  // It cannot be opened anew: what is open goes on.
  REQUIRE(std::rename(name.c_str(), (name + ".2").c_str()) == 0);
  REQUIRE(::mkdir(name.c_str(), 0700) == 0);
  CHECK(reopen_log().find(name) != std::string::npos);
  log_info("still");
  CHECK(written(name + ".2", "still"));
  stop_log();
  CHECK(reopen_log().empty()); // standard error: nothing to open
  ::close(changes);
  ::rmdir(name.c_str());
  for (const auto& file : {old, name + ".2"}) std::remove(file.c_str());
  ::rmdir(folder);
}

TEST_CASE("a log limit lets one line through per period and counts the rest") {
  log_limit limit(1h);
  CHECK(limit.due());
  for (int i = 0; i < 5; ++i) CHECK_FALSE(limit.due());
  log_limit quick(1ns);
  CHECK(quick.due());
  while (!quick.due()) {
  }
  CHECK(quick.skipped() <= 1);
}

TEST_CASE("the exposition names each measure with its labels and counts") {
  metrics m;
  m.answered(omnium::outcome::accepted, "");
  m.answered(omnium::outcome::try_again, "lock_timeout");
  m.took(stage::database, 2ms);
  m.worker_killed("football");
  m.http_answered(200);
  double looked = 0;
  auto looked_up = m.registry.make_gauge("omnium_test", "A test.");
  m.registry.before_exposition([&] { looked_up.set(++looked); });
  auto text = m.registry.expose();
  auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("omnium_answers_total{outcome=\"accepted\"} 1"));
  CHECK(has("omnium_answers_total{outcome=\"conflict\"} 0"));
  CHECK(has("omnium_try_again_total{reason=\"lock_timeout\"} 1"));
  CHECK(has("omnium_stage_seconds_count{stage=\"database\"} 1"));
  CHECK(has("omnium_stage_seconds_bucket{stage=\"database\",le=\"0.0025\"} 1"));
  CHECK(has("omnium_worker_kills_total{sport=\"football\"} 1"));
  CHECK(has("omnium_http_responses_total{status=\"200\"} 1"));
  CHECK(has("omnium_test 1"));
}

TEST_CASE("a metric handle that was never made does nothing") {
  counter c;
  gauge g;
  histogram h;
  c.add();
  g.set(1);
  h.observe(1);
  CHECK(c.value() + g.value() == 0);
}
