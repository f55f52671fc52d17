#pragma once
// The answer of a preview: what the scoreboard would become, and which of its values would change. Source: contract
// section 2.
#include "runtime/road/ticket.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omnium::road {

// `voids`: rows that would become void. Always HTTP 200: the preview itself did not fail.
reply make_preview(outcome would, std::optional<reason> why, const std::string& conflict,
                   const std::string& scoreboard_now, const std::string& scoreboard_then,
                   const std::vector<std::int64_t>& voids);

// The values that differ between two JSON objects: [{"path","from","to"}] with JSON pointers; an absent value is null.
// At most limits::preview_changes_max; beyond that the scoreboard itself says the rest.
std::string json_changes(const std::string& from, const std::string& to);

} // namespace omnium::road
