#pragma once
// The commands of both releases: the same vocabulary under either edition of the Laws. Included by their one source
// each.
#include "sports/cricket/game.hpp"

#define OMNIUM_CRICKET(rules)                                                                                          \
  namespace sdk = omnium::sdk;                                                                                         \
  namespace cricket = omnium::cricket;                                                                                 \
  OMNIUM_SPORT(                                                                                                        \
      cricket::rules, "cricket", "Cricket", sdk::play<cricket::toss>("cricket.toss", "Toss", "t").before_end(),        \
      sdk::play<cricket::innings_change>("cricket.innings", "Innings", "i").while_suspended(),                         \
      sdk::play<cricket::ball>("cricket.ball", "Ball", "b"),                                                           \
      sdk::play<cricket::over_end>("cricket.over_end", "Over called", "o"),                                            \
      sdk::play<cricket::penalty_runs>("cricket.penalty_runs", "Penalty runs", "p").while_suspended(),                 \
      sdk::play<cricket::retire>("cricket.retire", "Batter retires", "r").while_suspended(),                           \
      sdk::play<cricket::replacement>("cricket.replacement", "Replacement", "x").while_suspended(),                    \
      sdk::play<cricket::target>("cricket.target", "Target", "g").while_suspended(),                                   \
      sdk::play<cricket::overs_limit>("cricket.overs_limit", "Limit of overs", "l").before_end(),                      \
      sdk::play<cricket::powerplay>("cricket.powerplay", "Powerplay", "w"),                                            \
      sdk::play<cricket::outcome>("cricket.outcome", "Outcome", "u").any_time(), sdk::baseline<cricket::baseline>())
