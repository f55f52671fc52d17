#include "omnium/sport/frozen.hpp"

#include "omnium/sport/value.hpp"

#include <charconv>
#include <vector>

namespace omnium::sdk {
namespace {

constexpr std::string_view sizes_begin = ",\"frozen\":[", sizes_end = "]}";

// The sizes at the end of the text; empty: there are none.
std::vector<std::size_t> sizes_of(std::string_view list) {
  std::vector<std::size_t> out;
  while (!list.empty()) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), size);
    if (error != std::errc{}) return {};
    out.push_back(size);
    list.remove_prefix(static_cast<std::size_t>(end - list.data()));
    if (list.empty()) break;
    if (list.front() != ',') return {};
    list.remove_prefix(1);
  }
  return out;
}

// Takes `,"name":` and what follows it off the end of `text`.
bool take_part(std::string_view& text, std::string_view name, std::size_t size, std::string& into) {
  const auto before = name.size() + 4; // ,"":
  if (text.size() < size + before) return false;
  const auto content = text.substr(text.size() - size);
  auto label = text.substr(text.size() - size - before, before);
  if (label.substr(0, 2) != ",\"" || label.substr(2, name.size()) != name || label.substr(2 + name.size()) != "\":")
    return false;
  into = content;
  text.remove_suffix(size + before);
  return true;
}

} // namespace

void write_frozen(const void* record, frozen_list parts, std::string& out) {
  if (parts.empty()) return;
  for (const auto& one : parts) {
    out += ',';
    append_string(out, one.name);
    out += ':';
    out += one.read(record);
  }
  out += sizes_begin;
  for (const auto& one : parts) {
    append_integer(out, static_cast<std::int64_t>(one.read(record).size()));
    out += ',';
  }
  out.back() = ']';
}

bool cut_frozen(std::string_view state, void* record, frozen_list parts, std::string& head) {
  const auto at = state.rfind(sizes_begin);
  if (at == std::string_view::npos || !state.ends_with(sizes_end)) return false;
  const auto list = state.substr(at + sizes_begin.size(), state.size() - at - sizes_begin.size() - sizes_end.size());
  const auto sizes = sizes_of(list);
  if (sizes.size() != parts.size()) return false;
  auto rest = state.substr(0, at);
  for (std::size_t i = parts.size(); i-- > 0;)
    if (!take_part(rest, parts[i].name, sizes[i], parts[i].text(record))) return false;
  head.assign(rest);
  head += '}';
  return true;
}

} // namespace omnium::sdk
