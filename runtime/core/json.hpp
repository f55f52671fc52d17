#pragma once
// JSON as the contract speaks it: strict parsing bounds, and the canonical form that payload hashes are made of.
// All functions may be called from any thread.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace omnium::json {

// Why a text is not acceptable JSON. `at` is a JSON pointer to the place where it is known, else empty.
struct fault {
  enum class kind : std::uint8_t {
    syntax,
    duplicate_member,
    depth,
    utf8,
    lone_surrogate,
    nul,
    number
  } what = kind::syntax;
  std::string at;
  std::string message; // one sentence for a person
};

// The canonical form: members sorted by code point, no spaces, non-ASCII as \uXXXX, integers kept whole at any size,
// floats as Python's repr. Byte for byte json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")).
// Refuses: duplicate members, depth over limits::json_depth_max, invalid UTF-8, lone surrogates, NUL (U+0000), NaN,
// Infinity, and floats that overflow to infinity.
std::variant<std::string, fault> canonical(std::string_view text);

// Appends `text` as a JSON string, quotes included. Input must be valid UTF-8. Non-ASCII passes through as UTF-8.
void append_string(std::string& out, std::string_view text);
std::string quoted(std::string_view text);

// Appends a float as Python's repr does (shortest round trip, always with .0 or an exponent). JSON has no word for
// NaN and infinity: they become null.
void append_double(std::string& out, double value);

// Appends a member's name as a step of a JSON pointer (RFC 6901), without the slash.
void append_pointer_token(std::string& out, std::string_view name);

// --- reading one member of an object that is known to be good JSON (a canonical text, a row of the log) ------------

// The member's raw JSON text, or nullopt when `object` is no object or has no such member.
std::optional<std::string> raw_member(std::string_view object, std::string_view name);
// The member as unescaped UTF-8 text; nullopt also when it is no string.
std::optional<std::string> string_member(std::string_view object, std::string_view name);
// The member as an integer; nullopt also when it is no integer or does not fit.
// 3.0 is a whole number as 3 is (JSON Schema's integer).
std::optional<std::int64_t> integer_member(std::string_view object, std::string_view name);
std::optional<std::int64_t> whole(double number); // nullopt: it has a fraction, or is no single number

} // namespace omnium::json
