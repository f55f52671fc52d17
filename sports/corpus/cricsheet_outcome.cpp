#include "sports/corpus/cricsheet.hpp"

namespace omnium::corpus::cricsheet {

namespace {

std::string margin_json(json_view by) {
  json_object out;
  for (const char* member : {"innings", "runs", "wickets"})
    if (const auto value = by[member].integer()) out.number(member, *value);
  return out.str();
}

// The result in the scoreboard's words.
std::string truth_of(const match& m, json_view outcome) {
  json_object out;
  const std::string said = outcome["result"].text();
  std::string winner = m.side(outcome["winner"].text()), decider;
  if (outcome["eliminator"]) winner = m.side(outcome["eliminator"].text()), decider = "super_over";
  if (outcome["bowl_out"]) winner = m.side(outcome["bowl_out"].text()), decider = "bowl_out";
  out.text_if("winner", winner);
  if (outcome["by"]) out.raw("by", margin_json(outcome["by"]));
  if (said == "tie") out.flag("tie", true);
  if (said == "draw") out.flag("draw", true);
  if (said == "no result") out.flag("no_result", true);
  out.text_if("method", outcome["method"].text());
  out.text_if("decider", decider);
  return json_object{}.raw("result", out.str()).str();
}

void add_outcome(match& m, json_view outcome) {
  json_object in;
  in.text_if("winner", m.side(outcome["winner"].text()));
  in.text_if("result", outcome["result"].text());
  in.text_if("method", outcome["method"].text());
  in.text_if("eliminator", m.side(outcome["eliminator"].text()));
  in.text_if("bowl_out", m.side(outcome["bowl_out"].text()));
  m.add("cricket.outcome", "outcome", in);
}

void add_end(match& m, json_view outcome) {
  json_object in;
  const bool awarded = outcome["method"].text() == "Awarded";
  const bool nothing = outcome["result"].text() == "no result";
  in.text("reason", awarded ? "awarded" : nothing ? "no_result" : "completed");
  in.text_if("winner", m.side(outcome["winner"].text()));
  m.add("match.end", "end", in);
}

// Runs of the last normal innings beyond one short of its target: 0 is a tie, below it the other side is ahead.
std::optional<int> ahead_of_target(const std::vector<innings_total>& all, const innings_total*& last) {
  int mine = 0, theirs = 0, normal = 0;
  last = nullptr;
  for (const innings_total& one : all)
    if (!one.super) last = &one, ++normal;
  if (last == nullptr || normal < 2) return std::nullopt;
  for (const innings_total& one : all)
    if (!one.super && &one != last) (one.side == last->side ? mine : theirs) += one.runs;
  const int target = last->target.value_or(theirs - mine + 1);
  return last->runs - (target - 1);
}

void note_contradictions(match& m, json_view outcome, const std::vector<innings_total>& all) {
  const innings_total* last = nullptr;
  const auto ahead = ahead_of_target(all, last);
  const json_view by = outcome["by"];
  if (!ahead || by["innings"]) return;
  const std::string winner = m.side(outcome["winner"].text());
  const auto wickets = by["wickets"].integer(), runs = by["runs"].integer();
  const int lead = winner == last->side ? *ahead : -*ahead;
  if (wickets && (winner != last->side || lead <= 0))
    m.note("The outcome says won by " + std::to_string(*wickets) + " wickets, but the balls do not reach the target.");
  if (runs && *runs != lead)
    m.note("The outcome says won by " + std::to_string(*runs) + " runs; against the target the balls say " +
           std::to_string(lead) + '.');
  if (!winner.empty() && !by && !outcome["method"]) m.note("The outcome names a winner without a margin or a method.");
}

} // namespace

void read_outcome(match& m, const std::vector<innings_total>& all) {
  const json_view outcome = m.info["outcome"];
  if (!outcome.is_object()) {
    m.note("The file does not tell the outcome.");
    return;
  }
  note_contradictions(m, outcome, all);
  add_outcome(m, outcome);
  add_end(m, outcome);
  m.out.truth = truth_of(m, outcome);
}

} // namespace omnium::corpus::cricsheet
