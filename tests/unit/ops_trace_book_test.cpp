// The newest commands of a node with the times of their way.
#include "runtime/ops/trace_book.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

using namespace omnium;
using omnium::ops::trace_book;

namespace {

const ops::trace_record::time never{};

command made(const std::string& trace, const std::string& key) {
  command out;
  out.trace = trace;
  out.key = key;
  out.code = "football.goal";
  out.subject = {subject_kind::fixture, make_uuid7()};
  out.arrived = std::chrono::steady_clock::now() - std::chrono::milliseconds(5);
  return out;
}

} // namespace

TEST_CASE("a command's way is kept with its times, in order") {
  trace_book book;
  auto cmd = made("t1", "k1");
  book.decided(cmd, 7);
  book.read(cmd.subject, 7); // a reader may be quicker than the committer's own word
  book.committed(cmd);
  book.sent(cmd.subject, 7, 3);
  book.answered(cmd, outcome::accepted, {});
  auto found = book.find("t1", {});
  REQUIRE(found.size() == 1);
  const auto& one = found.front();
  CHECK(one.key == "k1");
  CHECK(one.code == "football.goal");
  CHECK(one.seq == 7);
  CHECK(one.outcome == "accepted");
  CHECK(one.watchers == 3);
  CHECK(one.received < one.decided);
  CHECK(one.decided <= one.committed);
  CHECK(one.read <= one.committed);
  CHECK(one.committed <= one.sent);
  CHECK(one.sent <= one.answered);
  CHECK(book.find({}, "k1").size() == 1);
  CHECK(book.find("t2", "k2").empty());
  CHECK(book.find({}, {}).empty());
  REQUIRE(book.of_change(cmd.subject, 7).size() == 1);
  CHECK(book.of_change(cmd.subject, 8).empty());
}

TEST_CASE("a command that is decided again is not given the times of another's row") {
  trace_book book;
  auto cmd = made("t1", "k1");
  book.decided(cmd, 7);
  book.read(cmd.subject, 7); // what another node wrote as row 7
  book.sent(cmd.subject, 7, 1);
  book.decided(cmd, 8);
  auto one = book.find("t1", {}).front();
  CHECK(one.seq == 8);
  CHECK(one.read == never);
  CHECK(one.sent == never);
  book.answered(cmd, outcome::conflict, "moved_on");
  one = book.find("t1", {}).front();
  CHECK(one.seq == 0);
  CHECK(one.reason == "moved_on");
  CHECK(book.of_change(cmd.subject, 8).empty());
}

TEST_CASE("each sending has a record of its own, and another node's change one without a trace") {
  trace_book book;
  auto first = made("t1", "k1"), again = made("t2", "k1");
  book.decided(first, 1);
  book.answered(first, outcome::accepted, {});
  book.answered(again, outcome::duplicate, {});
  CHECK(book.find({}, "k1").size() == 2);
  subject_ref other{subject_kind::fixture, make_uuid7()};
  book.read(other, 4);
  book.sent(other, 4, 2);
  REQUIRE(book.of_change(other, 4).size() == 1);
  CHECK(book.of_change(other, 4).front().trace.empty());
  CHECK(book.of_change(other, 4).front().watchers == 2);
}

TEST_CASE("beyond the bound the oldest records go, with all that led to them") {
  trace_book book(4);
  std::vector<command> sent;
  for (int i = 0; i < 10; ++i) sent.push_back(made(fmt::format("t{}", i), fmt::format("k{}", i)));
  for (const auto& cmd : sent) book.decided(cmd, 1);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(book.find(sent[i].trace, {}).empty());
    CHECK(book.of_change(sent[i].subject, 1).empty());
  }
  for (std::size_t i = 6; i < 10; ++i) CHECK(book.find(sent[i].trace, {}).size() == 1);
  book.answered(sent[0], outcome::accepted, {}); // its record is gone: a new one, and no other's is changed
  CHECK(book.find("t6", {}).empty());
  CHECK(book.find("t7", {}).front().outcome.empty());
  CHECK(book.find("t0", {}).front().outcome == "accepted");
}
