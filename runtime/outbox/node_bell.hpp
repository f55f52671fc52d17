#pragma once
// The bell between nodes that share a database: each tells the others by one debounced NOTIFY from a connection of its
// own, never inside a command's transaction (that takes a server-wide lock at commit). A lost bell costs the others'
// poll.
#include "runtime/postgres/session.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace omnium::outbox {

class node_bell {
public:
  // `where`: of the application's role, with limits. `rung`: another node committed; called on the bell's thread.
  node_bell(pg::target where, std::function<void()> rung);
  ~node_bell();
  node_bell(const node_bell&) = delete;
  node_bell& operator=(const node_bell&) = delete;

  void ring(); // any thread; this node committed

private:
  void tell();
  void listen();
  pg::target where_;
  std::string node_;
  std::function<void()> rung_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool pending_ = false, stopping_ = false;
  std::thread teller_, listener_;
};

} // namespace omnium::outbox
