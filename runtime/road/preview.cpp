#include "runtime/road/preview.hpp"

#include "runtime/core/answer.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"

#include <fmt/format.h>
#include <map>
#include <simdjson.h>

namespace omnium::road {
namespace {

using simdjson::dom::element;
using values = std::map<std::string, std::string>;

std::string pointer_token(std::string_view name) {
  std::string out;
  for (char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

void flatten(element from, const std::string& path, values& out) {
  simdjson::dom::object object;
  simdjson::dom::array array;
  if (!from.get(object)) {
    for (auto [name, value] : object) flatten(value, path + "/" + pointer_token(name), out);
  } else if (!from.get(array)) {
    std::size_t i = 0;
    for (auto value : array) flatten(value, fmt::format("{}/{}", path, i++), out);
  } else out[path] = simdjson::minify(from);
}

values flatten(const std::string& text) {
  values out;
  simdjson::dom::parser parser;
  element root;
  if (!text.empty() && !parser.parse(text).get(root)) flatten(root, "", out);
  return out;
}

} // namespace

std::string json_changes(const std::string& from, const std::string& to) {
  auto before = flatten(from), after = flatten(to);
  values paths = before;
  paths.insert(after.begin(), after.end());
  const std::string nothing = "null";
  std::string out = "[";
  std::size_t count = 0;
  for (const auto& [path, ignored] : paths) {
    auto b = before.find(path), a = after.find(path);
    const auto was = b == before.end() ? nothing : b->second, is = a == after.end() ? nothing : a->second;
    if (was == is) continue; // what is not there reads as null
    if (++count > limits::preview_changes_max) break;
    out += fmt::format(R"({}{{"path":{},"from":{},"to":{}}})", count > 1 ? "," : "", json::quoted(path), was, is);
  }
  return out + "]";
}

reply make_preview(outcome would, std::optional<reason> why, const std::string& conflict,
                   const std::string& scoreboard_now, const std::string& scoreboard_then,
                   const std::vector<std::int64_t>& voids) {
  reply out;
  out.what = would;
  if (why) out.code = why->code;
  out.body = fmt::format(R"({{"would":"{}","reason":{},"conflict":{},"scoreboard":{},"changes":{},"voids":[{}]}})",
                         to_string(would), encode(why), conflict.empty() ? "null" : conflict,
                         scoreboard_then.empty() ? "null" : scoreboard_then,
                         json_changes(scoreboard_now, scoreboard_then), fmt::join(voids, ","));
  return out;
}

} // namespace omnium::road
