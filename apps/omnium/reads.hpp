#pragma once
// The reads of the contract that are not a match actor's: from the database's read pool, and from what this node knows.
#include "apps/omnium/caretakers.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/sport/shelf.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace omnium::apps {

// Takes over the defaults that operators set. False: the database cannot be read, and what was known stands.
bool read_defaults(pg::session& mine, sport::rules& rules);

class node_reads {
public:
  node_reads(pg::executor& pool, sport::shelf& shelf, const caretakers& care);
  void answer(wire::read_request what, std::function<void(wire::read_reply)> done);
  // A match's last_seq; 0: there is no such match; nullopt: the database is not available. `done` may come on any
  // thread.
  void head(const uuid& fixture, std::function<void(std::optional<std::int64_t>)> done);

private:
  void sports(bool workflows, std::function<void(wire::read_reply)> done);
  void readyz(bool verbose, std::function<void(wire::read_reply)> done);
  void check_write(std::function<void(const std::optional<pg::db_error>&)> told);
  std::vector<std::function<void(const std::optional<pg::db_error>&)>> take_probes();
  std::string health_json(bool reasons) const;
  void from_database(wire::read_request what, std::function<void(wire::read_reply)> done);
  pg::executor& pool_;
  sport::shelf& shelf_;
  const caretakers& care_;
  std::mutex guard_;
  std::vector<std::function<void(const std::optional<pg::db_error>&)>> probes_; // that wait for the check under way
};

} // namespace omnium::apps
