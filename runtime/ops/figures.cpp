#include "runtime/ops/figures.hpp"

#include "runtime/core/json.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

namespace omnium::ops {
namespace {

constexpr std::string_view bucket = "_bucket{";
using counts = std::map<double, double>; // upper bound to observations up to it

void each_sample(std::string_view rest, const std::function<void(std::string_view name, double value)>& use) {
  while (!rest.empty()) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    auto cut = line.rfind(' ');
    if (line.empty() || line.front() == '#' || cut == line.npos) continue;
    auto value = std::strtod(std::string(line.substr(cut + 1)).c_str(), nullptr);
    if (std::isfinite(value)) use(line.substr(0, cut), value);
  }
}

double bound_in(std::string_view name) {
  constexpr std::string_view label = "le=\"";
  auto at = name.find(label);
  if (at == name.npos) return std::numeric_limits<double>::infinity();
  return std::strtod(std::string(name.substr(at + label.size())).c_str(), nullptr); // "+Inf" too
}

double quantile(const counts& of, double share) {
  double wanted = share * of.rbegin()->second, from = 0, below = 0;
  for (const auto& [bound, count] : of) {
    if (count >= wanted)
      return std::isinf(bound) || count <= below ? from : from + (bound - from) * (wanted - below) / (count - below);
    from = bound;
    below = count;
  }
  return from;
}

} // namespace

std::string figures_of(const std::string& exposition) {
  std::string out = "{";
  each_sample(exposition, [&](std::string_view name, double value) {
    if (name.find(bucket) != name.npos) return;
    out += fmt::format("{}{}:{}", out.size() > 1 ? "," : "", json::quoted(name), value);
  });
  return out + "}";
}

std::string quantiles_of(const std::string& exposition) {
  std::map<std::string, counts, std::less<>> histograms;
  each_sample(exposition, [&](std::string_view name, double value) {
    auto cut = name.find(bucket);
    if (cut != name.npos) histograms[std::string(name.substr(0, cut))][bound_in(name)] += value;
  });
  std::string out = "{";
  for (const auto& [name, of] : histograms)
    if (of.rbegin()->second > 0)
      out += fmt::format(R"({}{}:{{"p50":{},"p95":{},"p99":{}}})", out.size() > 1 ? "," : "", json::quoted(name),
                         quantile(of, 0.5), quantile(of, 0.95), quantile(of, 0.99));
  return out + "}";
}

} // namespace omnium::ops
