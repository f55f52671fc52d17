// match.rebuild and the check that orders it: what is stored beside the log against a fold of it. Source: S5.
#include "runtime/road/match_check.hpp"
#include "runtime/road/rebuild.hpp"
#include "tests/catch.hpp"
#include "tests/sim/model.hpp"

using namespace omnium;
using namespace omnium::model;

namespace {

struct bench {
  database db;
  subject_ref ref{subject_kind::fixture, make_uuid7()};
  node one{db, ref}, two{db, ref};
  std::uint64_t sends = 0;

  road::reply send(node& to, const std::string& code, const std::string& input, bool preview = false) {
    road::reply out;
    ++sends;
    auto command = make_command(ref, fmt::format("k{}", sends), code, input, {}, sends);
    to.subject().accept(std::make_shared<road::ticket>(command, preview, [&](road::reply r) { out = std::move(r); }));
    to.settle();
    return out;
  }
  void add(int count) {
    for (int i = 0; i < count; ++i)
      REQUIRE(send(one, "toy.add", fmt::format(R"({{"v":{}}})", i + 1)).what == outcome::accepted);
  }
  road::stored_match stored() const {
    road::stored_match out;
    out.match = db.load(ref, road::load_depth::whole_log);
    out.match.snap = db.snap;
    if (!db.scoreboard.empty()) out.scoreboard = db.scoreboard;
    out.scoreboard_seq = db.last_seq();
    return out;
  }
};

road::match_check checked(road::stored_match what, std::size_t chunk = 7) {
  road::match_check out(std::move(what), chunk);
  while (auto piece = out.next()) {
    REQUIRE(piece->mode == road::run_mode::replay);
    REQUIRE(piece->events.size() <= chunk);
    out.take(toy::run(*piece));
  }
  return out;
}

} // namespace

TEST_CASE("a rebuild writes scoreboard and snapshot anew from the log, with a row that is no play") {
  bench b;
  b.add(60); // far enough for a snapshot
  auto right = b.db.scoreboard;
  auto last_play = b.db.last_play;
  b.db.scoreboard = R"({"status":"live","score":{"home":9,"away":9}})";
  b.db.snap->state = R"({"count":1,"sum":1})";
  REQUIRE(b.send(b.two, "match.rebuild", R"({"seq":60})").what == outcome::accepted);
  CHECK(b.db.scoreboard == right);
  CHECK(b.db.log.size() == 61);
  CHECK(b.db.log.back().code == "match.rebuild");
  CHECK(b.db.last_play == last_play);
  REQUIRE(b.db.snap);
  CHECK(b.db.snap->seq == 61);
  CHECK(b.db.snap->state == toy::fold(b.db.log).text());
  CHECK(checked(b.stored()).damage().empty());
  // Both nodes go on from what is right, also the one whose head came from before.
  for (auto* to : {&b.one, &b.two}) REQUIRE(b.send(*to, "toy.add", R"({"v":1})").what == outcome::accepted);
  CHECK(b.db.scoreboard == toy::fold(b.db.log).scoreboard());
}

TEST_CASE("a head that came from a damaged snapshot is put right by the rebuild") {
  bench b;
  b.add(60);
  b.db.snap->state = R"({"count":1,"sum":1})";
  REQUIRE(b.send(b.two, "toy.add", R"({"v":1})").what == outcome::accepted);
  REQUIRE(b.db.scoreboard != toy::fold(b.db.log).scoreboard()); // the damage has spread
  REQUIRE(b.send(b.two, "match.rebuild", "{}").what == outcome::accepted);
  CHECK(b.db.scoreboard == toy::fold(b.db.log).scoreboard());
  REQUIRE(b.send(b.two, "toy.add", R"({"v":1})").what == outcome::accepted);
  CHECK(b.db.scoreboard == toy::fold(b.db.log).scoreboard());
}

TEST_CASE("a rebuild ordered for a version that passed is a conflict and writes nothing") {
  bench b;
  b.add(3);
  auto before = b.db.commands.size();
  auto late = b.send(b.one, "match.rebuild", R"({"seq":2})");
  CHECK(late.status == 409);
  CHECK(late.body.find(R"("since":[{"seq":3)") != std::string::npos);
  CHECK(b.db.log.size() == 3);
  CHECK(b.db.commands.size() == before);
  CHECK(b.send(b.one, "match.rebuild", R"({"seq":"3"})").body.find("bad_input") != std::string::npos);
  CHECK(b.send(b.one, "match.rebuild", R"({"else":3})").body.find("bad_input") != std::string::npos);
  auto preview = b.send(b.one, "match.rebuild", "{}", true);
  CHECK(preview.body.find(R"("would":"accepted")") != std::string::npos);
  CHECK(b.db.log.size() == 3);
  CHECK(b.send(b.one, "match.void", R"({"seq":4})").body.find("unknown_target") != std::string::npos);
}

