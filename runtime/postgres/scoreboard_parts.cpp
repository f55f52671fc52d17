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

std::string marked_parts(std::string_view scoreboard) {
  const auto parts = parts_of(scoreboard);
  std::string out(scoreboard);
  std::replace(out.begin(), out.end(), part_mark, ' ');
  out.insert(parts.front.size() + parts.still.size(), 1, part_mark);
  return out.insert(parts.front.size(), 1, part_mark);
}

std::string marked_event(std::string_view event) {
  constexpr std::string_view member = R"(,"scoreboard":)";
  const auto at = event.rfind(member);
  if (at == event.npos) return std::string(event);
  const auto from = at + member.size();
  return std::string(event.substr(0, from)) + marked_parts(event.substr(from));
}

} // namespace omnium::pg
