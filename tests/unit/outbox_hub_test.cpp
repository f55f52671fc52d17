// The hub: every watcher sees every version in order, or is given a snapshot; no gap between the two.
#include "runtime/outbox/hub.hpp"
#include "tests/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

using namespace omnium;
using namespace omnium::outbox;
using namespace std::chrono_literals;

namespace {

const wire::live_topic topic{wire::live_topic::kind::fixture, make_uuid5({}, "a match")};

struct sink final : wire::live_sink {
  std::vector<std::string> frames;
  void send(wire::bytes_ptr frame) override { frames.push_back(*frame); }
};

std::string event(std::int64_t seq) {
  return fmt::format(R"({{"version":{},"prev":{},"code":"x","play":true,"item":{{}},"scoreboard":null}})", seq,
                     seq - 1);
}

// A database whose answers come when the test says so.
struct model final : topic_source {
  std::int64_t last = 0;
  bool there = true, away = false;
  std::vector<std::function<void()>> open;
  void ask(const wire::live_topic&, std::optional<std::int64_t> have, std::function<void(topic_answer)> done) override {
    // What is read is fixed when the question is put, and arrives later.
    topic_answer answer;
    answer.version = last;
    if (away) answer.what = topic_answer::kind::unavailable;
    else if (!there) answer.what = topic_answer::kind::not_found;
    else if (have && *have <= last) {
      answer.what = topic_answer::kind::changes;
      for (auto seq = *have + 1; seq <= last; ++seq) answer.changes.emplace_back(seq, event(seq));
    } else {
      answer.what = topic_answer::kind::snapshot;
      answer.data = "{}";
    }
    open.push_back([=] { done(answer); });
  }
  void settle() {
    for (auto now = std::exchange(open, {}); !now.empty(); now = std::exchange(open, {}))
      for (auto& one : now) one();
  }
};

// The versions a watcher was shown; a snapshot of v as -v - 1.
std::vector<std::int64_t> versions(const sink& s) {
  std::vector<std::int64_t> out;
  for (const auto& frame : s.frames) {
    auto version = std::stoll(frame.substr(frame.find("\"version\":") + 10));
    out.push_back(frame.find(R"("t":"snapshot")") == std::string::npos ? version : -version - 1);
  }
  return out;
}

// In order, each once, beginning with a snapshot or the version after `have`.
bool unbroken(const sink& s, std::int64_t upto, std::optional<std::int64_t> have = std::nullopt) {
  auto at = have;
  for (auto v : versions(s)) {
    if (v < 0) at = -v - 1;
    else if (!at || v != *at + 1) return false;
    else at = v;
  }
  return at == upto;
}

struct stage {
  model db;
  hub h{db};
  std::shared_ptr<sink> one = std::make_shared<sink>(), two = std::make_shared<sink>();
  void commit(int n = 1) {
    for (int i = 0; i < n; ++i) ++db.last;
  }
  void deliver(std::int64_t seq) { h.publish(topic, seq, event(seq)); }
};

} // namespace

TEST_CASE("a change at any point between snapshot and subscription is shown exactly once") {
  for (int when = 0; when < 5; ++when) {
    stage s;
    s.commit(3);
    auto strike = [&](int now) {
      if (now != when) return;
      s.commit();
      s.deliver(4);
    };
    strike(0);
    s.h.subscribe(topic, std::nullopt, "1", s.one);
    strike(1);
    s.db.settle();
    strike(2);
    s.h.subscribe(topic, std::nullopt, "2", s.two);
    strike(3);
    s.db.settle();
    strike(4);
    INFO("at " << when);
    REQUIRE(unbroken(*s.one, 4));
    REQUIRE(unbroken(*s.two, 4));
  }
}

TEST_CASE("a change that is handed out is noted with how many watch, at the moment it goes") {
  model db;
  ops::trace_book book;
  hub to(db, &book);
  to.begin();
  auto one = std::make_shared<sink>(), two = std::make_shared<sink>();
  to.subscribe(topic, std::nullopt, "1", one);
  to.subscribe(topic, std::nullopt, "2", two);
  db.settle();
  const subject_ref match{subject_kind::fixture, topic.id};
  to.publish(topic, 2, event(2)); // waits for the one before it
  CHECK(book.of_change(match, 2).empty());
  to.publish(topic, 1, event(1));
  REQUIRE(book.of_change(match, 2).size() == 1);
  CHECK(book.of_change(match, 2).front().watchers == 2);
  CHECK(book.of_change(match, 1).front().sent <= book.of_change(match, 2).front().sent);
}

