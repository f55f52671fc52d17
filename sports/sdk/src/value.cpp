#include "omnium/sport/value.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <simdjson.h>
#include <type_traits>

namespace omnium::sdk {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

static_assert(sizeof(element) <= 16 && std::is_trivially_copyable_v<element>);
static_assert(sizeof(simdjson::dom::array::iterator) <= 16 && sizeof(simdjson::dom::object::iterator) <= 16);
static_assert(std::is_trivially_copyable_v<simdjson::dom::array::iterator>);
static_assert(std::is_trivially_copyable_v<simdjson::dom::object::iterator>);

template<class T>
T load(const unsigned char* from) {
  alignas(T) unsigned char raw[sizeof(T)];
  std::memcpy(raw, from, sizeof(T));
  return *std::launder(reinterpret_cast<T*>(raw));
}

template<class T>
void store(unsigned char* to, const T& what) {
  std::memcpy(to, static_cast<const void*>(&what), sizeof(T));
}

} // namespace

value::kind value::type() const {
  switch (load<element>(element_).type()) {
  case element_type::ARRAY:
    return kind::array;
  case element_type::OBJECT:
    return kind::object;
  case element_type::STRING:
    return kind::string;
  case element_type::BOOL:
    return kind::boolean;
  case element_type::INT64:
  case element_type::UINT64:
  case element_type::DOUBLE:
    return kind::number;
  default:
    return kind::null;
  }
}

bool value::get(bool& out) const { return load<element>(element_).get(out) == simdjson::SUCCESS; }

bool value::get(std::int64_t& out) const {
  const auto self = load<element>(element_);
  if (self.get(out) == simdjson::SUCCESS) return true;
  double number = 0;
  constexpr double exact_max = 9007199254740992.0; // beyond 2^53 a float no longer names one whole number
  if (self.type() != element_type::DOUBLE || self.get(number) != simdjson::SUCCESS) return false;
  if (std::trunc(number) != number || std::fabs(number) > exact_max) return false;
  out = static_cast<std::int64_t>(number);
  return true;
}

bool value::get(double& out) const { return load<element>(element_).get(out) == simdjson::SUCCESS; }

bool value::get(std::string_view& out) const { return load<element>(element_).get(out) == simdjson::SUCCESS; }

std::size_t value::size() const {
  const auto self = load<element>(element_);
  if (self.is_array()) return self.get_array().value_unsafe().size();
  return self.is_object() ? self.get_object().value_unsafe().size() : 0;
}

item_cursor::item_cursor(const value& array) {
  const auto items = load<element>(array.element_).get_array().value_unsafe();
  store(position_, items.begin());
  store(end_, items.end());
}

bool item_cursor::next(value& item) {
  using iterator = simdjson::dom::array::iterator;
  auto position = load<iterator>(position_);
  if (!(position != load<iterator>(end_))) return false;
  store(item.element_, *position);
  store(position_, ++position);
  return true;
}

member_cursor::member_cursor(const value& object) {
  const auto members = load<element>(object.element_).get_object().value_unsafe();
  store(position_, members.begin());
  store(end_, members.end());
}

bool member_cursor::next(std::string_view& name, value& member) {
  using iterator = simdjson::dom::object::iterator;
  auto position = load<iterator>(position_);
  if (!(position != load<iterator>(end_))) return false;
  name = position.key();
  store(member.element_, position.value());
  store(position_, ++position);
  return true;
}

struct document::impl {
  simdjson::dom::parser parser;
};

document::document() : impl_(std::make_unique<impl>()) {}
document::~document() = default;
document::document(document&&) noexcept = default;
document& document::operator=(document&&) noexcept = default;

bool document::parse(std::string_view text) {
  element root;
  if (const auto code = impl_->parser.parse(text.data(), text.size()).get(root)) {
    error_ = simdjson::error_message(code);
    return false;
  }
  store(root_.element_, root);
  return true;
}

bool reader::fail(std::string message) {
  if (failed_) return false;
  failed_ = true;
  message_ = std::move(message);
  at_ = root_;
  for (const auto& part : path_) {
    at_ += '/';
    if (part.name.data() == nullptr) {
      at_ += std::to_string(part.index);
      continue;
    }
    for (const char c : part.name) {
      if (c == '~') at_ += "~0";
      else if (c == '/') at_ += "~1";
      else at_ += c;
    }
  }
  return false;
}

std::string reader::place() const {
  for (auto part = path_.rbegin(); part != path_.rend(); ++part) {
    if (part->name.data() == nullptr) continue;
    const auto depth = part - path_.rbegin();
    return (depth > 0 ? "An item of " : "") + std::string(part->name);
  }
  return root_.empty() ? "The value" : std::string(root_.substr(root_.rfind('/') + 1));
}

void append_string(std::string& out, std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    if (c == '"') out += "\\\"";
    else if (c == '\\') out += "\\\\";
    else if (c == '\n') out += "\\n";
    else (out += "\\u00") += {hex[c >> 4], hex[c & 15]};
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_integer(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

void append_fixed(std::string& out, std::int64_t units, int decimals) {
  if (units < 0) out += '-';
  auto rest = units < 0 ? 0 - static_cast<std::uint64_t>(units) : static_cast<std::uint64_t>(units);
  char digits[24];
  std::string_view text(digits, std::to_chars(digits, digits + sizeof digits, rest).ptr - digits);
  const auto places = static_cast<std::size_t>(decimals);
  if (text.size() <= places) {
    out += "0.";
    out.append(places - text.size(), '0').append(text);
    return;
  }
  out.append(text.substr(0, text.size() - places));
  if (places > 0) (out += '.').append(text.substr(text.size() - places));
}

} // namespace omnium::sdk
