#pragma once
// Who plays: line-ups, who is on the field, cards and substitutions of one side. Laws 3 and 12.
#include "sports/football/state.hpp"

namespace football {

const player* find(const squad& side, std::string_view name);
// Finds the person or makes him known; null when as many as are kept are known already.
player* know(squad& side, const std::string& name);

// May this person act in play: not sent off (Law 12), and on the field where a line-up tells (Law 3).
// `member` is the input's member that names him.
sdk::verdict may_act(const squad& side, const std::string& name, std::string_view member);

// Whether the line-ups put a person on the other side: known there, and not known here.
bool plays_for_other(const squad& here, const squad& there, std::string_view name);

sdk::verdict check_lineup(const lineup_input& in);
void set_lineup(squad& side, const lineup_input& in);

// `kicks`: in the shoot-out, into which no caution is carried (Law 10.3).
// `again`: the card is in the log already and the log before it was corrected; what was shown cannot be refused then.
sdk::verdict check_card(const squad& side, const card_input& in, bool kicks, bool again);
void show_card(squad& side, const card_input& in, bool kicks, bool umpired);

// Law 3.2: what a side may still do, and the acts themselves. Extra time and the other side's concussion substitutes
// give more.
sdk::verdict check_substitution(const state& match, const settings& competition, const substitution_input& in);
void substitute(state& match, const substitution_input& in);

// Players a side has on the field, as far as it can be told (Law 10.3 counts them for the shoot-out).
std::size_t on_field(const squad& side);

} // namespace football
