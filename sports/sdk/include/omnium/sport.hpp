#pragma once
// What the author of a sport includes. A state struct, an input struct per command, decide and evolve, a scoreboard,
// and one OMNIUM_SPORT line; docs/writing-a-sport.md walks through it.
#include "omnium/sport/fields.hpp"
#include "omnium/sport/frozen.hpp"
#include "omnium/sport/match.hpp"
#include "omnium/sport/plugin.hpp"
#include "omnium/sport/record.hpp"
#include "omnium/sport/verdict.hpp"
