#include "runtime/outbox/hub.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/outbox/event.hpp"

#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

namespace omnium::outbox {
namespace {

using wire::bytes_ptr;
using wire::live_sink;
using wire::live_sink_ptr;
using wire::live_topic;

struct watcher {
  live_sink_ptr sink;
  std::uint64_t round = 0;                              // of its newest subscribe; older answers are nobody's
  bool ready = false;                                   // false: the database is being asked
  std::int64_t version = 0;                             // newest it was sent
  std::vector<std::pair<std::int64_t, bytes_ptr>> kept; // published while not ready
  std::size_t kept_bytes = 0;

  void keep(std::int64_t seq, const bytes_ptr& frame) {
    if (kept.size() >= limits::live_kept_max || kept_bytes + frame->size() > limits::live_repair_bytes_max) return;
    kept.emplace_back(seq, frame);
    kept_bytes += frame->size();
  }
  std::vector<std::pair<std::int64_t, bytes_ptr>> take_kept() {
    kept_bytes = 0;
    return std::exchange(kept, {});
  }
};

struct topic_state {
  std::optional<std::int64_t> version; // handed out; empty: being found
  std::map<const live_sink*, watcher> watchers;
  std::map<std::int64_t, bytes_ptr> held; // later than the next one
  hub::clock::time_point held_since{};
  bool repairing = false;
  std::uint64_t begun_anew = 0; // round of a rebase that still waits for its snapshot, to be asked for at the next tick
  std::deque<std::pair<std::int64_t, bytes_ptr>> recent; // newest handed out, for quick gap repair
};

} // namespace

struct hub::state : std::enable_shared_from_this<hub::state> {
  state(topic_source& s, ops::trace_book* t) : source(s), traces(t) {}

  topic_source& source;
  ops::trace_book* traces;
  mutable std::mutex guard;
  std::map<live_topic, topic_state> topics;
  std::unordered_map<const live_sink*, std::set<live_topic>>
      watched_by; // so that a socket's end costs its topics alone
  std::uint64_t rounds = 0;

  // A question to the source is put only after the lock was let go: its answer may come within the call.
  struct question {
    live_topic topic;
    std::optional<std::int64_t> have;
    std::uint64_t round = 0; // 0: the topic's own hole
    std::string id;
    const live_sink* key = nullptr; // null: all watchers of this round, after a rebase
  };
  std::vector<question> questions;
  bool holding = false; // questions wait until the reader has its cursor
  std::string history;

  // Runs `what` under the lock, then puts the questions it left.
  void locked(const std::function<void()>& what) {
    std::vector<question> open;
    {
      std::lock_guard lock(guard);
      what();
      if (!holding) open.swap(questions);
    }
    for (auto& q : open)
      source.ask(q.topic, q.have, [weak = weak_from_this(), q](topic_answer answer) {
        auto self = weak.lock();
        if (!self) return;
        self->locked(
            [&] { q.round == 0 ? self->repaired(q.topic, std::move(answer)) : self->answered(q, std::move(answer)); });
      });
  }

  void send_to(const live_topic& topic, watcher& w, std::int64_t seq, const bytes_ptr& frame) {
    if (!w.ready) return w.keep(seq, frame);
    if (seq <= w.version) return; // it has this one already
    if (seq == w.version + 1) {
      w.version = seq;
      w.sink->send(frame);
      return;
    }
    // Something between is missing for this watcher alone (more was published than is kept): from the log.
    w.ready = false;
    w.take_kept();
    w.keep(seq, frame);
    w.round = ++rounds;
    questions.push_back({topic, w.version, w.round, {}, w.sink.get()});
  }
  void hand_out(const live_topic& topic, topic_state& t, std::int64_t seq, bytes_ptr frame) {
    t.version = seq;
    for (auto& [key, w] : t.watchers) send_to(topic, w, seq, frame);
    if (traces != nullptr) traces->sent(subject_of(topic), seq, t.watchers.size());
    t.recent.emplace_back(seq, std::move(frame));
    if (t.recent.size() > limits::live_recent_max) t.recent.pop_front();
  }
  void hand_out_held(const live_topic& topic, topic_state& t) {
    while (!t.held.empty() && t.version && t.held.begin()->first <= *t.version + 1) {
      auto next = t.held.extract(t.held.begin());
      if (next.key() == *t.version + 1) hand_out(topic, t, next.key(), std::move(next.mapped()));
    }
  }
  void take(const live_topic& topic, topic_state& t, std::int64_t seq, std::string_view event) {
    if (t.version && seq <= *t.version) return;
    auto frame = wire::change_frame(topic, event);
    if (t.version && seq == *t.version + 1) {
      hand_out(topic, t, seq, std::move(frame));
      hand_out_held(topic, t);
      return;
    }
    if (t.held.empty()) t.held_since = clock::now();
    // Beyond the bound the newest go: the log has them, and tick() reads them from there.
    if (t.held.size() < limits::live_held_max) t.held.emplace(seq, std::move(frame));
  }

