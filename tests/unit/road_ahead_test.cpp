// Many write one match: the next batch is decided while the one before it commits, and nothing of it is written or
// answered on the strength of a commit that did not come about.
#include "runtime/core/limits.hpp"
#include "tests/unit/road_subject_support.hpp"

#include <functional>
#include <set>

using namespace omnium;
using namespace omnium::model;
using fate = node::fate;

namespace {

constexpr int many = 39, half = 20; // "opens" and the first half make two equal parts of 40

// A match with `many` commands: half of them commit, the other half is with the sport or already decided.
struct ahead_bench : subject_bench {
  ahead_bench() {
    add(one, "first", 1);
    one.settle();
    add(one, "opens", 1);
    for (int i = 0; i < many; ++i) add(one, key(i), i == many - 1 ? -30 : 1); // the last is legal only after the others
    one.end();                                                                // "opens" commits alone, half is decided
    one.end(), one.end(); // that half commits, and the other is with the sport
  }
  static std::string key(int i) { return fmt::format("k{}", i); }
  int answered(outcome what) const {
    int out = 0;
    for (const auto& [key, all] : replies)
      for (const auto& r : all) out += r.what == what;
    return out;
  }
  bool in_order() const {
    int next = 0;
    for (const auto& row : db.log)
      if (row.key.front() == 'k' && std::stoi(row.key.substr(1)) < next++) return false;
    return true;
  }
  bool each_once() const {
    std::set<std::string> keys;
    for (const auto& row : db.log)
      if (!keys.insert(row.key).second) return false;
    return true;
  }
};

} // namespace

TEST_CASE("while one half commits the other is decided, and it goes to the database only after that COMMIT") {
  ahead_bench b;
  REQUIRE(b.one.committing());
  REQUIRE(b.one.open() == 2);
  REQUIRE(b.one.ahead == 2); // beside "opens", and beside the first half
  const auto commits = b.one.commits;
  const auto rows = b.db.log.size();
  SECTION("the sport is first") {
    b.one.end(fate::good, 1);
    CHECK(b.one.commits == commits);
    CHECK(b.db.log.size() == rows);
    CHECK(b.answered(outcome::accepted) == static_cast<int>(rows));
    b.one.end();
    CHECK(b.one.commits == commits + 1); // at once: it was decided
  }
  SECTION("the database is first") {
    b.one.end();
    CHECK(b.one.commits == commits);
    CHECK_FALSE(b.one.committing());
    b.one.end();
    CHECK(b.one.commits == commits + 1);
  }
  CHECK(b.db.log.size() == rows + half);
  b.one.settle();
  CHECK(b.db.log.size() == many + 2);
  CHECK(b.answered(outcome::accepted) == many + 2);
  CHECK(b.in_order());
  CHECK(b.consistent());
  CHECK(b.one.subject().idle());
}

TEST_CASE("few commands are not split: one call serves them all") {
  subject_bench b;
  b.add(b.one, "first", 1);
  b.one.settle();
  b.add(b.one, "opens", 1);
  const auto few = static_cast<int>(limits::ahead_len_min) - 1;
  for (int i = 0; i < few; ++i) b.add(b.one, fmt::format("k{}", i), 1);
  b.one.settle();
  CHECK(b.one.commits == 3);
  CHECK(b.one.ahead == 0);
  CHECK(b.consistent());
}

TEST_CASE("a commit that fails takes back what was decided on it") {
  ahead_bench b;
  const bool decided = GENERATE(true, false);
  if (decided) b.one.end(fate::good, 1);
  b.one.fail_with = {"lock_timeout", "The row stayed locked.", {}, {}, {}};
  b.one.end(fate::fails);
  b.one.settle();
  CHECK(b.answered(outcome::try_again) == half);
  CHECK(b.last(ahead_bench::key(0)).what == outcome::try_again);
  CHECK(b.last(ahead_bench::key(many - 2)).what == outcome::accepted);
  // It would have been accepted had the first half been written; now the sum would be negative.
  CHECK(b.last(ahead_bench::key(many - 1)).body.find(R"("code":"negative")") != std::string::npos);
  CHECK(b.in_order());
  CHECK(b.each_once());
  CHECK(b.consistent());
}

TEST_CASE("a commit that becomes a refusal has nothing decided on it") {
  subject_bench b;
  b.add(b.one, "first", 1);
  b.one.settle();
  b.add(b.one, "opens", 50);
  for (int i = 0; i < many; ++i) b.add(b.one, ahead_bench::key(i), i == 5 ? -30 : 1); // legal only on the 50
  b.one.end();
  b.one.fail_with = {"some_constraint", "The row may not be so.", {}, {}, {}};
  b.one.fail_is_the_persons = true;
  b.one.end(fate::fails);
  CHECK(b.one.open() == 2); // what was decided on the 50, which is nobody's now, and the refusal's commit
  CHECK(b.one.ahead == 1);
  b.one.settle();
  CHECK(b.last("opens").what == outcome::refused);
  CHECK(b.last(ahead_bench::key(5)).body.find(R"("code":"negative")") != std::string::npos);
  CHECK(b.db.log.size() == many);
  CHECK(b.consistent());
}

