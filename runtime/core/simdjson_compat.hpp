#pragma once
// simdjson of Debian 12 (3.0) and Debian 13 (3.12) under one name. Include it instead of simdjson.h.
#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

namespace omnium::json {

// The raw JSON text of a value, without spaces around it. ondemand::value::raw_json() came only after 3.0.
inline std::optional<std::string> raw_text(simdjson::ondemand::value value) {
  namespace ondemand = simdjson::ondemand;
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return std::nullopt;
  std::string_view text;
  if (type == ondemand::json_type::object) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS || object.raw_json().get(text) != simdjson::SUCCESS)
      return std::nullopt;
  } else if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS || array.raw_json().get(text) != simdjson::SUCCESS)
      return std::nullopt;
  } else {
    text = value.raw_json_token();
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return std::string{text};
}

} // namespace omnium::json
