#include "sports/cricket/state.hpp"

#include "sports/cricket/cards.hpp"

namespace omnium::cricket {

const batting_card* innings::in(std::string_view name) const {
  for (const auto& card : at)
    if (card.batter == name) return &card;
  return nullptr;
}
batting_card* innings::in(std::string_view name) { return const_cast<batting_card*>(std::as_const(*this).in(name)); }

// Law 13.3: the innings is over when further balls remain but no batter is available. Batters who are absent, or
// retired and not back, are not available. A super over ends with its second wicket.
bool innings::all_out(std::int64_t players) const {
  if (kind == innings_kind::super_over && wickets >= 2) return true;
  return wickets + static_cast<std::int64_t>(absent.size()) + retired >= players - 1;
}

bool innings::overs_up() const { return limit && bowled() >= *limit; }

std::string overs_text(std::int64_t overs, std::int64_t balls) {
  return std::to_string(overs) + '.' + std::to_string(balls);
}

innings_line line_of(const innings& what, std::int64_t players) {
  innings_line line;
  line.batting = what.batting;
  line.kind = what.kind;
  line.runs = what.runs;
  line.wickets = what.wickets;
  line.balls = what.balls;
  line.overs = overs_text(what.overs, what.over.open ? what.over.balls : 0);
  line.extras = what.extras;
  line.target = what.target;
  if (what.kind == innings_kind::normal) line.overs_limit = what.limit; // a super over is one over
  line.declared = what.ended == end_reason::declared;
  line.forfeited = what.ended == end_reason::forfeited;
  line.closed = what.complete(players);
  return line;
}

std::string short_text(const innings_line& line, std::int64_t players) {
  auto text = std::to_string(line.runs);
  if (line.forfeited) return "forfeited";
  if (line.wickets < players - 1) text += '/' + std::to_string(line.wickets);
  if (line.declared) text += 'd';
  return text;
}

std::vector<innings_line> read_lines(const std::string& lines) { return read_list<innings_line>(lines); }

} // namespace omnium::cricket
