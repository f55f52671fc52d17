// The page of a report: plain SVG in plain HTML, nothing fetched.
#include "bench/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace omnium::bench {
namespace {

constexpr double width = 900, height = 260, left = 60, top = 20; // of a plot's inside, in px

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

struct plot {
  const run_result& of;
  double low = 0.1, high = 1; // milliseconds, a power of ten each

  explicit plot(const run_result& got) : of(got) {
    for (const auto& in : got.intervals) high = std::max(high, in.latency.max());
    high = std::pow(10, std::ceil(std::log10(high)));
  }
  double x(std::size_t i) const {
    return left +
           width * (static_cast<double>(i) + 0.5) / static_cast<double>(std::max<std::size_t>(of.intervals.size(), 1));
  }
  double y(double ms) const { // logarithmic
    auto share = (std::log10(std::max(ms, low)) - std::log10(low)) / (std::log10(high) - std::log10(low));
    return top + height * (1 - share);
  }
  std::string line(const char* colour, const std::function<double(const interval&)>& value) const {
    std::string points;
    for (std::size_t i = 0; i < of.intervals.size(); ++i)
      if (of.intervals[i].latency.total() > 0) points += fmt::format("{:.1f},{:.1f} ", x(i), y(value(of.intervals[i])));
    return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>\n", colour, points);
  }
  std::string rate() const {
    std::uint64_t most = 1;
    for (const auto& in : of.intervals) most = std::max(most, in.accepted);
    std::string out;
    auto step = width / static_cast<double>(std::max<std::size_t>(of.intervals.size(), 1));
    for (std::size_t i = 0; i < of.intervals.size(); ++i) {
      auto h = height * 0.9 * static_cast<double>(of.intervals[i].accepted) / static_cast<double>(most);
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#e6ebf2\"><title>{:.0f} "
          "accepted/s</title></rect>\n",
          left + step * static_cast<double>(i), top + height - h, std::max(step - 1, 0.5), h,
          static_cast<double>(of.intervals[i].accepted) / of.interval_seconds);
    }
    return out;
  }
  std::string axes() const {
    std::string out;
    for (double ms = low; ms <= high * 1.01; ms *= 10)
      out += fmt::format("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ccd\"/><text x=\"{3}\" "
                         "y=\"{4:.1f}\" text-anchor=\"end\">{5:g} ms</text>\n",
                         left, left + width, y(ms), left - 6, y(ms) + 4, ms);
    auto seconds = of.interval_seconds * static_cast<double>(of.intervals.size());
    for (int i = 0; i <= 10; ++i)
      out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.4g} s</text>\n", left + width * i / 10,
                         top + height + 16, seconds * i / 10);
    for (const auto& t : of.troubles) {
      auto at = left + width * t.at_seconds / std::max(seconds, 0.001);
      out +=
          fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#b00\" stroke-dasharray=\"3 "
                      "3\"><title>{3}</title></line>\n",
                      at, top, top + height, escaped(t.what));
    }
    return out;
  }
  std::string svg() const {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"latency over time\">\n{}{}{}{}{}</svg>\n",
                       left + width + 20, top + height + 24, rate(), axes(),
                       line("#c2410c", [](const interval& in) { return in.latency.max(); }),
                       line("#1d4ed8", [](const interval& in) { return in.latency.percentile(0.99); }),
                       line("#15803d", [](const interval& in) { return in.latency.percentile(0.5); }));
  }
};

} // namespace

std::string page_of(const std::vector<run_result>& all) {
  std::string out =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>omnium-bench</title>\n"
      "<style>body{font:14px system-ui,sans-serif;margin:2rem auto;max-width:1000px;color:#1e293b}"
      "pre{background:#f6f8fa;padding:.8rem;overflow:auto}svg text{font-size:11px;fill:#475569}</style>\n"
      "<h1>omnium-bench</h1><p>Latency over time, logarithmic: <b style=\"color:#15803d\">p50</b>, "
      "<b style=\"color:#1d4ed8\">p99</b>, <b style=\"color:#c2410c\">most</b>; bars: accepted/s; dashed: faults "
      "put in.</p>\n";
  for (const auto& got : all)
    out +=
        fmt::format("<h2>{}</h2>\n{}<pre>{}</pre>\n", escaped(got.what.name), plot(got).svg(), escaped(table_of(got)));
  return out + "</html>\n";
}

} // namespace omnium::bench
