#include "omnium/sport_session.hpp"

#include <simdjson.h>
#include <stdexcept>

namespace omnium::sdk::test {
namespace {

answer accepted(const std::string& out, std::int64_t seq) {
  answer made{.accepted = true, .seq = seq};
  if (out.empty()) return made;
  simdjson::dom::parser parser;
  for (const auto one : parser.parse(out)["voids"].get_array()) made.voids.push_back(one.get_int64());
  return made;
}

answer refused(const std::string& out) {
  return {.code = json_at(out, "/code"),
          .message = json_at(out, "/message"),
          .at = json_at(out, "/at"),
          .law = json_at(out, "/law")};
}

} // namespace

std::string json_at(const std::string& text, const std::string& pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element root, found;
  if (parser.parse(text).get(root)) throw std::runtime_error("not JSON: " + text);
  if (root.at_pointer(pointer).get(found)) return {};
  std::string_view plain;
  return found.get(plain) ? simdjson::minify(found) : std::string(plain);
}

session::session(const omnium_sport_api& api, const std::string& settings, const std::string& state) : api_(&api) {
  std::string out;
  const auto host = host_writing_to(out);
  self_ = api.open(&host, bytes_of(settings), bytes_of(state));
  if (self_ == nullptr) throw std::runtime_error("open: " + out);
}

session::~session() { api_->close(self_); }

answer session::play(const logged& what, std::uint32_t flags) {
  std::string out;
  const auto host = host_writing_to(out);
  omnium_sport_event event{};
  event.struct_size = sizeof event;
  event.seq = what.seq;
  event.code = bytes_of(what.code);
  event.input = bytes_of(what.input);
  event.at = bytes_of(what.at);
  const int result = api_->play(self_, &host, &event, flags);
  if (result == OMNIUM_SPORT_ERROR) throw std::runtime_error(what.code + ": " + out);
  return result == OMNIUM_SPORT_ACCEPTED ? accepted(out, what.seq) : refused(out);
}

std::string session::written(int (*what)(void*, const omnium_sport_host*)) const {
  std::string out;
  const auto host = host_writing_to(out);
  if (what(self_, &host) != OMNIUM_SPORT_OK) throw std::runtime_error(out);
  return out;
}

} // namespace omnium::sdk::test
