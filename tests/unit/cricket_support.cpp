#include "tests/unit/cricket_support.hpp"

#include "tests/catch.hpp"

namespace omnium::cricket_test {

namespace {

using corpus::json_document;
using corpus::json_view;

json_document parse(const std::string& text) {
  auto made = json_document::parse(text);
  REQUIRE(std::holds_alternative<json_document>(made));
  return std::move(std::get<json_document>(made));
}

class comparer {
public:
  explicit comparer(std::vector<std::string>& out) : out_(out) {}
  void same(const std::string& what, std::int64_t is, std::int64_t expected) {
    if (is != expected) out_.push_back(what + " is " + std::to_string(is) + ", expected " + std::to_string(expected));
  }
  void same(const std::string& what, const std::string& is, const std::string& expected) {
    if (is != expected) out_.push_back(what + " is " + is + ", expected " + expected);
  }

private:
  std::vector<std::string>& out_;
};

const json_view find(const std::vector<json_view>& cards, const char* key, const std::string& name) {
  for (const json_view& card : cards)
    if (card[key].text() == name) return card;
  return {};
}

void compare_batters(comparer& to, const std::string& at, const std::vector<json_view>& all, json_view expected) {
  to.same(at + " batters", static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(expected.members().size()));
  for (const auto& [name, known] : expected.members()) {
    const json_view card = find(all, "batter", name);
    for (const char* member : {"runs", "balls", "fours", "sixes"})
      to.same(at + ' ' + name + ' ' + member, card[member].integer_or(-1), known[member].integer_or(-1));
    to.same(at + ' ' + name, card["out"].text("not out"), known["out"].text("not out"));
  }
}

void compare_bowlers(comparer& to, const std::string& at, const std::vector<json_view>& all, json_view expected) {
  to.same(at + " bowlers", static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(expected.members().size()));
  for (const auto& [name, known] : expected.members()) {
    const json_view card = find(all, "bowler", name);
    to.same(at + ' ' + name + " balls", card["balls"].integer_or(-1), known["legal_balls"].integer_or(-1));
    for (const char* member : {"runs", "wickets"})
      to.same(at + ' ' + name + ' ' + member, card[member].integer_or(-1), known[member].integer_or(-1));
  }
}

void compare_line(comparer& to, const std::string& at, json_view line, json_view known, bool home) {
  to.same(at + " batting", line["batting"].text(), home ? "home" : "away");
  to.same(at + " kind", line["kind"].text(), known["super_over"].flag() ? "super_over" : "normal");
  to.same(at + " runs", line["runs"].integer_or(-1), known["runs"].integer_or(-2));
  to.same(at + " wickets", line["wickets"].integer_or(-1), known["wickets"].integer_or(-2));
  to.same(at + " balls", line["balls"].integer_or(-1), known["legal_balls"].integer_or(-2));
  to.same(at + " overs", line["overs"].text(), known["overs"].text());
  to.same(at + " declared", line["declared"].flag(), known["declared"].flag());
  to.same(at + " closed", line["closed"].flag(), true);
  if (known["target"]) to.same(at + " target", line["target"].integer_or(-1), known["target"]["runs"].integer_or(-2));
  const auto apart = known["penalty_pre"].integer_or(0) + known["penalty_post"].integer_or(0);
  for (const char* member : {"wides", "noballs", "byes", "legbyes"})
    to.same(at + ' ' + member, line["extras"][member].integer_or(-1), known["extras"][member].integer_or(0));
  to.same(at + " penalty", line["extras"]["penalty"].integer_or(-1), known["extras"]["penalty"].integer_or(0) + apart);
}

} // namespace

corpus::recording read(const std::string& path) {
  auto result = corpus::find_format("cricsheet")->read({path});
  if (const auto* error = std::get_if<std::string>(&result)) FAIL(*error);
  return std::move(std::get<std::vector<corpus::recording>>(result).front());
}

played play(const corpus::recording& what) {
  played out{sdk::test::match{OMNIUM_BINARY_DIR "/sports/cricket/" + what.release, what.settings}, {}};
  for (const auto& command : what.commands) {
    const auto answer = out.match.play(command.code, command.input);
    if (!answer.accepted)
      out.refusals.push_back(command.key + ' ' + command.input + ": " + answer.code + ": " + answer.message);
  }
  return out;
}

std::vector<std::string> differences(const sdk::test::match& match, json_view expected) {
  std::vector<std::string> out;
  comparer to{out};
  const json_document board = parse(match.scoreboard()), state = parse(match.state());
  const std::string home = expected["teams"].at(0).text();
  for (const auto& [team, total] : expected["totals"].members())
    to.same(team, board.root()["score"][team == home ? "home" : "away"].integer_or(-1), total.integer_or(-2));
  const auto lines = board.root()["innings"].items(), known = expected["innings"].items();
  to.same("innings", static_cast<std::int64_t>(lines.size()), static_cast<std::int64_t>(known.size()));
  for (std::size_t i = 0; i < std::min(lines.size(), known.size()); ++i) {
    const std::string at = "innings " + std::to_string(i + 1);
    compare_line(to, at, lines[i], known[i], known[i]["team"].text() == home);
    const bool last = i + 1 == lines.size();
    const json_view cards = last ? state.root() : state.root()["cards"].at(i);
    auto batting = cards["batting"].items(), bowling = cards["bowling"].items();
    if (last) {
      for (const json_view& card : state.root()["now"]["at"].items()) batting.push_back(card);
      if (state.root()["now"]["bowler"]) bowling.push_back(state.root()["now"]["bowler"]);
    }
    compare_batters(to, at, batting, known[i]["batters"]);
    compare_bowlers(to, at, bowling, known[i]["bowlers"]);
  }
  return out;
}

sdk::test::match live(const std::string& package, const std::string& settings) {
  sdk::test::match m(package, settings);
  REQUIRE(m.play("match.start").accepted);
  return m;
}

std::string ball(const std::string& batter, const std::string& non_striker, const std::string& bowler, int runs,
                 const std::string& more) {
  std::string out = R"({"batter":")" + batter + R"(","non_striker":")" + non_striker + R"(","bowler":")" + bowler +
                    R"(","runs":{"batter":)" + std::to_string(runs) + "}";
  return out + (more.empty() ? "" : "," + more) + "}";
}

