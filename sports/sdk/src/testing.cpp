#include "omnium/sport_test.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace omnium::sdk::test {
namespace {

constexpr auto default_at = "2026-01-01T12:00:00.000Z";

std::string plugin_of(const std::string& package) {
  return std::filesystem::is_directory(package) ? package + "/plugin.so" : package;
}

// What a fold sees: the events that no other event has made void.
std::vector<logged> seen(const std::vector<logged>& log) {
  std::set<std::int64_t> gone;
  for (const auto& one : log) gone.insert(one.voids.begin(), one.voids.end());
  std::vector<logged> out;
  std::copy_if(log.begin(), log.end(), std::back_inserter(out),
               [&](const logged& one) { return !gone.contains(one.seq); });
  return out;
}

} // namespace

struct match::impl {
  loaded_plugin plugin;
  std::string settings;
  std::vector<logged> log;  // without what corrections took out, with what events made void
  std::vector<logged> view; // seen(log)
  std::int64_t last_seq = 0;
  std::unique_ptr<session> now;

  std::unique_ptr<session> open(const std::string& state = {}) const {
    return std::make_unique<session>(*plugin.api(), settings, state);
  }
  std::unique_ptr<session> fold(const std::vector<logged>& events) const {
    auto made = open();
    for (const auto& one : events) made->play(one, OMNIUM_SPORT_EVOLVE);
    return made;
  }

  // Takes `changed` as the log if every event of it is still possible. `fresh` is the event the correction is about;
  // the others are asked again.
  answer correct(std::vector<logged> changed, std::int64_t fresh = 0) {
    ++last_seq;
    auto events = seen(changed);
    auto made = open();
    for (const auto& one : events) {
      // What made others void is settled: what it spoke of is gone, so it cannot be judged again.
      const auto asked = one.seq == fresh ? both_flags : again_flags;
      auto verdict = made->play(one, one.voids.empty() ? asked : evolve_flag);
      if (verdict.accepted) continue;
      return {.code = "breaks_later", .message = one.code + ": " + verdict.message, .seq = one.seq};
    }
    log = std::move(changed);
    view = std::move(events);
    now = std::move(made);
    return {.accepted = true, .seq = last_seq};
  }
  std::vector<logged>::iterator find(std::vector<logged>& in, std::int64_t seq) const {
    const auto found = std::find_if(in.begin(), in.end(), [&](const logged& one) { return one.seq == seq; });
    if (found == in.end()) throw std::runtime_error("no event " + std::to_string(seq));
    return found;
  }
};

match::match(const std::string& package, std::string settings) : impl_(std::make_unique<impl>()) {
  impl_->plugin = loaded_plugin::load(plugin_of(package));
  if (impl_->plugin.api() == nullptr) throw std::runtime_error(impl_->plugin.error());
  impl_->settings = std::move(settings);
  impl_->now = impl_->open();
}
match::~match() = default;
match::match(match&&) noexcept = default;

answer match::play(const std::string& code, const std::string& input, const std::string& at) {
  auto& self = *impl_;
  logged made{self.last_seq + 1, code, input, at.empty() ? default_at : at, {}};
  auto verdict = self.now->play(made, both_flags);
  if (!verdict.accepted) return verdict;
  ++self.last_seq;
  made.voids = verdict.voids;
  self.log.push_back(made);
  if (made.voids.empty()) self.view.push_back(made); // a full match is thousands of events
  else self.view = seen(self.log);
  if (!made.voids.empty()) self.now = self.fold(self.view);
  return verdict;
}

answer match::would(const std::string& code, const std::string& input) const {
  return impl_->now->play({impl_->last_seq + 1, code, input, default_at, {}}, OMNIUM_SPORT_DECIDE);
}

answer match::undo() {
  if (impl_->view.empty()) return {.code = "nothing_to_undo", .message = "The log is empty."};
  return void_event(impl_->view.back().seq);
}

answer match::void_event(std::int64_t seq) {
  auto changed = impl_->log;
  changed.erase(impl_->find(changed, seq));
  return impl_->correct(std::move(changed));
}

answer match::amend(std::int64_t seq, const std::string& input) {
  auto changed = impl_->log;
  impl_->find(changed, seq)->input = input;
  return impl_->correct(std::move(changed), seq);
}

answer match::insert(std::int64_t before, const std::string& code, const std::string& input) {
  auto changed = impl_->log;
  const auto seq = impl_->last_seq + 1;
  changed.insert(impl_->find(changed, before), logged{seq, code, input, default_at, {}});
  return impl_->correct(std::move(changed), seq);
}

std::string match::state() const { return impl_->now->state(); }
std::string match::scoreboard() const { return impl_->now->scoreboard(); }
std::string match::board(const std::string& pointer) const { return json_at(scoreboard(), pointer); }
std::string match::in_state(const std::string& pointer) const { return json_at(state(), pointer); }
const std::vector<logged>& match::log() const { return impl_->view; }

std::string match::describe() const {
  std::string out;
  const auto host = host_writing_to(out);
  if (impl_->plugin.api()->describe(&host) != OMNIUM_SPORT_OK) throw std::runtime_error(out);
  return out;
}

std::string match::check(bounds limit) const {
  const auto& self = *impl_;
  auto scratch = self.open();
  std::string stored; // the state as JSON after the last event: the next one is played on a session read from it
  for (const auto& one : self.view) {
    const auto where = " at event " + std::to_string(one.seq) + " (" + one.code + ")";
    auto resumed = self.open(stored);
    if (!stored.empty() && resumed->state() != stored) return "the state read back writes other bytes" + where;
    const auto before = scratch->state();
    scratch->play(one, OMNIUM_SPORT_DECIDE);
    if (scratch->state() != before) return "decide changed the state" + where;
    scratch->play(one, OMNIUM_SPORT_EVOLVE);
    resumed->play(one, OMNIUM_SPORT_EVOLVE);
    stored = scratch->state();
    if (resumed->state() != stored) return "a resumed state plays on differently" + where;
    if (resumed->scoreboard() != scratch->scoreboard()) return "a resumed state shows another scoreboard" + where;
    if (stored.size() > limit.state_bytes) return "the state has " + std::to_string(stored.size()) + " bytes" + where;
    const auto shown = scratch->scoreboard();
    if (shown.size() > limit.scoreboard_bytes)
      return "the scoreboard has " + std::to_string(shown.size()) + " bytes" + where;
    if (json_at(shown, "/status").empty() || json_at(stored, "/match/status").empty()) return "no status" + where;
    if (json_at(shown, "/line").empty()) return "no line" + where;
  }
  if (scratch->state() != self.now->state()) return "the state is not the fold of the log";
  if (scratch->scoreboard() != self.now->scoreboard()) return "the scoreboard is not the fold of the log";
  return {};
}

} // namespace omnium::sdk::test
