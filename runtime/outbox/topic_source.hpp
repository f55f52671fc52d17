#pragma once
// Where the hub finds what it was not told: a topic as it is now, or its changes since a version. Implemented on
// Postgres by topic_source_pg, in tests by a model.
#include "runtime/wire/live.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace omnium::outbox {

struct topic_answer {
  enum class kind : std::uint8_t { changes, snapshot, not_found, unavailable } what = kind::unavailable;
  std::int64_t version = 0;                                  // after what is here
  std::vector<std::pair<std::int64_t, std::string>> changes; // seq and event, from `have` + 1 without holes
  std::string data;                                          // of a snapshot: JSON
};

class topic_source {
public:
  virtual ~topic_source() = default;
  // With `have`: the changes after it, if there are not more than limits::live_repair_max and live_repair_bytes_max;
  // else, or without: a snapshot. Returns at once; `done` is called exactly once, on any thread.
  virtual void ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
                   std::function<void(topic_answer)> done) = 0;
};

} // namespace omnium::outbox
