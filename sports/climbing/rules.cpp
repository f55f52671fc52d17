// What may happen now, and which rule says no.
#include "sports/climbing/climbing.hpp"

namespace omnium::climbing {

using sdk::accept;
using sdk::refuse;

verdict heat::running() const {
  if (state.confirmed) return refuse("heat_confirmed", "The heat's result is confirmed.").law("Speed: results");
  if (!state.started) return refuse("start_missing", "The heat has not been started.").law("Speed: start");
  return accept();
}

verdict heat::lane_taken(lane which) const {
  if (state.lanes[side_of(which)].taken()) return accept();
  return refuse("lane_empty", "Nobody climbs in that lane.").at("lane");
}

verdict heat::decide(const start& in, const event&) const {
  if (state.confirmed) return running();
  if (!in.lane_a && !in.lane_b) return refuse("lane_empty", "A heat needs a climber.").at("lane_a");
  if (in.lane_a == in.lane_b) return refuse("same_climber_twice", "A climber has one lane in a heat.").at("lane_b");
  for (const side one : {side::home, side::away})
    if (state.lanes[one].time || state.lanes[one].mark || state.lanes[one].reaction)
      return refuse("heat_started", "The heat has begun; a new start needs a rerun.").law("Speed: start");
  return accept();
}

verdict heat::decide(const reaction& in, const event& e) const {
  if (auto no = sdk::first_refusal(running(), lane_taken(in.lane)); !no) return no;
  const run& one = state.lanes[side_of(in.lane)];
  if (one.reaction) return refuse("already_recorded", "That lane has a reaction time already.").at("lane");
  if (in.seconds < settings.reaction_limit && one.mark != mark::FS && !e.umpired())
    return refuse("reaction_below_limit", "A start that soon after the signal is a false start: mark it FS first.")
        .law("Speed: false start")
        .at("seconds");
  return accept();
}

verdict heat::decide(const finish& in, const event&) const {
  if (auto no = sdk::first_refusal(running(), lane_taken(in.lane)); !no) return no;
  const run& one = state.lanes[side_of(in.lane)];
  if (one.mark)
    return refuse("time_with_mark", "A climb that was marked has no time.").law("Speed: irregular ascent").at("lane");
  if (one.time) return refuse("already_recorded", "That lane has a time already.").at("lane");
  if (in.seconds > settings.time_cap)
    return refuse("time_over_cap", "No climb takes that long here.").law("Speed: timing").at("seconds");
  if (in.seconds.units <= 0) return refuse("time_missing", "A time is more than nothing.").at("seconds");
  return accept();
}

verdict heat::decide(const irregular& in, const event&) const {
  if (auto no = sdk::first_refusal(running(), lane_taken(in.lane)); !no) return no;
  const run& one = state.lanes[side_of(in.lane)];
  if (one.mark) return refuse("already_recorded", "That lane is marked already.").at("lane");
  // A disqualification comes after the climb as well; the others rule a time out.
  if (one.time && in.mark != mark::DSQ)
    return refuse("time_with_mark", "A climb with a time cannot be marked so.")
        .law("Speed: irregular ascent")
        .at("mark");
  return accept();
}

verdict heat::decide(const rerun&, const event&) const { return running(); }

verdict heat::decide(const confirm& in, const event& e) const {
  if (auto no = running(); !no) return no;
  for (const side one : {side::home, side::away}) {
    // The opponent of a climber who is out need not climb: the officials may say so.
    const bool spared = e.umpired() && state.lanes[sdk::other(one)].mark.has_value();
    if (state.lanes[one].open() && !spared)
      return refuse("lane_open", one == side::home ? "Lane A has neither a time nor a mark."
                                                   : "Lane B has neither a time nor a mark.")
          .law("Speed: results");
  }
  if (!in.winner) return accept();
  if (!state.lanes[side_of(*in.winner)].taken()) return lane_taken(*in.winner).at("winner");
  if (const auto decided = faster(); decided && *decided != side_of(*in.winner))
    return refuse("winner_differs", "The times and marks make the other lane the winner.")
        .law("Speed: results")
        .at("winner");
  return accept();
}

verdict heat::decide(const baseline& in, const event&) const {
  for (const auto& one : {in.lanes.a, in.lanes.b}) {
    if (!one) continue;
    if (!one->climber && (one->time || one->mark)) return refuse("lane_empty", "A result needs a climber.").at("lanes");
    if (one->time && one->mark && *one->mark != mark::DSQ)
      return refuse("time_with_mark", "A climb that was marked has no time.").at("lanes");
    if (one->time && *one->time > settings.time_cap)
      return refuse("time_over_cap", "No climb takes that long here.").at("lanes");
  }
  return accept();
}

} // namespace omnium::climbing
