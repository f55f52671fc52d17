#include "runtime/core/answer.hpp"

#include "runtime/core/json.hpp"

#include <array>
#include <utility>

namespace omnium {
namespace {

// Refusals found before the rules ran; any other refusal is a rule's no (422). Source: contract section 2.
constexpr std::array<std::pair<std::string_view, int>, 7> early_refusals{{{"bad_shape", 400},
                                                                          {"unknown_command", 404},
                                                                          {"unknown_subject", 404},
                                                                          {"key_reused", 422},
                                                                          {"not_signed_in", 401},
                                                                          {"not_allowed", 403},
                                                                          {"too_large", 413}}};

int refusal_status(std::string_view code) {
  for (const auto& [name, status] : early_refusals)
    if (name == code) return status;
  return 422;
}

void append_text(std::string& out, std::string_view text) {
  if (text.empty()) out += "null";
  else json::append_string(out, text);
}

void append_raw(std::string& out, std::string_view text) { out += text.empty() ? std::string_view{"null"} : text; }

template<class Integer>
void append_integer(std::string& out, const std::optional<Integer>& value) {
  out += value ? std::to_string(*value) : "null";
}

void append_subject(std::string& out, const std::optional<subject_ref>& subject) {
  if (!subject) {
    out += "null";
    return;
  }
  out += R"({"kind":")";
  out += to_string(subject->kind);
  out += R"(","ref":")";
  out += to_string(subject->ref);
  out += R"("})";
}

void append_reason(std::string& out, const std::optional<reason>& why) {
  if (!why) {
    out += "null";
    return;
  }
  out += R"({"code":)";
  json::append_string(out, why->code);
  out += R"(,"message":)";
  json::append_string(out, why->message);
  out += R"(,"at":)";
  append_text(out, why->at);
  for (const auto& [name, value] : {std::pair{R"(,"law":)", &why->law}, std::pair{R"(,"release":)", &why->release}}) {
    if (value->empty()) continue;
    out += name;
    json::append_string(out, *value);
  }
  out += '}';
}

} // namespace

std::string encode(const std::optional<reason>& why) {
  std::string out;
  append_reason(out, why);
  return out;
}

std::string_view to_string(subject_kind kind) { return kind == subject_kind::fixture ? "fixture" : "competition"; }

std::string_view to_string(outcome what) {
  switch (what) {
  case outcome::accepted:
    return "accepted";
  case outcome::duplicate:
    return "duplicate";
  case outcome::refused:
    return "refused";
  case outcome::conflict:
    return "conflict";
  case outcome::try_again:
    break;
  }
  return "try_again";
}

std::string encode(const answer& what) {
  std::string out;
  out.reserve(256 + what.conflict.size() + what.first.size());
  out += R"({"outcome":")";
  out += to_string(what.what);
  out += R"(","key":)";
  append_text(out, what.key);
  out += R"(,"code":)";
  append_text(out, what.code);
  out += R"(,"subject":)";
  append_subject(out, what.subject);
  out += R"(,"seq":)";
  append_integer(out, what.seq);
  out += R"(,"reason":)";
  append_reason(out, what.why);
  out += R"(,"conflict":)";
  append_raw(out, what.conflict);
  out += R"(,"first":)";
  append_raw(out, what.first);
  out += R"(,"retry_after_ms":)";
  append_integer(out, what.retry_after_ms);
  out += R"(,"trace":)";
  append_text(out, what.trace);
  out += '}';
  return out;
}

int http_status(const answer& what) {
  switch (what.what) {
  case outcome::accepted:
  case outcome::duplicate:
    return 200;
  case outcome::refused:
    return what.why ? refusal_status(what.why->code) : 422;
  case outcome::conflict:
    return 409;
  case outcome::try_again:
    break;
  }
  return 503;
}

answer refused(std::string code, std::string message, std::string at) {
  answer out;
  out.what = outcome::refused;
  out.why = reason{std::move(code), std::move(message), std::move(at), {}, {}};
  return out;
}

answer try_again(std::string code, std::string message, int retry_after_ms) {
  answer out;
  out.what = outcome::try_again;
  out.why = reason{std::move(code), std::move(message), {}, {}, {}};
  out.retry_after_ms = retry_after_ms;
  return out;
}

} // namespace omnium
