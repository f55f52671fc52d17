#pragma once
// UUIDs (RFC 9562). The text form is always lower case; parsing takes either case, nothing else (no braces, no urn).
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace omnium {

struct uuid {
  std::array<std::uint8_t, 16> bytes{};
  friend auto operator<=>(const uuid&, const uuid&) = default;
};

std::optional<uuid> parse_uuid(std::string_view text);
std::string to_string(const uuid& id);

// Version 7: 48 bits of Unix milliseconds, then a counter that keeps ids of one process in order, then random bits. Any
// thread.
uuid make_uuid7();

// Version 5 (SHA-1 of namespace and name): the same name gives the same id; used to derive ids from recorded files.
uuid make_uuid5(const uuid& space, std::string_view name);

} // namespace omnium

template<>
struct std::hash<omnium::uuid> {
  std::size_t operator()(const omnium::uuid& id) const noexcept;
};
