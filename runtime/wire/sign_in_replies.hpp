#pragma once
// What a caller is told who may not: in the one answer body on a command's path, else as problem details. Pure; any
// thread. Source: contract section 2, RFC 6750, RFC 6585.
#include "runtime/access/access.hpp"
#include "runtime/core/command.hpp"
#include "runtime/wire/http_rules.hpp"

#include <chrono>
#include <optional>

namespace omnium::wire {

// What a request on this route asks; nullopt: open to everybody (or, for the live socket, asked in its hello).
std::optional<access::question> question_of(const route& where);

enum class sign_in_fault : std::uint8_t { none_given, not_valid, in_address };
http_reply not_signed_in(const request_head& head, const route& where, sign_in_fault why);

// 403 not_allowed.
http_reply not_allowed(const request_head& head, const route& where, std::string sentence);
// The same for a command that was parsed, whichever way it came. nullopt: it could not be looked up, try again.
answer command_not_allowed(const command& given, const access::token& who, std::optional<access::verdict> verdict);

// 429, and for a command try_again overloaded.
http_reply asked_too_much(const request_head& head, const route& where, std::chrono::milliseconds wait);

} // namespace omnium::wire
