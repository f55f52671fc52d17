#include "runtime/core/json.hpp"
#include "runtime/sport/frames.hpp"

#include <charconv>

namespace omnium::sport {
namespace {

void append_number(std::string& out, std::int64_t number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

std::string_view name_of(road::run_mode mode) {
  switch (mode) {
  case road::run_mode::decide:
    return "decide";
  case road::run_mode::replay:
    return "replay";
  case road::run_mode::check:
    return "check";
  }
  return "decide";
}

void append_event(std::string& out, const road::sport_event& event) {
  append_number(out += R"({"seq":)", event.seq);
  json::append_string(out += R"(,"code":)", event.code);
  json::append_string(out += R"(,"at":)", event.at);
  if (event.settled) out += R"(,"settled":true)";
  if (event.fresh) out += R"(,"fresh":true)";
  out += R"(,"input":)";
  out += event.input.empty() ? "{}" : event.input;
  out += '}';
}

void close_frame(std::string& frame) {
  const auto size = frame.size() - frame_head_bytes;
  for (std::size_t i = 0; i < frame_head_bytes; ++i) frame[i] = static_cast<char>(size >> (8 * i) & 0xFF);
}

} // namespace

std::string encode_run(const road::run_request& request) {
  std::string frame(frame_head_bytes, '\0');
  frame.reserve(256 + request.settings.size() + request.state.size() + request.events.size() * 256);
  ((frame += R"({"run":")") += name_of(request.mode)) += '"';
  if (request.keep_refused) frame += R"(,"keep_refused":true)";
  if (!request.settings.empty()) (frame += R"(,"settings":)") += request.settings;
  if (!request.state.empty()) (frame += R"(,"state":)") += request.state;
  frame += R"(,"events":[)";
  for (const auto& event : request.events) {
    append_event(frame, event);
    frame += ',';
  }
  if (frame.back() == ',') frame.pop_back();
  frame += "]}";
  close_frame(frame);
  return frame;
}

std::string encode_describe() {
  std::string frame(frame_head_bytes, '\0');
  frame += R"({"run":"describe"})";
  close_frame(frame);
  return frame;
}

} // namespace omnium::sport
