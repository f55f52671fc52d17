// Random play with corrections: whatever the mix, the state is the fold of the corrected log, and the books balance.
#include "runtime/road/corrected_log.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cricket_support.hpp"

#include <algorithm>
#include <random>

namespace {

using namespace omnium::cricket_test;
using omnium::corpus::json_document;
using omnium::corpus::json_view;
using omnium::road::log_item;
using omnium::sdk::test::match;

// A scorer who knows little: it proposes what could happen next, and the rules say whether it may.
class random_scorer {
public:
  random_scorer(std::uint32_t seed, const std::string& package)
      : dice_(seed), package_(package), settings_(random_settings()), m_(package, settings_) {
    play("match.start", "{}");
  }

  void run(int plays, int corrections) {
    for (int i = 0; i < plays; ++i) propose();
    for (int i = 0; i < corrections; ++i) {
      correct();
      if (roll(2) == 0) propose();
    }
  }

  match& game() { return m_; }
  const std::vector<log_item>& rows() const { return rows_; }
  int corrected() const { return corrected_; }
  match fresh() const { return match(package_, settings_); }

private:
  int roll(int sides) { return static_cast<int>(dice_() % static_cast<unsigned>(sides)); }
  bool chance(int percent) { return roll(100) < percent; }

  std::string random_settings() {
    const bool limited = chance(60);
    return R"({"players_per_side":)" + std::to_string(4 + roll(3)) + R"(,"balls_per_over":)" +
           std::to_string(4 + roll(3)) + (limited ? R"(,"overs_limit":)" + std::to_string(3 + roll(4)) : "") + '}';
  }

  // A row of the log for every number that was used, as the runtime would write it.
  void row(const std::string& code, const std::string& input, std::vector<std::int64_t> voids = {},
           std::optional<std::int64_t> replaces = {}) {
    log_item item;
    item.seq = static_cast<std::int64_t>(rows_.size()) + 1;
    item.code = code;
    item.play = true;
    item.input = input;
    item.at = "2026-01-01T12:00:00.000Z";
    item.voids = std::move(voids);
    item.replaces = replaces;
    rows_.push_back(std::move(item));
  }

  bool play(const std::string& code, const std::string& input) {
    const auto is = m_.play(code, input);
    if (is.accepted) row(code, input);
    return is.accepted;
  }

  std::string batter(int number) { return batting_ + std::to_string(number); }

