// Any text frame of a client: a message, or a reason; and a topic that is read back as it was written.
#include "runtime/wire/live_protocol.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace omnium;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto text = fuzz::text_of(data, size);
  auto message = wire::parse_client_message(text);
  if (auto* bad = std::get_if<wire::bad_message>(&message))
    fuzz::must(!bad->code.empty() && !bad->message.empty(), "a bad message has a reason");
  if (auto* watch = std::get_if<wire::watch_message>(&message)) {
    auto again = wire::parse_topic(wire::to_string(watch->topic));
    fuzz::must(again && wire::to_string(*again) == wire::to_string(watch->topic), "a topic is read back");
  }
  return 0;
}
