#pragma once
// A command on its way, with the sender waiting behind it: exactly one reply reaches the sender, whatever happens.
#include "runtime/core/answer.hpp"
#include "runtime/core/command.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace omnium::road {

// An answer ready to be sent. `body` is the one answer body, or a preview's.
struct reply {
  int status = 200;
  int retry_after_ms = 0; // 0: none
  outcome what = outcome::try_again;
  std::string code; // reason code, for metrics; empty when accepted
  std::string body;
  std::chrono::nanoseconds in_database{0}; // its commit, sent to known; 0: it needed none
};

reply make_reply(const answer& what);
// The answer's place in the command: key, code, subject and trace are the command's own.
answer answer_for(const command& cmd, outcome what);
answer refusal_for(const command& cmd, reason why);
answer try_again_for(const command& cmd, std::string code, std::string message, int retry_after_ms = 200);

class ticket {
public:
  using reply_fn = std::function<void(reply)>;
  ticket(command_ptr cmd, bool preview, reply_fn done)
      : cmd_(std::move(cmd)), preview_(preview), done_(std::move(done)) {}
  // An actor that died with the ticket in its hands must not leave the sender waiting: it is told to try again.
  ~ticket();
  ticket(const ticket&) = delete;
  ticket& operator=(const ticket&) = delete;

  const command& cmd() const { return *cmd_; }
  const command_ptr& shared_cmd() const { return cmd_; }
  bool preview() const { return preview_; }
  void deliver(reply what); // the first call counts

private:
  command_ptr cmd_;
  bool preview_;
  reply_fn done_;
};
using ticket_ptr = std::shared_ptr<ticket>;

} // namespace omnium::road
