// Who is at the wicket: coming in, going out, retiring and resuming. Laws 25, 31-40.
#include "sports/cricket/cards.hpp"
#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

// Nobody may resume any more, or all who retired may: with a wicket, with another's retirement (Law 25.4.4).
void game::let_resume(bool may) {
  if (state.now->retired == 0) return;
  auto cards = read_list<batting_card>(state.batting);
  for (auto& card : cards) card.may_resume = may && card.retired();
  state.batting = sdk::to_json(cards);
}

batting_card game::come_in(innings& now, const std::string& name) {
  std::erase(now.absent, name);
  auto card = take_card<batting_card>(state.batting, name);
  if (!card) return {.batter = name, .number = ++now.used_batters};
  if (card->gone()) --now.wickets; // recalled: the wicket did not fall after all (Law 31.8)
  if (card->retired()) --now.retired;
  card->out.reset();
  card->bowler.reset();
  card->fielder.reset();
  card->may_resume = false;
  return std::move(*card);
}

void game::enter(innings& now, const std::string& batter, const std::string& non_striker) {
  if (now.in(batter) != nullptr && now.in(non_striker) != nullptr) {
    if (now.at.front().batter != batter) std::swap(now.at.front(), now.at.back());
    return;
  }
  std::vector<batting_card> pair;
  for (const auto* name : {&batter, &non_striker})
    pair.push_back(now.in(*name) != nullptr ? *now.in(*name) : come_in(now, *name));
  auto before = std::exchange(now.at, std::move(pair));
  // Who went without a word of why (the umpire let it stand) may come back like one who retired hurt.
  for (auto& card : before) {
    if (now.in(card.batter) != nullptr) continue;
    card.out = dismissal::retired_hurt;
    ++now.retired;
    put_card(state.batting, card);
  }
  let_resume(false); // the vacancy is filled
}

void game::fall(innings& now, const std::string& name, dismissal how, std::optional<std::string> bowler,
                std::optional<std::string> fielder) {
  if (const auto known = find_card<batting_card>(state.batting, name); known && known->gone()) return;
  auto* in = now.in(name);
  auto card = in != nullptr ? *in : come_in(now, name);
  std::erase_if(now.at, [&](const batting_card& one) { return one.batter == name; });
  let_resume(true);
  card.out = how;
  card.bowler = std::move(bowler);
  card.fielder = std::move(fielder);
  put_card(state.batting, card);
  ++(is_wicket(how) ? now.wickets : now.retired);
  now.over.broken = true;
}

verdict game::may_come_in(const std::string& name, const event& e) const {
  if (e.umpired()) return sdk::accept();
  if (holds(state.replaced, name))
    return sdk::refuse("player_replaced", name + " was replaced and takes no further part in the match.")
        .law("Law 1.2");
  const auto card = find_card<batting_card>(state.batting, name);
  if (!card || !card->out) return sdk::accept();
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
  if (now.used_batters + 2 > cards_max)
    return sdk::refuse("too_many_players", "This innings has as many batters as can be recorded.");
  for (const auto* name : {&in.batter, &in.non_striker})
    if (now.in(*name) == nullptr)
      if (auto no = may_come_in(*name, e); !no) return no.at(name == &in.batter ? "batter" : "non_striker");
  if (e.umpired()) return sdk::accept();
  for (const auto& card : now.at) {
    const auto& name = card.batter;
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
  if (now.retired == 0) return false;
  for (const auto* name : {&in.batter, &in.non_striker})
    if (const auto card = find_card<batting_card>(state.batting, *name); card && card->retired()) return true;
  return false;
}

verdict game::decide(const retire& in, const event& e) const {
  if (!in_play()) return sdk::refuse("no_innings", "No innings is in progress.");
  const auto& now = *state.now;
  if (now.in(in.batter) != nullptr) return sdk::accept();
  // One who came to the wicket and retired before a ball was bowled: there is a vacancy, and he was free to come.
  if (now.at.size() < 2 && now.used_batters > 0) return may_come_in(in.batter, e).at("batter");
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
