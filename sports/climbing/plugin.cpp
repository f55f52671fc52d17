#include "sports/climbing/climbing.hpp"

namespace sdk = omnium::sdk;
namespace climbing = omnium::climbing;

OMNIUM_SPORT(climbing::heat, "climbing", "Speed climbing", sdk::play<climbing::start>("climbing.start", "Start", "s"),
             sdk::play<climbing::reaction>("climbing.reaction", "Reaction time", "t"),
             sdk::play<climbing::finish>("climbing.finish", "Finish", "f"),
             sdk::play<climbing::irregular>("climbing.irregular", "False start, fall, absence", "i"),
             sdk::play<climbing::rerun>("climbing.rerun", "Rerun", "r"),
             sdk::play<climbing::confirm>("climbing.confirm", "Confirm the heat", "c"),
             sdk::baseline<climbing::baseline>())
