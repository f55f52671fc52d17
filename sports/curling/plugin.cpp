#include "sports/curling/curling.hpp"

namespace sdk = omnium::sdk;
namespace curling = omnium::curling;

OMNIUM_SPORT(curling::game, "curling", "Curling",
             sdk::play<curling::set_hammer>("curling.hammer", "Hammer", "h").before_end(),
             sdk::play<curling::start_end>("curling.end", "Start the end", "e"),
             sdk::play<curling::stone>("curling.stone", "Stone", "s"),
             sdk::play<curling::end_score>("curling.end_score", "Score of the end", "p"),
             sdk::play<curling::timeout>("curling.timeout", "Time-out", "t"),
             sdk::play<curling::power_play>("curling.power_play", "Power play", "y"),
             sdk::play<curling::concede>("curling.concede", "Concede", "c"),
             sdk::play<curling::extra_end>("curling.extra_end", "Extra end", "x"), sdk::baseline<curling::baseline>())
