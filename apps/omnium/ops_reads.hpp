#pragma once
// What an operator asks of a node, as JSON: who waits for whom, what failed, which releases are here, and whether a
// stored scoreboard is what its log folds to. Answered on the read pool and the sport workers, never on the road.
#include "actors/actors.hpp"
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/road/match_check.hpp"
#include "runtime/sport/shelf.hpp"
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
  ops_reads(pg::executor& pool, const sport::shelf& shelf, actors::sports_actor sports, ops::raise_fn raise)
      : pool_(pool), shelf_(shelf), sports_(std::move(sports)), raise_(std::move(raise)) {}

  // /ops/locks, /ops/failures, /ops/releases, /ops/verify/{fixture}. False: not one of them.
  bool answer(const wire::read_request& what, const std::function<void(wire::read_reply)>& done);

private:
  void from_database(const char* name, const char* sql, std::function<void(wire::read_reply)> done);
  void verify(const uuid& fixture, std::function<void(wire::read_reply)> done);
  void fold(std::shared_ptr<road::match_check> what, std::function<void(wire::read_reply)> done);
  void releases(std::function<void(wire::read_reply)> done);
  pg::executor& pool_;
  const sport::shelf& shelf_;
  actors::sports_actor sports_;
  ops::raise_fn raise_;
};

} // namespace omnium::apps
