// Tokens on a real Postgres: what is kept, what is valid, what the application may not do with them, and lists narrowed
// to a token's limits.
#include "runtime/access/token_text.hpp"
#include "runtime/postgres/reads.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/tokens.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"

#include <fmt/format.h>

using namespace omnium;
using namespace std::chrono_literals;
using testing::road_bench;

namespace {

struct token_bench : road_bench {
  pg::session session{pg::with_limits(db.app_url(), pg::read_limits, "")};

  template<class Work>
  pg::db_error run(Work work) {
    return session.run([&](pg::session::door& door) { work(door); });
  }
  static access::known_token made(const std::string& name, access::role is = access::role::scorer) {
    access::known_token out;
    auto text = access::make_token_text();
    out.hash = sha256(text);
    out.what.id = make_uuid7();
    out.what.name = name;
    out.what.prefix = access::shown_prefix(text);
    out.what.is = is;
    return out;
  }
  pg::db_error insert(const access::known_token& what) {
    bool taken = false;
    auto error = run([&](auto& door) { taken = pg::insert_token(door, what, "test"); });
    CHECK(taken == !error);
    return error;
  }
  std::vector<access::known_token> valid() {
    std::vector<access::known_token> out;
    CHECK_FALSE(run([&](auto& door) { out = pg::read_valid_tokens(door); }));
    return out;
  }
};

} // namespace

TEST_CASE("a token comes back as it was made, while it is neither revoked nor expired") {
  token_bench b;
  auto one = token_bench::made("anna"), two = token_bench::made("berta", access::role::admin);
  one.what.competitions = {b.competition, make_uuid7()};
  one.what.fixtures = {b.fixture};
  one.what.expires = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now() + 1h);
  two.what.may_name_sender = true;
  REQUIRE_FALSE(b.insert(one));
  REQUIRE_FALSE(b.insert(two));
  auto all = b.valid();
  REQUIRE(all.size() == 2);
  const auto& back = all[0].hash == one.hash ? all[0] : all[1];
  const auto& other = all[0].hash == one.hash ? all[1] : all[0];
  CHECK(back.hash == one.hash);
  CHECK(back.what.id == one.what.id);
  CHECK(back.what.name == "anna");
  CHECK(back.what.is == access::role::scorer);
  CHECK(back.what.competitions == one.what.competitions);
  CHECK(back.what.fixtures == one.what.fixtures);
  CHECK(back.what.expires == one.what.expires);
  CHECK_FALSE(back.what.may_name_sender);
  CHECK(other.what.may_name_sender);
  CHECK_FALSE(other.what.expires);
  CHECK_FALSE(other.what.limited());
  b.db.run("UPDATE access_token SET expires_at = now() WHERE name = 'anna'");
  CHECK(b.valid().size() == 1);
}

TEST_CASE("a token is revoked by its id, name or prefix, once, and its name is free again") {
  token_bench b;
  auto revoke = [&](const std::string& which) {
    int out = 0;
    CHECK_FALSE(b.run([&](auto& door) { out = pg::revoke_token(door, which); }));
    return out;
  };
  for (auto part : {0, 1, 2}) {
    auto one = token_bench::made("anna");
    REQUIRE_FALSE(b.insert(one));
    CHECK(b.insert(token_bench::made("anna")).fault == pg::db_fault::unique);
    const auto which = part == 0 ? to_string(one.what.id) : part == 1 ? one.what.name : one.what.prefix;
    CHECK(revoke(which) == 1);
    CHECK(revoke(which) == 0);
    CHECK(b.valid().empty());
    auto standing = pg::token_standing::valid;
    CHECK_FALSE(b.run([&](auto& door) { standing = pg::standing_of(door, one.hash); }));
    CHECK(standing == pg::token_standing::ended);
  }
  // Two that go by one word: neither.
  auto one = token_bench::made("twin"), two = token_bench::made(one.what.prefix);
  REQUIRE_FALSE(b.insert(one));
  REQUIRE_FALSE(b.insert(two));
  CHECK(revoke(one.what.prefix) == -1);
  CHECK(b.valid().size() == 2);
}

TEST_CASE("the application can revoke a token and do nothing else to it") {
  token_bench b;
  REQUIRE_FALSE(b.insert(token_bench::made("anna")));
  pqxx::connection app(b.db.app_url());
  for (auto sql :
       {"UPDATE access_token SET role = 'admin'", "UPDATE access_token SET hash = decode(repeat('00', 32), 'hex')",
        "UPDATE access_token SET expires_at = NULL", "DELETE FROM access_token", "TRUNCATE access_token"}) {
    INFO(sql);
    pqxx::nontransaction tx(app);
    CHECK_THROWS(tx.exec(sql));
  }
  pqxx::nontransaction tx(app);
  CHECK_NOTHROW(tx.exec("UPDATE access_token SET revoked_at = now()"));
}

TEST_CASE("valid tokens are bounded, and whoever is the first admin is known") {
  token_bench b;
  bool admin = true;
  CHECK_FALSE(b.run([&](auto& door) { admin = pg::any_valid_admin(door); }));
  CHECK_FALSE(admin);
  b.db.run(fmt::format("INSERT INTO access_token (id, name, prefix, hash, role, created_by) SELECT gen_random_uuid(), "
                       "'n' || n, 'p', sha256(n::text::bytea), 'admin', 'test' FROM generate_series(1, {}) n",
                       pg::tokens_valid_max));
  bool taken = true;
  CHECK_FALSE(b.run([&](auto& door) { taken = pg::insert_token(door, token_bench::made("one more"), "test"); }));
  CHECK_FALSE(taken);
  CHECK(b.valid().size() == static_cast<std::size_t>(pg::tokens_valid_max));
  CHECK_FALSE(b.run([&](auto& door) { admin = pg::any_valid_admin(door); }));
  CHECK(admin);
}

TEST_CASE("lists show what lies inside a token's limits, page by page") {
  token_bench b;
  auto more = b.make_fixtures(3);
  auto connection = b.db.connect();
  auto list = [&](const std::string& path, pg::read_query::inside only) {
    return pg::run_read(connection, {path, "limit=200", "", std::move(only)}).body;
  };
  auto holds = [](const std::string& text, const uuid& id) { return text.find(to_string(id)) != std::string::npos; };
  auto all = list("/fixtures", {{b.competition}, {}});
  CHECK(holds(all, b.fixture));
  for (const auto& id : more) CHECK(holds(all, id));
  auto one = list("/fixtures", {{make_uuid7()}, {more[0]}});
  CHECK(holds(one, more[0]));
  CHECK_FALSE(holds(one, more[1]));
  CHECK_FALSE(holds(one, b.fixture));
  CHECK(list("/fixtures", {{}, {}}).starts_with(R"({"items":[],)"));
  CHECK(holds(list("/competitions", {{b.competition}, {}}), b.competition));
  CHECK_FALSE(holds(list("/competitions", {{}, {b.fixture}}), b.competition));
  std::optional<uuid> found;
  CHECK_FALSE(b.run([&](auto& door) { found = pg::competition_of(door, more[2]); }));
  CHECK(found == b.competition);
  CHECK_FALSE(b.run([&](auto& door) { found = pg::competition_of(door, make_uuid7()); }));
  CHECK_FALSE(found);
}
