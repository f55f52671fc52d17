#include "sports/football/squad.hpp"

#include <set>

namespace football {
namespace {

player* find(squad& side, std::string_view name) {
  const auto found =
      std::find_if(side.players.begin(), side.players.end(), [&](const player& one) { return one.name == name; });
  return found == side.players.end() ? nullptr : &*found;
}

sdk::verdict not_on_field(const std::string& name) {
  return sdk::refuse("player_not_on_field", name + " is not on the field.").law("Law 3");
}

} // namespace

const player* find(const squad& side, std::string_view name) { return find(const_cast<squad&>(side), name); }

player* know(squad& side, const std::string& name) {
  if (player* found = find(side, name)) return found;
  if (side.players.size() >= people_max) return nullptr;
  side.players.push_back({.name = name});
  return &side.players.back();
}

sdk::verdict may_act(const squad& side, const std::string& name, std::string_view member) {
  const player* who = find(side, name);
  if (who && who->sent_off)
    return sdk::refuse("player_sent_off", name + " has been sent off.").law("Law 12").at(member);
  if (side.lineup && (!who || who->where != whereabouts::on_field)) return not_on_field(name).at(member);
  return sdk::accept();
}

bool plays_for_other(const squad& here, const squad& there, std::string_view name) {
  const player* opponent = find(there, name);
  return there.lineup && opponent && opponent->where != whereabouts::unknown && find(here, name) == nullptr;
}

sdk::verdict check_lineup(const lineup_input& in) {
  std::set<std::string_view> names;
  for (const auto* list : {&in.starting, &in.bench})
    for (const std::string& name : *list)
      if (!names.insert(name).second)
        return sdk::refuse("duplicate_player", name + " is named twice in the line-up.").law("Law 3").at("starting");
  const bool starts =
      !in.goalkeeper || std::find(in.starting.begin(), in.starting.end(), *in.goalkeeper) != in.starting.end();
  if (!starts)
    return sdk::refuse("goalkeeper_not_starting", *in.goalkeeper + " is not among those who start.")
        .law("Law 3.1")
        .at("goalkeeper");
  return sdk::accept();
}

// A line-up sent again before kick-off replaces the first; cards shown before it stay with their players.
void set_lineup(squad& side, const lineup_input& in) {
  std::vector<player> before = std::move(side.players);
  side.players.clear();
  const auto take = [&](const std::vector<std::string>& names, whereabouts where) {
    for (const std::string& name : names) {
      const auto had = std::find_if(before.begin(), before.end(), [&](const player& one) { return one.name == name; });
      player made = had == before.end() ? player{.name = name} : *had;
      made.where = where;
      side.players.push_back(std::move(made));
    }
  };
  take(in.starting, whereabouts::on_field);
  take(in.bench, whereabouts::bench);
  for (player& one : before)
    if ((one.yellows > 0 || one.sent_off) && !find(side, one.name) && side.players.size() < people_max) {
      one.where = whereabouts::unknown;
      side.players.push_back(std::move(one));
    }
  side.lineup = true;
  side.bench = !in.bench.empty();
  side.goalkeeper = in.goalkeeper.value_or("");
}

// --- cards (Law 12) -----------------------------------------------------------------------------------------------

namespace {

const int& cautions(const player& who, bool kicks) { return kicks ? who.kick_yellows : who.yellows; }
int& cautions(player& who, bool kicks) { return kicks ? who.kick_yellows : who.yellows; }

} // namespace

sdk::verdict check_card(const squad& side, const card_input& in, bool kicks, bool again) {
  const player* who = find(side, in.player);
  if (who && who->sent_off)
    return sdk::refuse("player_sent_off", in.player + " has been sent off already.").law("Law 12").at("player");
  // Substitutes and players who were taken off can be shown a card; strangers cannot, where the bench is known.
  if (side.lineup && side.bench && !who && !in.official) return not_on_field(in.player).at("player");
  const int yellows = who ? cautions(*who, kicks) : 0;
  if (in.card == card_colour::yellow && yellows > 0)
    return sdk::refuse("second_yellow_needs_second_yellow",
                       in.player + " has a yellow card already: a further one is a second_yellow and sends off.")
        .law("Law 12")
        .at("card");
  // Asked again after a correction it stands as the first one: voiding the first yellow undoes the sending-off.
  if (in.card == card_colour::second_yellow && yellows == 0 && !again)
    return sdk::refuse("second_yellow_needs_second_yellow",
                       in.player + " has no yellow card yet: a second_yellow needs a first one.")
        .law("Law 12")
        .at("card");
  return sdk::accept();
}

// The counts are of cards as they are shown: a second yellow is a yellow card and then a red one (Law 12).
void show_card(squad& side, const card_input& in, bool kicks, bool umpired) {
  player* who = know(side, in.player);
  const bool first = in.card == card_colour::second_yellow && !umpired && who && cautions(*who, kicks) == 0;
  const bool sends_off = in.card != card_colour::yellow && !first;
  if (in.card != card_colour::red) ++side.cards.yellow;
  if (sends_off) ++side.cards.red;
  if (!who) return;
  if (in.card != card_colour::red) ++cautions(*who, kicks);
  if (sends_off) who->sent_off = true;
}

std::size_t on_field(const squad& side) {
  constexpr std::size_t eleven = 11;
  std::size_t standing = 0, sent_off = 0;
  for (const player& one : side.players) {
    if (one.where == whereabouts::on_field && !one.sent_off) ++standing;
    // Of those in no line-up it is not known whether they were on the field; that they were is the usual case.
    if (one.sent_off && (one.where == whereabouts::unknown || one.where == whereabouts::on_field)) ++sent_off;
  }
  if (side.lineup) return standing;
  return sent_off < eleven ? eleven - sent_off : 1;
}

} // namespace football
