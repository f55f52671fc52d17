// A match and its release, step by step with a model of the world: what may start, what may move.
#include "runtime/road/games.hpp"
#include "runtime/road/release_commands.hpp"
#include "tests/catch.hpp"
#include "tests/sim/model.hpp"

using namespace omnium;
using namespace omnium::model;

namespace {

struct bench {
  database db;
  subject_ref ref{subject_kind::fixture, make_uuid7()};
  node one{db, ref};
  std::vector<road::reply> replies;

  const road::reply& send(const std::string& key, const std::string& code, const std::string& input,
                          bool preview = false) {
    one.subject().accept(std::make_shared<road::ticket>(make_command(ref, key, code, input), preview,
                                                        [this](road::reply r) { replies.push_back(std::move(r)); }));
    one.settle();
    return replies.back();
  }
  const road::reply& add(const std::string& key, int v) {
    return send(key, "toy.add", fmt::format(R"({{"v":{}}})", v));
  }
  const road::reply& move(const std::string& key, const std::string& to, bool preview = false) {
    return send(key, "results.set_release", fmt::format(R"({{"release":"{}"}})", to), preview);
  }
  static bool says(const road::reply& r, const std::string& part) { return r.body.find(part) != std::string::npos; }
};

std::variant<road::games_change, reason> decide(const uuid& ref, const std::string& code, const std::string& input) {
  const toy_rules rules;
  const auto cmd = make_command({subject_kind::competition, ref}, "k", code, input);
  road::head now;
  now.exists = true;
  return road::decide_games(*cmd, now, 1, rules);
}

std::string code_of(const std::variant<road::games_change, reason>& what) {
  const auto* why = std::get_if<reason>(&what);
  return why == nullptr ? "" : why->code;
}

std::string data_of(const std::variant<road::games_change, reason>& what) {
  REQUIRE(std::holds_alternative<road::games_change>(what));
  return std::get<road::games_change>(what).effect.data;
}

} // namespace

TEST_CASE("a match moves to a release on which its whole log folds, and goes on there from a fold of the log") {
  bench b;
  for (int i = 0; i < 60; ++i) b.add(fmt::format("k{}", i), 1);
  REQUIRE(b.db.snap);
  const auto moved = b.move("m", "2");
  REQUIRE(moved.what == outcome::accepted);
  REQUIRE(b.db.release == "2");
  REQUIRE(b.db.fold_hash == "sha2");
  REQUIRE(!b.db.snap);
  REQUIRE(b.db.log.back().code == "results.set_release");
  REQUIRE(b.db.last_play == b.db.last_seq()); // what a play stands on has changed
  b.one.ran_on.clear();
  REQUIRE(b.add("after", 1).what == outcome::accepted);
  REQUIRE(b.db.scoreboard == toy::fold(b.db.log).scoreboard());
  REQUIRE(b.db.log.size() == 62);
  for (const auto& release : b.one.ran_on) CHECK(release == "2");
  CHECK(bench::says(b.add("too much", 90), "too_much"));
}

TEST_CASE("a match does not move to a release that would have refused a row of its log, and is told which") {
  bench b;
  b.add("a", 60);
  b.add("b", 60);
  const auto no = b.move("m", "2");
  CHECK(no.status == 422);
  CHECK(bench::says(no, R"("code":"cannot_fold")"));
  CHECK(bench::says(no, "row 2 (toy.add): The sum cannot be over 100."));
  CHECK(bench::says(no, "toy@2"));
  CHECK(b.db.release == "1");
  CHECK(b.db.log.size() == 2);
  REQUIRE(b.add("c", 60).what == outcome::accepted); // it goes on where it was
}

TEST_CASE("what the match's own release refuses after later corrections is not held against the other one") {
  bench b;
  b.add("a", 10);
  b.add("b", -10);
  b.send("v", "match.void", R"({"seq":1,"cascade":false})");
  b.send("v2", "match.void", R"({"seq":1,"cascade":true})");
  REQUIRE(b.move("m", "2").what == outcome::accepted);
  REQUIRE(b.db.scoreboard == toy::fold(b.db.log).scoreboard());
}

TEST_CASE("a move is previewed without a trace, and refused when there is nothing to move to") {
  bench b;
  b.add("a", 5);
  const auto preview = b.move("p", "2", true);
  CHECK(bench::says(preview, R"("would":"accepted")"));
  CHECK(b.db.release == "1");
  CHECK(b.db.log.size() == 1);
  CHECK(bench::says(b.move("m1", "3"), "unknown_release"));
  CHECK(bench::says(b.move("m2", "1"), "same_release"));
  CHECK(bench::says(b.send("m3", "results.set_release", R"({"release":7})"), "bad_input"));
  CHECK(b.db.log.size() == 1);
}

TEST_CASE("a match whose release is not here, or is another package, does not start, and says so") {
  bench b;
  b.db.fold_hash = "other";
  const auto changed = b.add("a", 5);
  CHECK(changed.what == outcome::try_again);
  CHECK(changed.code == "worker_unavailable");
  CHECK(bench::says(changed, "its package has another hash"));
  b.db.release = "7";
  CHECK(bench::says(b.add("b", 5), "Release 7 of toy is not installed on this node."));
  CHECK(b.one.ran_on.empty()); // nothing was folded
  b.db.release = "1";
  b.db.fold_hash = "sha";
  CHECK(b.add("c", 5).what == outcome::accepted);
}

TEST_CASE("operators' commands on releases say what they need") {
  const auto ops = road::operations_subject;
  CHECK(to_string(ops) == "00000000-0000-4000-8000-0000006f7073");
  const std::string one = R"({"sport":"toy","release":"1"})";
  CHECK(data_of(decide(ops, "ops.install_release", one)) ==
        R"({"sport":"toy","release":"1","code_sha":"sha","approved_by":"test","replace":false})");
  CHECK(code_of(decide(make_uuid7(), "ops.install_release", one)) == "wrong_subject");
  CHECK(code_of(decide(ops, "ops.install_release", R"({"sport":"toy","release":"9"})")) == "unknown_release");
  CHECK(code_of(decide(ops, "ops.install_release", R"({"sport":"toy","release":"1","code_sha":"no"})")) ==
        "hash_differs");
  CHECK(code_of(decide(ops, "ops.install_release", R"({"sport":"toy"})")) == "bad_input");
  CHECK(data_of(decide(ops, "ops.set_default_release", one)) == R"({"sport":"toy","release":"1"})");
  const auto cup = make_uuid7();
  CHECK(data_of(decide(cup, "ops.set_default_release", R"({"sport":"toy","release":null})")) ==
        fmt::format(R"({{"sport":"toy","competition":"{}"}})", to_string(cup)));
  CHECK(code_of(decide(cup, "ops.set_default_release", R"({"sport":"toy","release":"9"})")) == "unknown_release");
  CHECK(code_of(decide(ops, "games.add_participant", "{}")) == "wrong_subject");
}
