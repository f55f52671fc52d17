#include "runtime/wire/live_protocol.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/simdjson_compat.hpp"

#include <algorithm>

namespace omnium::wire {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t id_chars_max = 100;
constexpr std::size_t token_chars_max = 1024;
constexpr std::size_t client_chars_max = 200;
constexpr const char* topic_sentence = "A topic is fixture/<uuid>, competition/<uuid> or ops.";

constexpr std::string_view member_names[] = {"t",    "id",  "token", "client", "workflow",
                                             "kind", "ref", "body",  "topic",  "have"};
enum member : std::uint8_t { m_t, m_id, m_token, m_client, m_workflow, m_kind, m_ref, m_body, m_topic, m_have };

// The members any message may have, as they stood; which of them a kind of message knows is looked at afterwards.
struct members {
  std::string texts[m_have]; // by member; id and body are raw JSON
  std::int64_t have = 0;
  std::uint32_t seen = 0; // one bit a member
  std::string fault;      // a sentence; empty: none
  bool has(member which) const { return (seen >> which & 1) != 0; }
};

std::optional<member> member_of(std::string_view name) {
  auto found = std::find(std::begin(member_names), std::end(member_names), name);
  if (found == std::end(member_names)) return std::nullopt;
  return static_cast<member>(found - std::begin(member_names));
}

bool is_id(std::string_view raw) {
  if (raw.size() > id_chars_max + 2 || raw.empty()) return false;
  if (raw.front() == '"') {
    return std::none_of(raw.begin(), raw.end(), [](unsigned char c) { return c < 0x20 || c == '\\' || c >= 0x7F; });
  }
  return raw.find_first_not_of("0123456789", raw.front() == '-' ? 1 : 0) == raw.npos && raw != "-";
}

std::string take_raw(std::string& slot, member which, ondemand::value value) {
  auto raw = json::raw_text(value);
  if (!raw) return std::string(member_names[which]) + " is not well-formed.";
  if (which == m_id && !is_id(*raw)) return "id must be a text of at most 100 plain characters, or an integer.";
  if (which == m_body && raw->front() != '{') return "body must be an object.";
  slot = std::move(*raw);
  return {};
}

std::string take(members& out, const std::string& name, ondemand::value value) {
  auto which = member_of(name);
  if (!which) return "A message has no member " + json::quoted(name) + ".";
  if (out.has(*which)) return name + " stands twice.";
  std::string fault;
  std::string_view text;
  if (*which == m_id || *which == m_body) {
    fault = take_raw(out.texts[*which], *which, value);
  } else if (*which == m_have) {
    bool whole = value.get_int64().get(out.have) == simdjson::SUCCESS && out.have >= 0;
    if (!whole) fault = "have must be a whole number from 0.";
  } else if (value.get_string().get(text) != simdjson::SUCCESS) {
    fault = name + " must be a text.";
  } else {
    out.texts[*which] = text;
  }
  if (fault.empty()) out.seen |= 1u << *which;
  return fault;
}

members read_members(std::string_view text) {
  members out;
  constexpr const char* no_object = "A message must be one JSON object.";
  thread_local ondemand::parser parser;
  const simdjson::padded_string padded{text};
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    out.fault = no_object;
    return out;
  }
  for (auto field : object) {
    std::string_view name;
    ondemand::value value;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS) {
      out.fault = no_object;
      return out;
    }
    std::string kept(name); // reading the value may overwrite it
    auto fault = take(out, kept, value);
    if (out.fault.empty()) out.fault = std::move(fault); // go on: the id is wanted for the error
  }
  const char* more = nullptr; // what stands after the object
  if (document.current_location().get(more) == simdjson::SUCCESS && out.fault.empty()) out.fault = no_object;
  return out;
}

bad_message bad(const members& in, std::string message, std::string code = "bad_shape") {
  return {in.texts[m_id], std::move(code), std::move(message)};
}

// Does the message hold all of `needed`, and nothing but these and `optional`?
std::string holds(const members& in, std::initializer_list<member> needed, std::initializer_list<member> optional) {
  std::uint32_t known = 1u << m_t;
  for (auto which : needed) {
    if (!in.has(which)) return std::string(member_names[which]) + " is missing.";
    known |= 1u << which;
  }
  for (auto which : optional) known |= 1u << which;
  return (in.seen & ~known) == 0 ? "" : "The message has a member that its kind does not know.";
}

