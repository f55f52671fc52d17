#include "sports/volleyball/volleyball.hpp"

namespace sdk = omnium::sdk;
namespace volleyball = omnium::volleyball;

OMNIUM_SPORT(volleyball::game, "volleyball", "Volleyball",
             sdk::play<volleyball::rally>("volleyball.rally", "Rally", "r"),
             sdk::play<volleyball::serve>("volleyball.serve", "Service", "v").before_end(),
             sdk::play<volleyball::lineup>("volleyball.lineup", "Line-up", "l").before_end(),
             sdk::play<volleyball::substitution>("volleyball.substitution", "Substitution", "s"),
             sdk::play<volleyball::timeout>("volleyball.timeout", "Time-out", "t"),
             sdk::play<volleyball::sanction>("volleyball.sanction", "Sanction", "c"),
             sdk::play<volleyball::rotation_fault>("volleyball.rotation_fault", "Rotation fault", "f"),
             sdk::play<volleyball::set_score>("volleyball.set_score", "Score of the set", "e"),
             sdk::play<volleyball::forfeit>("volleyball.forfeit", "Forfeit", "x").before_end(),
             sdk::play<volleyball::retire>("volleyball.retire", "Retirement", "q").while_suspended(),
             sdk::baseline<volleyball::baseline>())