TEST_CASE("rows that come out of order are handed out in order") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.db.settle();
  s.commit(5);
  for (auto seq : {3, 1, 5, 2, 4, 2}) s.deliver(seq);
  REQUIRE(versions(*s.one) == std::vector<std::int64_t>{-1, 1, 2, 3, 4, 5});
}

TEST_CASE("a hole that stays open is filled from the log") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.db.settle();
  s.commit(3);
  s.deliver(1);
  s.deliver(3);
  s.h.tick(hub::clock::now());
  REQUIRE(s.db.open.empty()); // a late commit gets its time
  s.h.tick(hub::clock::now() + 1h);
  s.db.settle();
  REQUIRE(unbroken(*s.one, 3));
}

TEST_CASE("in another database every watcher begins anew with a snapshot, also at a lower version") {
  stage s;
  s.commit(5);
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.h.subscribe(topic, std::nullopt, "2", s.two);
  s.db.settle();
  s.commit();
  s.deliver(6);
  s.db.last = 3; // what was restored
  s.h.rebase();
  REQUIRE(s.db.open.size() == 1); // one question for all who watch it
  s.commit();
  s.deliver(4); // between the question and its answer
  s.db.settle();
  for (const auto& one : {s.one, s.two}) REQUIRE(versions(*one) == std::vector<std::int64_t>{-6, 6, -4, 4});
}

TEST_CASE("an answer from before a rebase is nobody's, and who subscribes during it is served once") {
  stage s;
  s.commit(9);
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  auto old = std::exchange(s.db.open, {});
  s.db.last = 2;
  s.h.rebase();
  s.h.subscribe(topic, std::nullopt, "2", s.two);
  for (auto& answer : old) answer();
  REQUIRE(s.one->frames.empty());
  s.db.settle();
  REQUIRE(versions(*s.one) == std::vector<std::int64_t>{-3});
  REQUIRE(versions(*s.two) == std::vector<std::int64_t>{-3});
  s.commit();
  s.deliver(3);
  REQUIRE(unbroken(*s.one, 3));
  REQUIRE(unbroken(*s.two, 3));
}

TEST_CASE("a rebase asks again while the database is away, and says so when the topic is gone") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.db.settle();
  s.db.away = true;
  s.h.rebase();
  s.db.settle();
  REQUIRE(s.one->frames.size() == 1);
  s.db.away = false;
  s.h.tick(hub::clock::now());
  s.db.settle();
  REQUIRE(versions(*s.one) == std::vector<std::int64_t>{-1, -1});
  s.db.there = false;
  s.h.rebase();
  s.db.settle();
  REQUIRE(s.one->frames.back().find("unknown_topic") != std::string::npos);
  REQUIRE_FALSE(s.h.watched());
}

TEST_CASE("a screen that has a version gets what it lacks and no more") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.db.settle();
  s.commit(5);
  for (int seq = 1; seq <= 5; ++seq) s.deliver(seq);
  s.h.subscribe(topic, 3, "2", s.two);
  REQUIRE(s.db.open.empty()); // from memory
  REQUIRE(versions(*s.two) == std::vector<std::int64_t>{4, 5});
  auto current = std::make_shared<sink>();
  s.h.subscribe(topic, 5, "3", current);
  REQUIRE(current->frames.empty());
  s.commit();
  s.deliver(6);
  REQUIRE(versions(*current) == std::vector<std::int64_t>{6});
}

TEST_CASE("a second subscribe makes no second stream") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.h.subscribe(topic, std::nullopt, "2", s.one);
  s.db.settle();
  s.commit();
  s.deliver(1);
  REQUIRE(unbroken(*s.one, 1));
  REQUIRE(s.one->frames.size() == 2);
}

TEST_CASE("who left hears nothing, and an answer for them is nobody's") {
  stage s;
  s.h.subscribe(topic, std::nullopt, "1", s.one);
  s.h.leave(s.one.get());
  s.db.settle();
  s.commit();
  s.deliver(1);
  REQUIRE(s.one->frames.empty());
  REQUIRE_FALSE(s.h.watched());
}

