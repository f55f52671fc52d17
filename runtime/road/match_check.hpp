#pragma once
// Is what is stored of a match what its log folds to? Scoreboard and snapshot beside a fold from nothing, which is run
// piece by piece, so that a long log never keeps a sport worker from a fresh ball for long. Pure. Source: S5, issue 3.
#include "runtime/road/fold.hpp"
#include "runtime/road/store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omnium::road {

// A match and what is kept beside its log, all as one statement saw it.
struct stored_match {
  loaded_subject match;                  // with the whole log, and the snapshot (used or not)
  std::optional<std::string> scoreboard; // nullopt: there is none
  std::int64_t scoreboard_seq = 0;
};

class match_check {
public:
  // `chunk`: events of one run at the most.
  match_check(stored_match what, std::size_t chunk);

  // The next piece to run on the match's release; null: the check is over.
  std::shared_ptr<const run_request> next();
  void take(run_reply reply); // of the last piece

  const stored_match& of() const { return what_; }
  // Of a check that is over. `fault` empty: the log folds; `damage` empty: what is stored is right.
  const std::string& fault() const { return fault_; }
  const std::string& damage() const { return damage_; }
  const std::string& folded() const { return scoreboard_; } // the scoreboard as it should be
  bool worker_failed() const { return worker_failed_; }     // fault() is a worker's, and says nothing of the match
  // match.rebuild rows at the very end of the log: what was rebuilt, and is damaged again with nothing between.
  std::size_t rebuilt_in_vain() const;

private:
  void compare_snapshot();
  void compare_scoreboard();
  void found(std::string_view what);

  stored_match what_;
  std::size_t chunk_, at_ = 0;
  std::vector<sport_event> events_;
  std::size_t snapshot_at_; // events folded where the snapshot stands; npos: it is not used, or none
  bool begun_ = false, over_ = false, worker_failed_ = false;
  std::string state_, scoreboard_, fault_, damage_;
};

} // namespace omnium::road