std::string wicket(const std::string& kind, const std::string& out) {
  return R"("wickets":[{"kind":")" + kind + R"(","player_out":")" + out + R"("}])";
}

void plays(sdk::test::match& m, const std::string& code, const std::string& input) {
  const auto is = m.play(code, input);
  CAPTURE(code, input, is.code, is.message);
  REQUIRE(is.accepted);
}

std::string start(const std::string& batting, const std::string& more) {
  return R"({"action":"start","batting":")" + batting + '"' + (more.empty() ? "" : ',' + more) + '}';
}

std::string end(const std::string& reason, const std::string& more) {
  return R"({"action":"end","reason":")" + reason + '"' + (more.empty() ? "" : ',' + more) + '}';
}

sdk::test::match batting(const std::string& more, const std::string& package, const std::string& settings) {
  auto m = live(package, settings);
  REQUIRE(m.play("cricket.innings", start("home", more)).accepted);
  return m;
}

void overs(sdk::test::match& m, int count, int balls_per_over) {
  for (int over = 0; over < count; ++over)
    for (int i = 0; i < balls_per_over; ++i)
      REQUIRE(m.play("cricket.ball", ball("A", "B",
                                          m.board("/bowling/bowler") == "X" && i == 0 ? "Y"
                                          : i == 0                                    ? "X"
                                                                                      : m.board("/bowling/bowler")))
                  .accepted);
}

void all_out(sdk::test::match& m, int runs_first) {
  for (int i = 0; i < 10; ++i) {
    const std::string striker = "P" + std::to_string(i + 1), other = "P" + std::to_string(i + 2);
    const std::string bowler = i / 6 % 2 == 0 ? "X" : "Y";
    const std::string out = R"("wickets":[{"kind":"bowled","player_out":")" + striker + R"("}])";
    REQUIRE(m.play("cricket.ball", ball(striker, other, bowler, i == 0 ? runs_first : 0, out)).accepted);
  }
}

} // namespace omnium::cricket_test
