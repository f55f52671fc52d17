#pragma once
// Planning a correction: from a match.void, amend, insert or cancel_range and the log, to the row it would write. Pure.
// Whether later events still stand on it is asked of the sport afterwards (breaks_later). Source: sports.md.
#include "runtime/core/answer.hpp"
#include "runtime/road/log_item.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace omnium::road {

struct correction {
  log_item row;         // code, input, voids and replaces filled in; seq, sender, key, at, trace by the caller
  bool cascade = false; // later events that it makes impossible are voided as well
};

// The codes of its refusals are: bad_input, unknown_target, already_void, not_correctable.
std::variant<correction, reason> plan_correction(const std::string& code, const std::string& input,
                                                 const std::vector<log_item>& log);

// Why a sport's verdict on a new event may not void these rows; nullopt: it may. Events alone can be overturned, each
// once.
std::optional<reason> check_overturn(const std::vector<std::int64_t>& voids, const std::vector<log_item>& log);

// The seqs that are void in `log` (an active row voids them).
std::vector<std::int64_t> void_rows(const std::vector<log_item>& log);

} // namespace omnium::road
