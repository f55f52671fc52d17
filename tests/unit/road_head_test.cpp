// The head of a match: loaded, folded, overtaken, put aside, forgotten, with a model of the world around it.
#include "runtime/core/limits.hpp"
#include "tests/unit/road_subject_support.hpp"

using namespace omnium;
using namespace omnium::model;
using fate = node::fate;

TEST_CASE("a head that another writer overtook is folded again before anything is written") {
  subject_bench b;
  b.add(b.one, "a1", 5);
  b.one.settle();
  b.add(b.two, "b1", -4);
  b.two.settle();
  b.add(b.one, "a2", -3); // the first node still believes in 5: only the fence knows of -4
  b.one.settle();
  REQUIRE(b.last("a2").status == 422);
  REQUIRE(b.db.log.size() == 2);
  REQUIRE(b.consistent());
}

TEST_CASE("a match that cannot be read tells all who wait to try again, and each leaves a note") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.add(b.one, "k2", 2);
  b.send(b.one, "p", "toy.add", R"({"v":1})", {}, true);
  b.one.end(fate::fails); // the load
  for (auto key : {"k1", "k2"}) {
    REQUIRE(b.last(key).status == 503);
    REQUIRE(b.last(key).code == "database_unavailable");
    REQUIRE(b.db.failures.count(key) == 1);
  }
  REQUIRE(b.db.failures.count("p") == 0); // a preview is nothing that was to be saved
}

TEST_CASE("a rebuilt head equals the fold, from any snapshot") {
  subject_bench b;
  for (int i = 0; i < 130; ++i) {
    b.add(b.one, fmt::format("k{}", i), i % 7);
    b.one.settle();
  }
  REQUIRE(b.db.snap);
  REQUIRE(b.db.snap->seq > 50);
  b.add(b.two, "x", 1);
  b.two.settle();
  REQUIRE(b.consistent());
  b.send(b.two, "v", "match.void", R"({"seq":3})");
  b.two.settle();
  b.one.restart();
  b.add(b.one, "y", 1);
  b.one.settle();
  REQUIRE(b.consistent());
}

TEST_CASE("a snapshot that cannot be read is answered with the whole log, never with what is in it") {
  subject_bench b;
  for (int i = 0; i < 60; ++i) {
    b.add(b.one, fmt::format("k{}", i), 1);
    b.one.settle();
  }
  REQUIRE(b.db.snap);
  auto spoil = GENERATE(0, 1, 2);
  if (spoil == 0) b.db.snap->state = "{}";
  if (spoil == 1) b.db.snap->fold_hash = "another package";
  if (spoil == 2) b.db.snap->release = "toy@2";
  b.one.restart();
  b.add(b.one, "after", -60); // only the whole sum allows it
  b.one.settle();
  CHECK(b.last("after").what == outcome::accepted);
  CHECK(toy::fold(b.db.log).sum == 0);
  CHECK(b.one.quarantine.empty());
  CHECK(b.consistent());
}

TEST_CASE("a log row that cannot be folded quarantines the match at that row, and it is tried again after a while") {
  subject_bench b;
  for (int i = 0; i < 3; ++i) b.add(b.one, fmt::format("k{}", i), 1);
  b.one.settle();
  auto good = b.db.log[1];
  b.db.log[1].code = "toy.alien"; // a bad row, whoever made it
  b.one.restart();
  auto scoreboard = b.db.scoreboard;
  auto ask = [&](const std::string& key) {
    b.add(b.one, key, 1);
    b.one.settle();
    return b.last(key);
  };
  auto told = ask("a");
  CHECK(told.what == outcome::try_again);
  CHECK(told.code == "worker_unavailable");
  CHECK(told.body.find("This match is quarantined: log row 2 cannot be folded: this cannot be read") !=
        std::string::npos);
  CHECK(b.one.quarantine == "row 2");
  auto runs = b.one.ran_on.size();
  CHECK(ask("b").what == outcome::try_again);
  CHECK(b.one.ran_on.size() == runs); // no endless recovery: no worker is asked meanwhile
  bool shown = false;
  b.one.subject().want_state([&](road::state_view view) { shown = view.what == road::state_view::kind::ok; });
  CHECK_FALSE(shown); // and no half state
  CHECK(b.db.log.size() == 3);
  CHECK(b.db.scoreboard == scoreboard);
  b.one.time += limits::quarantine_retry;
  CHECK(ask("c").what == outcome::try_again);
  CHECK(b.one.ran_on.size() > runs); // looked at again, still bad
  b.db.log[1] = good;
  CHECK(ask("d").what == outcome::try_again);
  b.one.time += limits::quarantine_retry;
  CHECK(ask("e").what == outcome::accepted);
  CHECK(toy::fold(b.db.log).sum == 4);
  CHECK(b.consistent());
}

TEST_CASE("a state is shown as new as the reader knows the database to be, whoever wrote") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.one.settle();
  b.add(b.two, "k2", 2);
  b.add(b.two, "k3", 3);
  b.two.settle();
  std::vector<road::state_view> seen;
  auto note = [&](road::state_view view) { seen.push_back(std::move(view)); };
  b.one.subject().want_state(note); // as it knows it
  b.one.subject().want_state(note, 1);
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].seq == 1);
  b.one.subject().want_state(note, 3);
  CHECK(seen.size() == 2);
  b.one.settle();
  REQUIRE(seen.size() == 3);
  CHECK(seen[2].seq == 3);
  CHECK(seen[2].state == toy::fold(b.db.log).text());
  b.one.subject().want_state(note, 99); // a number the database does not have (a restored dump): loaded once, then told
  b.one.settle();
  REQUIRE(seen.size() == 4);
  CHECK(seen[3].seq == 3);
}

TEST_CASE("in another database a match begins anew, with no answer from memory") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.one.settle();
  auto dump = b.db;
  b.add(b.one, "k2", 2);
  b.add(b.one, "k3", 3);
  b.one.settle();
  REQUIRE(b.db.log.size() == 3);
  b.db = dump; // restored
  b.one.subject().forget();
  b.add(b.one, "k3", 3); // its sender never heard the answer
  b.one.settle();
  CHECK(b.last("k3").what == outcome::accepted);
  CHECK(b.db.log.size() == 2);
  CHECK(b.consistent());
}

TEST_CASE("what is in flight when the database turns out to be another one is decided by the fence") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.one.settle();
  auto dump = b.db;
  b.add(b.one, "k2", 2);
  b.one.settle();
  b.add(b.one, "k3", 3);
  b.one.end(); // decided on a head of 2
  b.db = dump;
  b.one.subject().forget();
  b.one.settle();
  CHECK(b.last("k3").what == outcome::accepted);
  CHECK(b.db.log.size() == 2);
  CHECK(b.consistent());
}
