#include "runtime/postgres/scoreboard_parts.hpp"

#include <algorithm>

namespace omnium::pg {
namespace {

constexpr char part_mark = '\x1e'; // as in schema/functions/road.sql
constexpr int member_depth = 1, entry_depth = 2;

// The place of the closing quote of the string whose opening one stands at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at; // what is escaped
  return at;
}

std::string marked(std::string_view before, const scoreboard_parts& parts, std::string_view behind) {
  std::string out;
  out.reserve(before.size() + parts.front.size() + parts.still.size() + parts.back.size() + behind.size() + 2);
  const auto add = [&out](std::string_view text) {
    const auto from = out.size();
    out += text;
    if (text.find(part_mark) != text.npos)
      std::replace(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), part_mark, ' ');
  };
  add(before);
  add(parts.front);
  out += part_mark;
  add(parts.still);
  out += part_mark;
  add(parts.back);
  add(behind);
  return out;
}

} // namespace

scoreboard_parts parts_of(std::string_view scoreboard) {
  std::size_t best_from = 0, best_to = 0, from = 0, to = 0;
  int depth = 0;
  for (std::size_t at = 0; at < scoreboard.size(); ++at) {
    switch (scoreboard[at]) {
    case '"':
      at = end_of_string(scoreboard, at);
      break;
    case ',':
      if (depth == entry_depth && from > 0) to = at + 1;
      break;
    case '[':
    case '{':
      if (++depth == entry_depth) from = to = scoreboard[at] == '[' ? at + 1 : 0;
      break;
    case ']':
    case '}':
      if (--depth == member_depth && to - from > best_to - best_from) best_from = from, best_to = to;
      break;
    default:
      break;
    }
  }
  return {scoreboard.substr(0, best_from), scoreboard.substr(best_from, best_to - best_from),
          scoreboard.substr(best_to)};
}

std::string parts_marker::scoreboard() const { return marked({}, parts_, {}); }

std::string parts_marker::event(std::string_view text) const {
  constexpr std::string_view end = "}";
  if (!whole_.empty() && text.ends_with(end) && text.substr(0, text.size() - end.size()).ends_with(whole_))
    return marked(text.substr(0, text.size() - end.size() - whole_.size()), parts_, end);
  constexpr std::string_view member = R"(,"scoreboard":)";
  const auto at = text.rfind(member);
  if (at == text.npos) return marked(text, {}, {});
  const auto from = at + member.size();
  return marked(text.substr(0, from), parts_of(text.substr(from)), {});
}

} // namespace omnium::pg
