#pragma once
// Ends workers on a thread of its own: ending one kills a process and joins its keeper's thread, which takes
// milliseconds, and whoever lets go of a worker (an actor, perhaps on that very thread) must not wait for it.
#include "runtime/sport/worker.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace omnium::sport {

class reaper {
public:
  reaper();
  ~reaper(); // as finish()
  reaper(const reaper&) = delete;
  reaper& operator=(const reaper&) = delete;

  void end(std::unique_ptr<worker> what); // any thread, a keeper's too; after finish() it is ended by the caller
  void finish();                          // returns when all are ended; not on a keeper's thread

private:
  void loop();
  std::mutex guard_;
  std::condition_variable wake_;
  std::vector<std::unique_ptr<worker>> waiting_;
  bool finishing_ = false;
  std::thread thread_;
};

} // namespace omnium::sport
