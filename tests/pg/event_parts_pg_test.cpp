// An event that names the part of its scoreboard that seldom changes: whoever reads domain_event gets each event whole,
// to the byte, whatever the calls were made of.
#include "runtime/postgres/road_calls.hpp"
#include "runtime/road/release_commands.hpp"
#include "tests/catch.hpp"
#include "tests/pg/outbox_support.hpp"
#include "tests/pg/road_support.hpp"

#include <fmt/format.h>
#include <map>
#include <random>

using namespace omnium;
using namespace std::chrono_literals;
using kind = road::batch_result::kind;
using testing::road_bench;

namespace {

constexpr int balls_before_kept = 8; // as in road.still_is_due

// The closed innings are what `closed` says; each has some 150 bytes.
std::string board_at(const std::vector<int>& closed, int ball) {
  std::string innings;
  for (int runs : closed) innings += fmt::format(R"({{"runs":{},"more":"{}"}},)", runs, std::string(130, 'x'));
  return fmt::format(R"({{"line":"{0}–{0}","innings":[{1}{{"runs":{0}}}],"bowler":{{"balls":{0}}}}})", ball, innings);
}

// What was handed in for each match, and what every reader must get.
struct event_bench : road_bench {
  event_bench() : road_bench(1), session(pg::with_limits(db.app_url(), pg::command_limits, "")) {}
  pg::session session;
  std::map<uuid, std::map<std::int64_t, std::string>> sent;

  std::int64_t head(const uuid& id) { return sent[id].empty() ? 0 : sent[id].rbegin()->first; }

  // A batch of one match: a command for each scoreboard.
  std::shared_ptr<road::subject_batch> batch_of(const uuid& id, const std::vector<std::string>& boards) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < boards.size(); ++i)
      keys.push_back(fmt::format("{}-{}", to_string(id), head(id) + 1 + static_cast<std::int64_t>(i)));
    auto b = batch(id, head(id), keys);
    for (std::size_t i = 0; i < boards.size(); ++i) {
      auto& c = b->commands[i];
      c.event = fmt::format(R"({{"version":{},"item":{{"input":{{"scoreboard":[1,2]}}}},"scoreboard":{}}})",
                            c.item->seq, boards[i]);
      sent[id][c.item->seq] = c.event;
    }
    b->scoreboard = boards.back();
    return b;
  }
  // One call of road.commit for all these matches.
  void play(const std::map<uuid, std::vector<std::string>>& matches) {
    std::vector<pg::batch_ptr> batches;
    for (const auto& [id, boards] : matches) batches.push_back(batch_of(id, boards));
    const auto got = pg::call_commit(session, batches, true);
    REQUIRE(got.results.size() == batches.size());
    for (const auto& result : got.results) REQUIRE(result.what == kind::committed);
  }
  void play(const uuid& id, const std::vector<std::string>& boards) { play({{id, boards}}); }

  void check_all_whole() const {
    for (const auto& [id, events] : sent)
      for (const auto& [seq, event] : events) {
        INFO(seq << " of " << to_string(id));
        REQUIRE(db.ask(fmt::format("SELECT payload FROM domain_event WHERE fixture_id = '{}' AND seq = {}",
                                   to_string(id), seq)) == event);
      }
  }
  std::int64_t named(const uuid& id) const {
    return db.count(fmt::format(
        "SELECT count(*) FROM domain_event_row WHERE fixture_id = '{}' AND still_id IS NOT NULL", to_string(id)));
  }
  std::int64_t stills() const { return db.count("SELECT count(*) FROM scoreboard_still"); }
};

} // namespace