  void propose() {
    const bool closed = m_.board("/period").empty() || last_innings("closed") == "true";
    if (closed) return next_innings();
    const int what = roll(100);
    if (what < 86) random_ball();
    else if (what < 90)
      play("cricket.retire",
           R"({"batter":")" + someone() + R"(","kind":")" + pick({"hurt", "not_out", "out"}) + R"("})");
    else if (what < 92) play("cricket.over_end", "{}");
    else if (what < 94)
      play("cricket.penalty_runs", R"({"to":")" + pick({"home", "away"}) + R"(","runs":5,"when":")" +
                                       pick({"pre", "post", "during"}) + R"("})");
    else if (what < 96) play("cricket.overs_limit", R"({"overs":)" + std::to_string(1 + roll(6)) + '}');
    else if (what < 97)
      play("cricket.target",
           R"({"runs":)" + std::to_string(1 + roll(40)) + R"(,"overs":)" + std::to_string(1 + roll(5)) + '}');
    else if (what < 98)
      play("cricket.replacement", R"({"side":")" + batting_ + R"(","out":")" + someone() + R"(","in":")" + batting_ +
                                      R"(sub","reason":"injury","role":"batter"})");
    else if (what < 99) play("cricket.powerplay", R"({"type":"batting","from":1.1})");
    else play("cricket.innings", end(pick({"declared", "all_out", "rain"})));
  }

  std::string pick(std::vector<std::string> all) {
    return all[static_cast<std::size_t>(roll(static_cast<int>(all.size())))];
  }

  std::string last_innings(const std::string& member) {
    auto board = json_document::parse(m_.scoreboard());
    const auto all = std::get<json_document>(board).root()["innings"].items();
    if (all.empty()) return {};
    const json_view value = all.back()[member];
    return value.flag() ? "true" : value.text();
  }

  void next_innings() {
    if (!m_.board("/period").empty() && chance(60))
      play("cricket.innings", end(pick({"all_out", "overs", "end_of_match"})));
    const std::string side = pick({"home", "away"});
    const bool super = m_.board("/result/tie") == "true";
    if (!play("cricket.innings", start(side, super ? R"("kind":"super_over")" : "")) && m_.board("/result") != "{}" &&
        chance(30))
      play("cricket.outcome", R"({"result":"tie"})");
    batting_ = last_innings("batting");
  }

  std::string someone() {
    const auto in = m_.board("/batting/" + std::to_string(roll(2)) + "/batter");
    return in.empty() || chance(10) ? batter(1 + roll(7)) : in;
  }

  std::string random_extras() {
    if (chance(80)) return {};
    return R"(,"extras":{")" + pick({"wides", "noballs", "byes", "legbyes", "penalty"}) + R"(":)" +
           std::to_string(1 + roll(5)) + '}';
  }

  std::string ball_input(const std::string& a, const std::string& b, const std::string& bowler, bool umpire) {
    const auto extras = random_extras();
    const bool wide = extras.find("wides") != std::string::npos;
    std::string out = R"({"batter":")" + a + R"(","non_striker":")" + b + R"(","bowler":")" + bowler +
                      R"(","runs":{"batter":)" + std::to_string(wide || chance(40) ? 0 : roll(7)) + extras + "}";
    if (chance(12))
      out += R"(,"wickets":[{"kind":")" +
             pick({"bowled", "caught", "run out", "lbw", "stumped", "hit wicket", "obstructing the field",
                   "retired out", "timed out"}) +
             R"(","player_out":")" + pick({a, a, b, batter(1 + roll(7))}) +
             R"(","fielders":["f",{"substitute":true}]}])";
    return out + (umpire ? R"(,"umpire":"it happened"})" : "}");
  }

  void random_ball() {
    for (int tries = 0; tries < 12; ++tries) {
      auto a = m_.board("/batting/0/batter"), b = m_.board("/batting/1/batter");
      if (a.empty() || chance(3)) a = batter(1 + roll(7));
      if (b.empty() || chance(3)) b = batter(1 + roll(7));
      if (chance(40)) std::swap(a, b);
      const auto current = m_.board("/bowling/bowler");
      const auto bowler = current.empty() || chance(20) ? "bowler" + std::to_string(roll(4)) : current;
      if (play("cricket.ball", ball_input(a, b, bowler, chance(4)))) return;
    }
  }

  // --- corrections, as the runtime makes them; a refused one uses its number and changes nothing
  // ----------------------
  void correct() {
    const auto& log = m_.log();
    const auto& target = log[1 + static_cast<std::size_t>(roll(static_cast<int>(log.size()) - 1))];
    const auto seq = target.seq;
    const int what = roll(3);
    const auto input = target.code == "cricket.ball" ? changed(target.input) : target.input;
    omnium::sdk::test::answer is;
    if (what == 0) is = m_.void_event(seq);
    if (what == 1) is = m_.amend(seq, input);
    if (what == 2) is = m_.insert(seq, "cricket.ball", input);
    if (!is.accepted) return row("ops.refused", "{}");
    ++corrected_;
    const auto number = std::to_string(seq);
    if (what == 0) row("match.void", R"({"seq":)" + number + '}', {seq});
    if (what == 1) row("match.amend", R"({"input":)" + input + R"(,"seq":)" + number + '}', {}, seq);
    if (what == 2) row("match.insert", R"({"before":)" + number + R"(,"code":"cricket.ball","input":)" + input + '}');
  }

  // The same ball with other runs.
  std::string changed(std::string input) {
    const auto at = input.find(R"("runs":{"batter":)");
    if (at != std::string::npos) input[at + 17] = static_cast<char>('0' + roll(7));
    return input;
  }

  std::mt19937 dice_;
  std::string package_, settings_, batting_ = "home";
  match m_;
  std::vector<log_item> rows_;
  int corrected_ = 0;
};

struct sums {
  std::int64_t runs = 0, balls = 0, wickets = 0, charged = 0, bowled = 0, taken = 0;
};

bool is_wicket(const std::string& out) { return !out.empty() && out != "retired hurt" && out != "retired not out"; }

