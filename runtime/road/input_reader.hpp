#pragma once
// What the runtime's own commands read their inputs with, and write the data of their effects with. Pure.
#include "runtime/core/answer.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/uuid.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace omnium::road {

using simdjson::dom::object;

inline constexpr std::size_t name_chars_max = 200;          // of a text member; beyond: refused bad_input
inline constexpr std::size_t short_chars_max = 20;          // of a side's short name, likewise
inline constexpr std::size_t colour_chars_max = 30;         // and its colour
inline constexpr std::size_t remark_chars_max = 500;        // of a correction's reason or umpire; likewise
inline constexpr std::size_t settings_bytes_max = 8 * 1024; // of a settings object; likewise

// As JSON Schema counts: code points. The text is valid UTF-8.
inline std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

inline reason bad_input(std::string_view at, std::string_view wants) {
  return {"bad_input", fmt::format("\"{}\" {}.", at.substr(at.rfind('/') + 1), wants), fmt::format("/input/{}", at)};
}

inline std::optional<reason> only_members(const object& in, std::string_view at,
                                          std::initializer_list<std::string_view> known) {
  for (auto [name, value] : in)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return bad_input(fmt::format("{}{}", at, name), "is not a member of this input");
  return std::nullopt;
}

// Reads members of an input object and keeps the first fault, so that a command reads as a list of what it needs.
class input_reader {
public:
  explicit input_reader(object in, std::string at = {}) : in_(in), at_(std::move(at)) {}
  bool has(std::string_view name) const { return !in_[name].error(); }
  std::string text(std::string_view name, std::size_t chars_max = name_chars_max) {
    std::string_view value;
    if (in_[name].get(value) || value.empty() || characters(value) > chars_max)
      fail(name, fmt::format("must be a text of 1 to {} characters", chars_max));
    return std::string(value);
  }
  uuid id(std::string_view name) {
    std::string_view value;
    if (!in_[name].get(value))
      if (auto parsed = parse_uuid(value)) return *parsed;
    fail(name, "must be a UUID");
    return {};
  }
  std::string one_of(std::string_view name, std::initializer_list<std::string_view> values) {
    std::string_view value;
    if (in_[name].get(value) || std::find(values.begin(), values.end(), value) == values.end())
      fail(name, fmt::format("must be one of: {}", fmt::join(values, ", ")));
    return std::string(value);
  }
  std::string raw_object(std::string_view name) {
    object value;
    if (in_[name].get(value)) {
      fail(name, "must be an object");
      return "{}";
    }
    auto out = simdjson::minify(value);
    if (out.size() > settings_bytes_max) fail(name, fmt::format("must not be over {} bytes", settings_bytes_max));
    return out;
  }
  bool flag(std::string_view name) {
    bool value = false;
    if (in_[name].get(value)) fail(name, "must be true or false");
    return value;
  }
  bool is_null(std::string_view name) const {
    simdjson::dom::element value;
    return !in_[name].get(value) && value.is_null();
  }
  object child(std::string_view name) {
    object value;
    if (in_[name].get(value)) fail(name, "must be an object");
    return value;
  }
  void members(std::initializer_list<std::string_view> known) {
    if (!why_) why_ = only_members(in_, at_, known);
  }
  void fail(std::string_view name, std::string_view wants) {
    if (!why_) why_ = bad_input(at_ + std::string(name), wants);
  }
  const std::optional<reason>& why() const { return why_; }

private:
  object in_;
  std::string at_;
  std::optional<reason> why_;
};

// A JSON object written member by member.
class object_writer {
public:
  object_writer& add(std::string_view name, std::string_view raw) {
    out_ += out_.size() > 1 ? "," : "";
    json::append_string(out_, name);
    out_ += ':';
    out_ += raw;
    return *this;
  }
  object_writer& text(std::string_view name, std::string_view value) { return add(name, json::quoted(value)); }
  std::string done() { return out_ + "}"; }

private:
  std::string out_ = "{";
};

} // namespace omnium::road