TEST_CASE("an event names what has stood for some events, alone in its call and beside others") {
  event_bench b;
  const auto matches = b.make_fixtures(3);
  const std::vector<int> closed{300, 250, 280};
  const bool alone = GENERATE(true, false);
  for (int ball = 0; ball < 20; ++ball) {
    if (alone) b.play(matches[0], {board_at(closed, ball)});
    else
      b.play({{matches[0], {board_at(closed, ball)}},
              {matches[1], {board_at(closed, ball)}},
              {matches[2], {board_at({}, ball)}}});
  }
  b.check_all_whole();
  CHECK(b.named(matches[0]) == 20 - balls_before_kept - 1);
  CHECK(b.named(matches[1]) == (alone ? 0 : 20 - balls_before_kept - 1));
  CHECK(b.named(matches[2]) == 0);
  CHECK(b.stills() == (alone ? 1 : 2));
  const auto bytes = [&](int seq) {
    return b.db.count(
        fmt::format("SELECT octet_length(payload) FROM domain_event_row WHERE fixture_id = '{}' AND seq = {}",
                    to_string(matches[0]), seq));
  };
  CHECK(bytes(5) - bytes(15) > 400);
}

TEST_CASE(
    "an innings that closes, one that is corrected, and one that is taken back are written whole, then named again") {
  event_bench b;
  const auto id = b.make_fixtures(1)[0];
  const auto play_ten = [&](const std::vector<int>& closed) {
    const auto before = b.named(id);
    for (int ball = 0; ball < 10; ++ball) b.play(id, {board_at(closed, ball)});
    CHECK(b.named(id) - before == 1);
  };
  play_ten({300});
  play_ten({300, 250});
  play_ten({301, 250}); // a ball of the first innings was amended
  play_ten({300, 250}); // and taken back: stood before, but not now
  CHECK(b.stills() == 4);
  b.check_all_whole();
}

TEST_CASE("a batch in which an innings closes names only what is the same text") {
  event_bench b;
  const auto id = b.make_fixtures(1)[0];
  for (int ball = 0; ball < 10; ++ball) b.play(id, {board_at({300}, ball)});
  const auto before = b.named(id);
  SECTION("it closes in the middle") {
    b.play(id, {board_at({300}, 11), board_at({300, 20}, 0), board_at({300, 20}, 1)});
    CHECK(b.named(id) == before);
  }
  SECTION("it closes, and that is voided in the same batch") {
    b.play(id, {board_at({300}, 11), board_at({300, 20}, 0), board_at({300}, 11)});
    CHECK(b.named(id) == before + 2);
  }
  SECTION("its one event shows other innings than its scoreboard") {
    auto call = b.batch_of(id, {board_at({7}, 11)});
    call->scoreboard = board_at({300}, 11);
    REQUIRE(b.commit(std::move(call)).what == kind::committed);
    CHECK(b.named(id) == before);
  }
  b.check_all_whole();
}

TEST_CASE("what changes with every event, and what is short, is never kept apart") {
  event_bench b;
  const auto ids = b.make_fixtures(2);
  std::vector<int> races;
  for (int n = 0; n < 30; ++n) {
    if (n % 3 == 0) races.push_back(n);
    b.play(ids[0], {board_at(races, n)});
    b.play(ids[1], {fmt::format(R"({{"sets":[{{"home":6}},{{"home":{}}}]}})", n)});
  }
  CHECK(b.stills() == 0);
  CHECK(b.named(ids[0]) + b.named(ids[1]) == 0);
  b.check_all_whole();
}

TEST_CASE("128 bytes are kept apart, 127 are not") {
  event_bench b;
  const auto ids = b.make_fixtures(2);
  const auto goals = [](std::size_t bytes, int n) { // of the still part: the first goal, its quotes and its comma
    return fmt::format(R"({{"goals":["{}","{}"]}})", std::string(bytes - 3, 'x'), n);
  };
  const bool together = GENERATE(true, false);
  for (int n = 0; n < 12; ++n) {
    if (together) b.play({{ids[0], {goals(127, n)}}, {ids[1], {goals(128, n)}}});
    for (std::size_t i = 0; !together && i < 2; ++i) b.play(ids[i], {goals(127 + i, n)});
  }
  CHECK(b.named(ids[0]) == 0);
  CHECK(b.named(ids[1]) == 12 - balls_before_kept - 1);
  b.check_all_whole();
}

