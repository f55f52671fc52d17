#pragma once
// What a request gets before anything runs: framing, method and type rules, and the replies for them. Pure, knows no
// Beast; any thread. Sources: RFC 9110, RFC 9112, contract section 2.
#include "runtime/core/answer.hpp"
#include "runtime/wire/http_reply.hpp"
#include "runtime/wire/http_route.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace omnium::wire {

// The head of a request. Texts belong to the parser and live as long as the request.
struct request_head {
  std::string_view method, target;
  bool http_1_0 = false;
  bool keep_alive = true;
  std::string_view content_type, content_encoding, transfer_encoding, accept, accept_encoding, expect, origin,
      if_none_match, traceparent, upgrade, connection, requested_method, authorization, forwarded_for;
  std::optional<std::string_view> idempotency_key;
  std::uint32_t hosts = 0, content_types = 0, authorizations = 0;
  bool unequal_keys = false; // two Idempotency-Key headers that differ
  bool chunked = false;
  std::uint64_t content_length = 0;

  bool has_body() const { return chunked || content_length > 0; }
  bool expects_continue() const { return !expect.empty(); }
};

// A reply for a request that must not run, or nothing. `close` is set when the rest of the connection cannot be
// trusted.
std::optional<http_reply> refuse_head(const request_head& head, const route& where, bool origin_allowed);

// OPTIONS: Allow, and for an allowed origin what a browser may send.
http_reply options_reply(const request_head& head, const route& where, bool origin_allowed);

// An answer with its status and Retry-After.
http_reply answer_reply(const answer& what);

// The one answer body for an error on a command's path. `status` 0: the contract's for that answer.
http_reply command_error(const request_head& head, const route& where, answer what, int status = 0);

// The error in the form its route speaks: an answer (code, message) on a command's path, else problem details.
http_reply route_error(const request_head& head, const route& where, int status, const char* code, std::string message);

// Header lines that let a page of this allowed origin read the reply.
std::string cross_origin_lines(std::string_view origin);

bool wants_upgrade(const request_head& head);

} // namespace omnium::wire
