// Corrections, previews and verdicts that change the past, with a model of the world around them.
#include "runtime/core/json.hpp"
#include "runtime/road/correction.hpp"
#include "runtime/road/preview.hpp"
#include "tests/unit/road_subject_support.hpp"

using namespace omnium;
using namespace omnium::model;

namespace {

// Log rows by hand, numbered from 1.
struct log_rows {
  std::int64_t last = 0;
  road::log_item operator()(const char* code, const char* input, bool play = true) {
    road::log_item item;
    item.seq = ++last;
    item.code = code;
    item.input = input;
    item.play = play;
    return item;
  }
};

} // namespace

TEST_CASE("an undo leaves nothing there") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.one.settle();
  auto before = b.db.scoreboard;
  b.add(b.one, "k2", 2);
  b.one.settle();
  b.send(b.one, "u1", "match.void", R"({"seq":2})");
  b.one.settle();
  REQUIRE(b.last("u1").what == outcome::accepted);
  REQUIRE(b.db.log.size() == 3);
  REQUIRE(b.db.scoreboard == before);
  REQUIRE(b.db.log[2].voids == std::vector<std::int64_t>{2});
  b.send(b.one, "u2", "match.void", R"({"seq":3})"); // the undo undone
  b.one.settle();
  REQUIRE(toy::fold(b.db.log).sum == 7);
  REQUIRE(b.consistent());
}

TEST_CASE("a correction's remarks are texts of 1 to 500 characters, whatever their bytes") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.one.settle();
  auto text = [](std::size_t characters) {
    std::string out;
    for (std::size_t i = 0; i < characters; ++i) out += "é";
    return json::quoted(out);
  };
  int n = 0;
  for (const std::string member : {"reason", "umpire"})
    for (const auto& bad : {std::string("5"), std::string("null"), std::string("\"\""), std::string("[]"), text(501)}) {
      const auto key = fmt::format("b{}", n++);
      b.send(b.one, key, "match.void", fmt::format(R"({{"seq":1,"{}":{}}})", member, bad));
      b.one.settle();
      CAPTURE(b.last(key).body);
      CHECK(b.last(key).status == 422);
      CHECK(b.last(key).body.find("/input/" + member) != std::string::npos);
    }
  b.send(b.one, "good", "match.void", fmt::format(R"({{"seq":1,"reason":{},"umpire":{}}})", text(500), text(500)));
  b.one.settle();
  CHECK(b.last("good").what == outcome::accepted);
}

TEST_CASE("a correction that breaks a later event is refused, or cascades when asked") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", -5);
  b.one.settle();
  b.send(b.one, "v1", "match.void", R"({"seq":1})");
  b.one.settle();
  REQUIRE(b.last("v1").status == 422);
  REQUIRE(b.last("v1").body.find("breaks_later") != std::string::npos);
  b.send(b.one, "v2", "match.void", R"({"cascade":true,"seq":1})");
  b.one.settle();
  REQUIRE(b.last("v2").what == outcome::accepted);
  REQUIRE(b.db.log.back().voids == std::vector<std::int64_t>{1, 2});
  REQUIRE(toy::fold(b.db.log).sum == 0);
  REQUIRE(b.consistent());
}

TEST_CASE("amend and insert read as if they had always been so") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", 1);
  b.one.settle();
  b.send(b.one, "a", "match.amend", R"({"input":{"v":9},"seq":1})");
  b.send(b.one, "i", "match.insert", R"({"before":2,"code":"toy.add","input":{"v":-9}})");
  b.one.settle();
  REQUIRE(b.last("a").what == outcome::accepted);
  REQUIRE(b.last("i").what == outcome::accepted);
  REQUIRE(toy::fold(b.db.log).sum == 1);
  REQUIRE(b.consistent());
  b.send(b.one, "bad", "match.amend", R"({"input":{"v":-1},"seq":1})");
  b.one.settle();
  REQUIRE(b.last("bad").body.find("\"negative\"") !=
          std::string::npos); // the amended event itself is what the rule refuses
}

