#pragma once
// Supervises the embedded cluster in Erlang/OTP's sense: a permanent child, restarted when it ends, with a pause that
// doubles while it will not start. Also keeps its log file within a bound. One thread of its own; the cluster is this
// thread's from construction to the end.
#include "runtime/postgres/cluster.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace omnium::pg {

class cluster_keeper {
public:
  // `say` gets one sentence for every restart and failure; called on the keeper's thread.
  cluster_keeper(cluster& kept, std::function<void(const std::string&)> say);
  ~cluster_keeper(); // the cluster is as it is; stopping it is its owner's next step
  cluster_keeper(const cluster_keeper&) = delete;
  cluster_keeper& operator=(const cluster_keeper&) = delete;

private:
  void loop();
  bool pause(std::chrono::milliseconds length); // true: it is over

  cluster& kept_;
  std::function<void(const std::string&)> say_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace omnium::pg
