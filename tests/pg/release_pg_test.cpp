// Releases in the database: approval, defaults, the pin of a match. Source: P3, P6, P7, issue 3.
#include "runtime/road/release_commands.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

#include <fmt/format.h>

using namespace omnium;
using effect_kind = road::row_effect::kind;
using kind = road::batch_result::kind;

namespace {

struct bench : testing::road_bench {
  std::int64_t ops_seq = 0;

  road::batch_result ops(effect_kind what, const std::string& data) {
    auto out = commit(effect(road::operations_subject, ops_seq, fmt::format("ops-{}-{}", ops_seq, data), what, data));
    if (out.what == kind::committed) ops_seq = out.last_seq;
    return out;
  }
  road::batch_result install(const std::string& version, const std::string& sha, bool replace = false) {
    return ops(effect_kind::install_release,
               fmt::format(R"({{"sport":"toy","release":"{}","code_sha":"{}","approved_by":"Ada","replace":{}}})",
                           version, sha, replace));
  }
  road::batch_result set_default(const std::string& version) {
    return ops(effect_kind::set_default_release, fmt::format(R"({{"sport":"toy","release":"{}"}})", version));
  }
  road::batch_result set_default_here(const std::string& release_json) {
    auto out = commit(
        effect(competition, competition_seq, fmt::format("here-{}", competition_seq), effect_kind::set_default_release,
               fmt::format(R"({{"sport":"toy","competition":"{}"{}}})", to_string(competition), release_json)));
    if (out.what == kind::committed) competition_seq = out.last_seq;
    return out;
  }
  // The release that a new match got; the node's own choice is 1.
  std::string made(bool pinned = false) {
    auto id = make_uuid7();
    auto side = [&](const char* name) {
      return fmt::format(R"({{"id":"{}","name":"{}"}})", to_string(make_uuid5(id, name)), name);
    };
    auto out = commit(effect(
        competition, competition_seq, fmt::format("f-{}", competition_seq), effect_kind::create_fixture,
        fmt::format(
            R"({{"id":"{}","sport":"toy","release":"1","code_sha":"sha","pinned":{},"settings":{{}},"home":{},"away":{}}})",
            to_string(id), pinned, side("home"), side("away"))));
    REQUIRE(out.what == kind::committed);
    competition_seq = out.last_seq;
    return db.ask(fmt::format("SELECT f.release || ':' || r.version FROM fixture f JOIN plugin_release r ON r.id = "
                              "f.release_id WHERE f.id = '{}'",
                              to_string(id)));
  }
};

} // namespace

TEST_CASE("a release is approved once installed, and another package under its version is refused") {
  bench b;
  REQUIRE(b.db.count("SELECT count(*) FROM plugin_release WHERE approved_by IS NULL") == 1); // taken by a first match
  REQUIRE(b.install("1", "sha").what == kind::committed);
  REQUIRE(b.db.ask("SELECT approved_by FROM plugin_release WHERE version = '1'") == "Ada");
  auto changed = b.install("1", "sha-of-other-code");
  CHECK(changed.what == kind::failed);
  CHECK(changed.person_error);
  CHECK(changed.why.code == "release_changed");
  REQUIRE(b.install("1", "sha-of-other-code", true).what == kind::committed);
  REQUIRE(b.db.ask("SELECT code_sha FROM plugin_release WHERE version = '1'") == "sha-of-other-code");
  auto late = b.make_fixture(make_uuid7(), "late", b.competition_seq); // a node with the old package
  CHECK(late.why.code == "release_changed");
}

