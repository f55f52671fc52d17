#include "sports/cricket/state.hpp"

#include <algorithm>
#include <charconv>

namespace omnium::cricket {

namespace {

template<class Cards, class Key>
auto find_card(Cards& cards, std::string_view name, Key key) -> decltype(cards.data()) {
  for (auto& card : cards)
    if (card.*key == name) return &card;
  return nullptr;
}

} // namespace

batting_card* innings::batter(std::string_view name) { return find_card(batters, name, &batting_card::batter); }
bowling_card* innings::bowler(std::string_view name) { return find_card(bowlers, name, &bowling_card::bowler); }
const batting_card* innings::batter(std::string_view name) const {
  return find_card(batters, name, &batting_card::batter);
}
const bowling_card* innings::bowler(std::string_view name) const {
  return find_card(bowlers, name, &bowling_card::bowler);
}

bool innings::is_in(std::string_view name) const { return std::find(at.begin(), at.end(), name) != at.end(); }

std::int64_t innings::retired() const {
  return std::count_if(batters.begin(), batters.end(), [](const batting_card& card) { return card.retired(); });
}

// Law 13.3: the innings is over when further balls remain but no batter is available. Batters who are absent, or
// retired and not back, are not available. A super over ends with its second wicket.
bool innings::all_out(std::int64_t players) const {
  if (kind == innings_kind::super_over && wickets >= 2) return true;
  return wickets + static_cast<std::int64_t>(absent.size()) + retired() >= players - 1;
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
  line.overs_limit = what.limit;
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

std::vector<innings_line> read_lines(const frozen& lines) {
  std::vector<innings_line> out;
  sdk::document document;
  sdk::reader in(sdk::reader::trust::stored, "/innings");
  if (document.parse('[' + lines.items + ']'))
    sdk::codec<std::vector<innings_line>>::read(document.root(), out, {}, in);
  return out;
}

} // namespace omnium::cricket

namespace omnium::sdk {

namespace {

void append_value(const value& what, std::string& out);

void append_items(const value& array, std::string& out) {
  bool first = true;
  value item;
  for (item_cursor all(array); all.next(item);) {
    if (!std::exchange(first, false)) out += ',';
    append_value(item, out);
  }
}

void append_members(const value& object, std::string& out) {
  bool first = true;
  value member;
  std::string_view name;
  for (member_cursor all(object); all.next(name, member);) {
    if (!std::exchange(first, false)) out += ',';
    append_string(out, name);
    out += ':';
    append_value(member, out);
  }
}

// Numbers of a frozen text are whole, or overs with one digit after the point: both come back as they were written.
void append_number(const value& what, std::string& out) {
  std::int64_t whole_number = 0;
  if (what.get(whole_number)) return append_integer(out, whole_number);
  double number = 0;
  char text[32];
  if (!what.get(number)) return;
  const auto end = std::to_chars(text, text + sizeof text, number);
  out.append(text, end.ptr);
}

void append_value(const value& what, std::string& out) {
  bool flag = false;
  std::string_view text;
  switch (what.type()) {
  case value::kind::null:
    out += "null";
    break;
  case value::kind::boolean:
    out += what.get(flag) && flag ? "true" : "false";
    break;
  case value::kind::number:
    append_number(what, out);
    break;
  case value::kind::string:
    if (what.get(text)) append_string(out, text);
    break;
  case value::kind::array:
    out += '[';
    append_items(what, out);
    out += ']';
    break;
  case value::kind::object:
    out += '{';
    append_members(what, out);
    out += '}';
    break;
  }
}

} // namespace

bool codec<cricket::frozen>::read(const value& from, cricket::frozen& out, const rules&, reader& in) {
  if (from.type() != value::kind::array) return in.fail(in.place() + " must be a list.");
  out.items.clear();
  append_items(from, out.items);
  return true;
}

void codec<cricket::frozen>::write(const cricket::frozen& what, std::string& out) {
  out += '[';
  out += what.items;
  out += ']';
}

void codec<cricket::frozen>::schema(const rules&, std::string& out) { out += R"("type":"array")"; }

} // namespace omnium::sdk
