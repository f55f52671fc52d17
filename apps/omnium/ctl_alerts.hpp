#pragma once
// omnium ctl alerts …: its words, and the request they make.
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace omnium::apps {

struct alert_words {
  std::string verb; // list | ack | silence
  std::int64_t id = 0, minutes = 60;
  std::string rule, key = "*", who;
};
void declare_alerts(CLI::App& app, alert_words& into);

struct alert_request {
  std::string method, target, body;
  std::string who; // that was asked for; empty: nobody else
};
alert_request request_of(const alert_words& words);

} // namespace omnium::apps
