#include "runtime/wire/addresses.hpp"

#include <algorithm>

namespace omnium::wire {
namespace {

// Takes the next segment, after its slash, off the front.
std::string_view next_segment(std::string_view& path) {
  path.remove_prefix(1);
  auto out = path.substr(0, path.find('/'));
  path.remove_prefix(out.size());
  return out;
}

bool fits(std::string_view form, std::string_view path) {
  while (!form.empty() && !path.empty()) {
    auto wanted = next_segment(form), given = next_segment(path);
    if (wanted.starts_with('{') ? given.empty() : wanted != given) return false;
  }
  return form.empty() && path.empty();
}

} // namespace

bool serves(std::string_view method, std::string_view path) {
  return path.starts_with('/') && std::any_of(addresses.begin(), addresses.end(), [&](const auto& one) {
           return one.method == method && fits(one.path, path);
         });
}

} // namespace omnium::wire
