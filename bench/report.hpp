#pragma once
// What a person and a program read of a run: a table, JSON, a page with latency over time, two reports side by side.
#include "bench/run.hpp"

#include <string>
#include <vector>

namespace omnium::bench {

// Lines for a terminal.
std::string table_of(const run_result& got);
// {"scenario",…,"accepted_per_s","latency_ms":{…},"stages":[…],"checker":{…},"over_time":[…]}, one line.
std::string json_of(const run_result& got);
// The file of a whole call: {"runs":[…]}.
std::string json_of(const std::vector<run_result>& all);
// A page that stands alone: for each run the latencies (p50, p99, most) and the rate over time, as SVG.
std::string page_of(const std::vector<run_result>& all);

// Two files written by --json, run by run, as a table with ratios. False: `out` is a sentence about what is wrong.
bool compare_reports(const std::string& file_a, const std::string& file_b, std::string& out);

} // namespace omnium::bench
