// The road's decisions, step by step, with a model of the world around them.
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "tests/catch.hpp"
#include "tests/sim/model.hpp"

using namespace omnium;
using namespace omnium::model;
using fate = node::fate;

namespace {

struct bench {
  database db;
  subject_ref ref{subject_kind::fixture, make_uuid7()};
  node one{db, ref}, two{db, ref};
  std::map<std::string, std::vector<road::reply>> replies;
  int sends = 0;

  void send(node& to, const std::string& key, const std::string& code, const std::string& input,
            std::optional<std::int64_t> saw = {}, bool preview = false) {
    auto slot = key + (sends++ ? "" : "");
    to.subject().accept(std::make_shared<road::ticket>(
        make_command(ref, key, code, input, saw, static_cast<std::uint64_t>(sends)), preview,
        [this, slot](road::reply r) { replies[slot].push_back(std::move(r)); }));
  }
  void add(node& to, const std::string& key, int v, std::optional<std::int64_t> saw = {}) {
    send(to, key, "toy.add", fmt::format(R"({{"v":{}}})", v), saw);
  }
  const road::reply& last(const std::string& key) { return replies.at(key).back(); }
  bool consistent() const {
    for (std::size_t i = 0; i < db.log.size(); ++i)
      if (db.log[i].seq != static_cast<std::int64_t>(i + 1)) return false;
    return db.log.empty() || db.scoreboard == toy::fold(db.log).scoreboard();
  }
};

} // namespace

TEST_CASE("a command is answered accepted only after COMMIT returned") {
  bench b;
  b.add(b.one, "k1", 5);
  b.one.end(); // load
  b.one.end(); // replay of nothing
  b.one.end(); // decide
  REQUIRE(b.replies.empty());
  REQUIRE(b.db.log.empty());
  b.one.end(); // commit
  REQUIRE(b.last("k1").what == outcome::accepted);
  REQUIRE(b.last("k1").status == 200);
  REQUIRE(b.db.log.size() == 1);
  REQUIRE(b.db.commands.at("k1").answer == b.last("k1").body);
  REQUIRE(b.one.rings == 1);
}

TEST_CASE("what arrives while a batch is in flight becomes the next batch") {
  bench b;
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end();
  for (int i = 2; i <= 6; ++i) b.add(b.one, fmt::format("k{}", i), i);
  b.one.settle();
  REQUIRE(b.one.commits == 2);
  REQUIRE(b.db.log.size() == 6);
  REQUIRE(b.consistent());
}

TEST_CASE("a rule's no is saved as the answer and writes nothing else") {
  bench b;
  b.add(b.one, "k1", 5);
  b.add(b.one, "k2", -9);
  b.one.settle();
  REQUIRE(b.last("k2").status == 422);
  REQUIRE(b.last("k2").code.empty()); // the stored text is sent as it is
  REQUIRE(b.last("k2").body.find(R"("code":"negative")") != std::string::npos);
  REQUIRE(b.db.log.size() == 1);
  REQUIRE(b.db.commands.at("k2").what == outcome::refused);
}

TEST_CASE("a used key gets the first answer, or key_reused for another body") {
  bench b;
  b.add(b.one, "k1", 5);
  b.one.settle();
  auto first = b.last("k1").body;
  auto check = [&](node& to) {
    b.add(to, "k1", 5);
    to.settle();
    REQUIRE(b.last("k1").what == outcome::duplicate);
    REQUIRE(b.last("k1").body.find("\"first\":" + first) != std::string::npos);
    b.add(to, "k1", 6);
    to.settle();
    REQUIRE(b.last("k1").what == outcome::refused);
    REQUIRE(b.last("k1").code == "key_reused");
    REQUIRE(b.db.log.size() == 1);
  };
  check(b.one); // from memory
  check(b.two); // found under the lock
}

TEST_CASE("copies of one key in one queue make one row") {
  bench b;
  for (int i = 0; i < 8; ++i) b.add(b.one, "k1", 5);
  b.one.settle();
  REQUIRE(b.db.log.size() == 1);
  int accepted = 0, duplicate = 0;
  for (const auto& r : b.replies["k1"]) (r.what == outcome::accepted ? accepted : duplicate)++;
  REQUIRE(accepted == 1);
  REQUIRE(duplicate == 7);
}

