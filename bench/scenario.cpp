#include "bench/scenario.hpp"

#include "bench/plays.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <toml++/toml.h>

namespace omnium::bench {
namespace {

const std::set<std::string_view> known_keys = {"name",
                                               "sport",
                                               "sports",
                                               "transport",
                                               "matches",
                                               "desks",
                                               "in_flight",
                                               "rate",
                                               "load",
                                               "seconds",
                                               "warm_up_seconds",
                                               "commands_max",
                                               "watchers",
                                               "slow_readers",
                                               "duplicates_percent",
                                               "corrections_percent",
                                               "refused_percent",
                                               "conflicts_percent",
                                               "faults",
                                               "fault_every_seconds",
                                               "seed"};

// Takes keys out of a table; the first thing wrong with one is kept.
struct taker {
  const toml::table& from;
  std::string& error;

  template<class T>
  void number(std::string_view key, T& into, double low, double high) {
    auto value = from[key];
    if (!value) return;
    auto got = value.value<double>();
    if (got && *got >= low && *got <= high) into = static_cast<T>(*got);
    else wrong(fmt::format("{} must be a number from {} to {}", key, low, high));
  }
  std::vector<std::string> words(std::string_view key) {
    std::vector<std::string> out;
    const auto* list = from[key].as_array();
    if (list == nullptr) {
      if (from[key]) wrong(fmt::format("{} must be a list of words", key));
      return out;
    }
    for (const auto& item : *list) {
      auto word = item.value<std::string>();
      if (word) out.push_back(*word);
      else wrong(fmt::format("{} must be a list of words", key));
    }
    return out;
  }
  void wrong(const std::string& sentence) {
    if (error.empty()) error = sentence + ".";
  }
};

void take_sports(taker& take, scenario& into) {
  if (auto one = take.from["sport"].value<std::string>()) into.sports = {*one};
  if (auto more = take.words("sports"); !more.empty()) into.sports = more;
  for (const auto& sport : into.sports)
    if (!has_plays(sport)) take.wrong(fmt::format("there is no generator of matches of {}", sport));
}

void take_transport(taker& take, scenario& into) {
  auto name = take.from["transport"].value<std::string>();
  if (!name) return;
  if (*name == "live") into.transport = transport_kind::live;
  else if (*name != "http") take.wrong("transport must be http or live");
}

void take_faults(taker& take, scenario& into) {
  for (const auto& word : take.words("faults")) {
    if (word == "worker_kill") into.faults.push_back(trouble_kind::worker_kill);
    else if (word == "cut") into.faults.push_back(trouble_kind::cut);
    else if (word == "server_kill") into.faults.push_back(trouble_kind::server_kill);
    else if (word == "server_restart") into.faults.push_back(trouble_kind::server_restart);
    else take.wrong(fmt::format("faults: there is no \"{}\"", word));
  }
}

void take_numbers(taker& take, scenario& into) {
  take.number("matches", into.matches, 1, 5000);
  take.number("desks", into.desks, 1, 256);
  take.number("in_flight", into.in_flight, 1, 64);
  take.number("rate", into.rate, 0, 1e6);
  take.number("load", into.load, 0, 1);
  take.number("seconds", into.seconds, 0.5, 3600);
  take.number("warm_up_seconds", into.warm_up_seconds, 0, 60);
  take.number("commands_max", into.commands_max, 1, 50e6);
  take.number("watchers", into.watchers, 0, 100);
  take.number("slow_readers", into.slow_readers, 0, 200);
  take.number("duplicates_percent", into.duplicates_percent, 0, 100);
  take.number("corrections_percent", into.corrections_percent, 0, 100);
  take.number("refused_percent", into.refused_percent, 0, 100);
  take.number("conflicts_percent", into.conflicts_percent, 0, 100);
  take.number("fault_every_seconds", into.fault_every_seconds, 0.2, 600);
  take.number("seed", into.seed, 0, 1e15);
}

// Rules over several keys.
void check_together(taker& take, const scenario& what) {
  bool football = std::all_of(what.sports.begin(), what.sports.end(), [](const auto& s) { return s == "football"; });
  if (what.desks > 1 && !football)
    take.wrong("several desks of one match play football only: other sports have an order");
  if (what.corrections_percent > 0 && !football) take.wrong("corrections_percent is for football only");
  if (what.rate > 0 && what.load > 0) take.wrong("rate and load are two ways to say one thing");
  if (what.matches * what.desks > 10'000) take.wrong("matches times desks must be at most 10000");
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
  taker take{table, out.error};
  for (const auto& [key, value] : table)
    if (known_keys.count(key.str()) == 0) take.wrong(fmt::format("there is no key \"{}\"", key.str()));
  out.what.name = table["name"].value_or(file);
  take_sports(take, out.what);
  take_transport(take, out.what);
  take_faults(take, out.what);
  take_numbers(take, out.what);
  check_together(take, out.what);
  if (!out.error.empty()) out.error = fmt::format("{}: {}", file, out.error);
  return out;
}

} // namespace omnium::bench
