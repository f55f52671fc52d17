#include "runtime/postgres/tokens.hpp"

#include "runtime/core/clock.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/session_door.hpp"

#include <fmt/format.h>

namespace omnium::pg {
namespace {

using statements::statement;

// Pieces of the statements below.
const std::string valid = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())";
const std::string shown = R"(json_build_object('id', id, 'name', name, 'prefix', prefix, 'role', role,
    'competitions', competitions, 'fixtures', fixtures, 'may_name_sender', may_name_sender, 'created_by', created_by,
    'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'expires_at', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'revoked_at', to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))";

const std::string valid_text = R"(
  SELECT encode(hash, 'hex'), id, name, prefix, role, array_to_string(competitions, ','), array_to_string(fixtures, ','),
         (extract(epoch FROM expires_at) * 1000)::bigint, may_name_sender FROM access_token WHERE )" +
                               valid;
const statement valid_tokens{"valid_tokens", valid_text.c_str()};

const std::string listed_text = "SELECT coalesce(json_agg(shown), '[]') FROM (SELECT " + shown +
                                " AS shown FROM access_token ORDER BY created_at DESC, id LIMIT $1) t";
const statement listed_tokens{"listed_tokens", listed_text.c_str()};

const std::string one_text = "SELECT " + shown + " FROM access_token WHERE id = $1::uuid";
const statement one_token{"one_token", one_text.c_str()};

const std::string add_text = R"(
  INSERT INTO access_token (id, name, prefix, hash, role, competitions, fixtures, may_name_sender, created_by, expires_at)
  SELECT $1::uuid, $2, $3, decode($4, 'hex'), $5, $6::uuid[], $7::uuid[], $8::boolean, $9, $10::timestamptz
   WHERE (SELECT count(*) FROM access_token WHERE )" +
                             valid + ") < $11::bigint";
const statement add_token{"add_token", add_text.c_str()};

const statement find_token{"find_token", R"(
  SELECT id FROM access_token WHERE revoked_at IS NULL AND (id::text = $1 OR name = $1 OR prefix = $1) LIMIT 2)"};

const statement end_token{
    "end_token", "UPDATE access_token SET revoked_at = clock_timestamp() WHERE id = $1::uuid AND revoked_at IS "
                 "NULL"};

const std::string standing_text = "SELECT " + valid + " FROM access_token WHERE hash = decode($1, 'hex')";
const statement token_standing_of{"token_standing", standing_text.c_str()};

const std::string admin_text = "SELECT EXISTS (SELECT FROM access_token WHERE role = 'admin' AND " + valid + ")";
const statement admin_exists{"admin_exists", admin_text.c_str()};

const statement fixture_competition{"fixture_competition", "SELECT competition_id FROM fixture WHERE id = $1::uuid"};

std::vector<uuid> ids_in(std::string_view text) {
  std::vector<uuid> out;
  while (!text.empty()) {
    auto part = text.substr(0, text.find(','));
    if (auto id = parse_uuid(part)) out.push_back(*id);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return out;
}

std::string array_of(const std::vector<uuid>& ids) {
  array_text out;
  for (const auto& id : ids) out.add(std::string_view(to_string(id)));
  return out.done();
}

sha256_digest digest_of(std::string_view text) {
  sha256_digest out{};
  auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i < out.size() && 2 * i + 1 < text.size(); ++i)
    out[i] = static_cast<std::uint8_t>(value(text[2 * i]) * 16 + value(text[2 * i + 1]));
  return out;
}

access::known_token token_of(const pqxx::row& row) {
  access::known_token out;
  out.hash = digest_of(row[0].c_str());
  out.what.id = parse_uuid(row[1].c_str()).value_or(uuid{});
  out.what.name = row[2].c_str();
  out.what.prefix = row[3].c_str();
  out.what.is = access::parse_role(row[4].c_str()).value_or(access::role::viewer);
  out.what.competitions = ids_in(row[5].c_str());
  out.what.fixtures = ids_in(row[6].c_str());
  if (!row[7].is_null())
    out.what.expires = std::chrono::system_clock::time_point(std::chrono::milliseconds(row[7].as<std::int64_t>()));
  out.what.may_name_sender = row[8].as<bool>();
  return out;
}

} // namespace

std::vector<access::known_token> read_valid_tokens(session::door& door) {
  std::vector<access::known_token> out;
  for (const auto& row : door.run(valid_tokens)) out.push_back(token_of(row));
  return out;
}

std::string list_tokens(session::door& door) {
  return fmt::format(R"({{"items":{},"next":null}})", door.run(listed_tokens, tokens_listed_max)[0][0].c_str());
}

std::string show_token(session::door& door, const uuid& id) {
  auto rows = door.run(one_token, to_string(id));
  return rows.empty() ? std::string() : std::string(rows[0][0].c_str());
}

bool insert_token(session::door& door, const access::known_token& what, std::string_view created_by) {
  const auto& t = what.what;
  auto expires = t.expires ? std::optional(rfc3339_utc_ms(*t.expires)) : std::nullopt;
  auto made = door.run(add_token, to_string(t.id), t.name, t.prefix, hex(what.hash),
                       std::string(access::to_string(t.is)), array_of(t.competitions), array_of(t.fixtures),
                       t.may_name_sender, std::string(created_by), expires, tokens_valid_max);
  return made.affected_rows() == 1;
}

int revoke_token(session::door& door, std::string_view which) {
  auto found = door.run(find_token, std::string(which));
  if (found.size() != 1) return found.empty() ? 0 : -1;
  return static_cast<int>(door.run(end_token, std::string(found[0][0].c_str())).affected_rows());
}

token_standing standing_of(session::door& door, const sha256_digest& hash) {
  auto rows = door.run(token_standing_of, hex(hash));
  if (rows.empty()) return token_standing::unknown;
  return rows[0][0].as<bool>() ? token_standing::valid : token_standing::ended;
}

bool any_valid_admin(session::door& door) { return door.run(admin_exists)[0][0].as<bool>(); }

std::optional<uuid> competition_of(session::door& door, const uuid& fixture) {
  auto rows = door.run(fixture_competition, to_string(fixture));
  return rows.empty() ? std::nullopt : parse_uuid(rows[0][0].c_str());
}

} // namespace omnium::pg
