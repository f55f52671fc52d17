#include "runtime/road/ticket.hpp"

#include <utility>

namespace omnium::road {

reply make_reply(const answer& what) {
  reply out;
  out.status = http_status(what);
  out.retry_after_ms = what.retry_after_ms.value_or(0);
  out.what = what.what;
  if (what.why) out.code = what.why->code;
  out.body = encode(what);
  return out;
}

answer answer_for(const command& cmd, outcome what) {
  answer out;
  out.what = what;
  out.key = cmd.key;
  out.code = cmd.code;
  out.subject = cmd.subject;
  out.trace = cmd.trace;
  return out;
}

answer refusal_for(const command& cmd, reason why) {
  auto out = answer_for(cmd, outcome::refused);
  out.why = std::move(why);
  return out;
}

answer try_again_for(const command& cmd, std::string code, std::string message, int retry_after_ms) {
  auto out = answer_for(cmd, outcome::try_again);
  out.why = reason{std::move(code), std::move(message)};
  out.retry_after_ms = retry_after_ms;
  return out;
}

ticket::~ticket() {
  if (done_)
    deliver(make_reply(try_again_for(*cmd_, "overloaded",
                                     "The match's actor was restarted; send the command again with the same key.")));
}

void ticket::deliver(reply what) {
  if (auto done = std::exchange(done_, nullptr)) done(std::move(what));
}

} // namespace omnium::road
