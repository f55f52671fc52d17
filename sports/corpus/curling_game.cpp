#include "sports/corpus/curling_game.hpp"

namespace omnium::corpus::curling {

namespace {

std::string at_end(std::size_t index, std::string_view what) {
  return 'e' + std::to_string(index + 1) + ':' + std::string{what};
}

std::array<int, 2> total_before(const std::vector<end>& ends, std::size_t index) {
  std::array<int, 2> sum{0, 0};
  for (std::size_t i = 0; i < index && i < ends.size(); ++i)
    if (ends[i].score)
      for (std::size_t s = 0; s < 2; ++s) sum[s] += (*ends[i].score)[s];
  return sum;
}

std::string said(const std::array<int, 2>& score) { return std::to_string(score[0]) + '-' + std::to_string(score[1]); }

// A side has five stones in mixed doubles, eight else; where the source has more of one side, it stands as recorded.
void add_stones(recorder& into, const std::string& format, const end& one, std::size_t index) {
  const int most = format == "mixed_doubles" ? 5 : 8;
  std::array<int, 2> thrown_by{};
  for (std::size_t s = 0; s <= one.stones.size(); ++s) {
    for (const timeout& pause : one.timeouts) {
      const auto place = static_cast<std::size_t>(pause.before_stone > 0 ? pause.before_stone - 1 : 0);
      if (std::min(place, one.stones.size()) != s) continue;
      into.add("curling.timeout", at_end(index, std::string{"timeout:"} + std::string{name_of(pause.by)}),
               json_object{}.text("side", name_of(pause.by)));
    }
    if (s == one.stones.size()) break;
    const stone& thrown = one.stones[s];
    json_object input;
    input.text("side", name_of(thrown.by)).text_if("player", thrown.player).text_if("shot", thrown.shot);
    input.text_if("turn", thrown.turn);
    if (thrown.points) input.number("points", *thrown.points);
    if (++thrown_by[thrown.by == side::home ? 0 : 1] > most) {
      input.text("umpire", "the source records the stone for this side");
      into.note("End " + std::to_string(index + 1) + ": the file has more stones of the " +
                std::string{name_of(thrown.by)} + " side than it has to throw.");
    }
    into.add("curling.stone", at_end(index, "stone:" + std::to_string(s + 1)), input);
  }
}

void add_score(recorder& into, const std::array<int, 2>& score, std::size_t index) {
  if (score[0] == 0 && score[1] == 0) {
    into.add("curling.end_score", at_end(index, "score"), json_object{}.number("points", 0));
    return;
  }
  if (score[0] > 0 && score[1] > 0) into.note("End " + std::to_string(index + 1) + " says that both sides scored.");
  for (const side by : {side::home, side::away}) {
    const int points = score[by == side::home ? 0 : 1];
    if (points == 0) continue;
    const bool second = by == side::away && score[0] > 0;
    into.add("curling.end_score", at_end(index, second ? "score:away" : "score"),
             json_object{}.text("side", name_of(by)).number("points", points));
  }
}

// An end that has neither score nor play is not played: the plugin shows it as such by itself.
bool begun(const end& one) { return one.score || !one.stones.empty() || !one.timeouts.empty(); }

// Who has the hammer next by the rules; the source's own record overrules it.
side next_hammer(const std::string& format, side now, const std::array<int, 2>& score) {
  if (score[0] != score[1]) return score[0] > score[1] ? side::away : side::home;
  return format == "mixed_doubles" ? other(now) : now;
}

// Sends the source's hammer where the rules would give it to the other side: a wrong start stands (R5).
void add_hammer(recorder& into, const end& one, std::size_t index, std::optional<side>& hammer) {
  if (!one.hammer || one.hammer == hammer) return;
  into.add("curling.hammer", at_end(index, "hammer"), json_object{}.text("side", name_of(*one.hammer)));
  if (hammer)
    into.note("End " + std::to_string(index + 1) + ": the file gives the hammer to " +
              std::string{name_of(*one.hammer)} + ", the rules to the other side.");
  hammer = one.hammer;
}

void add_end(recorder& into, const game& what, std::size_t index, std::optional<side>& hammer) {
  const end& one = what.ends[index];
  add_hammer(into, one, index, hammer);
  if (static_cast<int>(index) >= what.scheduled_ends)
    into.add("curling.extra_end", at_end(index, "extra"), json_object{});
  if (one.power_play)
    into.add("curling.power_play", at_end(index, "power_play"), json_object{}.text("side", name_of(*one.power_play)));
  into.add("curling.end", at_end(index, "start"), json_object{}.text("action", "start"));
  add_stones(into, what.format, one, index);
  if (!one.score) return;
  add_score(into, *one.score, index);
  if (hammer) hammer = next_hammer(what.format, *hammer, *one.score);
}

void finish(recorder& into, const game& what) {
  const std::array<int, 2> sum = total_before(what.ends, what.ends.size());
  if (what.final_score && *what.final_score != sum)
    into.note("The ends sum to " + said(sum) + " but the file's result is " + said(*what.final_score) + '.');
  if (what.conceded) {
    into.add("curling.concede", "concede", json_object{}.text("side", name_of(*what.conceded)));
    into.add("match.end", "end", json_object{}.text("reason", "conceded"));
    return;
  }
  if (sum[0] == sum[1] && !what.winner) {
    into.note("The ends in the file leave the game level, so it is not ended here.");
    return;
  }
  // A level game cannot be completed (R11): whom the file names has it from the officials.
  if (sum[0] == sum[1]) {
    into.note("The ends in the file leave the game level; its winner " + std::string{name_of(*what.winner)} +
              " is taken as awarded.");
    into.add("match.end", "end", json_object{}.text("reason", "awarded").text("winner", name_of(*what.winner)));
    return;
  }
  const side leader = sum[0] > sum[1] ? side::home : side::away;
  if (what.winner && *what.winner != leader)
    into.note("The file's winner is " + std::string{name_of(*what.winner)} + " though the ends say otherwise.");
  json_object input;
  input.text("reason", "completed");
  if (what.winner) input.text("winner", name_of(*what.winner));
  into.add("match.end", "end", input);
}

void state_truth(recorder& into, const game& what) {
  const auto score = what.final_score ? *what.final_score : total_before(what.ends, what.ends.size());
  json_object truth;
  truth.raw("score", json_object{}.number("home", score[0]).number("away", score[1]).str());
  into.out.truth = truth.str();
}

} // namespace

std::string_view name_of(side which) { return which == side::home ? "home" : "away"; }
side other(side which) { return which == side::home ? side::away : side::home; }

int scheduled(const std::string& format, const std::vector<end>& ends) {
  if (format == "mixed_doubles" || ends.size() <= 8) return 8;
  const auto after_eight = total_before(ends, 8);
  return ends.size() == 9 && ends[8].score && after_eight[0] == after_eight[1] ? 8 : 10;
}

void record(recorder& into, const game& what) {
  into.out.sport = "curling";
  into.out.settings = json_object{}.text("format", what.format).number("ends", what.scheduled_ends).str();
  into.add("match.start", "start", json_object{});
  if (what.hammer_first) into.add("curling.hammer", "hammer", json_object{}.text("side", name_of(*what.hammer_first)));
  std::optional<side> hammer = what.hammer_first;
  for (std::size_t i = 0; i < what.ends.size(); ++i)
    if (begun(what.ends[i])) add_end(into, what, i, hammer);
  finish(into, what);
  state_truth(into, what);
}

} // namespace omnium::corpus::curling
