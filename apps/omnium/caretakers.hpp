#pragma once
// What looks after this node while it serves: the door for signals, the janitor, the alert service and the node's watch
// on itself, assembled from the settings.
#include "runtime/ops/config.hpp"
#include "runtime/upkeep/alerts.hpp"
#include "runtime/upkeep/janitor.hpp"
#include "runtime/upkeep/signals.hpp"
#include "runtime/upkeep/watch.hpp"

#include <memory>
#include <string>

namespace omnium::apps {

class caretakers {
public:
  // `url` and `role` as the pools have them. `metrics` outlives them.
  caretakers(const ops::settings& settings, const std::string& url, const std::string& role, ops::metrics& metrics);

  void raise(const std::string& rule, const std::string& key, const std::string& detail) {
    signals_.raise(rule, key, detail);
  }
  std::vector<upkeep::health_part> health() const { return watch_->health(); }
  void begin_stop(); // the loops end; what is raised is still written

private:
  std::string node_;
  upkeep::signals signals_;
  std::unique_ptr<upkeep::janitor> janitor_;
  std::unique_ptr<upkeep::alert_service> alerts_;
  std::unique_ptr<upkeep::watch> watch_;
};

// host/pid: what this process is called in process_beat, in signals and in a socket's welcome.
std::string node_name();

} // namespace omnium::apps
