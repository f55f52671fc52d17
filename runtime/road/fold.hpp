#pragma once
// What the road asks of a sport's rules, in plain data: a run of events over a state, and what came of it.
// The rules run in a worker process (runtime/sport) or, in tests, in this one.
#include "runtime/core/answer.hpp"
#include "runtime/road/corrected_log.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace omnium::road {

enum class run_mode : std::uint8_t {
  decide, // fresh balls: decide, then evolve; one verdict and scoreboard for each; wall clock per ball.
          // A refused event uses no number: the worker gives event i the seq events[0].seq + (accepted before i).
          // A verdict that voids earlier events ends the run there: what follows is not played.
  replay, // the log's truth: evolve only; final state and scoreboard; budget per event
  check   // a corrected log: decide and evolve all; verdicts only of the refused (what a correction would break).
          // A refused event is skipped, or with `keep_refused` evolved all the same.
};

struct run_request {
  run_mode mode = run_mode::decide;
  std::string settings; // JSON object, "{}" for none
  std::string state;    // JSON; empty: the sport's initial state
  std::vector<sport_event> events;
  bool keep_refused = false; // check only
};

struct event_verdict {
  std::size_t index = 0; // into run_request::events
  bool accepted = false;
  reason why;                      // when refused: code, message, at, law
  std::vector<std::int64_t> voids; // earlier events this one makes void (e.g. an overturned review)
  std::string scoreboard;          // after this event (decide mode, accepted)
};

struct run_reply {
  enum class kind : std::uint8_t {
    ok,
    killed,      // over the wall clock: process killed; `index` is the event it was in
    broken,      // process died, or spoke garbage; `index` is the event it was in
    unavailable, // no process could be started (breaker open, release missing, stopping)
    cannot_fold  // replay or check: the plugin cannot read the state or an event; `index` names it, `error` says why
  } what = kind::ok;
  std::vector<event_verdict>
      verdicts; // decide: of all events before `index`; check: of the refused, and of a fresh one with voids
  std::size_t index = 0;
  std::string state, scoreboard; // ok only: after the last accepted event
  std::string error;             // a sentence for every kind but ok
  std::string open_error;        // cannot_fold before the first event: "/settings/ends: must be …", or a sentence
  std::chrono::microseconds worked{}; // wall clock in the worker's turn
};

} // namespace omnium::road
