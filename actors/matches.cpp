#include "actors/matches.hpp"

#include "actors/match.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace omnium::actors {
namespace {

constexpr std::string_view phase_names[] = {"cold",     "loading",    "replaying",  "ready",
                                            "deciding", "correcting", "committing", "settling"};

struct entry {
  subject_ref subject;
  match_actor handle;
  std::shared_ptr<match_status> status;
};

struct matches_state {
  static inline const char* name = "matches";
  std::shared_ptr<const context> ctx;
  sports_actor sports;
  std::unordered_map<std::string, entry> live; // by subject key
  std::map<caf::actor_addr, std::string> keys; // of every actor that has not ended, also of those let go
  std::map<std::string, std::uint64_t> restarts;
  std::vector<caf::typed_response_promise<bool>> stop_waiters;
  std::uint64_t all_restarts = 0; // of this branch as a whole
  ops::gauge live_matches;
  bool stopping = false;
  matches_actor::pointer self = nullptr;

  match_actor find(const subject_ref& subject) {
    auto key = subject_key(subject);
    if (auto it = live.find(key); it != live.end()) return it->second.handle;
    auto status = std::make_shared<match_status>();
    auto handle = spawn_match(self->system(), subject, ctx, matches_actor{self}, sports, status);
    self->monitor(handle);
    keys.emplace(handle.address(), key);
    live.emplace(key, entry{subject, handle, std::move(status)});
    live_matches.set(static_cast<double>(live.size()));
    return handle;
  }
  void submit(ticket_msg& what) {
    if (stopping) {
      what->deliver(road::make_reply(road::try_again_for(
          what->cmd(), "shutting_down", "The server is stopping; send the command again with the same key.", 1000)));
      return;
    }
    auto subject = what->cmd().subject;
    self->send(find(subject), submit_atom_v, std::move(what));
  }
  void let_sleep(const std::string& key) {
    auto it = live.find(key);
    if (it == live.end()) return;
    self->send(it->second.handle, sleep_atom_v);
    live.erase(it);
  }
  void down(const caf::down_msg& what) {
    auto it = keys.find(what.source);
    if (it == keys.end()) return;
    auto key = it->second;
    keys.erase(it);
    if (auto known = live.find(key); known != live.end() && known->second.handle.address() == what.source)
      live.erase(known);
    if (what.reason != caf::exit_reason::normal) ++restarts[key];
    live_matches.set(static_cast<double>(live.size()));
    answer_stop();
  }
  caf::result<bool> stop() {
    stopping = true;
    auto promise = self->make_response_promise<bool>();
    stop_waiters.push_back(promise);
    for (auto& [key, what] : live) self->send(what.handle, stop_atom_v);
    answer_stop();
    return promise;
  }
  void answer_stop() {
    if (!stopping || !keys.empty()) return;
    for (auto& waiter : stop_waiters) waiter.deliver(true);
    stop_waiters.clear();
  }
  std::string tree() const {
    return fmt::format(R"({{"name":"matches","strategy":"one_for_one","restarts":{},"children":{}}})", all_restarts,
                       list());
  }
  std::string list() const {
    std::string out = "[";
    for (const auto& [key, what] : live) {
      auto restarted = restarts.find(key);
      out += fmt::format(
          R"({}{{"name":"match/{}","phase":"{}","queue":{},"last_seq":{},"commands":{},"restarts":{},"quarantined":{}}})",
          out.size() > 1 ? "," : "", key, phase_names[what.status->phase.load()], what.status->queue.load(),
          what.status->last_seq.load(), what.status->commands.load(),
          restarted == restarts.end() ? 0 : restarted->second, what.status->quarantined.load());
    }
    return out + "]";
  }
  // An actor that is let go of finishes what it has, writes its snapshot and ends; the next command finds a new one.
  bool restart(const std::string& wanted) {
    constexpr std::string_view one = "match/";
    std::vector<std::string> chosen;
    if (wanted == "matches") {
      ++all_restarts;
      for (const auto& [key, what] : live) chosen.push_back(key);
    } else if (wanted.starts_with(one) && live.count(wanted.substr(one.size())) > 0) {
      chosen.push_back(wanted.substr(one.size()));
    } else return fixture_named(wanted).has_value(); // it sleeps: there is nothing to let go of
    for (const auto& key : chosen) {
      ++restarts[key];
      let_sleep(key);
    }
    return true;
  }
};

matches_actor::behavior_type matches_behavior(matches_actor::stateful_pointer<matches_state> self,
                                              std::shared_ptr<const context> ctx, sports_actor sports) {
  auto& s = self->state;
  s.self = self;
  s.ctx = std::move(ctx);
  s.sports = std::move(sports);
  s.live_matches =
      s.ctx->metrics->registry.make_gauge("omnium_live_matches", "Subjects with an actor awake in this process.");
  self->set_down_handler([&s](const caf::down_msg& what) { s.down(what); });
  return {
      [&s](submit_atom, ticket_msg& what) { s.submit(what); },
      [&s](state_atom, state_query_msg& what) {
        auto subject = what->subject;
        s.self->send(s.find(subject), state_atom_v, std::move(what));
      },
      [&s](idle_atom, const std::string& key) { s.let_sleep(key); },
      [&s](tree_atom) { return s.tree(); },
      [&s](list_atom) { return s.list(); },
      [&s](restart_atom, const std::string& wanted) { return s.restart(wanted); },
      [&s](forget_atom) {
        for (auto& [key, what] : s.live) s.self->send(what.handle, forget_atom_v);
      },
      [&s](stop_atom) -> caf::result<bool> { return s.stop(); },
  };
}

} // namespace

std::optional<uuid> fixture_named(std::string_view part) {
  constexpr std::string_view before = "match/fixture/";
  return part.starts_with(before) ? parse_uuid(part.substr(before.size())) : std::nullopt;
}

matches_actor spawn_matches(caf::actor_system& system, std::shared_ptr<const context> ctx, sports_actor sports) {
  return system.spawn(matches_behavior, std::move(ctx), std::move(sports));
}

} // namespace omnium::actors
