// A connection's door: who asks, may they, and not too much? Asked before a request's body is read.
#include "runtime/access/token_text.hpp"
#include "runtime/wire/http_connection.hpp"
#include "runtime/wire/sign_in_replies.hpp"

namespace omnium::wire {

// Who asks, may they, and not too much? Before the body is read: a stranger's is not worth the memory.
std::optional<http_reply> http_connection::turn_away(const route& where) {
  who_ = nullptr;
  ask_first_ = false;
  request_bytes_ += head_.content_length;
  if (where.kind == route_kind::livez || where.kind == route_kind::bad) return std::nullopt;
  if (core_.options.behind_proxy) address_ = forwarded_address();
  address_->used(request_bytes_);
  // Probes and scrapes are never too much: whoever balances or watches would take the node out for its neighbours'
  // sake.
  const bool probe = where.kind == route_kind::metrics || where.path == "/readyz";
  if (!probe)
    if (auto reply = ask_too_much(where)) return reply;
  if (!core_.door.asks() || head_.method == "OPTIONS" || where.kind == route_kind::file) return std::nullopt;
  return turn_away_stranger(where);
}

std::optional<http_reply> http_connection::turn_away_stranger(const route& where) {
  const bool given = head_.authorizations > 0;
  const auto token = access::bearer_of(head_.authorization);
  const bool known = head_.authorizations == 1 && token && core_.door.sign_in(caller_, *token);
  if (access::query_holds_token(where.query))
    return counted(where, not_signed_in(head_, where, sign_in_fault::in_address));
  const auto asked = question_of(where);
  if (!asked) return std::nullopt;
  if (!known)
    return counted(where, not_signed_in(head_, where, given ? sign_in_fault::not_valid : sign_in_fault::none_given));
  if (auto wait = caller_.used->ask(core_.door.bounds(), core_.now()); wait.count() > 0)
    return counted(where, asked_too_much(head_, where, wait));
  caller_.used->used(request_bytes_);
  const auto verdict = core_.door.decide(*caller_.who, *asked);
  if (verdict == access::verdict::role_too_low || verdict == access::verdict::outside)
    return counted(where, not_allowed(head_, where, access::sentence_of(verdict, *caller_.who, asked->what)));
  who_ = caller_.who;
  ask_first_ = verdict == access::verdict::ask_competition;
  return std::nullopt;
}

std::optional<http_reply> http_connection::ask_too_much(const route& where) {
  auto wait = address_->ask(core_.door.bounds(), core_.now());
  if (wait.count() == 0) return std::nullopt;
  return counted(where, asked_too_much(head_, where, wait));
}

// The nearest proxy wrote the last address; those before it are the sender's own words.
allowance_ptr http_connection::forwarded_address() {
  auto text = head_.forwarded_for.substr(head_.forwarded_for.rfind(',') + 1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text == forwarded_ && !forwarded_.empty()) return address_;
  forwarded_ = text;
  return text.empty() ? slot_.of() : core_.door.of_address(text);
}

http_reply http_connection::counted(const route& where, http_reply reply) const {
  const auto& door = core_.door;
  (reply.status == 401 ? door.refused_sign_in : reply.status == 403 ? door.refused_role : door.limited).add();
  if (core_.measures && where.kind == route_kind::command) {
    if (reply.status == 401) core_.measures->answered(outcome::refused, "not_signed_in");
    else if (reply.status == 403) core_.measures->answered(outcome::refused, "not_allowed");
    else core_.measures->answered(outcome::try_again, "overloaded");
  }
  return reply;
}

} // namespace omnium::wire
