#pragma once
// Reading a recorded file's JSON without exceptions: a missing member, a wrong type or null reads as "nothing", and the
// reader says what it cannot do without. Numbers that a file writes as text ("46", "7") read as numbers too.
#include <cstdint>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace omnium::corpus {

// A place in a parsed document; valid as long as its json_document.
class json_view {
public:
  json_view() = default;
  explicit json_view(simdjson::dom::element element) : element_(element) {}

  json_view operator[](std::string_view member) const; // nothing when absent or null
  json_view operator[](const char* member) const { return (*this)[std::string_view{member}]; }
  json_view at(std::size_t index) const; // of an array; nothing beyond its end

  explicit operator bool() const { return element_.has_value(); }
  bool is_object() const;
  bool is_array() const;

  std::string text(std::string_view otherwise = {}) const; // a string; a whole number as its digits
  std::optional<std::int64_t> integer() const;             // a whole number, or a string of one
  std::int64_t integer_or(std::int64_t otherwise) const { return integer().value_or(otherwise); }
  std::optional<double> number() const; // any number, or a string of one
  bool flag(bool otherwise = false) const;
  std::string scalar() const; // a string, number or flag as its text; empty for anything else

  std::vector<json_view> items() const;                           // of an array, in order; empty otherwise
  std::vector<std::pair<std::string, json_view>> members() const; // of an object, in the file's order; empty otherwise

private:
  std::optional<simdjson::dom::element> element_;
};

// Owns the parsed document.
class json_document {
public:
  // On failure one sentence (without the file's name).
  static std::variant<json_document, std::string> parse(std::string_view text);
  json_view root() const { return json_view{root_}; }

private:
  json_document() = default;
  std::unique_ptr<simdjson::dom::parser> parser_; // elements point into it: it must not move
  simdjson::dom::element root_;
};

// Reads and parses one file; on failure a sentence that names it.
std::variant<json_document, std::string> read_json(const std::string& path);

// Turns literal \uXXXX in a text (a file that was escaped twice) into UTF-8; anything else stays as it is.
std::string unescape_twice(std::string_view text);

} // namespace omnium::corpus
