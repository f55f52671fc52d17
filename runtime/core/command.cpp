#include "runtime/core/command.hpp"

#include "runtime/core/clock.hpp"
#include "runtime/core/hashing.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/simdjson_compat.hpp"

#include <algorithm>

namespace omnium {
namespace {

namespace ondemand = simdjson::ondemand;

bool is_printable_ascii(char c) { return c >= 0x20 && c <= 0x7e; }

bool is_printable(std::string_view text, std::size_t chars_max) {
  return !text.empty() && text.size() <= chars_max && std::all_of(text.begin(), text.end(), is_printable_ascii);
}

bool is_key(std::string_view text) { return is_printable(text, limits::key_chars_max); }
bool is_code(std::string_view text) { return is_printable(text, limits::code_chars_max); }

bool is_workflow(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !text.empty() && text.size() <= limits::code_chars_max && std::all_of(text.begin(), text.end(), allowed);
}

// Characters of valid UTF-8: every byte that does not continue one.
std::size_t count_chars(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::optional<subject_kind> parse_kind(std::string_view text) {
  for (const auto kind : {subject_kind::fixture, subject_kind::competition})
    if (to_string(kind) == text) return kind;
  return std::nullopt;
}

std::optional<std::string> text_of(ondemand::value value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string{text};
}

// A version a sender can have seen: a whole number from 0.
std::optional<std::int64_t> version_of(ondemand::value value) {
  std::int64_t number = 0;
  if (value.get_int64().get(number) != simdjson::SUCCESS || number < 0) return std::nullopt;
  return number;
}

// Reads one body. The text is brought into canonical form first, which checks all of it; the members are then read from
// that form, so that the input's canonical text is a piece of it.
class command_reader {
public:
  command_reader(const command_envelope& envelope, std::string_view body) : envelope_(envelope), body_(body) {}

  std::variant<command, answer> run() {
    open();
    if (!size() || !address() || !header_key() || !members() || !required()) return finish_refusal();
    out_.hash = sha256(R"({"code":)" + json::quoted(out_.code) + R"(,"input":)" + out_.input + R"(,"subject":")" +
                       to_string(out_.subject.ref) + R"("})");
    return std::move(out_);
  }

private:
  // --- before the body --------------------------------------------------------------------------------------------

  void open() {
    out_.arrived = std::chrono::steady_clock::now();
    out_.received_at = now_utc_ms();
    auto given = envelope_.traceparent ? trace_id_of(*envelope_.traceparent) : std::nullopt;
    out_.trace = given ? std::move(*given) : make_trace_id();
    const auto kind = parse_kind(envelope_.kind);
    const auto ref = parse_uuid(envelope_.ref);
    if (kind && ref) subject_ = subject_ref{*kind, *ref};
  }

  bool size() {
    if (body_.size() <= limits::body_bytes_max) return true;
    return fail("too_large", "The body is larger than " + std::to_string(limits::body_bytes_max / 1024) + " KiB.", {});
  }

  bool address() {
    if (!is_workflow(envelope_.workflow)) return fail("unknown_command", "There is no workflow of this name.", {});
    if (!subject_)
      return fail("unknown_subject", "The address names no subject: it needs fixture or competition, and a UUID.", {});
    out_.workflow = envelope_.workflow;
    out_.subject = *subject_;
    return true;
  }

  bool header_key() {
    if (!envelope_.idempotency_key) return true;
    if (!is_key(*envelope_.idempotency_key)) return bad("The header Idempotency-Key must be " + key_words() + ".", {});
    out_.key = *envelope_.idempotency_key;
    return true;
  }

  // --- the body's members -------------------------------------------------------------------------------------------

  bool members() {
    auto form = json::canonical(body_);
    if (auto* wrong = std::get_if<json::fault>(&form)) return bad(std::move(wrong->message), std::move(wrong->at));
    const simdjson::padded_string padded{std::get<std::string>(form)};
    thread_local ondemand::parser parser;
    ondemand::document document;
    ondemand::object object;
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS)
      return bad("The body must be a JSON object.", {});
    for (auto field : object) {
      std::string_view name;
      ondemand::value value;
      if (field.unescaped_key().get(name) != simdjson::SUCCESS) return bad("The body must be a JSON object.", {});
      const std::string member{name};
      if (field.value().get(value) != simdjson::SUCCESS) return bad("The body must be a JSON object.", {});
      if (!read_member(member, value)) return false;
    }
    return true;
  }

  bool read_member(const std::string& name, ondemand::value value) {
    if (name == "key") return key(value);
    if (name == "code") return code(value);
    if (name == "input") return input(value);
    if (name == "sender") return sender(value);
    if (name == "saw") return saw(value);
    if (name == "sent_at") return sent_at(value);
    return bad("A command has no member " + json::quoted(name) + ".", pointer(name));
  }

  bool key(ondemand::value value) {
    auto text = text_of(value);
    if (!text || !is_key(*text)) return bad("key must be " + key_words() + ".", "/key");
    if (envelope_.idempotency_key && *text != out_.key)
      return bad("key and the header Idempotency-Key are not the same.", "/key");
    out_.key = std::move(*text);
    return true;
  }

  bool code(ondemand::value value) {
    auto text = text_of(value);
    if (!text || !is_code(*text))
      return bad("code must be a text of 1 to " + std::to_string(limits::code_chars_max) +
                     " printable ASCII characters.",
                 "/code");
    out_.code = std::move(*text);
    return true;
  }

