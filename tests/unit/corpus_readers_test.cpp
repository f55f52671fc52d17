// What the readers share, and what they say of files that are no good.
#include "sports/corpus/file.hpp"
#include "sports/corpus/football.hpp"
#include "sports/corpus/json_in.hpp"
#include "sports/corpus/json_out.hpp"
#include "tests/catch.hpp"
#include "tests/unit/corpus_support.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <zlib.h>

using namespace omnium::corpus;
using namespace omnium::corpus_test;

namespace {

struct scratch_folder {
  std::string path = (std::filesystem::temp_directory_path() / "omnium-corpus-XXXXXX").string();
  scratch_folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~scratch_folder() { std::filesystem::remove_all(path); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path + '/' + name, std::ios::binary) << text;
    return path + '/' + name;
  }
  std::string put_gz(const std::string& name, const std::string& text) const {
    const std::string file = path + '/' + name;
    gzFile out = gzopen(file.c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    return file;
  }
};

std::string error_of(const read_result& result) {
  const auto* error = std::get_if<std::string>(&result);
  return error == nullptr ? std::string{} : *error;
}

} // namespace

TEST_CASE("keys are printable, bounded and told apart") {
  CHECK(make_key("a", "b c", "é%") == "a:b%20c:%C3%A9%25");
  const std::string longer(300, 'x');
  const auto one = make_key("s", longer, "1"), two = make_key("s", longer, "2");
  CHECK(one.size() == 200);
  CHECK(one != two);
  CHECK(one == make_key("s", longer, "1"));
}

TEST_CASE("every format is known by its name, once") {
  std::set<std::string_view> names;
  for (const auto& one : formats()) {
    CHECK(names.insert(one.name).second);
    CHECK(find_format(one.name) == &one);
    CHECK(one.read != nullptr);
  }
  CHECK(find_format("nothing") == nullptr);
}

