// Any body: a command within its bounds, or an answer that is itself good JSON.
#include "runtime/core/command.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace omnium;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  command_envelope envelope;
  envelope.workflow = "football";
  envelope.kind = "fixture";
  envelope.ref = "01926f3c-0000-7000-8000-000000000000";
  envelope.key_required = size % 2 == 0;
  auto parsed = parse_command(envelope, fuzz::text_of(data, size));
  if (auto* no = std::get_if<answer>(&parsed)) {
    fuzz::must(no->what == outcome::refused && no->why.has_value(), "what is no command is refused with a reason");
    fuzz::must(std::holds_alternative<std::string>(json::canonical(encode(*no))), "the answer is good JSON");
    return 0;
  }
  const auto& got = std::get<command>(parsed);
  fuzz::must(!got.code.empty() && !got.sender.empty(), "a command has a code and a sender");
  auto input = json::canonical(got.input);
  fuzz::must(std::holds_alternative<std::string>(input) && std::get<std::string>(input) == got.input,
             "the input is canonical");
  return 0;
}
