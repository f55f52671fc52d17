#pragma once
// POST /ops/locks/end {"pid"}: ends the database session that others wait for. Operators only
// (access::question_of_act); the log says whose token asked, by its shown start. Answered on the read pool. Any thread.
#include "apps/omnium/replies.hpp"

namespace omnium::apps {

class lock_acts {
public:
  explicit lock_acts(pg::executor& pool) : pool_(pool) {}
  // False: another address.
  bool act(const wire::action_request& what, const reply_fn& done);

private:
  pg::executor& pool_;
};

} // namespace omnium::apps
