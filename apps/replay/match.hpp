#pragma once
// One recorded match sent down the road: its competition, participants and fixture, then its commands in order.
// Every id and key is made from the recording's own keys, so a second run is answered `duplicate` and changes nothing.
#include "apps/replay/sender.hpp"
#include "runtime/core/uuid.hpp"
#include "sports/corpus/recording.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace omnium::replay {

uuid competition_id(const corpus::recording& what);
uuid participant_id(const corpus::recording& what, std::string_view key); // in its competition
uuid fixture_id(const corpus::recording& what);

using say = std::function<void(const std::string& sentence)>;

struct replay_options {
  std::optional<double> speed; // 1: as fast as it was played, 10: ten times; nullopt: as fast as the server answers
  bool keep_going = false;     // after a refusal; a conflict and a command given up always stop the match
  // What became of each of a match's commands, in order, as one JSON object: {"match","fixture","key","code","outcome",
  // "seq","reason","message"}. `outcome` is one of the five answers (try_again: given up), or not_sent where the
  // command names an event that was not accepted. Called on the connection's thread, one call at a time. Empty: nobody
  // asks.
  say row;
  // Asked before each command: true ends the run there, with what was sent counted. Any thread. Empty: it is never
  // ended.
  std::function<bool()> stopped;
};

struct match_report {
  std::string fixture;    // uuid
  tally count;            // of the match's own commands; what created it is not counted
  std::string scoreboard; // JSON at the end; "null" when it could not be read
  bool good = true;       // everything was accepted, now or before
};

// The competition and the participants of a match. `done` holds what this run has sent already.
bool prepare(sender& to, const corpus::recording& what, std::set<std::string>& done, const say& tell);
match_report send_match(sender& to, const corpus::recording& what, const replay_options& options, const say& tell);

// {"fixture":…,"sent":…,"accepted":…,"duplicate":…,"refused":…,"conflict":…,"try_again":…,"scoreboard":…}, and
// "fixtures":N before the scoreboard where N is given.
std::string to_json(const match_report& report, std::optional<std::size_t> fixtures = std::nullopt);

} // namespace omnium::replay
