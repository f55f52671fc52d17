#include "sports/tennis/tennis.hpp"

namespace sdk = omnium::sdk;
namespace tennis = omnium::tennis;

OMNIUM_SPORT(tennis::game, "tennis", "Tennis", sdk::play<tennis::point>("tennis.point", "Point", "p"),
             sdk::play<tennis::fault>("tennis.fault", "Fault", "f"), sdk::play<tennis::let>("tennis.let", "Let", "l"),
             sdk::play<tennis::serve_fix>("tennis.serve_fix", "Correct the server", "s").before_end(),
             sdk::play<tennis::lineup>("tennis.lineup", "Players in serving order", "o").before_end(),
             sdk::play<tennis::violation>("tennis.violation", "Violation", "v"),
             sdk::play<tennis::retire>("tennis.retire", "Retirement", "r").while_suspended(),
             sdk::play<tennis::walkover>("tennis.walkover", "Walkover", "w").before_end(),
             sdk::baseline<tennis::baseline>())
