#include "runtime/core/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace omnium::json {
namespace {

void append_escaped(std::string& out, unsigned char c) {
  static constexpr char digits[] = "0123456789abcdef";
  switch (c) {
  case '"':
    out += "\\\"";
    return;
  case '\\':
    out += "\\\\";
    return;
  case '\b':
    out += "\\b";
    return;
  case '\f':
    out += "\\f";
    return;
  case '\n':
    out += "\\n";
    return;
  case '\r':
    out += "\\r";
    return;
  case '\t':
    out += "\\t";
    return;
  default:
    out += "\\u00";
    out += digits[c >> 4];
    out += digits[c & 15];
  }
}

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Writes digits d1d2d3… times ten to the power `exponent` (of the first digit) without an exponent.
void append_fixed(std::string& out, std::string_view digits, int exponent) {
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    out += digits;
    out.append(whole - digits.size(), '0');
    out += ".0";
    return;
  }
  out += digits.substr(0, whole);
  out += '.';
  out += digits.substr(whole);
}

void append_scientific(std::string& out, std::string_view digits, int exponent) {
  out += digits.front();
  if (digits.size() > 1) {
    out += '.';
    out += digits.substr(1);
  }
  out += exponent < 0 ? "e-" : "e+";
  const int size = std::abs(exponent);
  if (size < 10) out += '0';
  out += std::to_string(size);
}

} // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!needs_escape(c)) continue;
    out += text.substr(plain, i - plain);
    append_escaped(out, c);
    plain = i + 1;
  }
  out += text.substr(plain);
  out += '"';
}

std::string quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_string(out, text);
  return out;
}

void append_pointer_token(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
}

void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // Shortest digits that read back to the same value, as d.ddde±xx; only the layout differs from Python's repr.
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  std::string_view text{buffer.data(), static_cast<std::size_t>(end - buffer.data())};
  if (text.front() == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  const auto mark = text.find('e');
  int exponent = 0;
  const char* first = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(first, text.data() + text.size(), exponent);
  std::string digits{text.front()};
  if (mark > 1) digits += text.substr(2, mark - 2);
  if (exponent < -4 || exponent >= 16) append_scientific(out, digits, exponent);
  else append_fixed(out, digits, exponent);
}

} // namespace omnium::json
