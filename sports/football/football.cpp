// The commands of football, as desks see them.
#include "sports/football/rules.hpp"

using namespace football;
namespace sdk = omnium::sdk;

OMNIUM_SPORT(football::rules, "football", "Football",
             sdk::play<period_input>("football.period", "Period", "p").before_end(),
             sdk::play<goal_input>("football.goal", "Goal", "g"),
             sdk::play<card_input>("football.card", "Card", "c").before_end(),
             sdk::play<substitution_input>("football.substitution", "Substitution", "s"),
             sdk::play<lineup_input>("football.lineup", "Line-up", "l").before_end(),
             sdk::play<added_time_input>("football.added_time", "Added time", "a"),
             sdk::play<penalty_input>("football.penalty", "Penalty", "e"),
             sdk::play<shootout_kick_input>("football.shootout_kick", "Shoot-out kick", "k"),
             sdk::play<var_input>("football.var", "Video review", "v"),
             sdk::counted<shot_input>("football.shot", "Shot", "h"),
             sdk::counted<foul_input>("football.foul", "Foul", "f"),
             sdk::counted<corner_input>("football.corner", "Corner", "o"),
             sdk::counted<offside_input>("football.offside", "Offside", "i"), sdk::baseline<baseline_input>())
