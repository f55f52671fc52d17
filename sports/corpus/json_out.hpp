#pragma once
// Writing the small JSON objects that commands carry. Members appear in the order they were added.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omnium::corpus {

// Appends `text` as a JSON string. Input is UTF-8; bytes that are not are replaced by U+FFFD, so that what a file holds
// never makes a command that the door refuses. NUL is left out (jsonb has none).
void append_json_string(std::string& out, std::string_view text);

class json_object {
public:
  json_object& text(std::string_view member, std::string_view value);
  json_object& number(std::string_view member, std::int64_t value);
  json_object& flag(std::string_view member, bool value);
  json_object& raw(std::string_view member, std::string_view json); // any JSON value as it is
  // Left out when empty.
  json_object& text_if(std::string_view member, std::string_view value);
  std::string str() const;

private:
  void name(std::string_view member);
  std::string body_;
};

class json_array {
public:
  json_array& text(std::string_view value);
  json_array& number(std::int64_t value);
  json_array& raw(std::string_view json);
  std::string str() const;

private:
  void comma();
  std::string body_;
};

} // namespace omnium::corpus
