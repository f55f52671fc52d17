#pragma once
// The minute of a match as it is printed: 23, or 45+2 in the time added to a period.
#include <omnium/sport.hpp>

#include <compare>
#include <cstdint>
#include <string>

namespace football {
namespace sdk = omnium::sdk;

struct match_minute {
  int minute = 0; // as printed, counted from 1; 0: none
  int added = 0;  // beyond the period's end

  friend auto operator<=>(const match_minute&, const match_minute&) = default;
  int total() const { return minute + added; }
};

// "45+2" in a text, 23 or "23" without added time. False: it is none.
bool parse_minute(std::string_view text, match_minute& out);
std::string to_string(match_minute when);

} // namespace football

// A minute comes in as a whole number or a text, and goes out as a text.
template<>
struct omnium::sdk::codec<football::match_minute> {
  static bool read(const value& from, football::match_minute& out, const rules& rule, reader& in);
  static void write(const football::match_minute& what, std::string& out);
  static void schema(const rules& rule, std::string& out);
};
