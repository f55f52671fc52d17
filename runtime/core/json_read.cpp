#include "runtime/core/json.hpp"
#include "runtime/core/simdjson_compat.hpp"

#include <cmath>

namespace omnium::json {
namespace {

namespace ondemand = simdjson::ondemand;

// Finds `name` in the object `text` and lets `take` read it.
template<class Value, class Take>
std::optional<Value> read_member(std::string_view text, std::string_view name, Take take) {
  thread_local ondemand::parser parser;
  const simdjson::padded_string padded{text};
  ondemand::document document;
  ondemand::object object;
  ondemand::value value;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS ||
      object.find_field_unordered(name).get(value) != simdjson::SUCCESS)
    return std::nullopt;
  return take(value);
}

} // namespace

std::optional<std::string> raw_member(std::string_view object, std::string_view name) {
  return read_member<std::string>(object, name, [](ondemand::value value) { return raw_text(value); });
}

std::optional<std::string> string_member(std::string_view object, std::string_view name) {
  return read_member<std::string>(object, name, [](ondemand::value value) -> std::optional<std::string> {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
    return std::string{text};
  });
}

std::optional<std::int64_t> whole(double number) {
  constexpr double exact_max = 9007199254740992; // 2^53: beyond, a double is not one number
  if (!(std::abs(number) <= exact_max) || number != std::trunc(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> integer_member(std::string_view object, std::string_view name) {
  return read_member<std::int64_t>(object, name, [](ondemand::value value) -> std::optional<std::int64_t> {
    ondemand::number number;
    if (value.get_number().get(number) != simdjson::SUCCESS) return std::nullopt;
    if (number.is_int64()) return number.get_int64();
    return number.is_double() ? whole(number.get_double()) : std::nullopt;
  });
}

} // namespace omnium::json
