// One delivery: may it be bowled, who may be out from it, and what it scores. Laws 17-23, 31-39.
#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

namespace {

verdict closed(std::string why) { return sdk::refuse("innings_closed", std::move(why)).law("Law 13.3"); }

bool takes_no_ball(dismissal how) {
  return how == dismissal::run_out || how == dismissal::obstructing || how == dismissal::hit_twice ||
         how == dismissal::handled || how == dismissal::timed_out || is_retirement(how);
}

bool takes_wide(dismissal how) {
  return how == dismissal::run_out || how == dismissal::stumped || how == dismissal::hit_wicket ||
         how == dismissal::obstructing || how == dismissal::timed_out || is_retirement(how);
}

// Out without being at the wicket: on the way in, or not coming at all.
bool takes_incoming(dismissal how) { return how == dismissal::timed_out || is_retirement(how); }

std::string out_from(dismissal how, const char* delivery) {
  return "Nobody can be out " + std::string(sdk::name_of(how)) + " from a " + delivery + ".";
}

std::optional<std::string> first_fielder(const wicket& w) {
  for (const auto& one : w.fielders)
    if (!one.name.empty()) return one.name;
  return {};
}

bool counts(const ball& in) { return in.runs.extras.wides == 0 && in.runs.extras.noballs == 0 && in.in_over; }

void score_batter(innings& now, const ball& in) {
  auto* card = now.in(in.batter);
  if (card == nullptr) return;
  const auto runs = in.runs.batter;
  const bool boundary = in.runs.boundary.value_or(true);
  card->runs += runs;
  if (in.runs.extras.wides == 0 && in.in_over) ++card->balls; // a no-ball is a ball faced, a wide is not
  if (boundary && runs == 4) ++card->fours;
  if (boundary && runs == 6) ++card->sixes;
}

// A bowler is charged what the striker scored, wides and no-balls; no byes, leg byes or penalties (Law 18.10, 23).
void score_bowler(innings& now, const ball& in) {
  auto& card = *now.bowler;
  const auto& extras = in.runs.extras;
  const auto charged = in.runs.batter + extras.wides + extras.noballs;
  card.runs += charged;
  card.wides += extras.wides;
  card.noballs += extras.noballs;
  now.over.conceded += charged;
  ++now.over.deliveries;
  if (counts(in)) ++card.balls, ++now.over.balls, ++now.balls;
}

void score_side(innings& now, const ball_runs& runs) {
  auto& all = now.extras;
  all.wides += runs.extras.wides;
  all.noballs += runs.extras.noballs;
  all.byes += runs.extras.byes;
  all.legbyes += runs.extras.legbyes;
  all.penalty += runs.extras.penalty;
  now.runs += runs.batter + runs.extras.total();
}

} // namespace

void game::take_wickets(innings& now, const ball& in) {
  for (const auto& w : in.wickets) {
    const bool credited = is_bowlers(w.kind);
    now.bowler->wickets += credited;
    fall(now, w.player_out, w.kind, credited ? std::optional(now.bowler->bowler) : std::nullopt, first_fielder(w));
  }
}

verdict game::may_be_bowled(const ball& in, const event& e) const {
  if (!state.now) return sdk::refuse("no_innings", "No innings has begun.").law("Law 13");
  const auto& now = *state.now;
  if (now.ended) return closed("This innings is closed.");
  if (now.target_reached()) return closed("The target is reached; the innings is over.");
  const auto* bowler = in.bowler ? &*in.bowler : nullptr;
  if (now.overs_up() && !(bowler != nullptr && joins_last_over(now, *bowler, e)))
    return closed("All overs of this innings are bowled.");
  if (now.all_out(players()) && !resumes(now, in)) return closed("The side is all out.");
  return sdk::accept();
}

