#include "bench/report.hpp"

#include "runtime/core/json.hpp"

#include <fmt/format.h>
#include <fstream>
#include <simdjson.h>
#include <sstream>

namespace omnium::bench {
namespace {

std::string how(const scenario& what) {
  auto load = what.rate > 0 ? fmt::format("{:.0f}/s set", what.rate) : std::string("closed loop");
  return fmt::format("{} {}, {} matches × {} desks × {} in flight, {}",
                     what.transport == transport_kind::live ? "/live" : "HTTP", fmt::join(what.sports, "+"),
                     what.matches, what.desks, what.in_flight, load);
}

std::string stage_lines(const run_result& got) {
  std::string out;
  for (const auto& s : got.stages)
    out += fmt::format("  {:<10} p50 {:>8.3f}  p95 {:>8.3f}  p99 {:>8.3f} ms   n {:.0f}{}\n", s.name, s.p50_ms,
                       s.p95_ms, s.p99_ms, s.count, s.name == "outside" ? "   (all but the database)" : "");
  return out;
}

constexpr double mib = 1024.0 * 1024;

// A run's halves, because what fills once (caches, arenas) and what grows for ever look alike at the ends.
std::string memory_line(const run_result& got) {
  if (got.memory.size() < 2) return {};
  auto most_of = [&](std::size_t from, std::size_t to) {
    double out = 0;
    for (std::size_t i = from; i < to; ++i) out = std::max(out, got.memory[i].bytes);
    return out;
  };
  auto half = got.memory.size() / 2;
  double first = most_of(0, half), second = most_of(half, got.memory.size()), start = got.memory.front().bytes;
  auto out = fmt::format(
      "  memory     {:.0f} MiB at the start, at most {:.0f} in the first half, {:.0f} in the second (× {:.3f})",
      start / mib, first / mib, second / mib, second / first);
  // Of a few matches the figure would say more of what the server's first commands fill.
  if (got.bytes_before_matches > 0 && got.what.matches >= 100)
    out += fmt::format(", {:.1f} KiB a match awake",
                       (start - got.bytes_before_matches) / 1024 / static_cast<double>(got.what.matches));
  return out + "\n";
}

std::string memory_json(const run_result& got) {
  std::string out;
  for (const auto& m : got.memory)
    out += fmt::format(R"({}{{"at_s":{:.1f},"bytes":{:.0f}}})", out.empty() ? "" : ",", m.at_seconds, m.bytes);
  return out;
}

std::string checker_lines(const run_result& got) {
  if (!got.checked) return "  checker    not run\n";
  const auto& v = got.found;
  auto out = fmt::format("  checker    {} ({}): {} commands, {} accepted, {} refused, {} conflicts, {} without a last "
                         "word, {} log rows, {} "
                         "changes watched\n",
                         v.good() ? "no fault" : "FAULTS", got.from_database ? "database" : "HTTP", v.commands,
                         v.accepted, v.refused, v.conflicts, v.unfinished, v.rows, v.changes);
  for (const auto& [kind, count] : v.counts) out += fmt::format("    {} × {}\n", to_string(kind), count);
  for (const auto& f : v.faults) out += fmt::format("    {}: {}\n", to_string(f.kind), f.sentence);
  return out;
}

std::string checker_json(const run_result& got) {
  if (!got.checked) return "null";
  std::string faults;
  for (const auto& [kind, count] : got.found.counts)
    faults += fmt::format(R"({}"{}":{})", faults.empty() ? "" : ",", to_string(kind), count);
  const auto& v = got.found;
  return fmt::format(
      R"({{"good":{},"source":"{}","commands":{},"accepted":{},"refused":{},"conflicts":{},"unfinished":{},"log_rows":{},"changes":{},"faults":{{{}}}}})",
      v.good(), got.from_database ? "database" : "http", v.commands, v.accepted, v.refused, v.conflicts, v.unfinished,
      v.rows, v.changes, faults);
}

std::string over_time_json(const run_result& got) {
  std::string out;
  for (std::size_t i = 0; i < got.intervals.size(); ++i) {
    const auto& in = got.intervals[i];
    out += fmt::format(R"({}{{"at_s":{:.1f},"accepted":{},"p50":{:.3f},"p99":{:.3f},"max":{:.3f}}})", i > 0 ? "," : "",
                       static_cast<double>(i) * got.interval_seconds, in.accepted, in.latency.percentile(0.5),
                       in.latency.percentile(0.99), in.latency.max());
  }
  return out;
}

std::string stages_json(const run_result& got) {
  std::string out;
  for (const auto& s : got.stages)
    out += fmt::format(R"({}{{"stage":"{}","p50_ms":{:.4f},"p95_ms":{:.4f},"p99_ms":{:.4f},"count":{:.0f}}})",
                       out.empty() ? "" : ",", s.name, s.p50_ms, s.p95_ms, s.p99_ms, s.count);
  return out;
}

std::string troubles_json(const run_result& got) {
  std::string out;
  for (const auto& t : got.troubles)
    out += fmt::format(R"({}{{"at_s":{:.1f},"what":{}}})", out.empty() ? "" : ",", t.at_seconds, json::quoted(t.what));
  return out;
}

} // namespace

std::string table_of(const run_result& got) {
  auto out = fmt::format("{}: {}, {} s\n", got.what.name, how(got.what), got.seconds);
  if (!got.error.empty()) out += fmt::format("  FAILED     {}\n", got.error);
  const auto& w = got.words;
  out += fmt::format("  {:.0f} accepted/s   p50 {:.2f}  p95 {:.2f}  p99 {:.2f}  p99.9 {:.2f}  most {:.2f} ms{}\n",
                     got.accepted_per_s(), got.latency.percentile(0.5), got.latency.percentile(0.95),
                     got.latency.percentile(0.99), got.latency.percentile(0.999), got.latency.max(),
                     got.what.rate > 0 ? "   from the time it was due" : "");
  out += fmt::format("  accepted {}  duplicate {}  refused {}  conflict {}  tries again {}  answers lost {}", w[0],
                     w[1], w[2], w[3], got.tries_again, got.cut);
  if (got.backlog > 0) out += fmt::format("  due and not sent {}", got.backlog);
  if (got.what.slow_readers > 0)
    out += fmt::format("  slow readers cut {} of {}", got.slow_readers_cut, got.what.slow_readers);
  out += "\n" + stage_lines(got) + memory_line(got);
  for (const auto& t : got.troubles) out += fmt::format("  at {:>5.1f} s {}\n", t.at_seconds, t.what);
  return out + checker_lines(got);
}

std::string json_of(const run_result& got) {
  const auto& s = got.what;
  const auto& w = got.words;
  return fmt::format(
      R"({{"scenario":{},"how":{},"matches":{},"desks":{},"in_flight":{},"rate":{:.1f},"seconds":{},"accepted":{},"duplicate":{},"refused":{},"conflict":{},"tries_again":{},"answers_lost":{},"due_not_sent":{},"slow_readers_cut":{},"accepted_per_s":{:.1f},"p50_ms":{:.3f},"p95_ms":{:.3f},"p99_ms":{:.3f},"p999_ms":{:.3f},"max_ms":{:.3f},"stages":[{}],"bytes_before_matches":{:.0f},"memory":[{}],"troubles":[{}],"checker":{},"error":{},"good":{},"over_time":[{}]}})",
      json::quoted(s.name), json::quoted(how(s)), s.matches, s.desks, s.in_flight, s.rate, got.seconds, w[0], w[1],
      w[2], w[3], got.tries_again, got.cut, got.backlog, got.slow_readers_cut, got.accepted_per_s(),
      got.latency.percentile(0.50), got.latency.percentile(0.95), got.latency.percentile(0.99),
      got.latency.percentile(0.999), got.latency.max(), stages_json(got), got.bytes_before_matches, memory_json(got),
      troubles_json(got), checker_json(got), got.error.empty() ? "null" : json::quoted(got.error), got.good(),
      over_time_json(got));
}

std::string json_of(const std::vector<run_result>& all) {
  std::string out = "{\"runs\":[\n";
  for (std::size_t i = 0; i < all.size(); ++i) out += (i > 0 ? ",\n" : "") + json_of(all[i]);
  return out + "\n]}\n";
}

namespace {

struct row {
  std::string name;
  double per_s = 0, p50 = 0, p95 = 0, p99 = 0;
};

// The runs of a report; an error is a sentence.
std::string read_report(const std::string& file, std::vector<row>& into) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array runs;
  if (!in || parser.parse(text.str()).get(root) || root["runs"].get(runs))
    return file + " is no report of omnium-bench.";
  for (auto run : runs) {
    row r;
    std::string_view name;
    if (run["scenario"].get(name) || run["accepted_per_s"].get(r.per_s) || run["p50_ms"].get(r.p50) ||
        run["p95_ms"].get(r.p95) || run["p99_ms"].get(r.p99))
      return file + " has a run without its figures.";
    r.name = name;
    into.push_back(std::move(r));
  }
  return {};
}

} // namespace

bool compare_reports(const std::string& file_a, const std::string& file_b, std::string& out) {
  std::vector<row> a, b;
  if (out = read_report(file_a, a); !out.empty()) return false;
  if (out = read_report(file_b, b); !out.empty()) return false;
  auto ratio = [](double of, double to) { return to > 0 ? of / to : 0; };
  out = fmt::format("{:<24} {:>10} {:>10} {:>6} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}\n", "scenario", "A per s",
                    "B per s", "B/A", "A p50 ms", "B p50 ms", "B/A", "A p99 ms", "B p99 ms", "B/A");
  bool any = false;
  for (const auto& x : a)
    for (const auto& y : b) {
      if (x.name != y.name) continue;
      any = true;
      out += fmt::format("{:<24} {:>10.0f} {:>10.0f} {:>6.2f} {:>9.2f} {:>9.2f} {:>6.2f} {:>9.2f} {:>9.2f} {:>6.2f}\n",
                         x.name, x.per_s, y.per_s, ratio(y.per_s, x.per_s), x.p50, y.p50, ratio(y.p50, x.p50), x.p99,
                         y.p99, ratio(y.p99, x.p99));
    }
  if (!any) out = "The two reports have no scenario in common.";
  return any;
}

} // namespace omnium::bench