TEST_CASE("a cancelled range takes every play in it, and leaves corrections and what is no play standing") {
  log_rows row;
  std::vector<road::log_item> log{
      row("match.start", "{}"),
      row("toy.add", R"({"side":"home","v":1})"),
      row("match.suspend", R"({"reason":"rain"})"),
      row("match.resume", "{}"),
      row("toy.shot", R"({"side":"home"})", false), // counted, no play
      row("toy.add", R"({"side":"away","v":1})"),
      row("toy.overturn", R"({"seq":6})"),
      row("toy.add", R"({"side":"away","v":2})"),
      row("match.void", R"({"seq":8})"),
      row("games.edit_competitor", "{}", false),
      row("toy.add", R"({"side":"home","v":1})"),
      row("match.insert", R"({"before":6,"code":"toy.add","input":{"side":"home","v":3}})")};
  log[6].voids = {6};
  log[8].voids = {8};
  const auto voids = [&](int from, int to, const std::string& side = "") {
    const auto input = fmt::format(R"({{"from":{},"to":{},"reason":"x"{}}})", from, to, side);
    return std::get<road::correction>(road::plan_correction("match.cancel_range", input, log)).row.voids;
  };
  using seqs = std::vector<std::int64_t>;
  CHECK(voids(1, 12) == seqs{1, 2, 3, 4, 6, 7, 11, 12});
  CHECK(voids(2, 4) == seqs{2, 3, 4});
  CHECK(voids(7, 7) == seqs{7});           // as an undo of it: what it overturned, outside, stands again
  CHECK(voids(6, 7) == seqs{6, 7});        // inside the range it does not
  CHECK(voids(4, 7) == seqs{4, 6, 7, 12}); // put in between the ends
  CHECK(voids(1, 12, R"(,"side":"home")") == seqs{2, 11, 12});
  for (const char* none : {R"({"from":5,"to":5,"reason":"x"})", R"({"from":8,"to":10,"reason":"x"})"})
    CHECK(std::get<reason>(road::plan_correction("match.cancel_range", none, log)).code == "unknown_target");
}

TEST_CASE("a range is cancelled for the side that bats, or whose lane it is, as the corrected log reads") {
  log_rows row;
  std::vector<road::log_item> log{row("c.innings", R"({"action":"start","batting":"home"})"),
                                  row("c.ball", R"({"bowler":"x"})"),
                                  row("c.innings", R"({"action":"start","batting":"away"})"),
                                  row("c.ball", R"({"bowler":"y"})"),
                                  row("c.finish", R"({"lane":"a"})"),
                                  row("c.finish", R"({"lane":"b"})"),
                                  row("c.goal", R"({"side":"home"})"),
                                  row("match.amend", R"({"seq":7,"input":{"side":"away"}})"),
                                  row("match.insert", R"({"before":3,"code":"c.ball","input":{"bowler":"z"}})")};
  log[7].replaces = 7;
  const auto voids = [&](const std::string& side) {
    return std::get<road::correction>(
               road::plan_correction("match.cancel_range",
                                     fmt::format(R"({{"from":2,"to":9,"side":"{}","reason":"x"}})", side), log))
        .row.voids;
  };
  CHECK(voids("home") == std::vector<std::int64_t>{2, 5, 9});
  CHECK(voids("away") == std::vector<std::int64_t>{3, 4, 6, 7});
}

TEST_CASE("what comes back when a cascade undoes a cascade is judged, too") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", -5);
  b.one.settle();
  b.send(b.one, "i", "match.insert", R"({"before":2,"cascade":true,"code":"toy.add","input":{"v":-1}})");
  b.one.settle();
  REQUIRE(b.db.log[2].voids == std::vector<std::int64_t>{2});
  SECTION("it cannot stand: it goes with what had made it void") {
    b.send(b.one, "p", "match.void", R"({"cascade":true,"seq":1})", {}, true);
    b.one.settle();
    CHECK(b.last("p").body.find(R"("voids":[1,3,2])") != std::string::npos);
    b.send(b.one, "v", "match.void", R"({"cascade":true,"seq":1})");
    b.one.settle();
    REQUIRE(b.last("v").what == outcome::accepted);
    CHECK(b.db.log[3].voids == std::vector<std::int64_t>{1, 3, 2});
    CHECK(toy::fold(b.db.log).sum == 0);
  }
  SECTION("an amend breaks both") {
    b.send(b.one, "a", "match.amend", R"({"cascade":true,"input":{"v":0},"seq":1})");
    b.one.settle();
    CHECK(b.db.log[3].voids == std::vector<std::int64_t>{3, 2});
  }
  SECTION("without its cascade it is told, and nothing is written") {
    b.send(b.one, "v", "match.void", R"({"seq":1})");
    b.one.settle();
    CHECK(b.last("v").body.find("breaks_later") != std::string::npos);
    CHECK(b.db.log.size() == 3);
  }
  CHECK(b.consistent());
}

TEST_CASE("an event that cascaded when it was put in is judged again like any other") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", -5);
  b.one.settle();
  b.send(b.one, "i", "match.insert", R"({"before":2,"cascade":true,"code":"toy.add","input":{"v":-5}})");
  b.one.settle();
  REQUIRE(b.last("i").what == outcome::accepted);
  REQUIRE(b.db.log.back().voids == std::vector<std::int64_t>{2});
  b.send(b.one, "v", "match.void", R"({"seq":1})");
  b.one.settle();
  CHECK(b.last("v").body.find("breaks_later") != std::string::npos);
  b.send(b.one, "a", "match.amend", R"({"input":{"v":-6},"seq":3})");
  b.one.settle();
  CHECK(b.last("a").body.find("\"negative\"") != std::string::npos);
  CHECK(b.consistent());
}

