// A strict reader that writes the canonical form as it goes. simdjson checks the UTF-8; the rest is read here, because
// simdjson turns big integers into errors and neither finds duplicate members nor keeps a number's text.
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/simdjson_compat.hpp"

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <locale.h>
#include <vector>

namespace omnium::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

void append_u_escape(std::string& out, char32_t unit) {
  static constexpr char digits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(unit >> shift) & 15];
}

// One character of a string, as json.dumps with ensure_ascii writes it.
void append_canonical_char(std::string& out, char32_t c) {
  switch (c) {
  case U'"':
    out += "\\\"";
    return;
  case U'\\':
    out += "\\\\";
    return;
  case U'\b':
    out += "\\b";
    return;
  case U'\f':
    out += "\\f";
    return;
  case U'\n':
    out += "\\n";
    return;
  case U'\r':
    out += "\\r";
    return;
  case U'\t':
    out += "\\t";
    return;
  default:
    break;
  }
  if (c >= 0x20 && c < 0x7f) {
    out += static_cast<char>(c);
  } else if (c < 0x10000) {
    append_u_escape(out, c);
  } else {
    append_u_escape(out, 0xd800 + ((c - 0x10000) >> 10));
    append_u_escape(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
  }
}

// Reads a float's text; nullopt when it overflows. Too small a number becomes zero, as in Python.
std::optional<double> to_double(std::string_view token) {
  double value = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  if (read.ec == std::errc{}) return std::isfinite(value) ? std::optional{value} : std::nullopt;
  // Out of range says neither which way nor by how much; the C library does, in a locale with a decimal point.
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  value = ::strtod_l(std::string{token}.c_str(), nullptr, c_locale);
  return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

class reader {
public:
  explicit reader(std::string_view text) : text_(text) { out_.reserve(text.size() + 16); }

  std::variant<std::string, fault> run() {
    if (!simdjson::validate_utf8(text_.data(), text_.size()))
      return fault{fault::kind::utf8, {}, "The text is not valid UTF-8."};
    skip_spaces();
    if (!value(0)) return std::move(fault_);
    skip_spaces();
    if (position_ != text_.size()) {
      syntax("the end of the text");
      return std::move(fault_);
    }
    return std::move(out_);
  }

private:
  using kind = fault::kind;
  struct member {
    std::string name;               // unescaped UTF-8: its byte order is code point order
    std::size_t begin = 0, end = 0; // "name":value in out_
  };

  bool value(std::size_t depth) {
    switch (peek()) {
    case '{':
      return nested(depth) && object(depth + 1);
    case '[':
      return nested(depth) && array(depth + 1);
    case '"':
      return string(nullptr);
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      return number();
    }
  }

  bool object(std::size_t depth) {
    const std::size_t start = out_.size();
    std::vector<member> members;
    ++position_;
    out_ += '{';
    skip_spaces();
    if (peek() == '}') return close('}');
    for (;;) {
      skip_spaces();
      if (peek() != '"') return syntax("a member's name in quotes");
      auto& current = members.emplace_back();
      current.begin = out_.size();
      if (!string(&current.name)) return false;
      skip_spaces();
      if (peek() != ':') return syntax("a colon");
      ++position_;
      out_ += ':';
      skip_spaces();
      path_.push_back({current.name, 0});
      if (!value(depth)) return false;
      path_.pop_back();
      members.back().end = out_.size();
      skip_spaces();
      if (peek() != ',') break;
      ++position_;
      out_ += ',';
    }
    if (peek() != '}') return syntax("a comma or a closing brace");
    return sort_members(start, members) && close('}');
  }

  bool array(std::size_t depth) {
    ++position_;
    out_ += '[';
    skip_spaces();
    if (peek() == ']') return close(']');
    for (std::size_t index = 0;; ++index) {
      skip_spaces();
      path_.push_back({{}, index});
      if (!value(depth)) return false;
      path_.pop_back();
      skip_spaces();
      if (peek() != ',') break;
      ++position_;
      out_ += ',';
    }
    if (peek() != ']') return syntax("a comma or a closing bracket");
    return close(']');
  }

  // Puts the members written since `start` (after its brace) in order; two of one name are a fault.
  bool sort_members(std::size_t start, std::vector<member>& members) {
    const auto by_name = [](const member& a, const member& b) { return a.name < b.name; };
    const bool sorted = std::is_sorted(members.begin(), members.end(), by_name);
    if (!sorted) std::stable_sort(members.begin(), members.end(), by_name);
    const auto same = [](const member& a, const member& b) { return a.name == b.name; };
    if (const auto twice = std::adjacent_find(members.begin(), members.end(), same); twice != members.end()) {
      path_.push_back({twice->name, 0});
      return fail(kind::duplicate_member, "The member " + json::quoted(twice->name) + " is there twice.");
    }
    if (sorted) return true;
    std::string ordered{"{"};
    for (const auto& each : members) {
      if (ordered.size() > 1) ordered += ',';
      ordered.append(out_, each.begin, each.end - each.begin);
    }
    out_.replace(start, std::string::npos, ordered);
    return true;
  }

  bool string(std::string* name) {
    ++position_;
    out_ += '"';
    for (;;) {
      if (position_ >= text_.size()) return syntax("a closing quote");
      const auto c = static_cast<unsigned char>(text_[position_]);
      if (c == '"') break;
      char32_t decoded = 0;
      if (c == '\\') {
        if (!escape(decoded)) return false;
      } else if (c == 0) {
        return fail(kind::nul, "A text holds the character NUL.");
      } else if (c < 0x20) {
        return syntax("control characters in a text as escapes");
      } else {
        decoded = plain_char(c);
      }
      append_canonical_char(out_, decoded);
      if (name) append_utf8(*name, decoded);
    }
    ++position_;
    out_ += '"';
    return true;
  }

  // Decodes one character of UTF-8 that is known to be valid.
  char32_t plain_char(unsigned char first) {
    if (first < 0x80) {
      ++position_;
      return first;
    }
    const int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    char32_t c = first & (0x7f >> length);
    for (int i = 1; i < length; ++i) c = (c << 6) | (static_cast<unsigned char>(text_[position_ + i]) & 0x3f);
    position_ += static_cast<std::size_t>(length);
    return c;
  }

  bool escape(char32_t& decoded) {
    static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++position_;
    const char letter = peek();
    if (letter == 'u') return unicode_escape(decoded);
    const auto which = letter == '\0' ? std::string_view::npos : letters.find(letter);
    if (which == std::string_view::npos) return syntax("a known escape");
    decoded = static_cast<unsigned char>(meanings[which]);
    ++position_;
    return true;
  }

  bool unicode_escape(char32_t& decoded) {
    if (!hex_unit(decoded)) return false;
    if (decoded == 0) return fail(kind::nul, "A text holds the character NUL.");
    if (decoded < 0xd800 || decoded > 0xdfff) return true;
    if (decoded >= 0xdc00 || text_.substr(position_, 2) != "\\u") return lone_surrogate();
    ++position_;
    char32_t low = 0;
    if (!hex_unit(low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return lone_surrogate();
    decoded = 0x10000 + ((decoded - 0xd800) << 10) + (low - 0xdc00);
    return true;
  }

  // Reads uXXXX.
  bool hex_unit(char32_t& unit) {
    const auto digits = text_.substr(position_ + 1, 4);
    unsigned int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 4 || read.ptr != digits.data() + 4) return syntax("four hex digits");
    unit = value;
    position_ += 5;
    return true;
  }

  bool number() {
    const std::size_t start = position_;
    if (peek() == '-') ++position_;
    if (peek() == '0') ++position_;
    else if (!digits()) return no_value(start);
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++position_;
      if (!digits()) return syntax("a digit");
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++position_;
      if (peek() == '+' || peek() == '-') ++position_;
      if (!digits()) return syntax("a digit");
    }
    return append_number(text_.substr(start, position_ - start), whole);
  }

  bool append_number(std::string_view token, bool whole) {
    if (whole) {
      out_ += token == "-0" ? std::string_view{"0"} : token;
      return true;
    }
    const auto value = to_double(token);
    if (!value) return fail(kind::number, "A number is too large for a float.");
    append_double(out_, *value);
    return true;
  }

  bool no_value(std::size_t start) {
    const auto rest = text_.substr(start);
    for (const std::string_view name : {"NaN", "Infinity", "-Infinity"})
      if (rest.substr(0, name.size()) == name) return fail(kind::number, "NaN and Infinity are no JSON numbers.");
    position_ = start;
    return syntax("a value");
  }

  bool digits() {
    const std::size_t start = position_;
    while (is_digit(peek())) ++position_;
    return position_ > start;
  }

  bool word(std::string_view expected) {
    if (text_.substr(position_, expected.size()) != expected) return syntax("a value");
    position_ += expected.size();
    out_ += expected;
    return true;
  }

  bool close(char bracket) {
    ++position_;
    out_ += bracket;
    return true;
  }

  bool nested(std::size_t depth) {
    if (depth < limits::json_depth_max) return true;
    return fail(kind::depth, "The text is nested deeper than " + std::to_string(limits::json_depth_max) + " levels.");
  }

  // The character at the position; NUL at the end (a NUL in the text itself is wrong wherever this is asked).
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  void skip_spaces() {
    while (position_ < text_.size() && std::string_view{" \t\n\r"}.find(text_[position_]) != std::string_view::npos)
      ++position_;
  }

  bool lone_surrogate() { return fail(kind::lone_surrogate, "A text holds half of a surrogate pair."); }

  bool syntax(std::string_view wanted) {
    return fail(kind::syntax, "The text is not JSON: at byte " + std::to_string(position_) + " it wants " +
                                  std::string{wanted} + ".");
  }

  bool fail(kind what, std::string message) {
    fault_ = {what, pointer(), std::move(message)};
    return false;
  }

  std::string pointer() const {
    std::string out;
    for (const auto& each : path_) {
      out += '/';
      if (each.name.data() == nullptr) out += std::to_string(each.index);
      else append_pointer_token(out, each.name);
    }
    return out;
  }

  struct step {
    std::string_view name; // no data: an array's index
    std::size_t index;
  };

  std::string_view text_;
  std::size_t position_ = 0;
  std::string out_;
  std::vector<step> path_;
  fault fault_;
};

} // namespace

std::variant<std::string, fault> canonical(std::string_view text) { return reader{text}.run(); }

} // namespace omnium::json
