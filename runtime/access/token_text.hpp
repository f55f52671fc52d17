#pragma once
// A token's text: omn_ and 256 random bits in base64url. Only its sha256 is ever kept; the text is shown once, to whom
// it is made for. Pure but for the random bits; any thread.
#include "runtime/core/hashing.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace omnium::access {

inline constexpr std::string_view token_start = "omn_";
inline constexpr std::size_t token_chars = 4 + 43; // beyond or below: no token of ours
inline constexpr std::size_t prefix_chars = 4 + 8; // of those, what may be shown

std::string make_token_text();
bool looks_like_token(std::string_view text);
std::string shown_prefix(std::string_view text);

// The token in an Authorization header ("Bearer …", the scheme in any case); nullopt: none there.
std::optional<std::string_view> bearer_of(std::string_view header);

// Does a query hold a token under one of the names it might be given (token, access_token, …), in any case?
bool query_holds_token(std::string_view query);

} // namespace omnium::access
