#include "bench/server_times.hpp"

#include <cstdlib>
#include <limits>
#include <utility>

namespace omnium::bench {
namespace {

// "omnium_stage_seconds_bucket{stage="wire",le="0.001"} 12" -> name "wire".
std::string name_of(std::string_view line) {
  constexpr std::string_view stage = "omnium_stage_seconds_bucket{";
  if (line.starts_with(stage)) {
    auto at = line.find("stage=\"");
    return at == line.npos ? "" : std::string(line.substr(at + 7, line.find('"', at + 7) - at - 7));
  }
  for (std::string_view name : {"command", "outside", "lock_wait", "lock_hold"})
    if (line.starts_with("omnium_" + std::string(name) + "_seconds_bucket{")) return std::string(name);
  return {};
}

double percentile(const bucket_counts& added, double share) {
  if (added.empty() || added.back().second <= 0) return 0;
  double wanted = share * added.back().second, before = 0, low = 0;
  for (const auto& [bound, count] : added) {
    if (count >= wanted && count > before) {
      if (bound == std::numeric_limits<double>::infinity()) return low * 1000;
      return (low + (bound - low) * (wanted - before) / (count - before)) * 1000;
    }
    before = count;
    low = bound;
  }
  return low * 1000;
}

} // namespace

server_times read_server_times(std::string_view text) {
  server_times out;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    constexpr std::string_view resident = "omnium_process_resident_memory_bytes ";
    if (line.starts_with(resident))
      out.resident_bytes = std::strtod(std::string(line.substr(resident.size())).c_str(), nullptr);
    auto name = name_of(line);
    auto le = line.find("le=\"");
    auto value = line.rfind(' ');
    if (name.empty() || le == line.npos || value == line.npos) continue;
    auto bound = line.substr(le + 4, 4) == "+Inf" ? std::numeric_limits<double>::infinity()
                                                  : std::strtod(std::string(line.substr(le + 4, 24)).c_str(), nullptr);
    out.of[name].emplace_back(bound, std::strtod(std::string(line.substr(value + 1)).c_str(), nullptr));
  }
  return out;
}

std::vector<stage_time> between(const server_times& before, const server_times& after) {
  std::vector<stage_time> out;
  for (const char* name : {"wire", "queue", "worker", "database", "command", "outside", "lock_wait", "lock_hold"}) {
    auto late = after.of.find(name);
    if (late == after.of.end()) continue;
    auto early = before.of.find(name);
    auto added = late->second;
    if (early != before.of.end() && early->second.size() == added.size())
      for (std::size_t i = 0; i < added.size(); ++i) added[i].second -= early->second[i].second;
    if (added.empty() || added.back().second <= 0) continue;
    out.push_back(
        {name, added.back().second, percentile(added, 0.5), percentile(added, 0.95), percentile(added, 0.99)});
  }
  return out;
}

} // namespace omnium::bench