TEST_CASE("a match that moves to another release, whose scoreboard has no list, names nothing of the old one") {
  event_bench b;
  const auto id = b.make_fixtures(1)[0];
  for (int ball = 0; ball < 10; ++ball) b.play(id, {board_at({300}, ball)});
  REQUIRE(b.named(id) == 1);
  auto move = b.effect({subject_kind::fixture, id}, b.head(id), "move", road::row_effect::kind::set_release,
                       road::move_data("toy", {"2", "sha2"}, R"({"line":"two"})", "live"));
  b.sent[id][b.head(id) + 1] = move->commands[0].event;
  REQUIRE(b.commit(move).what == kind::committed);
  const bool beside = GENERATE(true, false);
  const auto other = beside ? b.make_fixtures(1)[0] : id;
  if (beside) b.play({{id, {R"({"line":"three"})"}}, {other, {R"({"line":"three"})"}}});
  else b.play(id, {R"({"line":"three"})"});
  b.check_all_whole();
}

TEST_CASE("events are whole to the byte after any calls of any matches") {
  event_bench b;
  const auto ids = b.make_fixtures(4);
  std::mt19937 random(GENERATE(1U, 2U, 3U));
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::map<uuid, std::vector<int>> closed;
  for (int call = 0; call < 120; ++call) {
    std::map<uuid, std::vector<std::string>> calls;
    for (const auto& id : ids) {
      if (below(3) == 0) continue;
      for (int n = 1 + (below(4) == 0 ? below(12) : 0); n > 0; --n) {
        auto& innings = closed[id];
        const int what = below(30);
        if (what == 0 && innings.size() < 5) innings.push_back(below(3));
        if (what == 1 && !innings.empty()) innings.pop_back();
        if (what == 2 && !innings.empty()) innings[0] = below(3);
        calls[id].push_back(board_at(innings, below(100)));
      }
    }
    if (!calls.empty()) b.play(calls);
  }
  b.check_all_whole();
  CHECK(b.db.count("SELECT count(*) FROM domain_event_row WHERE still_id IS NOT NULL") > 50);
  CHECK(b.db.count("SELECT count(*) FROM domain_event_row WHERE still_id IS NULL AND payload LIKE E'%\\x1e%'") == 0);
}

TEST_CASE("whoever inserts into domain_event inserts a whole one; what events name cannot be changed") {
  event_bench b;
  auto app = pqxx::connection(b.db.app_url());
  const auto run = [&](const std::string& text) {
    pqxx::work tx(app);
    auto got = tx.exec(text);
    tx.commit();
    return got;
  };
  const auto got =
      run("INSERT INTO domain_event (kind, fixture_id, seq, payload) VALUES ('outside', gen_random_uuid(), 1, '{}') "
          "RETURNING id, xid = pg_current_xact_id(), payload, created_at <= now()");
  CHECK(got[0][0].as<std::int64_t>() > 0);
  CHECK(got[0][1].as<bool>());
  CHECK(got[0][3].as<bool>());
  CHECK(b.db.ask("SELECT payload FROM domain_event WHERE kind = 'outside'") == "{}");
  run("DELETE FROM domain_event WHERE kind = 'outside'");
  CHECK(b.db.count("SELECT count(*) FROM domain_event_row WHERE kind = 'outside'") == 0);
  for (const auto* no :
       {"UPDATE scoreboard_still SET text = ''", "DELETE FROM scoreboard_still", "TRUNCATE scoreboard_still",
        "UPDATE domain_event SET seq = 1", "UPDATE domain_event_row SET payload = ''"})
    CHECK_THROWS_AS(run(no), pqxx::insufficient_privilege);
}

TEST_CASE("an event whose still part is gone is told as a snapshot, and the next ones are whole again") {
  event_bench b;
  const auto id = b.make_fixtures(1)[0];
  for (int ball = 0; ball < 10; ++ball) b.play(id, {board_at({300}, ball)});
  testing::screens_node here(b.db.app_url());
  auto screen = here.watch(id);
  const auto shown = [&](const std::vector<int>& closed, int ball) {
    b.play(id, {board_at(closed, ball)});
    here.reader.ring();
    REQUIRE(screen->reaches(b.head(id), 5s));
  };
  shown({300}, 10); // the reader is past what was before
  b.db.run("DELETE FROM scoreboard_still");
  shown({300}, 11);
  shown({300, 20}, 12);
  CHECK(screen->versions() == std::vector<std::int64_t>{-10 - 1, 11, -12 - 1, 13});
}