TEST_CASE("a check finds each kind of damage, and only damage") {
  bench b;
  CHECK(checked(b.stored()).damage().empty()); // nothing was played
  b.add(60);
  CHECK(checked(b.stored()).damage().empty());
  auto with = [&](auto change) {
    auto what = b.stored();
    change(what);
    return checked(std::move(what)).damage();
  };
  CHECK(with([](auto& m) { m.scoreboard = "{}"; }) == "the stored scoreboard is not what the log folds to");
  CHECK(with([](auto& m) { m.scoreboard.reset(); }) == "the stored scoreboard is missing");
  CHECK(with([](auto& m) { --m.scoreboard_seq; }) == "the stored scoreboard says that it stands at another version");
  CHECK(with([](auto& m) { m.match.snap->state = "{}"; }) == "the snapshot is not what the log folds to");
  CHECK(with([](auto& m) { m.match.snap->seq = 61; }).find("the snapshot is newer than the log") == 0);
  // A snapshot that no load starts from does no harm.
  CHECK(with([](auto& m) { m.match.snap->state = "{}", m.match.snap->fold_hash = "other"; }).empty());
  CHECK(with([](auto& m) { m.match.snap.reset(); }).empty());
  REQUIRE(b.send(b.one, "match.void", R"({"seq":60})").what == outcome::accepted);
  b.db.snap->state = "{}", b.db.snap->seq = 50;
  CHECK(checked(b.stored()).damage().empty());
}

TEST_CASE("a log that does not fold is told as that, and a worker that failed as a worker") {
  bench b;
  b.add(20);
  auto run = [&](road::run_reply::kind what) {
    road::match_check out(b.stored(), 7);
    out.take(toy::run(*out.next()));
    out.next();
    road::run_reply reply;
    reply.what = what;
    reply.error = "no";
    out.take(reply);
    CHECK(out.next() == nullptr);
    CHECK(out.fault() == "no");
    CHECK(out.damage().empty());
    return out.worker_failed();
  };
  CHECK_FALSE(run(road::run_reply::kind::cannot_fold));
  CHECK(run(road::run_reply::kind::killed));
  CHECK(run(road::run_reply::kind::unavailable));
}

TEST_CASE("what is rebuilt again and again with nothing between is counted") {
  bench b;
  b.add(2);
  CHECK(checked(b.stored()).rebuilt_in_vain() == 0);
  for (int i = 0; i < 3; ++i) REQUIRE(b.send(b.one, "match.rebuild", "{}").what == outcome::accepted);
  CHECK(checked(b.stored()).rebuilt_in_vain() == 3);
  b.add(1);
  CHECK(checked(b.stored()).rebuilt_in_vain() == 0);
}

TEST_CASE("after any mix of plays, corrections and rebuilds a check in pieces of any size finds nothing") {
  OMNIUM_PROPERTY([](std::uint64_t seed) {
    bench b;
    std::mt19937_64 lot(seed);
    auto pick = [&](std::uint64_t n) { return static_cast<std::int64_t>(lot() % n); };
    for (int i = 0; i < 120; ++i) {
      auto& to = pick(2) != 0 ? b.one : b.two;
      auto seq = 1 + pick(static_cast<std::uint64_t>(b.db.last_seq()) + 1);
      switch (pick(8)) {
      case 0:
        b.send(to, "match.void", fmt::format(R"({{"seq":{}}})", seq));
        break;
      case 1:
        b.send(to, "match.amend", fmt::format(R"({{"seq":{},"input":{{"v":3}}}})", seq));
        break;
      case 2:
        b.send(to, "match.insert", fmt::format(R"({{"before":{},"code":"toy.add","input":{{"v":2}}}})", seq));
        break;
      case 3:
        b.send(to, "match.rebuild", "{}");
        break;
      default:
        b.send(to, "toy.add", fmt::format(R"({{"v":{}}})", pick(9) - 2));
      }
    }
    auto found = checked(b.stored(), static_cast<std::size_t>(1 + pick(150)));
    RC_ASSERT(found.fault().empty());
    RC_ASSERT(found.damage().empty());
  });
}
