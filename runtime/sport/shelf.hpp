#pragma once
// The sport releases on this node's disk, looked at again while it runs: a package that is put into the sports folder
// is there within limits::shelf_look_every, or at once for who asks. What was read before stays as it was read, since
// matches stand on it; a package whose files changed is named, not taken. Source: P3, P6, issue 3.
#include "runtime/sport/releases.hpp"
#include "runtime/sport/rules.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace omnium::sport {

class shelf {
public:
  // Reads the folder once, before it returns.
  shelf(std::string directory, std::string worker_program);
  ~shelf() { end(); }
  shelf(const shelf&) = delete;
  shelf& operator=(const shelf&) = delete;

  std::shared_ptr<const catalogue> now() const; // any thread
  std::optional<release> find(const std::string& sport, const std::string& version) const;
  rules& book() { return rules_; }

  // Looks at the folder, then calls `then` on the shelf's thread; calls come in the order they were asked for.
  void freshen(std::function<void()> then);
  // No more looks; what waits in freshen() is called first, what comes later is called at once.
  void end();

private:
  void loop();
  void look();

  const std::string directory_, worker_program_;
  std::string listing_; // of the last look; the thread's own
  std::shared_ptr<const catalogue> now_;
  rules rules_;
  mutable std::mutex guard_;
  std::condition_variable wake_;
  std::vector<std::function<void()>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace omnium::sport