  // From what is in memory; false: the database must be asked.
  bool catch_up(const live_topic& topic, topic_state& t, watcher& w, std::int64_t have) {
    if (!t.version || have > *t.version) return false;
    if (have < *t.version && (t.recent.empty() || t.recent.front().first > have + 1)) return false;
    std::size_t bytes = 0;
    for (const auto& [seq, frame] : t.recent) bytes += seq > have ? frame->size() : 0;
    if (bytes > limits::live_repair_bytes_max) return false;
    w.ready = true;
    w.version = have;
    for (const auto& [seq, frame] : t.recent) send_to(topic, w, seq, frame);
    return true;
  }
  void answered(const question& q, topic_answer answer) {
    auto t = topics.find(q.topic);
    if (t == topics.end()) return;
    if (q.key == nullptr) return begin_anew(q, t->second, answer);
    auto at = t->second.watchers.find(q.key);
    if (at == t->second.watchers.end() || at->second.round != q.round) return;
    auto& w = at->second;
    using kind = topic_answer::kind;
    if (answer.what == kind::not_found || answer.what == kind::unavailable) {
      w.sink->send(no_answer_frame(q.id, answer.what));
      drop(t, q.key);
      return;
    }
    if (answer.what == kind::snapshot) w.sink->send(wire::snapshot_frame(q.topic, answer.version, answer.data));
    for (const auto& [seq, event] : answer.changes) w.sink->send(wire::change_frame(q.topic, event));
    caught_up(q.topic, t->second, w, answer.version);
  }
  static bytes_ptr no_answer_frame(const std::string& id, topic_answer::kind why) {
    if (why == topic_answer::kind::not_found) return wire::error_frame(id, "unknown_topic", "There is no such topic.");
    return wire::error_frame(id, "database_unavailable", "The database is not available; watch again a little later.");
  }
  // The watcher holds `version` now: what was kept for it goes on top.
  void caught_up(const live_topic& topic, topic_state& t, watcher& w, std::int64_t version) {
    w.version = version;
    w.ready = true;
    for (auto& [seq, frame] : w.take_kept()) send_to(topic, w, seq, frame);
    if (!t.version) {
      t.version = version;
      hand_out_held(topic, t);
    }
  }
  // After a rebase: every watcher that was there gets the topic as it is in the new database, encoded once. A database
  // that is away is asked again at the next tick; a topic it does not have is said to be gone.
  void begin_anew(const question& q, topic_state& t, const topic_answer& answer) {
    using kind = topic_answer::kind;
    if (answer.what == kind::unavailable) {
      t.begun_anew = q.round;
      return;
    }
    bool gone = answer.what == kind::not_found;
    auto frame = gone ? no_answer_frame({}, answer.what) : wire::snapshot_frame(q.topic, answer.version, answer.data);
    std::vector<const live_sink*> leaving;
    for (auto& [key, w] : t.watchers) {
      if (w.round != q.round) continue; // it subscribed again meanwhile
      w.sink->send(frame);
      if (gone) leaving.push_back(key);
      else caught_up(q.topic, t, w, answer.version);
    }
    for (const auto* key : leaving) drop(topics.find(q.topic), key);
  }
  void rebase() {
    for (auto& [topic, t] : topics) {
      t.version.reset();
      t.held.clear();
      t.recent.clear();
      t.repairing = false;
      t.begun_anew = 0;
      auto round = ++rounds;
      for (auto& [key, w] : t.watchers) {
        w.ready = false;
        w.take_kept();
        w.round = round;
      }
      questions.push_back({topic, std::nullopt, round, {}, nullptr});
    }
  }
  void drop(std::map<live_topic, topic_state>::iterator t, const live_sink* key) {
    auto sink = watched_by.find(key);
    if (sink != watched_by.end() && sink->second.erase(t->first) > 0 && sink->second.empty()) watched_by.erase(sink);
    t->second.watchers.erase(key);
    if (t->second.watchers.empty()) topics.erase(t);
  }
  void repaired(const live_topic& topic, topic_answer answer) {
    auto it = topics.find(topic);
    if (it == topics.end()) return;
    auto& t = it->second;
    t.repairing = false;
    t.held_since = clock::now();
    for (const auto& [seq, event] : answer.changes) take(topic, t, seq, event);
    if (answer.what != topic_answer::kind::snapshot || !t.version || answer.version <= *t.version) return;
    // Too much to catch up row by row: every watcher is told that a snapshot follows, by being given one.
    auto frame = wire::snapshot_frame(topic, answer.version, answer.data);
    for (auto& [key, w] : t.watchers) {
      if (!w.ready || w.version >= answer.version) continue;
      w.version = answer.version;
      w.sink->send(frame);
    }
    t.version = answer.version;
    t.recent.clear();
    hand_out_held(topic, t);
  }
};

hub::hub(topic_source& source, ops::trace_book* traces) : state_(std::make_shared<state>(source, traces)) {}
hub::~hub() = default;

void hub::subscribe(const live_topic& topic, std::optional<std::int64_t> have, const std::string& id,
                    const live_sink_ptr& sink) {
  state_->locked([&] {
    auto& t = state_->topics[topic];
    auto& w = t.watchers[sink.get()];
    state_->watched_by[sink.get()].insert(topic);
    w.sink = sink;
    w.round = ++state_->rounds;
    w.ready = false;
    w.take_kept();
    if (have && state_->catch_up(topic, t, w, *have)) return;
    state_->questions.push_back({topic, have, w.round, id, sink.get()});
  });
}

void hub::unsubscribe(const live_topic& topic, const live_sink* sink) {
  std::lock_guard lock(state_->guard);
  auto t = state_->topics.find(topic);
  if (t != state_->topics.end()) state_->drop(t, sink);
}

void hub::leave(const live_sink* sink) {
  std::lock_guard lock(state_->guard);
  auto at = state_->watched_by.find(sink);
  if (at == state_->watched_by.end()) return;
  for (const auto& topic : std::set(at->second)) state_->drop(state_->topics.find(topic), sink);
}

std::optional<std::int64_t> hub::version(const live_topic& topic) const {
  std::lock_guard lock(state_->guard);
  auto t = state_->topics.find(topic);
  return t == state_->topics.end() ? std::nullopt : t->second.version;
}

void hub::publish(const live_topic& topic, std::int64_t seq, std::string_view event) {
  state_->locked([&] {
    auto t = state_->topics.find(topic);
    if (t != state_->topics.end()) state_->take(topic, t->second, seq, event);
  });
}

void hub::tick(clock::time_point now) {
  state_->locked([&] {
    for (auto& [topic, t] : state_->topics) {
      if (t.begun_anew != 0) {
        state_->questions.push_back({topic, std::nullopt, std::exchange(t.begun_anew, 0), {}, nullptr});
        continue;
      }
      if (t.held.empty() || t.repairing || !t.version || now - t.held_since < limits::live_hole_wait) continue;
      t.repairing = true;
      state_->questions.push_back({topic, t.version, 0, {}, nullptr});
    }
  });
}

void hub::hold() {
  state_->locked([&] {
    state_->holding = true;
    state_->rebase();
  });
}

void hub::begin() {
  state_->locked([&] { state_->holding = false; });
}

void hub::set_history(std::string mark) {
  std::lock_guard lock(state_->guard);
  state_->history = std::move(mark);
}

std::string hub::history() const {
  std::lock_guard lock(state_->guard);
  return state_->history;
}

void hub::rebase() {
  state_->locked([&] { state_->rebase(); });
}

std::size_t hub::longest_queue() const {
  std::lock_guard lock(state_->guard);
  std::size_t out = 0;
  for (const auto& [topic, t] : state_->topics)
    for (const auto& w : t.watchers) out = std::max(out, w.second.sink->waiting());
  return out;
}

bool hub::watched() const {
  std::lock_guard lock(state_->guard);
  return !state_->topics.empty();
}

bool hub::watched(const live_topic& topic) const {
  std::lock_guard lock(state_->guard);
  return state_->topics.count(topic) > 0;
}

void hub::show(const live_topic& topic, std::int64_t version, std::string_view data) {
  state_->locked([&] {
    auto t = state_->topics.find(topic);
    if (t == state_->topics.end()) return;
    auto frame = wire::snapshot_frame(topic, version, data);
    t->second.version = version;
    for (auto& [key, w] : t->second.watchers) {
      if (!w.ready || w.version >= version) continue; // its first one is on its way
      w.version = version;
      w.sink->send(frame);
    }
  });
}

} // namespace omnium::outbox
