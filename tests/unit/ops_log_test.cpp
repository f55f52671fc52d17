#include "runtime/ops/log.hpp"
#include "runtime/ops/metrics.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
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
