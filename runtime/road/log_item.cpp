#include "runtime/road/log_item.hpp"

#include "runtime/core/json.hpp"

namespace omnium::road {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  json::append_string(out, value);
}

void append_voids(std::string& out, const std::vector<std::int64_t>& voids) {
  if (voids.empty()) return;
  char separator = '[';
  out += R"(,"voids":)";
  for (const auto seq : voids) {
    out += separator;
    out += std::to_string(seq);
    separator = ',';
  }
  out += ']';
}

} // namespace

std::string encode(const log_item& item) {
  std::string out;
  out.reserve(160 + item.input.size() + item.key.size());
  out += R"({"seq":)";
  out += std::to_string(item.seq);
  append_text(out, R"(,"code":)", item.code);
  out += item.play ? R"(,"play":true,"input":)" : R"(,"play":false,"input":)";
  out += item.input.empty() ? std::string_view{"{}"} : std::string_view{item.input};
  append_text(out, R"(,"sender":)", item.sender);
  append_text(out, R"(,"key":)", item.key);
  append_text(out, R"(,"at":)", item.at);
  append_voids(out, item.voids);
  if (item.replaces) {
    out += R"(,"replaces":)";
    out += std::to_string(*item.replaces);
  }
  out += '}';
  return out;
}

} // namespace omnium::road
