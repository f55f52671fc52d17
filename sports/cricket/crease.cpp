// Who is at the wicket: coming in, going out, retiring and resuming. Laws 25, 31-40.
#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

batting_card* card_of(innings& now, const std::string& name) {
  if (auto* card = now.batter(name)) return card;
  if (now.batters.size() >= cards_max) return nullptr;
  now.batters.push_back({.batter = name});
  return &now.batters.back();
}

void come_in(innings& now, const std::string& name) {
  auto* card = card_of(now, name);
  if (card == nullptr) return;
  if (card->gone()) --now.wickets; // recalled: the wicket did not fall after all (Law 31.8)
  card->out.reset();
  card->bowler.reset();
  card->fielder.reset();
  card->may_resume = false;
  std::erase(now.absent, name);
}

} // namespace

void enter(innings& now, const std::string& batter, const std::string& non_striker) {
  const bool changed = !now.is_in(batter) || !now.is_in(non_striker);
  for (const auto* name : {&batter, &non_striker})
    if (!now.is_in(*name)) come_in(now, *name);
  if (changed) {
    // Who went without a word of why (the umpire let it stand) may come back like one who retired hurt.
    for (const auto& name : now.at)
      if (name != batter && name != non_striker)
        if (auto* card = now.batter(name)) card->out = dismissal::retired_hurt;
    for (auto& card : now.batters) card.may_resume = false; // the vacancy is filled
  }
  now.at.assign({batter, non_striker});
}

void fall(innings& now, const std::string& name, dismissal how, std::optional<std::string> bowler,
          std::optional<std::string> fielder) {
  auto* card = card_of(now, name);
  if (card == nullptr || card->gone()) return;
  card->out = how;
  card->bowler = std::move(bowler);
  card->fielder = std::move(fielder);
  std::erase(now.at, name);
  std::erase(now.absent, name);
  for (auto& other : now.batters) other.may_resume = other.retired() && &other != card;
  if (is_wicket(how)) ++now.wickets;
  now.over.broken = true;
}

verdict game::may_come_in(const innings& now, const std::string& name, const event& e) const {
  if (e.umpired()) return sdk::accept();
  if (holds(state.replaced, name))
    return sdk::refuse("player_replaced", name + " was replaced and takes no further part in the match.")
        .law("Law 1.2");
  const auto* card = now.batter(name);
  if (card == nullptr || !card->out) return sdk::accept();
  if (card->out == dismissal::retired_hurt) {
    if (card->may_resume) return sdk::accept();
    return sdk::refuse("resume_not_yet",
                       name + " retired and may resume only at the fall of a wicket or when another batter retires.")
        .law("Law 25.4.4");
  }
  if (card->out == dismissal::retired_not_out)
    return sdk::refuse("consent_needed",
                       name +
                           " retired without injury or illness and may resume only if the opposing captain consents.")
        .law("Law 25.4.3");
  return sdk::refuse("batter_already_out", name + " is out: " + std::string(sdk::name_of(*card->out)) + ".")
      .law(std::string(law_of(*card->out)));
}

verdict game::may_bat(const ball& in, const event& e) const {
  const auto& now = *state.now;
  if (in.batter == in.non_striker)
    return sdk::refuse("same_batter_both_ends", in.batter + " cannot bat at both ends.").at("non_striker");
  if (now.batters.size() + 2 > cards_max)
    return sdk::refuse("too_many_players", "This innings has as many batters as can be recorded.");
  for (const auto* name : {&in.batter, &in.non_striker})
    if (!now.is_in(*name))
      if (auto no = may_come_in(now, *name, e); !no) return no.at(name == &in.batter ? "batter" : "non_striker");
  if (e.umpired()) return sdk::accept();
  for (const auto& name : now.at) {
    if (name == in.batter || name == in.non_striker) continue;
    const auto goes = [&](const role_swap& swap) { return swap.role == player_role::batter && swap.out == name; };
    if (in.replacements && std::any_of(in.replacements->role.begin(), in.replacements->role.end(), goes)) continue;
    return sdk::refuse("crease_occupied", name + " is at the wicket, neither out nor retired.").law("Law 25.4");
  }
  if (now.on_strike && *now.on_strike != in.batter)
    return sdk::refuse("strike_chosen", "The fielding captain chose " + *now.on_strike + " to face this delivery.")
        .law("Law 18.13")
        .at("batter");
  return sdk::accept();
}

// A batter who retired hurt comes back: the innings that ended for want of batters goes on.
bool game::resumes(const innings& now, const ball& in) const {
  for (const auto* name : {&in.batter, &in.non_striker})
    if (const auto* card = now.batter(*name); card != nullptr && card->retired()) return true;
  return false;
}

verdict game::decide(const retire& in, const event& e) const {
  if (!in_play()) return sdk::refuse("no_innings", "No innings is in progress.");
  const auto& now = *state.now;
  if (now.is_in(in.batter)) return sdk::accept();
  // One who came to the wicket and retired before a ball was bowled: there is a vacancy, and he was free to come.
  if (now.at.size() < 2 && !now.batters.empty()) return may_come_in(now, in.batter, e).at("batter");
  return sdk::refuse("not_at_crease", in.batter + " is not at the wicket.").law("Law 25.4.1").at("batter");
}

void game::evolve(const retire& in, const event&) {
  if (!state.now) return;
  const auto how = in.kind == retire_kind::hurt      ? dismissal::retired_hurt
                   : in.kind == retire_kind::not_out ? dismissal::retired_not_out
                                                     : dismissal::retired_out;
  fall(*state.now, in.batter, how, {}, {});
  settle();
}

} // namespace omnium::cricket