TEST_CASE("a head that another writer overtook is folded again before anything is written") {
  bench b;
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

TEST_CASE("a play on an old version is a conflict that shows what was missed") {
  bench b;
  b.add(b.one, "k1", 1, 0);
  b.add(b.one, "k2", 2, 0);
  b.one.settle();
  REQUIRE(b.last("k1").what == outcome::accepted);
  REQUIRE(b.last("k2").what == outcome::conflict);
  REQUIRE(b.last("k2").status == 409);
  REQUIRE(b.last("k2").body.find(R"("play":1,"since":[{"seq":1)") != std::string::npos);
  REQUIRE(b.db.commands.count("k2") == 0);
  b.add(b.one, "k2", 2, 1); // the same key may be sent again after the person decided
  b.one.settle();
  REQUIRE(b.last("k2").what == outcome::accepted);
}

TEST_CASE("a sender that saw more than this node knows is no conflict") {
  bench b;
  b.add(b.one, "a1", 1);
  b.one.settle();
  b.add(b.two, "b1", 1);
  b.two.settle();
  b.add(b.one, "a2", 1, 2);
  b.one.settle();
  REQUIRE(b.last("a2").what == outcome::accepted);
}

TEST_CASE("a pure add has no version check") {
  bench b;
  b.add(b.one, "k1", 1);
  b.send(b.one, "n1", "match.note", R"({"text":"hi"})", 77);
  b.one.settle();
  REQUIRE(b.last("n1").what == outcome::accepted);
}

TEST_CASE("an open COMMIT is settled by key") {
  bench b;
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end(), b.one.end();
  SECTION("it had been done: the stored answer is the answer, once") {
    b.one.end(fate::unknown_done);
    REQUIRE(b.replies.empty());
    b.one.settle();
    REQUIRE(b.last("k1").what == outcome::accepted);
    REQUIRE(b.last("k1").body == b.db.commands.at("k1").answer);
  }
  SECTION("it had not been done: the command is carried out now") {
    b.one.end(fate::unknown_not_done);
    b.one.settle();
    REQUIRE(b.last("k1").what == outcome::accepted);
  }
  SECTION("nobody can tell: try again") {
    b.one.end(fate::unknown_done);
    b.one.end(fate::fails);
    b.one.settle();
    REQUIRE(b.last("k1").what == outcome::try_again);
    REQUIRE(b.last("k1").code == "database_unavailable");
    b.add(b.one, "k1", 1);
    b.one.settle();
    REQUIRE(b.last("k1").what == outcome::duplicate);
  }
  REQUIRE(b.db.log.size() == 1);
  REQUIRE(b.consistent());
}

TEST_CASE("an open COMMIT of a key that an earlier sending had saved is a duplicate") {
  bench b;
  b.add(b.one, "warm", 1);
  b.one.settle();
  b.add(b.two, "k1", 2);
  b.two.settle();
  REQUIRE(b.last("k1").what == outcome::accepted);
  b.add(b.one, "k1", 2);
  b.one.end();
  b.one.end(fate::unknown_not_done);
  b.one.settle();
  REQUIRE(b.replies.at("k1").size() == 2);
  REQUIRE(b.last("k1").what == outcome::duplicate);
  REQUIRE(b.db.log.size() == 2);
}

TEST_CASE("one bad command of a batch does not take its neighbours along") {
  bench b;
  b.add(b.one, "k0", 1);
  b.one.end(), b.one.end();
  for (int i = 1; i <= 4; ++i) b.add(b.one, fmt::format("k{}", i), i);
  b.one.end(), b.one.end(); // k0
  b.one.end();              // k1..k4 decided
  b.one.fail_with = {"constraint", "No.", {}, {}, {}};
  b.one.fail_is_the_persons = true;
  b.one.end(fate::fails); // the four fail together
  b.one.end();            // k1 alone
  b.one.end(fate::fails); // and fails
  b.one.settle();
  REQUIRE(b.last("k1").status == 422);
  for (auto key : {"k2", "k3", "k4"}) REQUIRE(b.last(key).what == outcome::accepted);
  REQUIRE(b.consistent());
}

TEST_CASE("a lock that stays taken is try_again, and the head stays right") {
  bench b;
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end(), b.one.end();
  b.one.end(fate::fails);
  REQUIRE(b.last("k1").status == 503);
  REQUIRE(b.last("k1").code == "lock_timeout");
  REQUIRE(b.last("k1").retry_after_ms > 0);
  REQUIRE(b.db.failures.empty()); // a wait is no error
  b.add(b.one, "k1", 1);
  b.one.settle();
  REQUIRE(b.last("k1").what == outcome::accepted);
}

TEST_CASE("a match that cannot be read tells all who wait to try again, and each leaves a note") {
  bench b;
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

TEST_CASE("a deadlock is tried again inside, and told after the third time") {
  bench b;
  b.one.fail_with = {"deadlock", "Two transactions waited for each other.", {}, {}, {}};
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end(), b.one.end();
  SECTION("the next try goes through: its sender hears nothing of it") {
    b.one.end(fate::fails);
    REQUIRE(b.replies.empty());
    b.one.settle();
    REQUIRE(b.last("k1").what == outcome::accepted);
    REQUIRE(b.replies.at("k1").size() == 1);
  }
  SECTION("none goes through: try again, with nothing written") {
    int failed = 0;
    for (; b.replies.empty() && failed < 100; ++failed) {
      while (!b.one.committing()) b.one.end();
      b.one.end(fate::fails);
    }
    CHECK(failed == static_cast<int>(limits::deadlock_tries_max) + 1); // the first, and three more
    CHECK(b.last("k1").what == outcome::try_again);
    CHECK(b.last("k1").code == "deadlock");
    CHECK(b.db.log.empty());
    CHECK(b.db.commands.empty());
    b.add(b.one, "k1", 1); // as its sender does
    b.one.settle();
    CHECK(b.last("k1").what == outcome::accepted);
  }
  CHECK(b.db.log.size() == 1);
  CHECK(b.consistent());
}

TEST_CASE("a ball that hangs costs one command, its neighbours go on") {
  bench b;
  b.add(b.one, "k0", 1);
  b.one.end(), b.one.end();
  b.add(b.one, "k1", 1);
  b.send(b.one, "hang", "toy.hang", "{}");
  b.add(b.one, "k2", 1);
  b.one.settle();
  REQUIRE(b.last("hang").what == outcome::try_again);
  REQUIRE(b.last("hang").code == "worker_killed");
  REQUIRE(b.last("k1").what == outcome::accepted);
  REQUIRE(b.last("k2").what == outcome::accepted);
  REQUIRE(b.db.failures.count("hang") == 1);
  REQUIRE(b.db.log.size() == 3);
}

TEST_CASE("unknown commands and subjects are told at the door") {
  bench b;
  b.send(b.one, "k1", "toy.nothing", "{}");
  b.one.settle();
  REQUIRE(b.last("k1").status == 404);
  REQUIRE(b.last("k1").code == "unknown_command");
  b.db.found = false;
  b.add(b.two, "k2", 1);
  b.two.settle();
  REQUIRE(b.last("k2").code == "unknown_subject");
  REQUIRE(b.two.subject().gone());
  REQUIRE(b.db.commands.empty());
}

TEST_CASE("a full queue says overloaded and loses nothing that was taken") {
  bench b;
  for (std::size_t i = 0; i < limits::subject_queue_len_max + 10; ++i) b.add(b.one, fmt::format("k{}", i), 1);
  b.one.settle();
  std::size_t overloaded = 0;
  for (const auto& [key, list] : b.replies) overloaded += list.back().code == "overloaded";
  REQUIRE(overloaded == 10);
  REQUIRE(b.db.log.size() == limits::subject_queue_len_max);
}

TEST_CASE("a stop answers what waits and finishes what is in flight") {
  bench b;
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end(), b.one.end();
  b.add(b.one, "k2", 1);
  b.one.subject().stop();
  REQUIRE(b.last("k2").code == "shutting_down");
  b.add(b.one, "k3", 1);
  REQUIRE(b.last("k3").code == "shutting_down");
  b.one.settle();
  REQUIRE(b.last("k1").what == outcome::accepted);
  REQUIRE(b.one.subject().idle());
}

TEST_CASE("an undo leaves nothing there") {
  bench b;
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
  bench b;
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
  bench b;
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
  bench b;
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

TEST_CASE("a sport's verdict may make an earlier event void") {
  bench b;
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
  bench b;
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
  b.send(b.one, "p", "match.void", R"({"seq":1})", {}, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("voids":[1])") != std::string::npos);
  b.send(b.one, "p", "toy.add", R"({"v":2})", 0, true);
  b.one.settle();
  REQUIRE(b.last("p").body.find(R"("would":"conflict")") != std::string::npos);
  REQUIRE(b.db.log.size() == log);
  REQUIRE(b.db.commands.size() == 1);
}

TEST_CASE("a rebuilt head equals the fold, from any snapshot") {
  bench b;
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
  bench b;
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
  bench b;
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
  bench b;
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
  bench b;
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
  bench b;
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
