#include "runtime/core/json.hpp"
#include "runtime/wire/live.hpp"

namespace omnium::wire {
namespace {

std::string opened(std::string_view kind, std::size_t room) {
  std::string out;
  out.reserve(room);
  out.append(R"({"t":")").append(kind).append("\"");
  return out;
}

void append_topic(std::string& out, const live_topic& topic) {
  out.append(R"(,"topic":")").append(to_string(topic)).append("\"");
}

bytes_ptr shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

} // namespace

std::optional<live_topic> parse_topic(std::string_view text) {
  if (text == "ops") return live_topic{live_topic::kind::ops, {}};
  for (auto [prefix, kind] : {std::pair{std::string_view("fixture/"), live_topic::kind::fixture},
                              std::pair{std::string_view("competition/"), live_topic::kind::competition}}) {
    if (!text.starts_with(prefix)) continue;
    auto id = parse_uuid(text.substr(prefix.size()));
    if (id) return live_topic{kind, *id};
  }
  return std::nullopt;
}

std::string to_string(const live_topic& topic) {
  switch (topic.what) {
  case live_topic::kind::fixture:
    return "fixture/" + to_string(topic.id);
  case live_topic::kind::competition:
    return "competition/" + to_string(topic.id);
  case live_topic::kind::ops:
    break;
  }
  return "ops";
}

bytes_ptr snapshot_frame(const live_topic& topic, std::int64_t version, std::string_view data) {
  auto out = opened("snapshot", data.size() + 128);
  append_topic(out, topic);
  out.append(R"(,"version":)").append(std::to_string(version)).append(R"(,"data":)").append(data).append("}");
  return shared(std::move(out));
}

bytes_ptr change_frame(const live_topic& topic, std::string_view event) {
  auto out = opened("change", event.size() + 96);
  append_topic(out, topic);
  out.append(",").append(event.substr(1)); // without its opening brace
  return shared(std::move(out));
}

bytes_ptr error_frame(std::string_view id, std::string_view code, std::string_view message) {
  auto out = opened("error", message.size() + id.size() + 96);
  if (!id.empty()) out.append(R"(,"id":)").append(id);
  out.append(R"(,"reason":{"code":)");
  json::append_string(out, code);
  out.append(R"(,"message":)");
  json::append_string(out, message);
  out.append("}}");
  return shared(std::move(out));
}

bytes_ptr bye_frame(std::string_view reason, std::optional<std::int64_t> retry_ms) {
  auto out = opened("bye", 96);
  out.append(R"(,"reason":)");
  json::append_string(out, reason);
  if (retry_ms) out.append(R"(,"retry_ms":)").append(std::to_string(*retry_ms));
  out.append("}");
  return shared(std::move(out));
}

} // namespace omnium::wire
