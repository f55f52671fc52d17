#include "runtime/wire/http_rules.hpp"
#include "runtime/core/clock.hpp"
#include "runtime/core/limits.hpp"

#include <algorithm>

namespace omnium::wire {
namespace {

bool on_command_path(const route& where) {
  return where.kind == route_kind::command || where.kind == route_kind::preview;
}

bool is_key(std::string_view text) {
  return text.size() <= limits::key_chars_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

bool known_method(const request_head& head, const route& where) {
  if (on_command_path(where) || where.kind == route_kind::action) return head.method == "POST";
  return head.method == "GET" || head.method == "HEAD";
}

http_reply closing(http_reply reply) {
  reply.close = true;
  return reply;
}

// What makes the borders of the message doubtful: an answer, then the end of the connection.
std::optional<http_reply> refuse_framing(const request_head& head, const route& where) {
  auto bad = [&](int status, std::string message) {
    return closing(route_error(head, where, status, "bad_shape", std::move(message)));
  };
  if (head.hosts > 1 || (head.hosts == 0 && !head.http_1_0)) return bad(400, "The request needs one Host header.");
  if (!head.transfer_encoding.empty() && !equal_no_case(head.transfer_encoding, "chunked")) {
    return bad(501, "The only Transfer-Encoding known here is chunked.");
  }
  if (!head.expect.empty() && !equal_no_case(head.expect, "100-continue")) {
    return bad(417, "The only expectation known here is 100-continue.");
  }
  if (head.content_length > limits::body_bytes_max) {
    return closing(route_error(head, where, 413, "too_large",
                               "The body is larger than " + std::to_string(limits::body_bytes_max / 1024) + " KiB."));
  }
  return std::nullopt;
}

std::optional<http_reply> refuse_command(const request_head& head, const route& where, bool origin_allowed) {
  auto bad = [&](int status, std::string message) {
    return route_error(head, where, status, "bad_shape", std::move(message));
  };
  if (!head.origin.empty() && !origin_allowed) {
    return route_error(head, where, 403, "not_allowed",
                       "Pages of this origin may not send commands here: see http.allowed_origins.");
  }
  if (head.content_types != 1 || !is_json_type(head.content_type))
    return bad(415, "This address needs Content-Type: application/json.");
  if (!head.content_encoding.empty() && !equal_no_case(head.content_encoding, "identity")) {
    return bad(415, "A compressed body is not taken here.");
  }
  if (head.unequal_keys) return bad(400, "There are two unequal Idempotency-Key headers.");
  return std::nullopt;
}

} // namespace

http_reply answer_reply(const answer& what) {
  http_reply reply;
  reply.status = http_status(what);
  if (what.retry_after_ms) reply.retry_after_s = (*what.retry_after_ms + 999) / 1000;
  reply.body = encode(what);
  return reply;
}

http_reply command_error(const request_head& head, const route& where, answer what, int status) {
  auto given = trace_id_of(head.traceparent);
  what.trace = given ? std::move(*given) : make_trace_id();
  auto ref = parse_uuid(where.ref);
  if (ref && (where.subject_kind == "fixture" || where.subject_kind == "competition")) {
    what.subject =
        subject_ref{where.subject_kind == "fixture" ? subject_kind::fixture : subject_kind::competition, *ref};
  }
  if (head.idempotency_key && what.key.empty() && is_key(*head.idempotency_key)) what.key = *head.idempotency_key;
  auto reply = answer_reply(what);
  if (status) reply.status = status;
  return reply;
}

http_reply route_error(const request_head& head, const route& where, int status, const char* code,
                       std::string message) {
  if (!on_command_path(where)) return problem(status, message);
  return command_error(head, where, refused(code, std::move(message)), status);
}

std::optional<http_reply> refuse_head(const request_head& head, const route& where, bool origin_allowed) {
  if (auto reply = refuse_framing(head, where)) return reply;
  if (where.kind == route_kind::bad) {
    return head.method == "OPTIONS" && head.target == "*" ? std::nullopt : std::optional(problem(400, where.problem));
  }
  if (head.method == "OPTIONS") return std::nullopt;
  if (!known_method(head, where)) {
    auto reply = problem(405, "This address does not know the method.");
    reply.allow = allowed_methods(where.kind);
    return reply;
  }
  bool takes_json = on_command_path(where) || where.kind == route_kind::action;
  bool speaks_json = takes_json || where.kind == route_kind::read || where.kind == route_kind::livez;
  if (speaks_json && !accepts(head.accept, "application/json")) {
    return route_error(head, where, 406, "bad_shape", "This address answers in application/json only.");
  }
  return takes_json ? refuse_command(head, where, origin_allowed) : std::nullopt;
}

http_reply options_reply(const request_head& head, const route& where, bool origin_allowed) {
  http_reply reply;
  reply.status = 204;
  reply.allow = where.kind == route_kind::bad ? "GET, HEAD, POST, OPTIONS" : allowed_methods(where.kind);
  if (origin_allowed && !head.requested_method.empty()) {
    reply.extra = "Access-Control-Allow-Methods: " + reply.allow +
                  "\r\nAccess-Control-Allow-Headers: Content-Type, Idempotency-Key, Authorization, Traceparent\r\n"
                  "Access-Control-Max-Age: 600\r\n";
  }
  return reply;
}

std::string cross_origin_lines(std::string_view origin) {
  return "Access-Control-Allow-Origin: " + std::string(origin) +
         "\r\nAccess-Control-Expose-Headers: ETag, Retry-After\r\nVary: Origin\r\n";
}

bool wants_upgrade(const request_head& head) {
  return head.method == "GET" && lists_token(head.upgrade, "websocket") && lists_token(head.connection, "upgrade");
}

} // namespace omnium::wire
