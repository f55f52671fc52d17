#include "sports/cricket/commands.hpp"

OMNIUM_CRICKET(game_2017)
