#include "bench/scenario.hpp"

#include <fmt/format.h>
#include <set>
#include <toml++/toml.h>

namespace omnium::bench {
namespace {

template<class T>
void take(const toml::table& from, std::string_view key, T& into, double low, double high, std::string& error) {
  auto value = from[key];
  if (!value) return;
  auto number = value.value<double>();
  if (!number || *number < low || *number > high) {
    error = fmt::format("{} must be a number from {} to {}.", key, low, high);
    return;
  }
  into = static_cast<T>(*number);
}

} // namespace

read_scenario load_scenario(const std::string& file) {
  read_scenario out;
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& e) {
    out.error = fmt::format("{}: {}", file, e.description());
    return out;
  }
  static const std::set<std::string_view> known = {"name",      "sport",   "matches",        "desks",
                                                   "in_flight", "seconds", "warm_up_seconds"};
  for (const auto& [key, value] : table)
    if (known.count(key.str()) == 0) out.error = fmt::format("{}: there is no key \"{}\".", file, key.str());
  out.what.name = table["name"].value_or(file);
  out.what.sport = table["sport"].value_or(out.what.sport);
  take(table, "matches", out.what.matches, 1, 5000, out.error);
  take(table, "desks", out.what.desks, 1, 256, out.error);
  take(table, "in_flight", out.what.in_flight, 1, 64, out.error);
  take(table, "seconds", out.what.seconds, 0.5, 3600, out.error);
  take(table, "warm_up_seconds", out.what.warm_up_seconds, 0, 60, out.error);
  return out;
}

} // namespace omnium::bench
