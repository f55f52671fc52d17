#pragma once
// A migrated database with one competition and one match on it, and a store to write them through.
#include "runtime/postgres/store_pg.hpp"
#include "tests/support/database.hpp"

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace omnium::testing {

// A fresh, migrated database: a copy of one that the program migrated once.
std::unique_ptr<database> migrated_database();

struct road_bench {
  std::unique_ptr<database> owned = migrated_database();
  const database& db = *owned;
  std::unique_ptr<pg::store_pg> store;
  uuid competition = make_uuid7(), fixture = make_uuid7();
  std::int64_t competition_seq = 0;

  explicit road_bench(std::size_t command_connections = 4);
  std::unique_ptr<pg::store_pg> open_store(std::size_t command_connections = 4) const; // another node

  command_ptr command_of(subject_ref subject, const std::string& key, const std::string& content = "x") const;
  // Adds a finished command to a batch: accepted with the next log row, or refused.
  void add(road::subject_batch& b, const std::string& key, bool accepted = true,
           const std::string& content = "x") const;
  std::shared_ptr<road::subject_batch> batch(const uuid& of, std::int64_t expected,
                                             const std::vector<std::string>& keys) const;
  std::shared_ptr<road::subject_batch> effect(subject_ref of, std::int64_t expected, const std::string& key,
                                              road::row_effect::kind what, std::string data) const;
  std::shared_ptr<road::subject_batch> effect(const uuid& competition_id, std::int64_t expected, const std::string& key,
                                              road::row_effect::kind what, std::string data) const {
    return effect(subject_ref{subject_kind::competition, competition_id}, expected, key, what, std::move(data));
  }
  road::batch_result make_fixture(const uuid& id, const std::string& key, std::int64_t expected);
  std::vector<uuid> make_fixtures(int count); // all must succeed

  using pending = std::future<road::batch_result>;
  static pending send(pg::store_pg& through, std::shared_ptr<road::subject_batch> b);
  pending send(std::shared_ptr<road::subject_batch> b) { return send(*store, std::move(b)); }
  road::batch_result commit(std::shared_ptr<road::subject_batch> b) { return send(std::move(b)).get(); }
  std::optional<std::vector<road::seen_command>> find_keys(subject_ref subject, std::vector<std::string> keys,
                                                           bool under_lock);
  road::loaded_subject load(const uuid& of, road::load_depth depth = road::load_depth::from_snapshot);
  std::int64_t rows() const; // log rows of the match
};

} // namespace omnium::testing
