// One watching screen: follows a match over the live socket, and comes back with the version it holds when it was cut.
#include "bench/actors.hpp"
#include "bench/answers.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <fmt/format.h>

namespace omnium::bench {
namespace {

struct watcher_state {
  static inline const char* name = "watcher";
  screen what;
  watched_msg seen = std::make_shared<watcher_history>();
  std::int64_t have = 0;
  watcher_actor::pointer self = nullptr;

  void opened() {
    what.socket->send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}","have":{}}})", what.subject, have));
  }
  void heard(const received& frame) {
    if (auto change = read_change(frame.text)) {
      seen->changes.push_back(*change);
      advance(change->version);
    } else if (auto version = read_snapshot(frame.text)) {
      restart(*version);
    }
  }
  // A snapshot stands for all versions up to its own: what comes before it and after it are two stories.
  void restart(std::int64_t version) {
    if (seen->changes.empty()) seen->from = version;
    else
      for (auto v = have + 1; v <= version; ++v) seen->skipped.push_back(v);
    advance(version);
  }
  void advance(std::int64_t version) {
    have = std::max(have, version);
    what.reached->store(have, std::memory_order_relaxed);
  }
};

watcher_actor::behavior_type watcher_behavior(watcher_actor::stateful_pointer<watcher_state> self, screen what) {
  auto& s = self->state;
  s.self = self;
  s.have = s.seen->from = what.have;
  s.seen->subject = what.subject;
  s.what = std::move(what);
  return {
      [&s](opened_atom) { s.opened(); },
      [](gone_atom, const reopen_msg& reopen) { (*reopen)(); },
      [&s](heard_atom, received_msg& frame) { s.heard(*frame); },
      [&s](report_atom) {
        s.self->quit();
        return s.seen;
      },
  };
}

} // namespace

watcher_actor spawn_watcher(caf::actor_system& system, screen what) {
  return system.spawn(watcher_behavior, std::move(what));
}

} // namespace omnium::bench
