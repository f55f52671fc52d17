#pragma once
// The background check (S5): is the stored scoreboard of every match, and its snapshot, what the log folds to? On one
// node at a time (leader.hpp), one match at a time, in small runs with long pauses, so that scoring does not notice:
// fresh balls go before every run of it. Each match is read as one statement sees it, so a match that is being scored
// needs no lock and gives no false alarm. Damage raises scoreboard-damaged and is rebuilt through the command
// match.rebuild, a log row like any other. One thread and one connection; nothing is written where nothing is wrong.
#include "runtime/core/limits.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/ops/raise.hpp"
#include "runtime/postgres/session.hpp"
#include "runtime/road/match_check.hpp"
#include "runtime/road/subject_ports.hpp"
#include "runtime/road/ticket.hpp"
#include "runtime/upkeep/leader.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace omnium::upkeep {

inline const pg::pool_limits verifier_limits{"omnium-verifier", std::chrono::milliseconds(2000),
                                             std::chrono::milliseconds(5000), std::chrono::milliseconds(5000)};

struct verifier_options {
  pg::target where; // of the application's role, with limits
  std::chrono::milliseconds pass_every{3'600'000};
  std::chrono::milliseconds pause{1'000};      // between two matches
  std::chrono::milliseconds look_every{2'000}; // between tries to become the leader
  std::chrono::milliseconds first_after = limits::verify_first_after;
};

// What it needs of the node. Called on its thread, answered once on any; an answer may come after the verifier ended.
struct verifier_doors {
  const road::rule_book* rules = nullptr; // outlives it
  std::function<void(const road::loaded_subject& match, std::shared_ptr<const road::run_request> request,
                     std::function<void(road::run_reply)> done)>
      fold;
  std::function<void(road::ticket_ptr)> send; // a command to its match
  // Has the match's actor fold its log: one that cannot stays awake, and keeps its alert open. Empty: nobody is told.
  std::function<void(const uuid& fixture)> wake;
  ops::raise_fn raise;
};

class verifier {
public:
  verifier(verifier_options options, verifier_doors doors, ops::metrics& metrics);
  ~verifier(); // ends in the middle of a match
  verifier(const verifier&) = delete;
  verifier& operator=(const verifier&) = delete;

private:
  enum class outcome_of_look : std::uint8_t { right, rebuilt, damaged, unfoldable, skipped, moved, over };
  struct post; // where other threads bring their answers

  template<class Answer, class Ask>
  std::optional<Answer> answer_to(Ask&& ask);
  void loop();
  bool lead(pg::session& mine);
  void pass(pg::session& mine);
  bool walk(pg::session& mine, bool live);
  bool page(pg::session& mine, bool live, const uuid& after, std::vector<uuid>& out);
  bool check(pg::session& mine, const uuid& fixture);
  outcome_of_look look(pg::session& mine, const uuid& fixture);
  bool fold(road::match_check& what);
  outcome_of_look judge(const road::match_check& what);
  outcome_of_look rebuild(const road::match_check& what);
  void count(outcome_of_look what);
  bool pause(std::chrono::nanoseconds length); // false: stop

  verifier_options options_;
  verifier_doors doors_;
  leader leader_{verifier_lock};
  ops::metrics& metrics_;
  ops::beat beat_;
  ops::gauge pass_seconds_, pass_matches_;
  std::size_t matches_ = 0; // of this pass
  std::shared_ptr<post> post_;
  std::thread thread_;
};

} // namespace omnium::upkeep
