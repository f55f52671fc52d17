#include "apps/omnium/release_door.hpp"

#include "runtime/road/release_commands.hpp"

namespace omnium::apps {

void release_door::submit(command_ptr what, std::function<void(wire::encoded_answer)> done) {
  if (what->subject.ref != road::operations_subject) return behind_.submit(std::move(what), std::move(done));
  shelf_.freshen([this, what = std::move(what), done = std::move(done)]() mutable {
    behind_.submit(std::move(what), std::move(done));
  });
}

void release_door::preview(command_ptr what, std::function<void(wire::encoded_answer)> done) {
  if (what->subject.ref != road::operations_subject) return behind_.preview(std::move(what), std::move(done));
  shelf_.freshen([this, what = std::move(what), done = std::move(done)]() mutable {
    behind_.preview(std::move(what), std::move(done));
  });
}

} // namespace omnium::apps
