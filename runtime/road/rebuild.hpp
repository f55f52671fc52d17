#pragma once
// match.rebuild: what is kept of a match beside its log (scoreboard, snapshot, head) is written anew from a fold of
// that log. Sent by the verifier that found it damaged, or by an operator; a log row like any other, so that watchers
// get a version. It changes nothing that a play stands on: it is no play. Pure. Source: S5, issue 3.
#include "runtime/core/answer.hpp"
#include "runtime/road/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace omnium::road {

inline constexpr std::string_view rebuild_code = "match.rebuild";
inline bool is_rebuild(std::string_view code) { return code == rebuild_code; }

// {"seq"?, "reason"?}: the version the damage was found at (of a match that moved on since, the answer is conflict),
// and what was found. Refusal: bad_input.
struct rebuild_order {
  std::optional<std::int64_t> seq;
};
std::variant<rebuild_order, reason> read_rebuild(const std::string& input);

// May a load start from this snapshot, with the log rows after it? Not after rows that change how earlier ones read,
// and not when other code folded it: the log is then folded from the start.
bool snapshot_stands(const std::optional<snapshot>& snap, const std::string& release_name, const std::string& fold_hash,
                     const std::vector<log_item>& log);

} // namespace omnium::road