TEST_CASE("an event that makes another one void is not amended, changed to or put in afterwards") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", 3);
  b.send(b.one, "o", "toy.overturn", R"({"seq":1})");
  b.one.settle();
  CAPTURE(b.last("o").body);
  REQUIRE(b.last("o").what == outcome::accepted);
  int n = 0;
  const auto refused = [&](const std::string& code, const std::string& input) {
    const auto key = fmt::format("r{}", n++);
    b.send(b.one, key, code, input);
    b.one.settle();
    CAPTURE(code, input, b.last(key).body);
    CHECK(b.last(key).status == 422);
    return b.last(key).body;
  };
  CHECK(refused("match.amend", R"({"input":{"seq":2},"seq":3})").find("not_correctable") != std::string::npos);
  CHECK(refused("match.insert", R"({"before":3,"code":"toy.overturn","input":{"seq":2}})").find("not_correctable") !=
        std::string::npos);
  CHECK(refused("toy.overturn", R"({"seq":1})").find("already_void") != std::string::npos);
  CHECK(refused("toy.overturn", R"({"seq":9})").find("unknown_target") != std::string::npos);
  CHECK(b.db.log.size() == 3);
  b.send(b.one, "u", "match.void", R"({"seq":3})"); // the way that is told: its target is back
  b.one.settle();
  REQUIRE(b.last("u").what == outcome::accepted);
  CHECK(toy::fold(b.db.log).sum == 8);
  CHECK(refused("toy.overturn", R"({"seq":4})").find("unknown_target") != std::string::npos); // a correction
  CHECK(b.consistent());
}

TEST_CASE("a sport's verdict may make an earlier event void") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", 3);
  b.one.settle();
  b.add(b.one, "k3", 1);
  b.send(b.one, "o1", "toy.overturn", R"({"seq":1})");
  b.add(b.one, "k4", 1);
  b.one.settle();
  REQUIRE(b.last("o1").what == outcome::accepted);
  REQUIRE(b.db.log.size() == 5);
  REQUIRE(toy::fold(b.db.log).sum == 5);
  REQUIRE(b.consistent());
}

TEST_CASE("a preview shows what would change and writes nothing") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.one.settle();
  auto log = b.db.log.size();
  b.send(b.one, "p", "toy.add", R"({"v":2})", {}, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("would":"accepted")") != std::string::npos);
  REQUIRE(b.last("p").body.find(R"({"path":"/score/home","from":5,"to":7})") != std::string::npos);
  b.send(b.one, "p", "toy.add", R"({"v":-6})", {}, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("would":"refused")") != std::string::npos);
  auto told = b.last("p").body;
  b.send(b.one, "real", "toy.add", R"({"v":-6})");
  b.one.settle();
  auto said = json::raw_member(b.last("real").body, "reason").value();
  CHECK(json::raw_member(told, "reason") == said); // law, release and all
  CHECK(json::string_member(said, "release") == "toy@1");
  b.send(b.one, "p", "match.void", R"({"seq":1})", {}, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("voids":[1])") != std::string::npos);
  b.send(b.one, "p", "toy.add", R"({"v":2})", 0, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("would":"conflict")") != std::string::npos);
  REQUIRE(b.db.log.size() == log);
  REQUIRE(b.db.commands.size() == 2);
}

TEST_CASE("a preview's changes are values that differ: null and not there are one") {
  CHECK(road::json_changes(R"({"goals":[]})", R"({"goals":[{"minute":3,"scorer":null}]})") ==
        R"([{"path":"/goals/0/minute","from":null,"to":3}])");
  CHECK(road::json_changes(R"({"a":null,"b":1})", R"({"b":1})") == "[]");
  CHECK(road::json_changes(R"({"a":null})", R"({"a":0})") == R"([{"path":"/a","from":null,"to":0}])");
}

TEST_CASE("a seq written as 2.0 is 2, and the event put in before it stands there") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", -5);
  b.one.settle();
  b.send(b.one, "i", "match.insert", R"({"before":2.0,"code":"toy.add","input":{"v":-1}})");
  b.one.settle();
  CHECK(b.last("i").body.find("breaks_later") != std::string::npos); // before the second, which then has too little
  b.send(b.one, "v", "match.void", R"({"seq":2.0})");
  b.one.settle();
  CHECK(b.db.log.back().voids == std::vector<std::int64_t>{2});
  b.send(b.one, "h", "match.void", R"({"seq":1.5})");
  b.one.settle();
  CHECK(b.last("h").body.find("bad_input") != std::string::npos);
  CHECK(b.consistent());
}

TEST_CASE("what is no event of the sport cannot be put in") {
  subject_bench b;
  b.add(b.one, "k1", 5);
  b.one.settle();
  for (auto code : {"toy.nothing", "match.void", "match.rebuild", "games.edit_competitor"}) {
    b.send(b.one, code, "match.insert", fmt::format(R"({{"before":1,"code":"{}","input":{{}}}})", code));
    b.one.settle();
    CHECK(json::string_member(json::raw_member(b.last(code).body, "reason").value(), "code") == "bad_input");
    CHECK(json::string_member(json::raw_member(b.last(code).body, "reason").value(), "at") == "/input/code");
  }
  CHECK(b.db.log.size() == 1);
}
