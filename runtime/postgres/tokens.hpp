#pragma once
// Tokens in the database. Each function is one or two statements on a session's connection, on a pool's thread; it
// throws what libpqxx throws, inside session::run, which turns it into an error value. No token's text ever comes here.
#include "runtime/access/directory.hpp"
#include "runtime/postgres/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::pg {

// Tokens that are neither revoked nor expired.
std::vector<access::known_token> read_valid_tokens(session::door& door);

// {"items":[{"id","name","prefix","role","competitions","fixtures","may_name_sender","created_by","created_at",
// "expires_at","revoked_at"}],"next":null}: newest first, revoked ones too, at most tokens_listed_max.
std::string list_tokens(session::door& door);
inline constexpr int tokens_listed_max = 1000;

// One token as list_tokens shows it; empty: there is none with this id.
std::string show_token(session::door& door, const uuid& id);

// How many valid tokens there may be, because each node keeps them all in memory; beyond: not inserted.
inline constexpr int tokens_valid_max = 10'000;
// False: too many. A name in use by another valid token is SQLSTATE 23505.
bool insert_token(session::door& door, const access::known_token& what, std::string_view created_by);

// By id, or by the name or shown prefix of a token that is not revoked. How many were revoked now: 0 or 1; a name
// that fits several tokens revokes none and is told as -1.
int revoke_token(session::door& door, std::string_view which);

enum class token_standing : std::uint8_t { unknown, ended, valid };
// Of the token with this hash: ended is revoked or expired.
token_standing standing_of(session::door& door, const sha256_digest& hash);
bool any_valid_admin(session::door& door);

// The competition of a match; nullopt: no such match.
std::optional<uuid> competition_of(session::door& door, const uuid& fixture);

} // namespace omnium::pg
