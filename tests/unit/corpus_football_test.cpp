// Every recorded football match folds, by the plugin itself, to what is known of it.
#include "sports/corpus/json_in.hpp"
#include "tests/catch.hpp"
#include "tests/unit/corpus_support.hpp"

#include <map>
#include <set>

namespace {

using namespace omnium::corpus;
using namespace omnium::corpus_test;

const std::string package = OMNIUM_BINARY_DIR "/sports/football/1.0.0";

// What a fold of a recording shows on its way.
struct folded {
  std::map<std::string, std::pair<int, int>> score_after; // by period
  std::vector<std::string> goals;                         // "side period minute scorer kind"
  std::vector<std::string> kicks;                         // "side scored"
  std::vector<std::string> cards;                         // "side minute player card"
  std::string scoreboard;
  std::vector<std::string> refusals;
};

json_document parse(const std::string& text) {
  auto made = json_document::parse(text);
  REQUIRE(std::holds_alternative<json_document>(made));
  return std::move(std::get<json_document>(made));
}

// 90+5 -> 95: as the expectations count.
int running_minute(const std::string& printed) {
  const auto plus = printed.find('+');
  return std::stoi(printed) + (plus == std::string::npos ? 0 : std::stoi(printed.substr(plus + 1)));
}

void note_command(const recorded_command& command, json_view input, const omnium::sdk::test::match& match,
                  folded& out) {
  const std::string side = input["side"].text(), period = match.board("/period");
  const std::string minute = input["minute"] ? std::to_string(running_minute(input["minute"].text())) : "";
  if (command.code == "football.period" && input["action"].text() == "end")
    out.score_after[input["period"].text()] = {std::stoi(match.board("/score/home")),
                                               std::stoi(match.board("/score/away"))};
  if (command.code == "football.goal")
    out.goals.push_back(side + ' ' + period + ' ' + minute + ' ' + input["scorer"].text("-") + ' ' +
                        input["kind"].text());
  if (command.code == "football.penalty" && input["result"].text() == "scored")
    out.goals.push_back(side + ' ' + period + ' ' + minute + ' ' + input["taker"].text() + " penalty");
  if (command.code == "football.shootout_kick")
    out.kicks.push_back(side + (input["result"].text() == "scored" ? " 1" : " 0"));
  if (command.code == "football.card")
    out.cards.push_back(side + ' ' + minute + ' ' + (input["official"].flag() ? "-" : input["player"].text()) + ' ' +
                        input["card"].text());
}

folded fold(const recording& what) {
  folded out;
  auto done = play(what, package, [&](const recorded_command& command, const auto& answer, const auto& match) {
    const json_document input = parse(command.input);
    if (answer.accepted) note_command(command, input.root(), match, out);
  });
  out.scoreboard = done.match.scoreboard();
  out.refusals = std::move(done.refusals);
  INFO(what.match_key);
  CHECK(done.match.check() == "");
  return out;
}

void check_nothing_refused(const recording& what, const folded& is) {
  INFO(what.match_key << " " << what.home_name << " v " << what.away_name);
  for (const std::string& one : is.refusals) FAIL_CHECK(one);
}

std::pair<int, int> pair_of(json_view two, const std::string& home, const std::string& away) {
  return {static_cast<int>(two[home].integer_or(-1)), static_cast<int>(two[away].integer_or(-1))};
}

std::string names_of(const std::string& path, const std::string& id) {
  const auto file = read_json(path);
  std::map<std::string, int> times;
  std::string name, full;
  for (const auto& [team, players] : std::get<json_document>(file).root()["players"].members())
    for (const json_view& entry : players.items()) {
      const json_view player = entry["player"];
      ++times[unescape_twice(player["shortName"].text())];
      if (player["wyId"].text() != id) continue;
      name = unescape_twice(player["shortName"].text());
      full = unescape_twice(player["firstName"].text() + ' ' + player["lastName"].text());
    }
  return times[name] > 1 ? full : name; // two of one name are told apart by the full one
}

void check_wyscout(const std::string& path, json_view expected) {
  const recording what = read("wyscout", {path}).front();
  const folded is = fold(what);
  INFO(path);
  check_nothing_refused(what, is);
  const std::string home = expected["home"].text();
  std::string away;
  for (const auto& [id, name] : expected["teams"].members())
    if (id != home) away = id;
  CHECK(what.home_name == expected["teams"][home].text());
  CHECK(what.away_name == expected["teams"][away].text());
  const json_view folds = expected["folded"];
  CHECK(is.score_after.at("H1") == pair_of(folds["half_time"], home, away));
  CHECK(is.score_after.at("H2") == pair_of(folds["full_time"], home, away));
  const json_document board = parse(is.scoreboard);
  CHECK(pair_of(board.root()["score"], "home", "away") == pair_of(folds["after_extra_time"], home, away));
  const bool shootout = !expected["shootout_kicks"].items().empty();
  CHECK(static_cast<bool>(board.root()["shootout"]) == shootout);
  if (shootout) CHECK(pair_of(board.root()["shootout"], "home", "away") == pair_of(folds["shootout"], home, away));

  const auto side = [&](json_view one) {
    return one["team"].text() == home ? std::string{"home"} : std::string{"away"};
  };
  static const char* const periods[] = {"", "H1", "H2", "ET1", "ET2"};
  std::vector<std::string> goals, kicks, cards;
  for (const json_view& one : expected["goals"].items()) {
    const std::string kind = one["kind"].text();
    goals.push_back(side(one) + ' ' + periods[one["period"].integer_or(0)] + ' ' + one["minute"].text() + ' ' +
                    names_of(path, one["player"].text()) + ' ' + (kind == "own goal" ? "own_goal" : kind));
  }
  std::vector<std::string> is_goals = is.goals;
  for (std::string& goal : is_goals) // the expectation makes no difference between a free kick and open play
    for (const char* kind : {"open_play", "free_kick"})
      if (const auto at = goal.find(kind); at != std::string::npos) goal.replace(at, std::string::npos, "goal");
  for (const json_view& one : expected["shootout_kicks"].items())
    kicks.push_back(side(one) + (one["scored"].flag() ? " 1" : " 0"));
  for (const json_view& one : expected["cards"].items()) {
    const std::string card = one["card"].text();
    cards.push_back(side(one) + ' ' + one["minute"].text() + ' ' + names_of(path, one["player"].text()) + ' ' +
                    (card == "second yellow" ? "second_yellow" : card));
  }
  CHECK(is_goals == goals);
  CHECK(is.kicks == kicks);
  CHECK(is.cards == cards);
  // The metadata's result: where the events agree with it, so does the fold; where they do not, the reader said so.
  const bool agrees = expected["agrees"].flag();
  CHECK((disagreement(what.truth, is.scoreboard) == "") == agrees);
  CHECK(what.notes.empty() == agrees);
}

// The other providers' expectations: goals by minute and kind, the end of the match.
void check_provider(const std::string& format, const std::string& path, json_view expected) {
  const recording what = read(format, {path}).front();
  const folded is = fold(what);
  INFO(path);
  check_nothing_refused(what, is);
  const json_document board = parse(is.scoreboard);
  const json_view folds = expected["folded"];
  std::string home = "home", away = "away";
  if (format == "datafactory") home = "282", away = "279";
  if (format == "statsbomb") home = what.home_name, away = what.away_name;
  CHECK(pair_of(board.root()["score"], "home", "away") == pair_of(folds, home, away));
  if (!what.truth.empty()) CHECK((disagreement(what.truth, is.scoreboard) == "") == expected["agrees"].flag());
  const auto side = [&](json_view one) {
    return one["team"].text() == away || one["side"].text() == "away" ? std::string{"away "} : std::string{"home "};
  };
  std::vector<std::string> cards;
  for (const json_view& one : expected["cards"].items()) {
    std::string card = one["card"].text();
    card = card == "second yellow" ? "second_yellow" : card == "Yellow Card" ? "yellow" : card;
    // These sources count minutes from nought.
    cards.push_back(side(one) + std::to_string(one["minute"].integer_or(0) + 1) + ' ' + one["player"].text("-") + ' ' +
                    card);
  }
  if (expected["cards"]) CHECK(is.cards == cards);
  for (const json_view& one : expected["goals"].items()) {
    const bool edited =
        one["minute"].integer_or(0) == 44; // put into the file at a minute that its period does not have
    const std::string goal = side(one) + "H2 " + (edited ? "90" : std::to_string(one["minute"].integer_or(0) + 1)) +
                             ' ' + one["player"].text();
    CAPTURE(goal);
    CHECK(
        std::any_of(is.goals.begin(), is.goals.end(), [&](const std::string& got) { return got.rfind(goal, 0) == 0; }));
  }
}

struct table_row {
  int played = 0, won = 0, drawn = 0, lost = 0, goals_for = 0, goals_against = 0;
  int points() const { return 3 * won + drawn; }
};

void check_league(const std::string& path, json_view expected) {
  std::map<std::string, table_row> table;
  for (const recording& what : read("openfootball", {path})) {
    const folded is = fold(what);
    check_nothing_refused(what, is);
    CHECK(disagreement(what.truth, is.scoreboard) == "");
    const auto [home, away] = pair_of(parse(is.scoreboard).root()["score"], "home", "away");
    const auto add = [](table_row& row, int scored, int conceded) {
      ++row.played;
      row.goals_for += scored;
      row.goals_against += conceded;
      ++(scored > conceded ? row.won : scored < conceded ? row.lost : row.drawn);
    };
    add(table[what.home_name], home, away);
    add(table[what.away_name], away, home);
  }
  CHECK(table.size() == expected["table"].items().size());
  for (const json_view& row : expected["table"].items()) {
    INFO(row["team"].text());
    const table_row& is = table[row["team"].text()];
    CHECK(is.played == row["played"].integer_or(-1));
    CHECK(is.won == row["won"].integer_or(-1));
    CHECK(is.drawn == row["drawn"].integer_or(-1));
    CHECK(is.lost == row["lost"].integer_or(-1));
    CHECK(is.goals_for == row["goals_for"].integer_or(-1));
    CHECK(is.goals_against == row["goals_against"].integer_or(-1));
    CHECK(is.points() == row["points"].integer_or(-1));
  }
}

void check_tournament(const std::string& path, json_view expected) {
  std::int64_t matches = 0, goals = 0, own_goals = 0, penalties = 0, shootouts = 0, extra_time = 0;
  std::set<std::string> differ, expect;
  for (const recording& what : read("openfootball", {path})) {
    const folded is = fold(what);
    check_nothing_refused(what, is);
    CHECK(disagreement(what.truth, is.scoreboard) == "");
    ++matches;
    goals += static_cast<std::int64_t>(is.goals.size());
    for (const std::string& goal : is.goals) {
      own_goals += goal.find(" own_goal") != std::string::npos;
      penalties += goal.find(" penalty") != std::string::npos;
    }
    shootouts += !is.kicks.empty();
    extra_time += is.score_after.count("ET2") > 0;
    for (const std::string& note : what.notes)
      if (note.find("at half time") != std::string::npos) differ.insert(what.home_name + " v " + what.away_name);
  }
  CHECK(matches == expected["matches"].integer_or(-1));
  CHECK(goals == expected["goals"].integer_or(-1));
  CHECK(own_goals == expected["own_goals"].integer_or(-1));
  CHECK(penalties == expected["penalties"].integer_or(-1));
  CHECK(shootouts == expected["shootouts"].integer_or(-1));
  CHECK(extra_time == expected["extra_time"].integer_or(-1));
  for (const json_view& one : expected["differs"].items()) expect.insert(one.at(0).text() + " v " + one.at(1).text());
  CHECK(differ == expect);
}

// Folds every file that a folder's expected.json names.
int check_folder(const std::string& folder) {
  const auto file = read_json(folder + "/expected.json");
  REQUIRE(std::holds_alternative<json_document>(file));
  int files = 0;
  for (const auto& [name, expected] : std::get<json_document>(file).root().members()) {
    const std::string path = folder + '/' + name, format = name.substr(0, name.find('/'));
    ++files;
    if (format == "wyscout") check_wyscout(path, expected);
    else if (format != "openfootball") check_provider(format, path, expected);
    else if (expected["table"]) check_league(path, expected);
    else check_tournament(path, expected);
  }
  return files;
}

} // namespace

TEST_CASE("the recorded football matches of the tree fold to what is known of them") {
  CHECK(check_folder(own_data("football")) == 4);
}

TEST_CASE("the recorded football matches of the larger set fold to what is known of them") {
  const auto folder = shared_data("football");
  if (!folder) return;
  CHECK(check_folder(*folder) == 17);
}
