#pragma once
// Operators' commands on releases come after a look at the sports folder: what was put there a moment ago can be
// installed without a restart. Everything else goes on as it is. All commands on their subject take this way, so that
// they stay in the order they were sent.
#include "runtime/sport/shelf.hpp"
#include "runtime/wire/service.hpp"

namespace omnium::apps {

class release_door final : public wire::service {
public:
  // Both outlive it, and what it handed to them.
  release_door(sport::shelf& shelf, wire::service& behind) : shelf_(shelf), behind_(behind) {}

  void submit(command_ptr what, std::function<void(wire::encoded_answer)> done) override;
  void preview(command_ptr what, std::function<void(wire::encoded_answer)> done) override;
  void read(wire::read_request what, std::function<void(wire::read_reply)> done) override {
    behind_.read(std::move(what), std::move(done));
  }
  void act(wire::action_request what, std::function<void(wire::read_reply)> done) override {
    behind_.act(std::move(what), std::move(done));
  }

private:
  sport::shelf& shelf_;
  wire::service& behind_;
};

} // namespace omnium::apps
