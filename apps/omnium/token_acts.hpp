#pragma once
// An admin's side of sign-in: GET /ops/tokens, POST /ops/tokens/create and /ops/tokens/revoke. Answered on the read
// pool; a change holds on this node before it is answered, on others within token_keeper::period.
#include "apps/omnium/replies.hpp"
#include "apps/omnium/token_keeper.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <variant>

namespace omnium::apps {

struct token_wish { // body of create
  access::token what;
  std::string fault; // a sentence; empty: it may be made
};
// {"name","role","competitions"?:[uuid],"fixtures"?:[uuid],"expires_in_s"?,"may_name_sender"?}; unknown members are
// refused. May a sender be named? As said; else an integrator and an admin may.
token_wish read_token_wish(std::string_view body, std::chrono::system_clock::time_point now);

class token_acts {
public:
  token_acts(pg::executor& pool, token_keeper& keeper) : pool_(pool), keeper_(keeper) {}

  // False: not an address of tokens.
  bool read(const wire::read_request& what, const std::function<void(wire::read_reply)>& done);
  bool act(const wire::action_request& what, const std::function<void(wire::read_reply)>& done);

private:
  void create(const wire::action_request& what, const reply_fn& done);
  void revoke(const wire::action_request& what, const reply_fn& done);
  // Runs `work` on the pool; an error of the database is 409 for a name in use, else 503.
  void on_pool(database_work work, const reply_fn& done);
  pg::executor& pool_;
  token_keeper& keeper_;
};

} // namespace omnium::apps