TEST_CASE("new matches get the narrower default, and none that is not installed can be one") {
  bench b;
  CHECK(b.made() == "1:1");
  auto early = b.set_default("2");
  CHECK(early.what == kind::failed);
  CHECK(early.why.code == "not_installed");
  for (const char* version : {"1", "2", "3"})
    REQUIRE(b.install(version, version == std::string("1") ? "sha" : "sha2").what == kind::committed);
  REQUIRE(b.set_default("2").what == kind::committed);
  CHECK(b.made() == "2:2");
  CHECK(b.made(true) == "1:1"); // a release that was named is taken
  REQUIRE(b.set_default_here(R"(,"release":"3")").what == kind::committed);
  CHECK(b.made() == "3:3");
  REQUIRE(b.set_default("1").what == kind::committed);
  CHECK(b.made() == "3:3");
  REQUIRE(b.set_default_here("").what == kind::committed); // taken away: the sport's own again
  CHECK(b.made() == "1:1");
  CHECK(b.db.count("SELECT count(*) FROM fixture WHERE release = '2'") == 1); // taken back, and its match is left on it
}

TEST_CASE("there is one default for a sport and one for it in a competition, never two") {
  bench b;
  REQUIRE(b.install("1", "sha").what == kind::committed);
  REQUIRE(b.set_default("1").what == kind::committed);
  REQUIRE(b.set_default_here(R"(,"release":"1")").what == kind::committed);
  CHECK(b.db.count("SELECT count(*) FROM release_default") == 2);
  for (const char* where : {"NULL", "competition_id"})
    CHECK_THROWS_WITH(
        b.db.run(fmt::format("INSERT INTO release_default (sport, competition_id, release_id) SELECT sport, {}, "
                             "release_id FROM release_default WHERE competition_id IS NOT NULL",
                             where)),
        Catch::Contains("release_default_key"));
}

TEST_CASE("a match that moves drops its snapshot and shows what the other release folds, in one transaction") {
  bench b;
  auto batch = b.batch(b.fixture, 0, {"k1", "k2"});
  batch->snap = road::snapshot{2, "toy@1", "sha", "{}"};
  REQUIRE(b.commit(batch).what == kind::committed);
  auto move = b.effect({subject_kind::fixture, b.fixture}, 2, "m", effect_kind::set_release,
                       road::move_data("toy", {"2", "sha2"}, R"({"line":"two"})", "live"));
  REQUIRE(b.commit(move).what == kind::committed);
  auto loaded = b.load(b.fixture);
  CHECK(loaded.release == "2");
  CHECK(loaded.fold_hash == "sha2");
  CHECK(loaded.status == "live");
  CHECK(!loaded.snap);
  CHECK(loaded.log.size() == 3);
  CHECK(b.db.ask("SELECT seq || text FROM fixture_scoreboard") == R"(3{"line":"two"})");
  // Overtaken: nothing of it is left.
  auto late = b.effect({subject_kind::fixture, b.fixture}, 2, "m2", effect_kind::set_release,
                       road::move_data("toy", {"1", "sha"}, "{}", "live"));
  CHECK(b.commit(late).what == kind::stale);
  CHECK(b.load(b.fixture).release == "2");
}

TEST_CASE("a competition that could not be made leaves the refusal and nothing else, and its key is used") {
  bench b;
  auto refused = std::make_shared<road::subject_batch>();
  refused->subject = {subject_kind::competition, make_uuid7()};
  b.add(*refused, "no", false);
  CHECK(b.commit(refused).what == kind::committed);
  CHECK(b.commit(refused).what == kind::seen);
  CHECK(b.db.count("SELECT count(*) FROM command WHERE command_id = 'no' AND outcome = 'refused'") == 1);
  CHECK(b.db.count("SELECT count(*) FROM competition") == 1);
}

TEST_CASE("the operators' subject is made by its first command, also by one that is refused") {
  bench b;
  CHECK(b.db.ask("SELECT road.operations()") == to_string(road::operations_subject));
  auto refused = std::make_shared<road::subject_batch>();
  refused->subject = {subject_kind::competition, road::operations_subject};
  b.add(*refused, "no", false);
  CHECK(b.commit(refused).what == kind::committed);
  CHECK(b.db.count("SELECT count(*) FROM competition WHERE id = road.operations()") == 1);
  CHECK(b.install("1", "sha").what == kind::committed);
}
