#include "sports/cricket/board.hpp"

#include "sports/cricket/game.hpp"

#include <algorithm>

namespace omnium::cricket {

namespace {

constexpr std::size_t closed_lines_bytes_max = 1300; // beside 720 of the rest, without names

std::string score_text(std::int64_t runs, std::int64_t wickets) {
  return std::to_string(runs) + '/' + std::to_string(wickets);
}

std::string result_text(const result& r) {
  if (r.no_result) return "no result";
  if (r.draw) return "drawn";
  const auto won = r.winner ? std::string(sdk::name_of(*r.winner)) + " won" : std::string{};
  if (r.tie) return r.winner ? "tied, " + won : "tied";
  if (!r.winner || !r.by) return won;
  const auto plural = [](std::int64_t n, std::string what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
  };
  if (r.by->wickets) return won + " by " + plural(*r.by->wickets, "wicket");
  const auto runs = plural(r.by->runs.value_or(0), "run");
  return won + (r.by->innings ? " by an innings and " : " by ") + runs;
}

} // namespace

std::string game::period_text() const {
  if (!state.now) return "";
  return (state.now->kind == innings_kind::super_over ? "SO" : "I") + std::to_string(state.now->number);
}

// "15/0 v 9/1 (0.4)": the super over in play, home first.
std::string game::super_over_text() const {
  both<std::string> told{"–", "–"};
  const auto& now = *state.now;
  const auto lines = now.number % 2 == 0 ? read_lines(state.lines) : std::vector<innings_line>{};
  if (!lines.empty()) told[lines.back().batting] = score_text(lines.back().runs, lines.back().wickets);
  const auto line = line_of(now, players());
  told[now.batting] = score_text(line.runs, line.wickets) + " (" + line.overs + ')';
  return told.home + " v " + told.away;
}

// "454 & 217/2d v 256 & 12/1 (3.2)", home first; then a super over, then how the match ended, then the result.
std::string game::line_text() const {
  auto told = state.told;
  const bool super = state.now && state.now->kind == innings_kind::super_over;
  if (state.now && !super) {
    const auto line = line_of(*state.now, players());
    auto& text = told[line.batting];
    if (!text.empty()) text += " & ";
    text += short_text(line, players()) + " (" + line.overs + ')';
  }
  for (auto* one : {&told.home, &told.away})
    if (one->empty()) *one = "–";
  auto out = told.home + " v " + told.away;
  if (super) out += ", super over " + super_over_text();
  out = sdk::list_line(match, out, "");
  const bool said = state.result.no_result && match.ended && match.ended->reason == sdk::end_reason::no_result;
  if (state.result.decided() && !said) out += ", " + result_text(state.result);
  return out;
}

// All closed innings. A tie can go on for any number of super overs: of more than fit into a scoreboard of 2 KiB, the
// oldest super overs are left to the state. Long names leave less room.
std::string game::closed_lines() const {
  std::size_t room = closed_lines_bytes_max;
  for (const auto& card : state.now ? state.now->at : std::vector<batting_card>{})
    room -= std::min(room, card.batter.size());
  if (state.now && state.now->bowler) room -= std::min(room, state.now->bowler->bowler.size());
  auto shown = state.lines;
  for (auto lines = std::vector<innings_line>{}; shown.size() > room; shown = sdk::to_json(lines)) {
    if (lines.empty()) lines = read_lines(state.lines);
    const auto oldest = std::find_if(lines.begin(), lines.end(),
                                     [](const innings_line& one) { return one.kind == innings_kind::super_over; });
    if (oldest == lines.end()) break;
    lines.erase(oldest);
  }
  return shown;
}

board game::scoreboard() const {
  board out;
  out.period = period_text();
  out.score = state.totals;
  out.line = line_text();
  out.result = state.result;
  out.innings.closed = closed_lines();
  if (!state.now) return out;
  const auto& now = *state.now;
  if (now.kind == innings_kind::normal) out.score[now.batting] += now.runs;
  out.innings.now = line_of(now, players());
  for (const auto& card : now.at) out.batting.push_back({card.batter, card.runs, card.balls, card.fours, card.sixes});
  if (const auto& card = now.bowler)
    out.bowling = bowler_view{card->bowler, card->balls, card->maidens, card->runs, card->wickets};
  return out;
}

} // namespace omnium::cricket

namespace omnium::sdk {

void codec<cricket::innings_list>::write(const cricket::innings_list& what, std::string& out) {
  out += what.closed;
  if (!what.now) return;
  out.back() = ',';
  if (what.closed.size() == 2) out.pop_back();
  codec<cricket::innings_line>::write(*what.now, out);
  out += ']';
}

void codec<cricket::innings_list>::schema(const rules&, std::string& out) { out += R"("type":"array")"; }

} // namespace omnium::sdk
