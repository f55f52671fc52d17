#pragma once
// Workflow games: the commands that create competitions, participants and fixtures, and edit a fixture's competitors.
// They are "apply once" commands: no sport folds them. Pure; the rows they touch are written by the store with the log
// row.
#include "runtime/road/head.hpp"
#include "runtime/road/store.hpp"
#include "runtime/road/subject_ports.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace omnium::road {

struct games_change {
  row_effect effect;
  // create_fixture: the sport that must be able to open a match with these settings (a JSON object).
  struct opening {
    std::string sport, release, settings;
  };
  std::optional<opening> opens;
};

// Is this a command of the runtime's own (games.*, results.*, ops.*, match.rebuild) for a subject of this kind?
bool is_games_command(std::string_view code, subject_kind kind);

// Decides one such command on `now`. `next_seq` is the number its log row will have (changed_seq of an edited row).
// A new match has its competition's settings where its own say nothing: those that its release knows.
// Refusals: bad_input, already_exists, unknown_sport, unknown_release, unknown_row, same_participant, wrong_subject,
// and those of release_commands.hpp.
std::variant<games_change, reason> decide_games(const command& cmd, const head& now, std::int64_t next_seq,
                                                const rule_book& rules);

// The JSON published by GET /workflows, of games, ops and results:
// [{"workflow","commands":[{"code","label","kind","play","schema"}]}].
std::string games_workflow_json();

} // namespace omnium::road
