#include "tests/pg/road_support.hpp"

#include "runtime/core/clock.hpp"
#include "runtime/core/hashing.hpp"
#include "runtime/postgres/migrate.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace omnium::testing {

using kind = road::batch_result::kind;

std::unique_ptr<database> migrated_database() {
  static auto model = [] {
    auto out = std::make_unique<database>();
    auto migrated = pg::migrate(out->url());
    REQUIRE(migrated.error == "");
    return out;
  }();
  return std::make_unique<database>(model->name());
}

road_bench::road_bench(std::size_t command_connections) : store(open_store(command_connections)) {
  auto made = commit(
      effect(competition, 0, "c1", road::row_effect::kind::create_competition, R"({"name":"Cup","settings":{}})"));
  REQUIRE(made.what == kind::committed);
  competition_seq = 1;
  REQUIRE(make_fixture(fixture, "f1", 1).what == kind::committed);
}

std::unique_ptr<pg::store_pg> road_bench::open_store(std::size_t command_connections) const {
  pg::store_options options{
      .url = db.app_url(), .role = {}, .command_connections = command_connections, .load_connections = 2};
  return std::make_unique<pg::store_pg>(options, nullptr);
}

command_ptr road_bench::command_of(subject_ref subject, const std::string& key, const std::string& content) const {
  auto out = std::make_shared<command>();
  out->subject = subject;
  out->key = key;
  out->code = "toy.add";
  out->input = R"({"text":"a \"quoted\" \\ \u00e4"})";
  out->sender = "test";
  out->received_at = now_utc_ms();
  out->trace = std::string(32, 'a');
  out->hash = sha256(content);
  return out;
}

void road_bench::add(road::subject_batch& b, const std::string& key, bool accepted, const std::string& content) const {
  road::finished_command c;
  c.source = command_of(b.subject, key, content);
  c.what = accepted ? outcome::accepted : outcome::refused;
  c.answer = "{\"first\": \"" + key + "\"}";
  if (accepted) {
    road::log_item row;
    row.seq = b.expected_seq + 1;
    for (const auto& other : b.commands) row.seq += other.item ? 1 : 0;
    row.code = c.source->code;
    row.play = true;
    row.input = c.source->input;
    row.sender = "test";
    row.key = key;
    row.at = c.source->received_at;
    row.trace = c.source->trace;
    b.last_play = row.seq;
    c.item = row;
    c.event = fmt::format(R"({{"version":{},"prev":{},"code":"toy.add"}})", row.seq, row.seq - 1);
  }
  b.commands.push_back(std::move(c));
}

std::shared_ptr<road::subject_batch> road_bench::batch(const uuid& of, std::int64_t expected,
                                                       const std::vector<std::string>& keys) const {
  auto b = std::make_shared<road::subject_batch>();
  b->subject = {subject_kind::fixture, of};
  b->competition = competition;
  b->expected_seq = expected;
  b->scoreboard = R"({"status":"live"})";
  for (const auto& key : keys) add(*b, key);
  return b;
}

std::shared_ptr<road::subject_batch> road_bench::effect(subject_ref of, std::int64_t expected, const std::string& key,
                                                        road::row_effect::kind what, std::string data) const {
  auto b = std::make_shared<road::subject_batch>();
  b->subject = of;
  b->competition = competition;
  b->expected_seq = expected;
  add(*b, key);
  b->effects.push_back({what, std::move(data)});
  return b;
}

road::batch_result road_bench::make_fixture(const uuid& id, const std::string& key, std::int64_t expected) {
  auto side = [&](const char* name) {
    return fmt::format(R"({{"id":"{}","name":"{}"}})", to_string(make_uuid5(id, name)), name);
  };
  auto out = commit(effect(
      competition, expected, key, road::row_effect::kind::create_fixture,
      fmt::format(R"({{"id":"{}","sport":"toy","release":"1","code_sha":"sha","settings":{{}},"home":{},"away":{}}})",
                  to_string(id), side("home"), side("away"))));
  if (out.what == kind::committed) competition_seq = out.last_seq;
  return out;
}

std::vector<uuid> road_bench::make_fixtures(int count) {
  std::vector<uuid> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(make_uuid7());
    REQUIRE(make_fixture(out.back(), fmt::format("made-{}", competition_seq), competition_seq).what == kind::committed);
  }
  return out;
}

road_bench::pending road_bench::send(pg::store_pg& through, std::shared_ptr<road::subject_batch> b) {
  auto got = std::make_shared<std::promise<road::batch_result>>();
  auto out = got->get_future();
  REQUIRE(through.commit(std::move(b), [got](road::batch_result r) { got->set_value(std::move(r)); }));
  return out;
}

std::optional<std::vector<road::seen_command>> road_bench::find_keys(subject_ref subject, std::vector<std::string> keys,
                                                                     bool under_lock) {
  std::promise<std::optional<std::vector<road::seen_command>>> got;
  store->find_keys(subject, std::move(keys), under_lock, [&](auto found, reason) { got.set_value(std::move(found)); });
  return got.get_future().get();
}

road::loaded_subject road_bench::load(const uuid& of, road::load_depth depth) {
  std::promise<std::optional<road::loaded_subject>> got;
  store->load({subject_kind::fixture, of}, depth, [&](auto what, reason) { got.set_value(std::move(what)); });
  auto out = got.get_future().get();
  REQUIRE(out);
  return *out;
}

std::int64_t road_bench::rows() const {
  return db.count("SELECT count(*) FROM timeline_item WHERE stream_id = '" + to_string(fixture) + "'");
}

} // namespace omnium::testing
