#include "apps/replay/files.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace omnium::replay {
namespace {

using recordings = std::vector<corpus::recording>;

std::string known_formats() {
  std::string out;
  for (const auto& one : corpus::formats()) out += fmt::format("{}{}", out.empty() ? "" : ", ", one.name);
  return out;
}

bool is_wanted(const corpus::recording& one, const std::string& only) {
  if (only.empty() || one.match_key == only) return true;
  return one.match_key.size() > only.size() && one.match_key.ends_with(only) &&
         one.match_key[one.match_key.size() - only.size() - 1] == ':';
}

// The wanted recordings; empty: a sentence was told.
recordings read_files(const files_request& what, const say& tell) {
  const auto* format = corpus::find_format(what.format);
  if (format == nullptr) {
    tell(fmt::format("There is no format \"{}\". Known are: {}.", what.format, known_formats()));
    return {};
  }
  auto read = format->read(what.files);
  if (const auto* error = std::get_if<std::string>(&read)) {
    tell(*error);
    return {};
  }
  auto all = std::move(std::get<recordings>(read));
  const auto had = all.size();
  std::erase_if(all, [&](const auto& one) { return !is_wanted(one, what.only); });
  if (all.empty()) tell(fmt::format("None of the {} matches is \"{}\".", had, what.only));
  return all;
}

// Hands the matches out to the connections; reports keep the recordings' order.
class crew {
public:
  crew(const files_request& what, const recordings& all, const say& tell,
       const std::function<void(const std::string&)>& print)
      : what_(what), all_(all), reports_(all.size()), print_(print), tell_([this, &tell](const std::string& sentence) {
          std::lock_guard lock(guard_);
          tell(sentence);
        }),
        options_(what.options) {
    if (options_.row)
      options_.row = [this](const std::string& line) {
        std::lock_guard lock(guard_);
        what_.options.row(line);
      };
  }

  const std::vector<match_report>& work() {
    std::vector<std::thread> hands;
    const auto count = std::clamp<std::size_t>(what_.parallel, 1, all_.size());
    for (std::size_t i = 0; i < count; ++i) hands.emplace_back([this] { take_matches(); });
    for (auto& hand : hands) hand.join();
    return reports_;
  }

private:
  void take_matches() {
    sender to(http_door(what_.url, what_.token));
    for (auto i = next_++; i < all_.size() && !(options_.stopped && options_.stopped()); i = next_++) {
      for (const auto& note : all_[i].notes) tell_(fmt::format("{}: {}", all_[i].match_key, note));
      reports_[i] = send_match(to, all_[i], options_, tell_);
      std::lock_guard lock(guard_);
      print_(to_json(reports_[i]));
    }
  }

  const files_request& what_;
  const recordings& all_;
  std::vector<match_report> reports_;
  std::atomic<std::size_t> next_{0};
  std::mutex guard_;
  const std::function<void(const std::string&)>& print_;
  say tell_;
  replay_options options_;
};

// Of the matches that were begun; without any: of none, and not good.
match_report sum_of(const std::vector<match_report>& reports) {
  auto last = std::find_if(reports.rbegin(), reports.rend(), [](const auto& one) { return !one.fixture.empty(); });
  if (last == reports.rend()) return {.fixture = {}, .count = {}, .scoreboard = "null", .good = false};
  auto sum = *last;
  sum.count = {};
  sum.good = true;
  for (const auto& one : reports) {
    sum.count += one.count;
    sum.good = sum.good && one.good;
  }
  return sum;
}

// Without a name no competition can be made; what the reader noted says why there is none.
bool names_its_competition(const corpus::recording& one, const say& tell) {
  if (!one.competition_name.empty()) return true;
  std::string why;
  for (const auto& note : one.notes) why += " " + note;
  tell(fmt::format("{}: the files do not say which competition this match belongs to.{}", one.match_key, why));
  return false;
}

} // namespace

int replay_files(const files_request& what, const say& tell, const std::function<void(const std::string&)>& print) {
  const auto all = read_files(what, tell);
  if (all.empty()) return 2;
  for (const auto& one : all)
    if (!names_its_competition(one, tell)) return 2;
  // Competitions and participants first, over one connection: the matches then depend on nothing but themselves.
  sender to(http_door(what.url, what.token));
  std::set<std::string> done;
  const auto stopped = [&] { return what.options.stopped && what.options.stopped(); };
  for (const auto& one : all)
    if (!stopped() && !prepare(to, one, done, tell)) {
      print(to_json(sum_of({})));
      return 1;
    }
  const auto reports = crew(what, all, tell, print).work();
  const auto sum = sum_of(reports);
  if (reports.size() > 1) print(to_json(sum, reports.size()));
  if (stopped())
    tell(fmt::format("Stopped after {} commands, {} of them accepted now. The same call again goes on from there: what "
                     "was sent is answered duplicate.",
                     sum.count.sent, sum.count.accepted));
  return sum.good ? 0 : 1;
}

} // namespace omnium::replay