client_message make_hello(members in) {
  if (auto fault = holds(in, {}, {m_token, m_client}); !fault.empty()) return bad(in, fault);
  if (in.texts[m_token].size() > token_chars_max || in.texts[m_client].size() > client_chars_max) {
    return bad(in, "token or client is too long.");
  }
  return hello_message{std::move(in.texts[m_token]), std::move(in.texts[m_client])};
}

client_message make_command(members in) {
  if (auto fault = holds(in, {m_id, m_workflow, m_kind, m_ref, m_body}, {}); !fault.empty()) return bad(in, fault);
  return command_message{std::move(in.texts[m_id]), std::move(in.texts[m_workflow]), std::move(in.texts[m_kind]),
                         std::move(in.texts[m_ref]), std::move(in.texts[m_body])};
}

client_message make_watch(members in) {
  if (auto fault = holds(in, {m_id, m_topic}, {m_have}); !fault.empty()) return bad(in, fault);
  auto topic = parse_topic(in.texts[m_topic]);
  if (!topic) return bad(in, topic_sentence, "unknown_topic");
  return watch_message{std::move(in.texts[m_id]), *topic, in.has(m_have) ? std::optional(in.have) : std::nullopt};
}

client_message make_unwatch(members in) {
  if (auto fault = holds(in, {m_topic}, {m_id}); !fault.empty()) return bad(in, fault);
  auto topic = parse_topic(in.texts[m_topic]);
  if (!topic) return bad(in, topic_sentence, "unknown_topic");
  return unwatch_message{*topic};
}

} // namespace

client_message parse_client_message(std::string_view text) {
  auto in = read_members(text);
  if (!in.fault.empty()) return bad(in, in.fault);
  if (!in.has(m_t)) return bad(in, "t is missing.");
  const auto& t = in.texts[m_t];
  if (t == "hello") return make_hello(std::move(in));
  if (t == "command") return make_command(std::move(in));
  if (t == "watch") return make_watch(std::move(in));
  if (t == "unwatch") return make_unwatch(std::move(in));
  if (t == "pong") return pong_message{};
  return bad(in, "There is no message " + json::quoted(t) + ".", "unknown_message");
}

bytes_ptr welcome_frame(std::string_view session, std::string_view node, std::int64_t beat_ms) {
  std::string out = R"({"t":"welcome","session":)";
  json::append_string(out, session);
  out.append(R"(,"node":)");
  json::append_string(out, node);
  out.append(R"(,"beat_ms":)").append(std::to_string(beat_ms)).append("}");
  return std::make_shared<const std::string>(std::move(out));
}

bytes_ptr answer_frame(std::string_view id, std::string_view answer) {
  std::string out;
  out.reserve(answer.size() + id.size() + 32);
  out.append(R"({"t":"answer","id":)").append(id).append(R"(,"answer":)").append(answer).append("}");
  return std::make_shared<const std::string>(std::move(out));
}

bytes_ptr beat_frame(const std::vector<std::pair<live_topic, std::int64_t>>& versions) {
  std::string out = R"({"t":"beat","versions":{)";
  for (const auto& [topic, version] : versions) {
    if (out.back() != '{') out += ',';
    out.append("\"").append(to_string(topic)).append("\":").append(std::to_string(version));
  }
  out.append("}}");
  return std::make_shared<const std::string>(std::move(out));
}

std::uint64_t answer_lanes::open(const std::string& lane) {
  auto& mine = lines_[lane];
  mine.frames.emplace_back();
  ++waiting_;
  return mine.first + mine.frames.size() - 1;
}

std::vector<bytes_ptr> answer_lanes::settle(const std::string& lane, std::uint64_t place, bytes_ptr frame) {
  std::vector<bytes_ptr> out;
  auto found = lines_.find(lane);
  if (found == lines_.end()) return out;
  auto& mine = found->second;
  if (place < mine.first || place - mine.first >= mine.frames.size() || mine.frames[place - mine.first]) return out;
  mine.frames[place - mine.first] = std::move(frame);
  while (!mine.frames.empty() && mine.frames.front()) {
    out.push_back(std::move(mine.frames.front()));
    mine.frames.pop_front();
    ++mine.first;
    --waiting_;
  }
  if (mine.frames.empty()) lines_.erase(found);
  return out;
}

} // namespace omnium::wire