TEST_CASE("a file is read as it is or inflated; what cannot be read is said with its name") {
  scratch_folder folder;
  CHECK(std::get<std::string>(read_file(folder.put("a.txt", "plain"))) == "plain");
  const auto packed = folder.put_gz("b.gz", std::string(100'000, 'z'));
  CHECK(std::get<std::string>(read_file(packed)) == std::string(100'000, 'z'));
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
  CHECK(std::holds_alternative<file_error>(read_file(packed)));
  CHECK(std::get<file_error>(read_file(folder.path)).message.find("folder") != std::string::npos);
  CHECK(std::get<file_error>(read_file(folder.path + "/none")).message.find("none") != std::string::npos);
  CHECK(file_stem("x/2058017.json.gz") == "2058017");
}

TEST_CASE("a file that is not what the format says is an error in words, and never a crash") {
  scratch_folder folder;
  const std::vector<std::string> texts{"",
                                       "no json",
                                       "{}",
                                       "[]",
                                       "null",
                                       "[1,2]",
                                       R"({"events":[]})",
                                       R"({"matches":[]})",
                                       R"({"events":[{"id":1}],"teams":{"1":{}}})",
                                       R"({"incidences":{}})",
                                       R"({"liveData":{"event":[{}]}})",
                                       R"([{"type":{"id":35}}])",
                                       R"({"matches":[7,{}]})"};
  for (const char* name : {"wyscout", "openfootball", "statsbomb", "datafactory", "statsperform"})
    for (const auto& text : texts) {
      CAPTURE(name, text);
      const auto result = find_format(name)->read({folder.put("x.json", text)});
      if (const auto* read = std::get_if<std::vector<recording>>(&result))
        for (const auto& one : *read) CHECK(one.commands.empty());
      else CHECK(error_of(result).find("x.json") != std::string::npos);
    }
  for (const char* name : {"wyscout", "openfootball", "statsbomb", "datafactory", "statsperform"})
    CHECK(error_of(find_format(name)->read({folder.path + "/none.json"})).find("none.json") != std::string::npos);
}

TEST_CASE("minutes are printed as the period they are played in") {
  CHECK(minute_label({1, 0}) == "1");
  CHECK(minute_label({1, 2699.9}) == "45");
  CHECK(minute_label({1, 2700}) == "45+1");
  CHECK(minute_label({2, -1}) == "46");
  CHECK(minute_label({2, 2982}) == "90+5");
  CHECK(minute_label({3, 0}) == "91");
  CHECK(minute_label({4, 960}) == "120+2");
  for (int minute = 1; minute <= 120; ++minute) CHECK(minute_label(moment_of(minute, 0)) == std::to_string(minute));
  CHECK(minute_label(moment_of(45, 6)) == "45+6");
  CHECK(minute_label(moment_of(105, 1)) == "105+1");
}

TEST_CASE("text from files is always JSON that the door takes") {
  std::string out;
  append_json_string(out, std::string_view{"a\"\\\n\0\xC3\xA9\xFF\xED\xA0\x80", 12});
  CHECK(out == "\"a\\\"\\\\\\u000a\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  CHECK(unescape_twice("Kant\\u00e9 \\ud83d\\ude00 \\u00 \\ud83d x") ==
        "Kant\xC3\xA9 \xF0\x9F\x98\x80 \\u00 \\ud83d x");
}

TEST_CASE("a result that the file does not give goal by goal is set at the end of each half") {
  scratch_folder folder;
  const auto path = folder.put("league.json", R"({"name":"L","matches":[
    {"date":"2023-08-18","time":"20:30","team1":"A","team2":"B","score":{"ht":[0,1],"ft":[2,1]}},
    {"date":"2023-08-19","team1":"C","team2":"D"},
    {"date":"2026-06-11","time":"18:00 UTC-6","team1":"E","team2":"F","score":{"ft":[1,0]},"goals1":[{"name":"x","minute":"45+2"}],"goals2":[]}]})");
  const auto all = read("openfootball", {path});
  REQUIRE(all.size() == 3);
  const auto one = play(all[0], OMNIUM_BINARY_DIR "/sports/football/1.0.0");
  CHECK(one.refusals.empty());
  CHECK(one.match.board("/score") == R"({"home":2,"away":1})");
  CHECK(all[1].commands.empty());
  CHECK(all[1].notes.size() == 2);
  CHECK(all[2].starts_at == "2026-06-11T18:00:00-06:00");
  CHECK(play(all[2], OMNIUM_BINARY_DIR "/sports/football/1.0.0").match.board("/goals/0/minute") == "45+2");
}

TEST_CASE("a Wyscout match without its metadata still folds to its score") {
  scratch_folder folder;
  const auto text = std::get<std::string>(read_file(own_data("football/wyscout/2058017.json")));
  const auto what = read("wyscout", {folder.put("2058017.json", text)}).front();
  CHECK(what.home_name == "France");
  CHECK(what.match_key == "wyscout:2058017");
  const auto done = play(what, OMNIUM_BINARY_DIR "/sports/football/1.0.0");
  CHECK(done.refusals.empty());
  CHECK(done.match.board("/score") == R"({"home":4,"away":2})");
  CHECK(what.notes.size() == 1);
}

TEST_CASE("an event of a team that does not play in the match is left out and noted, never counted for the home side") {
  scratch_folder folder;
  const auto result_of = [](const recording& what) {
    std::vector<std::string> strangers;
    for (const auto& note : what.notes)
      if (note.find("does not play in this match") != std::string::npos) strangers.push_back(note);
    REQUIRE(strangers.size() == 1);
    CHECK(strangers[0].find("99") != std::string::npos); // the team
    const auto done = play(what, OMNIUM_BINARY_DIR "/sports/football/1.0.0");
    CHECK(done.refusals.empty());
    return done.match.board("/score");
  };
  SECTION("StatsBomb") {
    const auto event = [](const char* id, int type, int team, const std::string& more) {
      const auto name = "T" + std::to_string(team);
      return R"({"id":")" + std::string(id) + R"(","period":1,"timestamp":"00:05:00.000","minute":5,"type":{"id":)" +
             std::to_string(type) + R"(},"team":{"id":)" + std::to_string(team) + R"(,"name":")" + name +
             R"("},"player":{"name":")" + name + R"( 0"})" + more + '}';
    };
    const auto eleven = [&](const char* id, int team) {
      std::string players;
      for (int i = 0; i < 11; ++i)
        players += std::string(i > 0 ? "," : "") + R"({"player":{"name":"T)" + std::to_string(team) + ' ' +
                   std::to_string(i) + R"("},"position":{"id":)" + std::to_string(i + 1) + "}}";
      return event(id, 35, team, R"(,"tactics":{"lineup":[)" + players + "]}");
    };
    const std::string goal = R"(,"shot":{"outcome":{"id":97},"type":{"id":87}})";
    const std::string text = "[" + eleven("a", 1) + ',' + eleven("b", 2) + ',' + event("c", 16, 1, goal) + ',' +
                             event("d", 16, 99, goal) + ',' + event("e", 16, 2, goal) + ']';
    CHECK(result_of(read("statsbomb", {folder.put("s.json", text)}).front()) == R"({"home":1,"away":1})");
  }
  SECTION("Stats Perform") {
    const auto goal = [](int id, const std::string& team) {
      return R"({"id":)" + std::to_string(id) +
             R"(,"typeId":16,"periodId":1,"timeMin":5,"timeSec":1,"outcome":1,)"
             R"("contestantId":")" +
             team + R"(","playerId":"p","playerName":"P","qualifier":[]})";
    };
    const std::string text =
        R"({"matchInfo":{"id":"m","date":"2021-05-08Z","time":"15:00:00Z","contestant":[{"id":"h1","name":"H","position":"home"},)"
        R"({"id":"a1","name":"A","position":"away"}]},"liveData":{"event":[)" +
        goal(1, "h1") + ',' + goal(2, "99") + ',' + goal(3, "a1") + "]}}";
    CHECK(result_of(read("statsperform", {folder.put("p.json", text)}).front()) == R"({"home":1,"away":1})");
  }
  SECTION("DataFactory") {
    const auto goal = [](const std::string& id, const std::string& team) {
      return '"' + id + R"(":{"type":9,"team":)" + team + R"(,"plyrId":1,"t":{"half":1,"m":5,"s":1}})";
    };
    const std::string text =
        R"({"match":{"matchId":7,"homeTeamId":1,"awayTeamId":2,"homeTeamName":"H","awayTeamName":"A"},)"
        R"("incidences":{"goals":{)" +
        goal("1", "1") + ',' + goal("2", "99") + ',' + goal("3", "2") + "}}}";
    CHECK(result_of(read("datafactory", {folder.put("d.json", text)}).front()) == R"({"home":1,"away":1})");
  }
  SECTION("Wyscout") {
    auto text = std::get<std::string>(read_file(own_data("football/wyscout/2058017.json")));
    const auto before = read("wyscout", {folder.put("w.json", text)}).front();
    const auto at = text.find("\"teamId\":");
    REQUIRE(at != std::string::npos);
    const auto from = text.find_first_of("0123456789", at);
    text.replace(from, text.find_first_not_of("0123456789", from) - from, "99");
    const auto after = read("wyscout", {folder.put("w.json", text)}).front();
    CHECK(after.notes.size() == before.notes.size() + 1);
    CHECK(result_of(after) == R"({"home":4,"away":2})");
  }
}
