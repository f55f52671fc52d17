#pragma once
// What an operator asks of a node, as JSON: who waits for whom, what failed, which releases are here, and whether a
// stored scoreboard is what its log folds to. Answered on the read pool and the sport workers, never on the road.
#include "actors/actors.hpp"
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/road/store.hpp"
#include "runtime/sport/releases.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace omnium::apps {

// What the database says of the releases on this disk that must be put right: one sentence each.
std::vector<std::string> release_faults(pg::session& mine, const sport::catalogue& catalogue);

class ops_reads {
public:
  ops_reads(pg::executor& pool, road::store& store, const sport::catalogue& catalogue, actors::sports_actor sports,
            ops::raise_fn raise)
      : pool_(pool), store_(store), catalogue_(catalogue), sports_(std::move(sports)), raise_(std::move(raise)) {}

  // /ops/locks, /ops/failures, /ops/releases, /ops/verify/{fixture}. False: not one of them.
  bool answer(const wire::read_request& what, const std::function<void(wire::read_reply)>& done);

private:
  void from_database(const char* name, const char* sql, std::function<void(wire::read_reply)> done);
  void verify(const uuid& fixture, std::function<void(wire::read_reply)> done);
  void read_stored(std::shared_ptr<const road::loaded_subject> log, std::function<void(wire::read_reply)> done);
  void fold_and_compare(std::shared_ptr<const road::loaded_subject> log, std::string shown,
                        std::function<void(wire::read_reply)> done);
  void releases(std::function<void(wire::read_reply)> done);
  pg::executor& pool_;
  road::store& store_;
  const sport::catalogue& catalogue_;
  actors::sports_actor sports_;
  ops::raise_fn raise_;
};

} // namespace omnium::apps
