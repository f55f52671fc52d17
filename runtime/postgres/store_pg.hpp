#pragma once
// The road's store on Postgres: commits through the committer, everything else through the load pool's threads.
#include "runtime/postgres/committer.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/road/store.hpp"

#include <atomic>
#include <deque>
#include <mutex>

namespace omnium::pg {

struct store_options {
  std::string url;  // of the application's role, without limits
  std::string role; // role to take on when connected as another (an external database), or empty
  std::size_t command_connections = 6, load_connections = 2;
};

class store_pg final : public road::store {
public:
  store_pg(const store_options& options, ops::metrics* metrics);

  bool commit(std::shared_ptr<const road::subject_batch> batch, std::function<void(road::batch_result)> done) override;
  bool load(subject_ref subject, road::load_depth depth,
            std::function<void(std::optional<road::loaded_subject>, reason)> done) override;
  bool find_keys(subject_ref subject, std::vector<std::string> keys, bool under_lock,
                 std::function<void(std::optional<std::vector<road::seen_command>>, reason)> done) override;
  void note_failure(std::string key, std::string error) override;
  void save_snapshot(subject_ref subject, road::snapshot snap) override;

  committer_stats stats() const { return committer_.stats(); }

private:
  struct failure {
    std::string key, error;
  };
  void write_failures();

  std::mutex guard_;
  std::deque<failure> failures_;            // not written yet: the database was away
  std::atomic<bool> failures_wait_ = false; // there are some, and nobody is writing them
  executor others_;                         // before the committer, whose callbacks may still ask it
  committer committer_;
};

} // namespace omnium::pg