  bool input(ondemand::value value) {
    auto text = json::raw_text(value);
    if (!text || text->front() != '{') return bad("input must be an object.", "/input");
    out_.input = std::move(*text);
    return true;
  }

  bool sender(ondemand::value value) {
    auto text = text_of(value);
    if (!text || text->empty() || count_chars(*text) > limits::sender_chars_max)
      return bad("sender must be a text of 1 to " + std::to_string(limits::sender_chars_max) + " characters.",
                 "/sender");
    out_.sender = std::move(*text);
    return true;
  }

  bool sent_at(ondemand::value value) {
    auto text = text_of(value);
    if (!text || !is_rfc3339(*text)) return bad("sent_at must be a date and time of RFC 3339.", "/sent_at");
    out_.sent_at = std::move(*text);
    return true;
  }

  // --- what the sender had seen
  // ---------------------------------------------------------------------------------------

  bool saw(ondemand::value value) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return bad("saw must be an object.", "/saw");
    bool play = false, rows = false;
    for (auto field : object) {
      std::string_view text;
      ondemand::value seen;
      if (field.unescaped_key().get(text) != simdjson::SUCCESS) return bad("saw must be an object.", "/saw");
      const std::string name{text};
      if (field.value().get(seen) != simdjson::SUCCESS) return bad("saw must be an object.", "/saw");
      if (name == "play") play = true;
      else if (name == "rows") rows = true;
      else return bad("saw has no member " + json::quoted(name) + ".", "/saw" + pointer(name));
      if (name == "play" ? !saw_play(seen) : !saw_rows(seen)) return false;
    }
    if (play && rows) return bad("saw holds play or rows, not both.", "/saw");
    return true;
  }

  bool saw_play(ondemand::value value) {
    out_.saw.play = version_of(value);
    return out_.saw.play || bad("saw.play must be a whole number from 0.", "/saw/play");
  }

  bool saw_rows(ondemand::value value) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return bad("saw.rows must be an object.", "/saw/rows");
    for (auto field : object) {
      std::string_view text;
      ondemand::value seen;
      if (field.unescaped_key().get(text) != simdjson::SUCCESS) return bad("saw.rows must be an object.", "/saw/rows");
      const std::string name{text};
      if (field.value().get(seen) != simdjson::SUCCESS) return bad("saw.rows must be an object.", "/saw/rows");
      if (!saw_row(name, seen)) return false;
    }
    return one_version_a_row();
  }

  bool saw_row(const std::string& name, ondemand::value value) {
    const auto at = "/saw/rows" + pointer(name);
    const auto row = parse_uuid(name);
    if (!row) return bad("saw.rows names a row that is no UUID.", at);
    const auto version = version_of(value);
    if (!version) return bad("A version in saw.rows must be a whole number from 0.", at);
    if (out_.saw.rows.size() == limits::saw_rows_max)
      return bad("saw.rows holds more than " + std::to_string(limits::saw_rows_max) + " rows.", "/saw/rows");
    out_.saw.rows.emplace_back(*row, *version);
    return true;
  }

  // The same row in upper and in lower case is one row.
  bool one_version_a_row() {
    auto& rows = out_.saw.rows;
    std::sort(rows.begin(), rows.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twice = std::adjacent_find(rows.begin(), rows.end(), same);
    return twice == rows.end() || bad("saw.rows names one row twice.", "/saw/rows/" + to_string(twice->first));
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------

  bool required() {
    if (out_.key.empty() && envelope_.key_required)
      return bad("A command needs a key: the member key or the header Idempotency-Key.", "/key");
    if (out_.code.empty()) return bad("A command needs a code.", "/code");
    if (out_.input.empty()) return bad("A command needs an input.", "/input");
    if (out_.sender.empty()) return bad("A command needs a sender.", "/sender");
    return true;
  }

  static std::string key_words() {
    return "a text of 1 to " + std::to_string(limits::key_chars_max) + " printable ASCII characters";
  }

  static std::string pointer(std::string_view name) {
    std::string out{"/"};
    json::append_pointer_token(out, name);
    return out;
  }

  bool bad(std::string message, std::string at) { return fail("bad_shape", std::move(message), std::move(at)); }

  bool fail(std::string code, std::string message, std::string at) {
    refusal_ = refused(std::move(code), std::move(message), std::move(at));
    return false;
  }

  // The sender must be able to tell which of its commands was refused: what can be read of a bad body is said again.
  answer finish_refusal() {
    refusal_.trace = std::move(out_.trace);
    refusal_.subject = subject_;
    refusal_.key = out_.key;
    refusal_.code = out_.code;
    if (body_.size() > limits::body_bytes_max) return std::move(refusal_);
    if (refusal_.key.empty()) refusal_.key = salvage("key", is_key);
    if (refusal_.code.empty()) refusal_.code = salvage("code", is_code);
    return std::move(refusal_);
  }

  std::string salvage(std::string_view name, bool (*good)(std::string_view)) const {
    auto text = json::string_member(body_, name);
    return text && good(*text) ? std::move(*text) : std::string{};
  }

  const command_envelope& envelope_;
  std::string_view body_;
  std::optional<subject_ref> subject_;
  command out_;
  answer refusal_;
};

} // namespace

std::variant<command, answer> parse_command(const command_envelope& envelope, std::string_view body) {
  return command_reader{envelope, body}.run();
}

} // namespace omnium
