#include "sports/corpus/json_out.hpp"

namespace omnium::corpus {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence at `at`, or 0. Overlong forms, surrogates and values over U+10FFFF are not valid.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length < 2) return length;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

void append_escaped(std::string& out, char c) {
  static constexpr std::string_view digits = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out += "\\u00";
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[c & 15];
  } else {
    out += c;
  }
}

} // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) out += replacement;
    else if (length > 1) out += text.substr(at, length);
    else if (text[at] != '\0') append_escaped(out, text[at]);
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

void json_object::name(std::string_view member) {
  if (!body_.empty()) body_ += ',';
  append_json_string(body_, member);
  body_ += ':';
}

json_object& json_object::text(std::string_view member, std::string_view value) {
  name(member);
  append_json_string(body_, value);
  return *this;
}

json_object& json_object::number(std::string_view member, std::int64_t value) {
  return raw(member, std::to_string(value));
}

json_object& json_object::flag(std::string_view member, bool value) { return raw(member, value ? "true" : "false"); }

json_object& json_object::raw(std::string_view member, std::string_view json) {
  name(member);
  body_ += json;
  return *this;
}

json_object& json_object::text_if(std::string_view member, std::string_view value) {
  return value.empty() ? *this : text(member, value);
}

std::string json_object::str() const { return '{' + body_ + '}'; }

void json_array::comma() {
  if (!body_.empty()) body_ += ',';
}

json_array& json_array::text(std::string_view value) {
  comma();
  append_json_string(body_, value);
  return *this;
}

json_array& json_array::number(std::int64_t value) { return raw(std::to_string(value)); }

json_array& json_array::raw(std::string_view json) {
  comma();
  body_ += json;
  return *this;
}

std::string json_array::str() const { return '[' + body_ + ']'; }

} // namespace omnium::corpus
