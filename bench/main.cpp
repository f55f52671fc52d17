// omnium-bench SCENARIO.toml …: plays each scenario against a running server and prints a table and one JSON object
// each.
#include "bench/load.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

namespace {

using namespace omnium::bench;

void print_table(const scenario& what, const load_result& got) {
  fmt::print("{:<16} {:>5} matches × {} desks × {} in flight, {} s: {:>8.0f} accepted/s   p50 {:.2f} ms   p95 {:.2f} "
             "ms   p99 {:.2f} ms   not accepted {}\n",
             what.name, what.matches, what.desks, what.in_flight, what.seconds, got.accepted_per_s(),
             got.latency.percentile(0.50), got.latency.percentile(0.95), got.latency.percentile(0.99),
             got.answers[1] + got.answers[2] + got.answers[3] + got.answers[4]);
}

void print_json(const scenario& what, const load_result& got) {
  fmt::print(
      R"({{"scenario":"{}","matches":{},"desks":{},"in_flight":{},"seconds":{},"accepted":{},"duplicate":{},"refused":{},"conflict":{},"try_again":{},"accepted_per_s":{:.1f},"p50_ms":{:.3f},"p95_ms":{:.3f},"p99_ms":{:.3f}}})"
      "\n",
      what.name, what.matches, what.desks, what.in_flight, got.seconds, got.answers[0], got.answers[1], got.answers[2],
      got.answers[3], got.answers[4], got.accepted_per_s(), got.latency.percentile(0.50), got.latency.percentile(0.95),
      got.latency.percentile(0.99));
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app{"Plays scenarios against a running Omnium on this machine."};
  std::vector<std::string> files;
  std::string url = "http://127.0.0.1:8400";
  bool json = false;
  app.add_option("scenario", files, "scenario files")->required();
  app.add_option("--url", url, "the server")->capture_default_str();
  app.add_flag("--json", json, "one JSON object a scenario, and no table");
  CLI11_PARSE(app, argc, argv);
  for (const auto& file : files) {
    auto read = load_scenario(file);
    if (!read.error.empty()) {
      fmt::print(stderr, "omnium-bench: {}\n", read.error);
      return 2;
    }
    auto got = run_load(url, read.what);
    if (!got.error.empty()) {
      fmt::print(stderr, "omnium-bench: {}: {}\n", read.what.name, got.error);
      return 1;
    }
    if (!json) print_table(read.what, got);
    print_json(read.what, got);
    std::fflush(stdout);
  }
  return 0;
}
