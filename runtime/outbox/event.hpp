#pragma once
// A domain event on its way to the sockets. Pure; any thread.
#include "runtime/wire/live.hpp"

#include <string>
#include <string_view>

namespace omnium::outbox {

// What a topic's changes are about. Not asked for topic ops, which has no changes.
inline subject_ref subject_of(const wire::live_topic& topic) {
  bool fixture = topic.what == wire::live_topic::kind::fixture;
  return {fixture ? subject_kind::fixture : subject_kind::competition, topic.id};
}

// The event (a JSON object) with the trace id of the command that made it, which is kept with the log row: a screen can
// name it to whoever looks after the server. Empty: the event as it is.
inline std::string with_trace(std::string_view event, std::string_view trace) {
  std::string out(event);
  if (trace.empty() || !out.ends_with('}')) return out;
  out.pop_back();
  return out.append(R"(,"trace":")").append(trace).append("\"}");
}

} // namespace omnium::outbox
