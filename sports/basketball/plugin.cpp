#include "sports/basketball/basketball.hpp"

namespace sdk = omnium::sdk;
namespace basketball = omnium::basketball;
using basketball::tally;

OMNIUM_SPORT(basketball::game, "basketball", "Basketball",
             sdk::play<basketball::period_change>("basketball.period", "Period", "p"),
             sdk::play<basketball::lineup>("basketball.lineup", "Line-up", "l").before_end(),
             sdk::play<basketball::score>("basketball.score", "Field goal", "g"),
             sdk::counted<basketball::miss>("basketball.miss", "Missed shot", "m"),
             sdk::play<basketball::free_throw>("basketball.free_throw", "Free throw", "f"),
             sdk::play<basketball::foul>("basketball.foul", "Foul", "o"),
             sdk::play<basketball::timeout>("basketball.timeout", "Time-out", "t"),
             sdk::play<basketball::substitution>("basketball.substitution", "Substitution", "s"),
             sdk::play<basketball::possession>("basketball.possession", "Possession arrow", "a"),
             sdk::counted<basketball::counted<tally::assist>>("basketball.assist", "Assist", "i"),
             sdk::counted<basketball::counted<tally::rebound>>("basketball.rebound", "Rebound", "r"),
             sdk::counted<basketball::counted<tally::steal>>("basketball.steal", "Steal", "e"),
             sdk::counted<basketball::counted<tally::block>>("basketball.block", "Block", "b"),
             sdk::counted<basketball::counted<tally::turnover>>("basketball.turnover", "Turnover", "u"),
             sdk::baseline<basketball::baseline>())
