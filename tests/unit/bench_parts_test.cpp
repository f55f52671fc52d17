// The bench's own measuring: latencies from the time a command was due, percentiles, the server's histograms, answers
// read.
#include "bench/answers.hpp"
#include "bench/board.hpp"
#include "bench/report.hpp"
#include "bench/server_times.hpp"
#include "runtime/core/answer.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>

using namespace omnium;
using namespace omnium::bench;
using namespace std::chrono_literals;

namespace {

bool near(double got, double wanted) { return std::abs(got - wanted) <= 0.02 * wanted; }

} // namespace

TEST_CASE("A histogram's percentiles are right to within two percent, from microseconds to a minute") {
  for (double ms : {0.05, 0.7, 3.0, 42.0, 950.0, 60'000.0}) {
    bench::histogram h;
    for (int i = 0; i < 100; ++i) h.add(std::chrono::nanoseconds(static_cast<std::int64_t>(ms * 1e6)));
    CHECK(near(h.percentile(0.5), ms));
    CHECK(near(h.percentile(0.99), ms));
    CHECK(near(h.max(), ms));
  }
}

TEST_CASE("Latency counts from the time a command was due, however late it was sent") {
  scenario what;
  board b(what);
  auto begin = steady::now();
  b.set_times(begin, begin + 3s);
  b.answered(word::accepted, begin - 1s, begin + 500ms); // due before the measured time, answered in it
  b.answered(word::accepted, begin + 1s, begin + 4s);    // answered after it: not measured
  b.answered(word::refused, begin + 1s, begin + 1100ms);
  CHECK(b.latency().total() == 1);
  CHECK(near(b.latency().percentile(0.5), 1500));
  CHECK(b.measured_words()[0] == 1);
  CHECK(b.measured_words()[2] == 1);
  CHECK(b.intervals().size() == 3);
}

TEST_CASE("What a stretch of time added to the server's histograms is read from two expositions") {
  auto page = [](int first, int second, int all) {
    return read_server_times(fmt::format("# HELP omnium_stage_seconds x\n"
                                         "omnium_stage_seconds_bucket{{stage=\"worker\",le=\"0.001\"}} {}\n"
                                         "omnium_stage_seconds_bucket{{stage=\"worker\",le=\"0.002\"}} {}\n"
                                         "omnium_stage_seconds_bucket{{stage=\"worker\",le=\"+Inf\"}} {}\n"
                                         "omnium_lock_hold_seconds_bucket{{le=\"+Inf\"}} 0\n",
                                         first, second, all));
  };
  auto added = between(page(100, 100, 100), page(150, 200, 200));
  REQUIRE(added.size() == 1);
  CHECK(added[0].name == "worker");
  CHECK(added[0].count == 100);
  CHECK(near(added[0].p50_ms, 1.0));
  CHECK(near(added[0].p99_ms, 1.98));
}

TEST_CASE("An answer is read as it was encoded") {
  answer a;
  a.what = outcome::accepted;
  a.key = "k";
  a.code = "football.shot";
  a.seq = 42;
  auto first = encode(a);
  auto got = read_answer(first);
  CHECK(got.first.what == word::accepted);
  CHECK(got.first.seq == 42);
  CHECK(got.first.body == first);
  a.what = outcome::duplicate;
  a.first = first;
  CHECK(read_answer(encode(a)).first.what == word::duplicate);
  auto again = try_again("overloaded", "Later.", 700);
  again.key = "k";
  auto later = read_answer(encode(again));
  CHECK(later.first.what == word::try_again);
  CHECK(later.first.reason == "overloaded");
  CHECK(later.second == 700);
  auto no = read_answer(encode(refused("clock_stopped", "The clock stands.")));
  CHECK(no.first.what == word::refused);
  CHECK(no.first.reason == "clock_stopped");
  CHECK(no.first.seq == 0);
  CHECK(read_answer("<html>").first.what == word::unknown);
}

TEST_CASE("Answers and changes are told from other frames of a live socket") {
  std::uint64_t id = 0;
  std::string text;
  REQUIRE(take_live_answer(R"({"t":"answer","id":7,"answer":{"outcome":"accepted","seq":3}})", id, text));
  CHECK(id == 7);
  CHECK(read_answer(text).first.seq == 3);
  CHECK_FALSE(take_live_answer(R"({"t":"beat","versions":{}})", id, text));
  auto change = read_change(R"({"t":"change","topic":"x","version":5,"prev":4,"item":{"key":"k","seq":5}})");
  REQUIRE(change);
  CHECK(change->version == 5);
  CHECK(change->prev == 4);
  CHECK(change->key_hash == std::hash<std::string>{}("k"));
  CHECK(read_snapshot(R"({"t":"snapshot","topic":"x","version":9,"data":{}})") == 9);
  CHECK_FALSE(read_change(R"({"t":"snapshot","topic":"x","version":9,"data":{}})"));
}

TEST_CASE("Two reports are set side by side, and a file that is none is said to be none") {
  auto name = fmt::format("/tmp/omnium-bench-report-{}", std::rand());
  run_result got;
  got.what.name = "steady";
  got.seconds = 2;
  got.words[0] = 500;
  std::ofstream(name) << json_of(std::vector<run_result>{got});
  std::string out;
  CHECK(compare_reports(name, name, out));
  CHECK(out.find("steady") != std::string::npos);
  CHECK(out.find("1.00") != std::string::npos);
  CHECK_FALSE(compare_reports(name, "/nonexistent", out));
  CHECK(out.find("no report") != std::string::npos);
  std::remove(name.c_str());
}

TEST_CASE("A run is good only when it ran to its end and the checker found nothing") {
  run_result got;
  got.checked = true;
  CHECK(got.good());
  got.found.counts[fault_kind::hole] = 1;
  CHECK_FALSE(got.good());
  CHECK(json_of(got).find("\"good\":false") != std::string::npos);
  CHECK(table_of(got).find("FAULTS") != std::string::npos);
  got.found.counts.clear();
  got.error = "not all sockets could be opened";
  CHECK_FALSE(got.good());
}
