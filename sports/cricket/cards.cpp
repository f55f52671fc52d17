#include "sports/cricket/cards.hpp"

namespace omnium::cricket {

namespace {

// One past the object that begins at `at`. Cards hold no objects, so its first brace outside a string ends it.
std::size_t end_of(const std::string& list, std::size_t at) {
  bool quoted = false;
  for (; at < list.size(); ++at) {
    if (quoted && list[at] == '\\') ++at;
    else if (list[at] == '"') quoted = !quoted;
    else if (!quoted && list[at] == '}') return at + 1;
  }
  return at;
}

} // namespace

text_range find_object(const std::string& list, std::string_view key, std::string_view name) {
  // Inside a string a quote is escaped: this text can only be the beginning of an object.
  std::string begin = "{\"" + std::string(key) + "\":";
  sdk::append_string(begin, name);
  const auto at = list.find(begin);
  if (at == std::string::npos) return {};
  return {at, end_of(list, at) - at};
}

void remove_object(std::string& list, text_range where) {
  const bool follows = where.begin > 1; // the list's bracket stands before the first
  const bool followed = list[where.begin + where.size] == ',';
  if (followed) ++where.size;
  else if (follows) --where.begin, ++where.size;
  list.erase(where.begin, where.size);
}

void add_object(std::string& list, std::string_view object) {
  list.back() = ',';
  if (list.size() == 2) list = "["; // it was empty
  list += object;
  list += ']';
}

} // namespace omnium::cricket
