// Innings: beginning, ending, limits of overs, targets, super overs. Laws 13-15; targets by the playing conditions.
#include "sports/cricket/cards.hpp"
#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

std::optional<std::string> game::check_settings() const {
  if (settings.overs_per_bowler && settings.overs_limit && *settings.overs_per_bowler > settings.overs_limit->overs)
    return "overs_per_bowler is more than overs_limit.";
  if (auto no = whole_overs(settings.overs_limit, settings.balls_per_over, "overs_limit"); !no)
    return "overs_limit: " + no.message();
  return {};
}

// Where nobody said: a match with limited overs has one innings a side, any other two (Law 13.1).
std::int64_t game::innings_per_side() const {
  if (settings.innings_per_side) return *settings.innings_per_side;
  const bool limited = settings.overs_limit || state.overs_limit || (state.now && state.now->limit);
  return limited ? 1 : 2;
}

game::tally game::count() const {
  tally t;
  t.lines = read_lines(state.lines);
  if (state.now) t.lines.push_back(line_of(*state.now, players()));
  for (const auto& line : t.lines) {
    if (line.kind == innings_kind::super_over) {
      t.super.push_back(&line);
      continue;
    }
    t.normal.push_back(&line);
    ++t.begun[line.batting];
    t.totals[line.batting] += line.runs;
  }
  return t;
}

// Tied so far: as many innings each, the last one over, the runs level; or one short of a target that was set.
bool game::level(const tally& t) const {
  if (t.normal.size() < 2 || t.begun.home != t.begun.away || !t.normal.back()->closed) return false;
  const auto* chase = t.normal.back();
  if (chase->target) return chase->runs == *chase->target - 1;
  return t.totals.home == t.totals.away;
}

verdict game::may_begin_super_over(const innings_change& in, const tally& t) const {
  const auto played = t.super.size();
  const bool tied = level(t) || (state.outcome && state.outcome->result == outcome_result::tie);
  if (played == 0 && !tied)
    return sdk::refuse("super_over_without_tie", "A super over is played only after a tie.").law("Law 16.5");
  if (played % 2 == 1 && in.batting == t.super.back()->batting)
    return sdk::refuse("other_side_to_bat", "The other side bats in this super over.").at("batting");
  if (played > 0 && played % 2 == 0 && t.super[played - 1]->runs != t.super[played - 2]->runs)
    return sdk::refuse("super_over_without_tie", "The super over before was not tied.");
  return sdk::accept();
}

verdict game::may_begin_normal(const innings_change& in, const tally& t) const {
  if (!t.super.empty()) return sdk::refuse("super_over_begun", "After a super over only super overs follow.");
  const auto batting = *in.batting;
  if (t.begun[batting] >= innings_per_side())
    return sdk::refuse("innings_used", "This side has had all its innings.").law("Law 13.1").at("batting");
  if (t.begun[batting] > t.begun[sdk::other(batting)])
    return sdk::refuse("other_side_to_bat", "The other side has its innings first.").law("Law 13.2").at("batting");
  return sdk::accept();
}

verdict game::may_begin(const innings_change& in, const event& e) const {
  if (!in.batting) return sdk::refuse("batting_missing", "Say which side bats.").at("batting");
  if (in_play()) return sdk::refuse("innings_open", "The innings in progress must end first.").law("Law 13.3");
  const auto t = count();
  if (t.lines.size() >= innings_max) return sdk::refuse("too_many_innings", "No more innings can be recorded.");
  if (e.umpired()) return sdk::accept();
  return in.kind == innings_kind::normal ? may_begin_normal(in, t) : may_begin_super_over(in, t);
}

// Law 15.2: an innings may be forfeited before it begins. That is recorded as the end of an innings never started.
bool game::forfeits_next(const innings_change& in) const {
  return in.action == innings_action::end && in.reason == end_reason::forfeited && in.batting && !in_play();
}

verdict game::may_close(const innings_change& in, const event&) const {
  if (!state.now) return sdk::refuse("no_innings", "No innings is in progress.");
  const auto& now = *state.now;
  if (now.ended) return sdk::refuse("innings_closed", "This innings is closed already.").law("Law 13.3");
  if (in.batting && *in.batting != now.batting)
    return sdk::refuse("other_side_to_bat", "The innings in progress is the other side's.").at("batting");
  if (in.reason == end_reason::forfeited && !now.over.bowlers.empty())
    return sdk::refuse("cannot_forfeit", "An innings can be forfeited only before its first ball.").law("Law 15.2");
  return sdk::accept();
}

verdict game::decide(const innings_change& in, const event& e) const {
  const auto each = in.balls_per_over.value_or(settings.balls_per_over);
  if (auto no = whole_overs(in.overs_limit, each, "overs_limit"); !no) return no;
  return in.action == innings_action::start || forfeits_next(in) ? may_begin(in, e) : may_close(in, e);
}