sums add_up(const std::vector<json_view>& batting, const std::vector<json_view>& bowling) {
  sums s;
  for (const auto& card : batting) {
    s.runs += card["runs"].integer_or(0);
    s.wickets += is_wicket(card["out"].text());
  }
  for (const auto& card : bowling) {
    s.charged += card["runs"].integer_or(0);
    s.bowled += card["balls"].integer_or(0);
    s.taken += card["wickets"].integer_or(0);
  }
  return s;
}

void check_books(json_view line, const sums& s) {
  const json_view extras = line["extras"];
  std::int64_t all = 0;
  for (const auto& [name, value] : extras.members()) all += value.integer_or(0);
  RC_ASSERT(line["runs"].integer_or(-1) == s.runs + all);
  RC_ASSERT(line["wickets"].integer_or(-1) == s.wickets);
  RC_ASSERT(line["balls"].integer_or(-1) == s.bowled);
  if (const auto limit = line["overs_limit"].number())
    RC_ASSERT(std::stod(line["overs"].text()) <= *limit); // balls left
  RC_ASSERT(s.charged == s.runs + extras["wides"].integer_or(0) + extras["noballs"].integer_or(0));
}

// Known-traps S3, S7: the cards of every innings add up to its line.
void check_books(const match& m) {
  auto board = json_document::parse(m.scoreboard()), state = json_document::parse(m.state());
  const json_view root = std::get<json_document>(state).root();
  const auto cards = root["cards"].items(), closed = root["innings"].items();
  RC_ASSERT(cards.size() == closed.size());
  for (std::size_t i = 0; i < cards.size(); ++i)
    check_books(closed[i], add_up(cards[i]["batting"].items(), cards[i]["bowling"].items()));
  if (!root["now"]) return;
  auto batting = root["batting"].items(), bowling = root["bowling"].items();
  for (const auto& card : root["now"]["at"].items()) batting.push_back(card);
  if (root["now"]["bowler"]) bowling.push_back(root["now"]["bowler"]);
  RC_ASSERT(std::ssize(batting) == root["now"]["used_batters"].integer_or(-1));
  RC_ASSERT(std::ssize(bowling) == root["now"]["used_bowlers"].integer_or(-1));
  check_books(std::get<json_document>(board).root()["innings"].items().back(), add_up(batting, bowling));
}

} // namespace

TEST_CASE("random cricket with 200 corrections is always the fold of the corrected log, and its books balance") {
  OMNIUM_PROPERTY("cricket folds", [](std::uint32_t seed) {
    random_scorer scorer(seed, seed % 2 == 0 ? laws_2017 : laws_2026);
    scorer.run(120, 200);
    auto& m = scorer.game();
    const auto wrong = m.check();
    if (!wrong.empty()) RC_FAIL(wrong);
    check_books(m);
    // The road's own reading of the log, folded by a match that never saw a correction.
    auto fresh = scorer.fresh();
    const auto events = omnium::road::corrected_log(scorer.rows());
    RC_ASSERT(events.size() == m.log().size());
    for (const auto& one : events) RC_ASSERT(fresh.play(one.code, one.input).accepted);
    RC_ASSERT(fresh.state() == m.state());
    RC_ASSERT(fresh.scoreboard() == m.scoreboard());
    RC_CLASSIFY(scorer.corrected() >= 50, "fifty or more corrections stood");
    RC_CLASSIFY(m.board("/innings/2") != "", "three innings or more");
    RC_CLASSIFY(m.in_state("/now/kind") == "super_over", "a super over");
  });
}

TEST_CASE("at every step of random cricket the books balance and undo brings back what was there") {
  OMNIUM_PROPERTY("cricket steps", [](std::uint32_t seed) {
    random_scorer scorer(seed, laws_2026);
    for (int i = 0; i < 60; ++i) {
      const auto state = scorer.game().state();
      const auto events = scorer.game().log().size();
      scorer.run(1, 0);
      check_books(scorer.game());
      if (i % 10 != 9 || scorer.game().log().size() != events + 1) continue;
      RC_ASSERT(scorer.game().undo().accepted);
      RC_ASSERT(scorer.game().state() == state);
    }
  });
}
