#pragma once
// An operator's side of alerts: GET /ops/alerts, POST /ops/alerts/ack and /ops/alerts/silence, answered on the read
// pool. Everything else goes on to the service behind.
#include "runtime/postgres/executor.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <string>

namespace omnium::apps {

class alert_acts final : public wire::service {
public:
  alert_acts(pg::executor& pool, wire::service& behind) : pool_(pool), behind_(behind) {}

  void submit(command_ptr what, std::function<void(wire::encoded_answer)> done) override {
    behind_.submit(std::move(what), std::move(done));
  }
  void preview(command_ptr what, std::function<void(wire::encoded_answer)> done) override {
    behind_.preview(std::move(what), std::move(done));
  }
  void read(wire::read_request what, std::function<void(wire::read_reply)> done) override;
  void act(wire::action_request what, std::function<void(wire::read_reply)> done) override;

private:
  void acknowledge(const wire::action_request& what, std::function<void(wire::read_reply)> done);
  void silence(const wire::action_request& what, std::function<void(wire::read_reply)> done);

  pg::executor& pool_;
  wire::service& behind_;
};

} // namespace omnium::apps