void game::freeze() {
  if (!state.now) return;
  const auto& old = *state.now;
  const auto line = line_of(old, players());
  std::vector<bowling_card> bowling;
  if (old.bowler) bowling.push_back(*old.bowler);
  add_object(state.lines, sdk::to_json(line));
  add_object(state.cards, R"({"batting":)" + all_cards(state.batting, old.at) + R"(,"bowling":)" +
                              all_cards(state.bowling, bowling) + '}');
  state.batting = state.bowling = "[]";
  if (old.kind == innings_kind::super_over) return;
  state.totals[old.batting] += old.runs;
  tell(line);
}

void game::tell(const innings_line& line) {
  auto& told = state.told[line.batting];
  if (!told.empty()) told += " & ";
  told += short_text(line, players());
}

void game::start(const innings_change& in) {
  freeze();
  state.now.reset();
  const auto t = count();
  const bool super = in.kind == innings_kind::super_over;
  const auto batting = in.batting.value_or(side::home);
  innings next;
  next.batting = batting;
  next.kind = in.kind;
  next.number = static_cast<std::int64_t>(super ? t.super.size() : t.normal.size()) + 1;
  next.balls_per_over = in.balls_per_over.value_or(settings.balls_per_over);
  if (super) next.limit = in.overs_limit.value_or(over_count{1, 0});
  else if (in.overs_limit) next.limit = in.overs_limit;
  else next.limit = state.overs_limit ? state.overs_limit : settings.overs_limit;
  next.absent = in.absent;
  state.now = std::move(next);
  auto& now = *state.now;
  now.runs = now.extras.penalty = std::exchange(state.pending[batting], 0);
  const auto other = sdk::other(batting);
  if (super) {
    now.last = t.super.size() % 2 == 1;
    if (now.last) now.target = t.super.back()->runs + 1;
  } else {
    const auto each = innings_per_side();
    now.last = t.begun[batting] + 1 == each && t.begun[other] == each;
    if (now.last) now.target = std::max<std::int64_t>(1, t.totals[other] - t.totals[batting] + 1);
    if (state.next_target) set_target(now, *std::exchange(state.next_target, {}));
  }
}

void game::evolve(const innings_change& in, const event&) {
  if (in.action == innings_action::start || forfeits_next(in)) start(in);
  if (!state.now) return;
  auto& now = *state.now;
  if (in.action == innings_action::end) {
    for (const auto& name : in.absent)
      if (now.in(name) == nullptr && find_object(state.batting, card_key<batting_card>, name).size == 0)
        now.absent.push_back(name);
    const auto known = now.target_reached()     ? end_reason::target
                       : now.all_out(players()) ? end_reason::all_out
                       : now.overs_up()         ? end_reason::overs
                                                : end_reason::end_of_match;
    now.ended = in.reason.value_or(known);
  }
  settle();
}

// --- limits and targets: events in time (known-traps S8) ------------------------------------------------------------

namespace {

verdict below_bowled(const innings& now, const over_count& overs) {
  return sdk::refuse("revision_below_bowled",
                     "More overs are bowled already: " + overs_text(now.bowled().overs, now.bowled().balls) +
                         " against " + overs_text(overs.overs, overs.balls) + ".")
      .at("overs");
}

} // namespace

// For the innings in play and those to come.
verdict game::decide(const overs_limit& in, const event&) const {
  const auto each = in_play() ? state.now->balls_per_over : settings.balls_per_over;
  if (auto no = whole_overs(in.overs, each, "overs"); !no) return no;
  if (in_play() && in.overs < state.now->bowled()) return below_bowled(*state.now, in.overs);
  return sdk::accept();
}

void game::evolve(const overs_limit& in, const event&) {
  const bool super = state.now && state.now->kind == innings_kind::super_over;
  if (in_play()) state.now->limit = in.overs;
  if (!super) state.overs_limit = in.overs;
  settle();
}

// Every second innings answers the one before: a target is for that one, whether it has begun or not.
bool game::answers(const innings& now) const { return now.number % 2 == 0; }

verdict game::decide(const target& in, const event&) const {
  if (!state.now) return sdk::refuse("no_innings", "A target needs an innings to answer.");
  const auto& now = *state.now;
  const auto each = answers(now) ? now.balls_per_over : settings.balls_per_over;
  if (auto no = whole_overs(in.overs, each, "overs"); !no) return no;
  if (answers(now) && in.overs && *in.overs < now.bowled()) return below_bowled(now, *in.overs);
  return sdk::accept();
}

void game::evolve(const target& in, const event&) {
  if (!state.now) return;
  if (in.method) state.method = in.method;
  if (answers(*state.now)) set_target(*state.now, in);
  else state.next_target = in;
  settle();
}

void game::set_target(innings& chase, const target& what) {
  chase.target = what.runs;
  chase.last = chase.official = true;
  chase.ahead = chase.runs >= what.runs && !chase.over.bowlers.empty();
  if (what.overs) chase.limit = what.overs;
}

} // namespace omnium::cricket
