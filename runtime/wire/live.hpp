#pragma once
// What the live socket stands on: topics, the frames a watcher receives, and the hub that hands them out. Implemented
// in runtime/outbox. Source: contract section 4, architecture.md steps 6 to 8, known traps O1, O11, O13.
#include "runtime/core/uuid.hpp"
#include "runtime/wire/service.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace omnium::wire {

// fixture/<uuid>, competition/<uuid> or ops.
struct live_topic {
  enum class kind : std::uint8_t { fixture, competition, ops } what = kind::fixture;
  uuid id; // all zero for ops
  friend auto operator<=>(const live_topic&, const live_topic&) = default;
};
std::optional<live_topic> parse_topic(std::string_view text);
std::string to_string(const live_topic& topic);

// One watching socket, as the hub sees it. Lives as long as the hub or the socket holds it; after the socket closed,
// frames are dropped.
class live_sink {
public:
  virtual ~live_sink() = default;
  // Queues a whole frame, encoded once and shared by all who receive it. Any thread; returns at once; frames given by
  // one thread go out in their order. Never calls back into the hub. A socket whose queue runs over ends itself; the
  // hub sees `leave` later.
  virtual void send(bytes_ptr frame) = 0;
  // Frames given and not yet handed to the network; 0 once the socket is ending. Any thread.
  virtual std::size_t waiting() const { return 0; }
};
using live_sink_ptr = std::shared_ptr<live_sink>;

// Hands out changes. Every call comes from the io thread and returns at once; what it causes may be sent from any
// thread.
class live_hub {
public:
  virtual ~live_hub() = default;

  // From now on `sink` receives the topic's changes, each exactly once and in version order. What it receives first, by
  // `have` (the version the screen holds): nothing when it is the current one; the changes after it while the log still
  // gives them; else a snapshot. The first frame, and what follows, leave no gap between them. Idempotent for a sink
  // and a topic: a second call only starts again from its `have` (gap repair), and never makes two streams. A topic
  // that does not exist: one error frame with `id` (raw JSON, as the client sent it), and no subscription.
  virtual void subscribe(const live_topic& topic, std::optional<std::int64_t> have, const std::string& id,
                         const live_sink_ptr& sink) = 0;
  // After this returned no frame of the topic reaches the sink that was not already queued. Idempotent.
  virtual void unsubscribe(const live_topic& topic, const live_sink* sink) = 0;
  // Unsubscribes from everything; the socket is gone.
  virtual void leave(const live_sink* sink) = 0;

  // The newest version handed out to the topic's watchers, for beats; nullopt while it is being found.
  virtual std::optional<std::int64_t> version(const live_topic& topic) const = 0;
  // A mark of the database that all versions are of: another one where the same version may be of another content.
  // Empty while it is not known.
  virtual std::string history() const { return {}; }
};

// --- frames, encoded -----------------------------------------------------------------------------------------------
// {"t":"snapshot","topic","version","data"}; `data` is JSON text.
bytes_ptr snapshot_frame(const live_topic& topic, std::int64_t version, std::string_view data);
// {"t":"change","topic",…}; `event` is a domain event's payload, a JSON object {"version","prev","code","play","item",
// "scoreboard"}, which becomes the rest of the frame as it is.
bytes_ptr change_frame(const live_topic& topic, std::string_view event);
// {"t":"error","id"?,"reason":{"code","message"}}; `id` is raw JSON, empty: left out.
bytes_ptr error_frame(std::string_view id, std::string_view code, std::string_view message);
// {"t":"bye","reason","retry_ms"?}
bytes_ptr bye_frame(std::string_view reason, std::optional<std::int64_t> retry_ms = std::nullopt);

} // namespace omnium::wire