TEST_CASE("a hundred thousand who come and go leave nothing behind") {
  stage s;
  s.commit(3);
  auto resident = [] {
    long all = 0, own = 0;
    std::ifstream("/proc/self/statm") >> all >> own;
    return own * sysconf(_SC_PAGESIZE) / 1024;
  };
  auto come_and_go = [&](int from, int count) {
    for (int i = from; i < from + count; ++i) {
      wire::live_topic match{wire::live_topic::kind::fixture, make_uuid5({}, std::to_string(i))}; // one nobody else has
      auto visitor = std::make_shared<sink>();
      std::weak_ptr<sink> gone = visitor;
      s.h.subscribe(topic, std::nullopt, "1", visitor);
      s.h.subscribe(match, std::nullopt, "2", visitor);
      if (i % 3 != 0) s.db.settle(); // others leave before their answer is there
      if (i % 2 == 0) s.h.leave(visitor.get());
      else
        for (const auto& one : {topic, match}) s.h.unsubscribe(one, visitor.get());
      visitor.reset();
      s.db.settle();
      if (!gone.expired()) FAIL("visitor " << i << " is still held");
    }
  };
  come_and_go(0, 10'000);
  auto before = resident();
  come_and_go(10'000, 90'000);
  // KiB; a record of 100 bytes for each would be 9 MiB. (A sanitizer keeps what is freed for a while.)
  if (!omnium::testing::sanitized) CHECK(resident() - before < 2 * 1024);
  CHECK_FALSE(s.h.watched());
  s.h.subscribe(topic, std::nullopt, "1", s.one); // and the next is served
  s.db.settle();
  CHECK(unbroken(*s.one, 3));
}

TEST_CASE("a socket's end costs the topics it watched, however many others there are") {
  auto all_leave = [](int sockets) {
    stage s;
    std::vector<std::shared_ptr<sink>> screens;
    for (int i = 0; i < sockets; ++i) {
      screens.push_back(std::make_shared<sink>());
      s.h.subscribe({wire::live_topic::kind::fixture, make_uuid5({}, std::to_string(i))}, std::nullopt, "1",
                    screens.back());
    }
    s.db.settle();
    const auto begun = std::clock();
    for (const auto& screen : screens) s.h.leave(screen.get());
    CHECK_FALSE(s.h.watched());
    return std::clock() - begun;
  };
  double ratio = 1e9; // four times the sockets: 4 and a little where each pays for itself, 16 where each pays for all
  for (int i = 0; i < 5 && ratio >= 9; ++i) {
    const auto few = static_cast<double>(all_leave(3'000)), many = static_cast<double>(all_leave(12'000));
    ratio = many / few;
  }
  CHECK(ratio < 9);
}

TEST_CASE("a topic that is not there is one error and no subscription") {
  stage s;
  s.db.there = false;
  s.h.subscribe(topic, std::nullopt, "\"w1\"", s.one);
  s.db.settle();
  REQUIRE(s.one->frames.size() == 1);
  REQUIRE(s.one->frames[0].find("\"w1\"") != std::string::npos);
  REQUIRE_FALSE(s.h.watched());
}

TEST_CASE("any order of joins, commits and answers leaves every watcher unbroken") {
  OMNIUM_PROPERTY("hub", [] {
    stage s;
    std::vector<std::shared_ptr<sink>> sinks;
    std::vector<std::int64_t> undelivered;
    for (auto step : *rc::gen::container<std::vector<int>>(*rc::gen::inRange(1, 200), rc::gen::inRange(0, 100))) {
      if (step < 15) {
        sinks.push_back(std::make_shared<sink>());
        s.h.subscribe(topic, std::nullopt, "1", sinks.back());
      } else if (step < 30 && !sinks.empty()) {
        s.h.subscribe(topic, std::nullopt, "1", sinks[static_cast<std::size_t>(step) % sinks.size()]);
      } else if (step < 60) {
        s.commit();
        undelivered.push_back(s.db.last);
      } else if (step < 85 && !undelivered.empty()) {
        auto at = static_cast<std::size_t>(step) % undelivered.size();
        s.deliver(undelivered[at]);
        undelivered.erase(undelivered.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (!s.db.open.empty()) {
        auto one = s.db.open.front();
        s.db.open.erase(s.db.open.begin());
        one();
      }
    }
    for (auto seq : undelivered) s.deliver(seq);
    s.db.settle();
    s.h.tick(hub::clock::now() + 1h);
    s.db.settle();
    for (const auto& one : sinks) RC_ASSERT(unbroken(*one, s.db.last));
  });
}