TEST_CASE("an open outcome under what was decided ahead is settled first") {
  ahead_bench b;
  const bool decided = GENERATE(true, false), done = GENERATE(true, false);
  if (decided) b.one.end(fate::good, 1);
  b.one.end(done ? fate::unknown_done : fate::unknown_not_done);
  b.one.settle();
  for (int i = 0; i < many; ++i)
    if (b.last(ahead_bench::key(i)).what == outcome::try_again)
      b.add(b.one, ahead_bench::key(i), i == many - 1 ? -30 : 1);
  b.one.settle();
  CHECK(b.db.log.size() == many + 2);
  CHECK(b.each_once());
  CHECK(b.consistent());
}

TEST_CASE("another writer between the two halves: both are decided again") {
  ahead_bench b;
  const bool decided = GENERATE(true, false);
  if (decided) b.one.end(fate::good, 1);
  b.send(b.two, "other", "toy.add", R"({"v":-2})");
  b.two.settle();
  REQUIRE(b.last("other").what == outcome::accepted);
  b.one.settle();
  CHECK(b.db.log.size() == many + 3);
  CHECK(b.in_order());
  CHECK(b.each_once());
  CHECK(b.consistent());
}

namespace {

// The same crowd with one other command among those that are decided ahead.
void crowd_with(subject_bench& b, const std::function<void()>& other) {
  b.add(b.one, "first", 1);
  b.one.settle();
  b.add(b.one, "opens", 1);
  for (int i = 0; i < many; ++i)
    if (i == half + 3) other();
    else b.add(b.one, ahead_bench::key(i), 1);
  b.one.settle();
  CHECK(b.one.ahead > 0);
  CHECK(b.consistent());
}

} // namespace

TEST_CASE("a worker that dies over what it decides ahead costs its own command alone") {
  subject_bench b;
  crowd_with(b, [&] { b.send(b.one, "hang", "toy.hang", "{}"); });
  CHECK(b.last("hang").code == "worker_killed");
  CHECK(b.db.log.size() == many + 1);
}

TEST_CASE("a play on what was seen is measured by what is committed, never ahead of it") {
  subject_bench b;
  crowd_with(b, [&] { b.add(b.one, "looked", 1, 2); });
  CHECK(b.last("looked").what == outcome::conflict);
  CHECK(b.db.log.size() == many + 1);
}

TEST_CASE("a correction is never decided ahead: it needs the whole log") {
  subject_bench b;
  crowd_with(b, [&] { b.send(b.one, "undo", "match.void", R"({"seq":1})"); });
  CHECK(b.last("undo").what == outcome::accepted);
  CHECK(b.db.log.size() == many + 2);
}

TEST_CASE("a command that overturns what stands is decided again alone, also when it was decided ahead") {
  subject_bench b;
  crowd_with(b, [&] { b.send(b.one, "overturn", "toy.overturn", R"({"seq":1})"); });
  CHECK(b.last("overturn").what == outcome::accepted);
  CHECK(b.db.log.size() == many + 2);
}

TEST_CASE("a key sent twice among those that are decided ahead makes one row") {
  subject_bench b;
  crowd_with(b, [&] { b.add(b.one, "twice", 1), b.add(b.one, "twice", 1); });
  CHECK(b.replies.at("twice").front().what == outcome::accepted);
  CHECK(b.last("twice").what == outcome::duplicate);
  CHECK(b.db.log.size() == many + 2);
}

TEST_CASE("copies of a key on both sides of a commit make one row") {
  ahead_bench b;
  for (int i = 0; i < many; ++i) b.add(b.one, ahead_bench::key(i), i == many - 1 ? -30 : 1);
  b.one.settle();
  CHECK(b.answered(outcome::accepted) == many + 2);
  CHECK(b.answered(outcome::duplicate) == many);
  CHECK(b.each_once());
  CHECK(b.consistent());
}

TEST_CASE("who reads a match that is written without a pause is served between two batches") {
  ahead_bench b;
  bool read = false;
  b.one.subject().want_state([&](road::state_view view) { read = view.what == road::state_view::kind::ok; });
  int batches = 0;
  for (int i = 0; !read && batches < 10; ++i) {
    b.add(b.one, fmt::format("more{}", i), 1);
    if (i % 20 == 19) b.one.end(), ++batches;
  }
  CHECK(read);
  b.one.settle();
  CHECK(b.consistent());
}

TEST_CASE("a stop finishes what was decided ahead, or puts it off with the rest") {
  ahead_bench b;
  const auto how = GENERATE(fate::good, fate::fails);
  b.one.subject().stop();
  b.one.end(how);
  b.one.settle();
  CHECK(b.one.subject().idle());
  CHECK(b.answered(outcome::accepted) + b.answered(outcome::try_again) + b.answered(outcome::refused) == many + 2);
  CHECK(b.each_once());
  CHECK(b.consistent());
}

TEST_CASE("another database than before: what was decided ahead is decided again on what that one holds") {
  ahead_bench b;
  b.one.end(fate::good, 1);
  b.one.subject().forget();
  b.one.end();
  CHECK_FALSE(b.one.committing()); // read anew first
  b.one.settle();
  CHECK(b.db.log.size() == many + 2);
  CHECK(b.in_order());
  CHECK(b.consistent());
}