// A bye passes the striker untouched, a leg bye comes off the person and not the bat: of a delivery's runs it is one of
// the three, or a Wide's.
verdict game::may_score(const ball& in, const event& e) const {
  const auto& extras = in.runs.extras;
  if (e.umpired()) return sdk::accept();
  const auto byes = extras.byes + extras.legbyes;
  if (byes > 0 && in.runs.batter > 0)
    return sdk::refuse("byes_off_bat",
                       "Byes and leg byes are run off no bat: the runs are the batter's or they are not.")
        .law(extras.byes > 0 ? "Law 23.1" : "Law 23.2")
        .at("runs");
  if (extras.byes > 0 && extras.legbyes > 0)
    return sdk::refuse("byes_and_legbyes",
                       "The ball touched the striker or it did not: byes and leg byes exclude each other.")
        .law("Law 23.2")
        .at("runs");
  if (extras.wides == 0) return sdk::accept();
  if (byes > 0)
    return sdk::refuse("byes_off_wide", "All runs from a Wide are wides, none are byes.").law("Law 22.7").at("runs");
  if (extras.noballs > 0)
    return sdk::refuse("wide_and_no_ball", "A No ball overrides a Wide: one delivery cannot be both.")
        .law(std::string(laws_->no_ball_overrides_wide))
        .at("runs");
  if (in.runs.batter > 0)
    return sdk::refuse("runs_off_wide", "All runs from a Wide are wides, none are the batter's.")
        .law("Law 22.7")
        .at("runs");
  return sdk::accept();
}

verdict game::may_be_out(const ball& in, const event& e) const {
  for (std::size_t i = 0; i < in.wickets.size(); ++i)
    if (auto no = may_fall(*state.now, in, i, e); !no) return no.at("wickets/" + std::to_string(i));
  return sdk::accept();
}

verdict game::may_fall(const innings& now, const ball& in, std::size_t index, const event& e) const {
  const auto& w = in.wickets[index];
  const auto& name = w.player_out;
  const auto earlier = std::span(in.wickets).first(index);
  const auto same = [&](const wicket& other) { return other.player_out == name; };
  if (std::any_of(earlier.begin(), earlier.end(), same))
    return sdk::refuse("batter_already_out", name + " cannot be out twice from one delivery.");
  if (e.umpired()) return sdk::accept();
  if (in.runs.extras.noballs > 0 && !takes_no_ball(w.kind))
    return sdk::refuse("not_out_off_no_ball", out_from(w.kind, "No ball")).law(std::string(laws_->out_from_no_ball));
  if (in.runs.extras.wides > 0 && !takes_wide(w.kind))
    return sdk::refuse("not_out_off_wide", out_from(w.kind, "Wide")).law("Law 22.9");
  if (is_strikers(w.kind) && name != in.batter)
    return sdk::refuse("not_the_striker", "Only the striker can be out " + std::string(sdk::name_of(w.kind)) + ".")
        .law(std::string(law_of(w.kind)));
  if (name == in.batter || name == in.non_striker) return sdk::accept();
  const bool vacancy = now.at.size() < 2 || index > 0;
  if (takes_incoming(w.kind) && vacancy) return may_come_in(name, e);
  return sdk::refuse("not_at_crease", name + " is not at the wicket.");
}

verdict game::decide(const ball& in, const event& e) const {
  if (auto no = may_be_bowled(in, e); !no) return no;
  if (auto no = may_bat(in, e); !no) return no;
  if (auto no = may_bowl(in, e); !no) return no;
  if (auto no = may_score(in, e); !no) return no;
  return may_be_out(in, e);
}

void game::evolve(const ball& in, const event& e) {
  if (!state.now) return;
  auto& now = *state.now;
  const bool was_complete = now.complete(players());
  if (!in.bowler && now.over.bowlers.empty()) return;
  const std::string bowler = in.bowler ? *in.bowler : now.over.bowlers.back();
  if (in.replacements) {
    for (const auto& swap : in.replacements->match) state.replaced.push_back(swap.out);
    for (const auto& swap : in.replacements->role)
      if (swap.role == player_role::bowler && swap.out) suspend(&now, *swap.out, swap.reason.value_or(""));
  }
  begin_or_go_on(now, bowler, e);
  enter(now, in.batter, in.non_striker);
  score_batter(now, in);
  score_bowler(now, in);
  score_side(now, in.runs);
  take_wickets(now, in);
  now.on_strike.reset();
  if (now.over.balls >= now.balls_per_over) close_over(now);
  if (was_complete || now.complete(players())) settle();
}

} // namespace omnium::cricket
