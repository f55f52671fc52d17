#pragma once
// The hub: topics, who watches them, and what each watcher holds. Every watcher sees every version in order, or is
// given a snapshot (invariant 4). Thread-safe; one lock, held only to move shared frames.
//
// A subscription has no gap: the watcher is entered first, what is published from then on is kept for it, the database
// is read after that, and what was kept is sent on top. Rows of one subject can come out of the outbox in another order
// than their seq when several processes write it; each topic hands them out strictly by seq. Source: contract section
// 4, L9.
#include "runtime/ops/trace_book.hpp"
#include "runtime/outbox/topic_source.hpp"
#include "runtime/wire/live.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace omnium::outbox {

class hub final : public wire::live_hub {
public:
  using clock = std::chrono::steady_clock;

  // `source` outlives the hub. Its answers may come on any thread, also after the hub asked for nothing any more.
  // `traces` (null: nobody) is told when a change was handed to the sockets that watch it.
  explicit hub(topic_source& source, ops::trace_book* traces = nullptr);
  ~hub() override;

  void subscribe(const wire::live_topic& topic, std::optional<std::int64_t> have, const std::string& id,
                 const wire::live_sink_ptr& sink) override;
  void unsubscribe(const wire::live_topic& topic, const wire::live_sink* sink) override;
  void leave(const wire::live_sink* sink) override;
  std::optional<std::int64_t> version(const wire::live_topic& topic) const override;
  std::string history() const override;

  // The reader's side: one change of a subject. Unwatched topics cost a look-up.
  void publish(const wire::live_topic& topic, std::int64_t seq, std::string_view event);
  // Called a few times a second: a hole that stays open is filled from the log.
  void tick(clock::time_point now);
  // A reader was made that has no cursor yet: a topic read now would miss what is committed before it has one. From
  // here on questions wait, also those of watchers that came before it; begin() puts them.
  void hold();
  void begin();
  // Which database this is, from now on; told before begin() and rebase().
  void set_history(std::string mark);
  // The database is another one than before (a restored dump, a promoted standby): what is known of any topic is
  // forgotten, and each watcher is given a snapshot. Answers still under way from before are nobody's.
  void rebase();
  // The longest queue of any watcher, in frames: what a reader with much to hand out waits for.
  std::size_t longest_queue() const;
  bool watched() const; // does anybody watch anything?
  bool watched(const wire::live_topic& topic) const;
  // A topic that is a picture and no log (ops): each watcher gets it whole, as a snapshot.
  void show(const wire::live_topic& topic, std::int64_t version, std::string_view data);

private:
  struct state;
  std::shared_ptr<state> state_; // callbacks of the source hold it weakly
};

} // namespace omnium::outbox
