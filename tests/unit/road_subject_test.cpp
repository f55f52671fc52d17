// The road's decisions, step by step, with a model of the world around them: from the queue to the answer.
#include "runtime/core/limits.hpp"
#include "tests/unit/road_subject_support.hpp"

using namespace omnium;
using namespace omnium::model;
using fate = node::fate;

TEST_CASE("a command is answered accepted only after COMMIT returned") {
  subject_bench b;
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

TEST_CASE("an answer says how long its commit took, and one that needed none that it took no time") {
  subject_bench b;
  const auto ms = [](int n) { return std::chrono::milliseconds(n); };
  b.add(b.one, "k1", 5);
  b.one.end(), b.one.end();
  b.one.time += ms(2);
  b.one.end(); // decided
  b.one.time += ms(7);
  b.one.end(); // committed
  CHECK(b.last("k1").in_database == ms(7));
  b.add(b.one, "k1", 5);
  b.one.time += ms(1);
  b.one.settle();
  CHECK(b.last("k1").what == outcome::duplicate);
  CHECK(b.last("k1").in_database == ms(0));
}

TEST_CASE("what arrives while a batch is in flight becomes the next batch") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.one.end(), b.one.end();
  for (int i = 2; i <= 6; ++i) b.add(b.one, fmt::format("k{}", i), i);
  b.one.settle();
  REQUIRE(b.one.commits == 2);
  REQUIRE(b.db.log.size() == 6);
  REQUIRE(b.consistent());
}

TEST_CASE("a rule's no is saved as the answer and writes nothing else") {
  subject_bench b;
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
  subject_bench b;
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
  subject_bench b;
  for (int i = 0; i < 8; ++i) b.add(b.one, "k1", 5);
  b.one.settle();
  REQUIRE(b.db.log.size() == 1);
  int accepted = 0, duplicate = 0;
  for (const auto& r : b.replies["k1"]) (r.what == outcome::accepted ? accepted : duplicate)++;
  REQUIRE(accepted == 1);
  REQUIRE(duplicate == 7);
}

TEST_CASE("a play on an old version is a conflict that shows what was missed") {
  subject_bench b;
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

TEST_CASE("a key that this node does not remember gets its first answer, never a conflict with itself") {
  subject_bench b;
  b.add(b.one, "k1", 5, 0);
  b.one.settle();
  REQUIRE(b.last("k1").what == outcome::accepted);
  b.add(b.two, "k1", 5, 0); // the answer was lost; the sender asks again, elsewhere or after a restart
  b.two.settle();
  CHECK(b.last("k1").what == outcome::duplicate);
  for (int i = 0; i < 100; ++i) b.add(b.two, fmt::format("other{}", i), 1); // more than are remembered
  b.two.settle();
  b.add(b.two, "k1", 5, 0);
  b.two.settle();
  CHECK(b.last("k1").what == outcome::duplicate);
  b.add(b.two, "k1", 6, 0);
  b.two.settle();
  CHECK(b.last("k1").body.find("key_reused") != std::string::npos);
  b.add(b.two, "k2", 5, 0);
  b.two.settle();
  CHECK(b.last("k2").what == outcome::conflict);
  CHECK(b.db.log.size() == 101);
  CHECK(b.consistent());
}

TEST_CASE("a sender that saw more than this node knows is no conflict") {
  subject_bench b;
  b.add(b.one, "a1", 1);
  b.one.settle();
  b.add(b.two, "b1", 1);
  b.two.settle();
  b.add(b.one, "a2", 1, 2);
  b.one.settle();
  REQUIRE(b.last("a2").what == outcome::accepted);
}

TEST_CASE("a pure add has no version check") {
  subject_bench b;
  b.add(b.one, "k1", 1);
  b.send(b.one, "n1", "match.note", R"({"text":"hi"})", 77);
  b.one.settle();
  REQUIRE(b.last("n1").what == outcome::accepted);
}

TEST_CASE("an open COMMIT is settled by key") {
  subject_bench b;
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
  subject_bench b;
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
  subject_bench b;
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
  subject_bench b;
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

TEST_CASE("a deadlock is tried again inside, and told after the third time") {
  subject_bench b;
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
  subject_bench b;
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
  subject_bench b;
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
  subject_bench b;
  for (std::size_t i = 0; i < limits::subject_queue_len_max + 10; ++i) b.add(b.one, fmt::format("k{}", i), 1);
  b.one.settle();
  std::size_t overloaded = 0;
  for (const auto& [key, list] : b.replies) overloaded += list.back().code == "overloaded";
  REQUIRE(overloaded == 10);
  REQUIRE(b.db.log.size() == limits::subject_queue_len_max);
}

TEST_CASE("a stop answers what waits and finishes what is in flight") {
  subject_bench b;
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
