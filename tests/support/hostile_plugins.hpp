#pragma once
// The hostile plugins of tests/plugins, and what is expected of a keeper that runs them.
#include "tests/catch.hpp"
#include "tests/support/sport_keeper.hpp"

#include <cstdio>

namespace omnium::sport_tests {

using reply_kind = road::run_reply::kind;

inline sport::worker_options plugin(const std::string& name) {
  return options_of(OMNIUM_BINARY_DIR "/test_plugins/" + name + ".so");
}

struct expectation {
  const char* act;
  reply_kind what;
  const char* part; // of the error; of a refusal: its code
};

// The act between two balls that are fine.
inline road::run_reply try_act(keeper& k, const std::string& act) {
  return k.run({.events = {event(1, "fine"), event(2, act), event(3, "fine")}});
}

inline bool still_works(keeper& k) {
  const auto reply = k.run({.events = {event(1, "fine")}});
  return reply.what == reply_kind::ok && reply.verdicts.size() == 1 && reply.verdicts[0].accepted;
}

// One row of the table in docs/hostile-plugins.md: what the sender of the act is answered, and how long it took.
inline void report(const std::string& act, const road::run_reply& reply, std::chrono::milliseconds took) {
  std::string answer = "try_again worker_unavailable";
  if (reply.what == reply_kind::killed || reply.what == reply_kind::broken) answer = "try_again worker_killed";
  else if (reply.what == reply_kind::ok && reply.verdicts.size() > 1)
    answer = reply.verdicts[1].accepted ? "accepted" : "refused " + reply.verdicts[1].why.code;
  std::printf("hostile: | %s | %s | %lld ms | %s |\n", act.c_str(), answer.c_str(),
              static_cast<long long>(took.count()), reply.error.c_str());
}

inline void check_broken(keeper& k, const expectation& wanted) {
  const auto reply = try_act(k, wanted.act);
  report(wanted.act, reply, k.took());
  CAPTURE(wanted.act, reply.error);
  CHECK(reply.what == wanted.what);
  CHECK(reply.error.find(wanted.part) != std::string::npos);
  CHECK(still_works(k));
}

} // namespace omnium::sport_tests
