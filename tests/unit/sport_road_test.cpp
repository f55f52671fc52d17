// The built sports on the whole road, with a model of the database: random play, corrections of all kinds and cascades
// of cascades, restarts and snapshots. What is shown, what is stored and what the log folds to are one and the same,
// and a preview says what then happens.
#include "runtime/core/json.hpp"
#include "runtime/road/corrected_log.hpp"
#include "tests/catch.hpp"
#include "tests/sim/model.hpp"
#include "tests/support/sport_keeper.hpp"
#include "tests/unit/random_commands_support.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <fmt/format.h>

namespace {

using namespace omnium;
using namespace omnium::model;
using omnium::test::dice;

class one_sport final : public road::rule_book {
public:
  explicit one_sport(std::string sport) : sport_(std::move(sport)) {}
  std::optional<road::release_facts> find(std::string_view sport, std::string_view version) const override {
    if (sport != sport_) return std::nullopt;
    return road::release_facts{std::string(version), "sha"};
  }
  std::optional<road::release_facts> default_release(std::string_view sport, const uuid&) const override {
    return find(sport, "1");
  }
  std::optional<bool> is_play(std::string_view, std::string_view, std::string_view code) const override {
    if (code == "match.note") return false;
    if (code.starts_with(sport_ + ".")) return true;
    for (auto own : {"match.start", "match.end", "match.suspend", "match.resume"})
      if (code == own) return true;
    return std::nullopt;
  }

private:
  std::string sport_;
};

// One match of a built sport on two nodes.
class crowd {
public:
  explicit crowd(const std::string& sport)
      : keeper_(sport_tests::options_of(omnium::test::package_of(sport) + "/plugin.so")),
        next_(omnium::test::commands_of(sport)) {
    db_.sport = sport;
    const sport_model plays{[this](const road::run_request& what, const std::string&) { return keeper_.run(what); },
                            std::make_shared<one_sport>(sport)};
    for (int i = 0; i < 2; ++i) nodes_.push_back(std::make_unique<node>(db_, ref_, plays));
    send("match.start", "{}", *nodes_[0]);
  }

  // One step; empty, or what did not hold.
  std::string step(dice& from) {
    auto& to = *nodes_[from.roll(8) == 0 ? 1 : 0];
    if (from.chance(3)) to.restart();
    if (from.chance(3)) to.subject().sleep();
    const auto [code, input] = db_.log.empty() || from.chance(55) ? next_(from) : correction(from);
    auto what = "after " + code + " " + input + ": ";
    // What is previewed is the match as its node knows it; another node's newer rows it learns when it writes.
    const auto& head = to.subject().known_head();
    const bool current = head && head->last_seq == db_.last_seq();
    auto told = current ? send(code, input, to, true) : road::reply{};
    auto said = send(code, input, to);
    if (current && to_string(said.what) != json::string_member(told.body, "would").value_or(""))
      return what + "the preview said " + told.body + ", it became " + said.body;
    if (said.what != outcome::accepted) return {};
    ++accepted;
    cascades += db_.log.back().voids.size() > 1;
    if (current && json::raw_member(told.body, "scoreboard") != db_.scoreboard)
      return what + "the preview's scoreboard is another: " + told.body + " and " + db_.scoreboard;
    return fault(what, to);
  }

  int accepted = 0, cascades = 0;

private:
  std::string fault(const std::string& what, node& on) {
    road::run_request whole;
    whole.mode = road::run_mode::replay;
    whole.settings = "{}";
    whole.events = road::corrected_log(db_.log);
    const auto fresh = keeper_.run(whole);
    if (fresh.what != road::run_reply::kind::ok) return what + "the log cannot be folded: " + fresh.error;
    if (fresh.scoreboard != db_.scoreboard)
      return what + "stored " + db_.scoreboard + ", from scratch " + fresh.scoreboard;
    const auto& head = on.subject().known_head();
    if (head && head->state != fresh.state) return what + "in memory " + head->state + ", from scratch " + fresh.state;
    return {};
  }

  std::pair<std::string, std::string> correction(dice& from) {
    const auto last = static_cast<std::uint32_t>(db_.log.size());
    const auto seq = from.chance(50) ? 1 + from.roll(last) : last - from.roll(std::min(last, 6u));
    const char* cascade = from.chance(60) ? "true" : "false";
    switch (from.roll(5)) {
    case 0:
    case 1:
      return {"match.void", fmt::format(R"({{"cascade":{},"seq":{}}})", cascade, seq)};
    case 2:
      return {"match.amend", fmt::format(R"({{"cascade":{},"input":{},"seq":{}}})", cascade, next_(from).second, seq)};
    case 3: {
      auto [code, input] = put_in(from);
      return {"match.insert",
              fmt::format(R"({{"before":{},"cascade":{},"code":"{}","input":{}}})", seq, cascade, code, input)};
    }
    default:
      return {"match.cancel_range", fmt::format(R"({{"cascade":{},"from":{},"reason":"x","to":{}}})", cascade, seq,
                                                std::min(last, seq + from.roll(6)))};
    }
  }
  std::pair<std::string, std::string> put_in(dice& from) {
    switch (from.roll(6)) {
    case 0:
      return {"match.suspend", R"({"reason":"rain"})"};
    case 1:
      return {"match.resume", "{}"};
    case 2:
      return {"match.end", R"({"reason":"abandoned"})"};
    case 3:
      return {"match.start", "{}"};
    default:
      return next_(from);
    }
  }

  road::reply send(const std::string& code, const std::string& input, node& to, bool preview = false) {
    road::reply out;
    ++sends_;
    const auto command = make_command(ref_, fmt::format("k{}", sends_), code, input, {}, sends_);
    to.subject().accept(std::make_shared<road::ticket>(command, preview, [&](road::reply r) { out = std::move(r); }));
    to.settle();
    return out;
  }

  sport_tests::keeper keeper_;
  omnium::test::random_command next_;
  database db_;
  subject_ref ref_{subject_kind::fixture, make_uuid5({}, "crowd")};
  std::vector<std::unique_ptr<node>> nodes_;
  std::uint64_t sends_ = 0;
};

} // namespace

TEST_CASE("every sport on the road: shown, stored and folded are one, whatever is corrected and whatever that frees") {
  for (const std::string& sport : omnium::test::random_sports()) {
    int cascades = 0, accepted = 0;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(sport, seed);
      crowd game(sport);
      auto from = dice::of_seed(seed, 3000);
      std::string fault;
      for (int i = 0; i < 120 && fault.empty(); ++i) fault = game.step(from);
      REQUIRE(fault == "");
      accepted += game.accepted;
      cascades += game.cascades;
    }
    CHECK(accepted > 80);
    CHECK(cascades > 0);
  }
}
