#include "sports/badminton/badminton.hpp"

namespace sdk = omnium::sdk;
namespace badminton = omnium::badminton;

OMNIUM_SPORT(badminton::match_play, "badminton", "Badminton",
             sdk::play<badminton::rally>("badminton.rally", "Rally", "r"),
             sdk::play<badminton::lineup>("badminton.lineup", "Players", "o").before_end(),
             sdk::play<badminton::service>("badminton.service", "Service", "s").before_end(),
             sdk::play<badminton::let>("badminton.let", "Let", "l"),
             sdk::play<badminton::card>("badminton.card", "Card", "c"),
             sdk::counted<badminton::challenge>("badminton.challenge", "Challenge", "i"),
             sdk::play<badminton::retire>("badminton.retire", "Retirement", "q").while_suspended(),
             sdk::play<badminton::walkover>("badminton.walkover", "Walkover", "w").before_end(),
             sdk::baseline<badminton::baseline>())
