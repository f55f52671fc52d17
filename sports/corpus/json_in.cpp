#include "sports/corpus/json_in.hpp"

#include "sports/corpus/file.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace omnium::corpus {

json_view json_view::operator[](std::string_view member) const {
  simdjson::dom::element found;
  if (!is_object() || element_->at_key(member).get(found) != simdjson::SUCCESS || found.is_null()) return {};
  return json_view{found};
}

json_view json_view::at(std::size_t index) const {
  simdjson::dom::element found;
  if (!is_array() || element_->at(index).get(found) != simdjson::SUCCESS || found.is_null()) return {};
  return json_view{found};
}

bool json_view::is_object() const { return element_ && element_->is_object(); }
bool json_view::is_array() const { return element_ && element_->is_array(); }

std::string json_view::text(std::string_view otherwise) const {
  std::string_view found;
  if (element_ && element_->get(found) == simdjson::SUCCESS) return std::string{found};
  std::int64_t whole = 0;
  if (element_ && element_->get(whole) == simdjson::SUCCESS) return std::to_string(whole);
  return std::string{otherwise};
}

std::optional<std::int64_t> json_view::integer() const {
  std::int64_t whole = 0;
  if (element_ && element_->get(whole) == simdjson::SUCCESS) return whole;
  std::string_view found;
  if (!element_ || element_->get(found) != simdjson::SUCCESS) return std::nullopt;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), whole);
  if (error != std::errc{} || end != found.data() + found.size()) return std::nullopt;
  return whole;
}

std::optional<double> json_view::number() const {
  double value = 0;
  if (element_ && element_->get(value) == simdjson::SUCCESS) return value;
  std::string_view found;
  if (!element_ || element_->get(found) != simdjson::SUCCESS) return std::nullopt;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (error != std::errc{} || end != found.data() + found.size()) return std::nullopt;
  return value;
}

bool json_view::flag(bool otherwise) const {
  bool value = otherwise;
  if (element_ && element_->get(value) == simdjson::SUCCESS) return value;
  return otherwise;
}

std::string json_view::scalar() const {
  std::string_view found;
  if (element_ && element_->get(found) == simdjson::SUCCESS) return std::string{found};
  return element_ && !is_array() && !is_object() ? simdjson::minify(*element_) : std::string{};
}

std::vector<json_view> json_view::items() const {
  std::vector<json_view> out;
  simdjson::dom::array array;
  if (!element_ || element_->get(array) != simdjson::SUCCESS) return out;
  for (const simdjson::dom::element item : array) out.push_back(item.is_null() ? json_view{} : json_view{item});
  return out;
}

std::vector<std::pair<std::string, json_view>> json_view::members() const {
  std::vector<std::pair<std::string, json_view>> out;
  simdjson::dom::object object;
  if (!element_ || element_->get(object) != simdjson::SUCCESS) return out;
  for (const auto field : object)
    out.emplace_back(std::string{field.key}, field.value.is_null() ? json_view{} : json_view{field.value});
  return out;
}

std::variant<json_document, std::string> json_document::parse(std::string_view text) {
  json_document out;
  out.parser_ = std::make_unique<simdjson::dom::parser>();
  const auto error = out.parser_->parse(simdjson::padded_string{text}).get(out.root_);
  if (error != simdjson::SUCCESS) return std::string{simdjson::error_message(error)};
  return out;
}

std::variant<json_document, std::string> read_json(const std::string& path) {
  auto text = read_file(path);
  if (const auto* error = std::get_if<file_error>(&text)) return error->message;
  auto parsed = json_document::parse(std::get<std::string>(text));
  if (const auto* error = std::get_if<std::string>(&parsed)) return path + " is not JSON: " + *error;
  return parsed;
}

namespace {

std::optional<unsigned> hex4(std::string_view text) {
  unsigned value = 0;
  if (text.size() != 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc{} || end != text.data() + 4) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, unsigned c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// The code point of the escape at `at`, and how many bytes it takes; a surrogate pair is one code point.
std::optional<std::pair<unsigned, std::size_t>> escape_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\\u") return std::nullopt;
  const auto first = hex4(text.substr(at + 2, std::min<std::size_t>(4, text.size() - at - 2)));
  if (!first) return std::nullopt;
  if (*first < 0xD800 || *first > 0xDFFF) return std::pair{*first, std::size_t{6}};
  if (*first > 0xDBFF || at + 12 > text.size() || text.substr(at + 6, 2) != "\\u") return std::nullopt;
  const auto second = hex4(text.substr(at + 8, 4));
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
  return std::pair{0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), std::size_t{12}};
}

} // namespace

std::string unescape_twice(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto escape = escape_at(text, at); escape && escape->first != 0) {
      append_utf8(out, escape->first);
      at += escape->second;
    } else {
      out += text[at++];
    }
  }
  return out;
}

} // namespace omnium::corpus
