// Any bytes: a fault in words, or a canonical form that is ASCII and its own canonical form.
#include "runtime/core/json.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>

using namespace omnium;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto first = json::canonical(fuzz::text_of(data, size));
  if (auto* fault = std::get_if<json::fault>(&first)) {
    fuzz::must(!fault->message.empty(), "a fault has a sentence");
    return 0;
  }
  const auto& text = std::get<std::string>(first);
  fuzz::must(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' && c < 127; }), "it is ASCII");
  auto again = json::canonical(text);
  fuzz::must(std::holds_alternative<std::string>(again) && std::get<std::string>(again) == text,
             "the canonical form is its own canonical form");
  return 0;
}
