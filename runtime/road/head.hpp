#pragma once
// The head: what a subject's actor knows of its subject. A cache of the database under the fence, never the truth.
#include "runtime/core/limits.hpp"
#include "runtime/road/log_item.hpp"
#include "runtime/road/store.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace omnium::road {

struct head {
  bool exists = false; // false: a competition that is not created yet
  uuid competition;
  std::int64_t last_seq = 0, last_play = 0;
  std::string status, period; // as the scoreboard says
  std::string sport, release, fold_hash, settings;
  std::vector<competitor_row> rows;
  std::string state, scoreboard; // of the sport; empty for a competition
  std::int64_t snapshot_seq = 0; // newest snapshot in the database
  std::int64_t plays_since_snapshot = 0;
  std::string snapshot_period; // period at the newest snapshot
};

// Answers of the newest commands, so that a quick retry needs no database. Bounded by limits::recent_keys_max, oldest
// out.
class recent_answers {
public:
  struct entry {
    payload_hash hash{};
    std::string answer;
  };
  void add(const std::string& key, entry what);
  const entry* find(const std::string& key) const;

private:
  std::unordered_map<std::string, entry> by_key_;
  std::deque<std::string> order_;
};

// The newest log rows, to show what a sender had not seen. Bounded by limits::recent_items_max.
class recent_items {
public:
  void add(log_item item);
  void clear() { items_.clear(); }
  // The rows after `seq` if all of them are still here.
  bool covers(std::int64_t seq, std::int64_t last_seq) const;
  std::vector<log_item> after(std::int64_t seq) const;

private:
  std::deque<log_item> items_;
};

// Reads "status" and "period" of a scoreboard text.
struct scoreboard_facts {
  std::string status, period;
};
scoreboard_facts read_scoreboard(const std::string& text);

} // namespace omnium::road
