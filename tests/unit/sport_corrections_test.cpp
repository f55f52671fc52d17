// The runtime's own corrected log over the built sports: whatever mix of voids, amends, inserts, cancelled ranges and
// corrections of corrections, a fold resumed from an earlier state is the fold from scratch.
#include "tests/catch.hpp"
#include "tests/unit/random_commands_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include "omnium/sport_session.hpp"
#include "runtime/road/corrected_log.hpp"

#include <algorithm>

namespace {

using omnium::road::corrected_log;
using omnium::road::log_item;
using omnium::road::sport_event;
using omnium::test::dice;

using omnium::sdk::test::both_flags;
using omnium::sdk::test::evolve_flag;

// A session at a state, played with the road's events.
struct session : omnium::sdk::test::session {
  session(const omnium_sport_api& api, const std::string& at) : omnium::sdk::test::session(api, {}, at) {}
  bool play(const sport_event& what, std::uint32_t flags) {
    return omnium::sdk::test::session::play({what.seq, what.code, what.input, what.at, {}}, flags).accepted;
  }
};

// A match as the road keeps it: the log, the corrected log, and the state after each of its events.
class match {
public:
  explicit match(const std::string& sport)
      : plugin_(omnium::sdk::loaded_plugin::load(omnium::test::package_of(sport) + "/plugin.so")) {
    INFO(plugin_.error());
    REQUIRE(plugin_.api() != nullptr);
    states_.push_back({});
  }

  // Takes the row if every event of the corrected log with it is still possible; folds from the last state before the
  // first event that reads otherwise now.
  bool append(log_item row) {
    row.seq = static_cast<std::int64_t>(log_.size()) + 1;
    row.at = "2026-01-01T12:00:00.000Z";
    auto log = log_;
    log.push_back(row);
    auto events = corrected_log(log);
    if (!possible(events)) return false;
    const auto differ = std::mismatch(events_.begin(), events_.end(), events.begin(), events.end());
    const auto kept = static_cast<std::size_t>(differ.first - events_.begin());
    states_.resize(kept + 1);
    for (std::size_t i = kept; i < events.size(); ++i) {
      session resumed(*plugin_.api(), states_.back());
      resumed.play(events[i], evolve_flag);
      states_.push_back(resumed.state());
    }
    log_ = std::move(log);
    events_ = std::move(events);
    return true;
  }

  // Empty: the state that was folded on, correction by correction, is the fold of the corrected log from scratch.
  std::string fault() const {
    session scratch(*plugin_.api(), {});
    for (const sport_event& one : corrected_log(log_)) scratch.play(one, evolve_flag);
    session resumed(*plugin_.api(), states_.back());
    if (scratch.state() != resumed.state())
      return "folded on: " + resumed.state() + " from scratch: " + scratch.state();
    return scratch.scoreboard() == resumed.scoreboard() ? "" : "the scoreboards differ";
  }

  const std::vector<log_item>& log() const { return log_; }
  const std::vector<sport_event>& events() const { return events_; }

private:
  bool possible(const std::vector<sport_event>& events) const {
    session all(*plugin_.api(), {});
    return std::all_of(events.begin(), events.end(), [&](const sport_event& one) { return all.play(one, both_flags); });
  }

  omnium::sdk::loaded_plugin plugin_;
  std::vector<log_item> log_;
  std::vector<sport_event> events_;
  std::vector<std::string> states_; // states_[n]: after n events
};

log_item row_of(const std::string& code, const std::string& input) {
  log_item row;
  row.code = code;
  row.input = input;
  row.play = true;
  return row;
}

// A void of any row (also of a correction), an amend, an insert, or a cancelled range.
log_item correction(const match& of, dice& from, const omnium::test::random_command& next) {
  const auto pick = [&](auto size) { return from.roll(static_cast<std::uint32_t>(size)); };
  const std::int64_t any = of.log()[pick(of.log().size())].seq;
  const auto& target = of.events()[pick(of.events().size())];
  const std::string seq = std::to_string(target.seq);
  const auto [code, input] = next(from);
  switch (from.roll(4)) {
  case 0: {
    auto row = row_of("match.void", R"({"seq":)" + std::to_string(any) + '}');
    row.voids = {any};
    return row;
  }
  case 1: {
    auto row =
        row_of("match.amend", R"({"seq":)" + seq + R"(,"input":)" + (code == target.code ? input : target.input) + '}');
    row.replaces = target.seq;
    return row;
  }
  case 2:
    return row_of("match.insert", R"({"before":)" + seq + R"(,"code":")" + code + R"(","input":)" + input + '}');
  default: {
    auto row = row_of("match.cancel_range",
                      R"({"from":)" + seq + R"(,"to":)" + std::to_string(target.seq + 2) + R"(,"reason":"test"})");
    for (const sport_event& one : of.events())
      if (one.seq >= target.seq && one.seq <= target.seq + 2) row.voids.push_back(one.seq);
    return row;
  }
  }
}

} // namespace

TEST_CASE("a sport's state after any corrections is the fold of the corrected log from scratch") {
  for (const std::string& sport : omnium::test::random_sports()) {
    const auto next = omnium::test::commands_of(sport);
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
      CAPTURE(sport, seed);
      match game(sport);
      dice from = dice::of_seed(seed, 8000);
      std::size_t corrections = 0, corrected = 0;
      while (corrections < 200) {
        REQUIRE_FALSE(from.empty());
        if (!game.events().empty() && from.chance(40)) {
          ++corrections;
          corrected += game.append(correction(game, from, next));
          if (corrections % 10 == 0) REQUIRE(game.fault() == "");
          continue;
        }
        const auto [code, input] = next(from);
        // A correction may have taken the start out; where it has not, this second start is refused.
        if (!game.append(row_of(code, input))) game.append(row_of("match.start", "{}"));
      }
      CHECK(game.fault() == "");
      CHECK(corrected >= 20);
    }
  }
}
