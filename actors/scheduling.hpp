#pragma once
// Where actors run. CAF's own threads share one queue, and a message from any other thread wakes one of them: for a
// match with one ball at a time that change of thread costs more than the actor's work. So a thread that tells an actor
// something may be its host and run it, as long as the scheduler's threads sleep and it was no host a moment ago
// (docs/decisions/2026-11-30-hosts.md). One message at a time for each actor, and their order, are CAF's as ever.
#include <caf/actor_system_config.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <chrono>
#include <memory>

namespace omnium::actors {

class host_coordinator;

// The door through which threads become hosts of one actor system. Outlives it: who comes after its end is sent away.
class host_door {
public:
  // A thread that was a host less than `gap` ago is busy with its own work: what it tells actors then is done by
  // others.
  explicit host_door(std::chrono::nanoseconds gap = std::chrono::microseconds(50)) : gap_(gap) {}
  // For the scheduler: from when on, and until when. close() returns when the last host has left.
  void open(host_coordinator& home);
  void close();
  bool is_open() const { return home_ != nullptr; }
  bool scheduler_sleeps() const; // all of its threads, with nothing to do; only while open

private:
  friend class host;
  host_coordinator* enter(); // null: closed
  void leave();
  const std::chrono::nanoseconds gap_;
  std::atomic<host_coordinator*> home_{nullptr};
  std::atomic<int> inside_{0};
};

// While it lives, the thread that made it is a host: what it tells actors is done by it, at the latest when this ends.
// Made by a thread that holds no lock and may run a few steps of an actor. Does nothing on a thread that is a host
// already, on one of the scheduler's own, while these are awake, under any other scheduler, and after the door closed.
class host {
public:
  explicit host(host_door& door);
  ~host();
  host(const host&) = delete;
  host& operator=(const host&) = delete;

private:
  class unit;
  host_door& door_;
  std::unique_ptr<unit> unit_; // null: it does nothing
};

// An actor system with `threads` threads of its own, and hosts.
class scheduler_config : public caf::actor_system_config {
public:
  scheduler_config(std::size_t threads, host_door& door);
};

} // namespace omnium::actors
