#include "runtime/wire/sign_in_replies.hpp"

namespace omnium::wire {
namespace {

const char* sentence_of(sign_in_fault why) {
  switch (why) {
  case sign_in_fault::none_given:
    return "This needs a token: send it as Authorization: Bearer …, on the live socket in hello.";
  case sign_in_fault::not_valid:
    return "The server does not know this token: it is wrong, expired or revoked.";
  case sign_in_fault::in_address:
    return "A token in an address is refused, because addresses are logged and shared: send it as Authorization: "
           "Bearer …";
  }
  return "";
}

std::optional<subject_ref> subject_of(const route& where) {
  auto ref = parse_uuid(where.ref);
  if (!ref) return std::nullopt;
  if (where.subject_kind == to_string(subject_kind::fixture)) return subject_ref{subject_kind::fixture, *ref};
  if (where.subject_kind == to_string(subject_kind::competition)) return subject_ref{subject_kind::competition, *ref};
  return std::nullopt;
}

} // namespace

std::optional<access::question> question_of(const route& where) {
  switch (where.kind) {
  case route_kind::command:
  case route_kind::preview: {
    auto subject = subject_of(where); // none: parse_command refuses it, whoever sends it
    return subject ? access::question_of_command(*subject) : access::question{access::action::command, std::nullopt};
  }
  case route_kind::read:
    return access::question_of_read(where.path);
  case route_kind::action:
    return access::question_of_act(where.path);
  case route_kind::livez:
  case route_kind::metrics:
  case route_kind::live:
  case route_kind::file:
  case route_kind::bad:
    return std::nullopt;
  }
  return access::question{access::action::administer, std::nullopt};
}

http_reply not_signed_in(const request_head& head, const route& where, sign_in_fault why) {
  auto reply = route_error(head, where, 401, "not_signed_in", sentence_of(why));
  reply.extra = why == sign_in_fault::not_valid
                    ? "WWW-Authenticate: Bearer realm=\"omnium\", error=\"invalid_token\"\r\n"
                    : "WWW-Authenticate: Bearer realm=\"omnium\"\r\n";
  return reply;
}

http_reply not_allowed(const request_head& head, const route& where, std::string sentence) {
  return route_error(head, where, 403, "not_allowed", std::move(sentence));
}

answer command_not_allowed(const command& given, const access::token& who, std::optional<access::verdict> verdict) {
  auto asked = access::question_of_command(given.subject, given.code).what;
  auto out = verdict
                 ? refused("not_allowed", access::sentence_of(*verdict, who, asked))
                 : try_again("database_unavailable", "The match could not be looked up; send it again in a moment.");
  out.key = given.key;
  out.code = given.code;
  out.subject = given.subject;
  out.trace = given.trace;
  return out;
}

http_reply asked_too_much(const request_head& head, const route& where, std::chrono::milliseconds wait) {
  constexpr const char* sentence = "This token or address asks for more than the server gives to one; slow down.";
  int ms = static_cast<int>(std::clamp<std::int64_t>(wait.count(), 1, 60'000));
  if (where.kind == route_kind::command || where.kind == route_kind::preview)
    return command_error(head, where, try_again("overloaded", sentence, ms));
  auto reply = problem(429, sentence);
  reply.retry_after_s = (ms + 999) / 1000;
  return reply;
}

} // namespace omnium::wire
