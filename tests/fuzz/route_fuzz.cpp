// Any request target and header value: a route, and never one that climbs out of its root.
#include "runtime/wire/http_route.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace omnium;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto text = fuzz::text_of(data, size);
  auto where = wire::find_route(text, wire::default_read_roots);
  if (where.kind == wire::route_kind::bad) {
    fuzz::must(!where.problem.empty(), "a bad target has a sentence");
  } else {
    fuzz::must(where.path.starts_with('/'), "a path begins at the root");
    fuzz::must(where.path.find('\0') == std::string::npos, "a path holds no NUL");
    fuzz::must(!wire::allowed_methods(where.kind).empty(), "a route has methods");
  }
  wire::accepts(text, "application/json");
  wire::is_json_type(text);
  wire::lists_token(text, "upgrade");
  wire::matches_etag(text, "\"1\"");
  return 0;
}
