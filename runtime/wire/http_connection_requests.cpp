// What a connection does with a whole request: the service is asked, or the answer is at hand. Its reader and writer
// are in http_connection.cpp, its door in http_connection_door.cpp.
#include "runtime/wire/http_connection.hpp"
#include "runtime/wire/live_upgrade.hpp"
#include "runtime/wire/sign_in_replies.hpp"

namespace omnium::wire {

asio::awaitable<void> http_connection::carry_out(const route& where) {
  bool commands = head_.method == "POST";
  if (!commands || flight_target_ != head_.target) co_await drained();
  while (line_.size() >= core_.options.pipeline_len_max && !dead_) co_await woken();
  if (dead_) co_return;
  flight_target_ = commands ? head_.target : std::string_view();
  if (head_.method == "OPTIONS") {
    answer_now(options_reply(head_, where, core_.allowed_origin(head_.origin)));
    co_return;
  }
  switch (where.kind) {
  case route_kind::command:
  case route_kind::preview:
    command(where);
    break;
  case route_kind::read:
    read(where);
    break;
  case route_kind::action:
    act(where);
    break;
  case route_kind::livez: {
    http_reply reply;
    reply.body = R"({"status":"up"})";
    answer_now(std::move(reply));
    break;
  }
  case route_kind::metrics: {
    http_reply reply;
    reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
    if (core_.measures) reply.body = core_.measures->registry.expose();
    answer_now(std::move(reply));
    break;
  }
  case route_kind::file:
    answer_now(file(where));
    break;
  case route_kind::live:
    if (auto refusal = refuse_live()) answer_now(std::move(*refusal));
    else hand_over();
    break;
  case route_kind::bad:
    answer_now(problem(404, "There is nothing at this address."));
    break;
  }
}

http_reply http_connection::file(const route& where) {
  auto reply = core_.files.get(where.path, head_.if_none_match, head_.accept_encoding);
  if (stream_.secret()) reply.extra += "Strict-Transport-Security: max-age=31536000\r\n";
  return reply;
}

// The socket's door: the origin is looked at before any handshake (X1).
std::optional<http_reply> http_connection::refuse_live() const {
  if (!core_.hub) return problem(404, "There is no live socket on this server.");
  if (!wants_upgrade(head_)) {
    auto reply = problem(426, "This address is a WebSocket.");
    reply.extra = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    return reply;
  }
  if (!head_.origin.empty() && !core_.allowed_origin(head_.origin)) {
    return problem(403, "Pages of this origin may not open the live socket: see http.allowed_origins.");
  }
  if (core_.stopping) return ready_stopping();
  if (buffer_.size() > 0) return problem(400, "Nothing may follow the request before the handshake is done.");
  return std::nullopt;
}

void http_connection::hand_over() {
  over_ = dead_ = true; // this connection ends; its socket goes on
  open_live_session(core_, std::move(stream_), std::move(slot_), parser_->release());
}

void http_connection::command(const route& where) {
  command_envelope envelope{where.workflow, where.subject_kind, where.ref, head_.idempotency_key, {}, true};
  if (!head_.traceparent.empty()) envelope.traceparent = head_.traceparent;
  envelope.key_required = where.kind == route_kind::command;
  auto parsed = parse_command(envelope, parser_->get().body());
  auto number = owe();
  line_.back().measured = true;
  if (auto* refusal = std::get_if<answer>(&parsed)) {
    if (core_.measures) core_.measures->answered(refusal->what, refusal->why ? refusal->why->code : std::string());
    settle(number, answer_reply(*refusal));
    return;
  }
  auto& given = std::get<omnium::command>(parsed);
  if (core_.stopping) {
    auto later = try_again("shutting_down", "The server is going down; send it again in a moment.", 1000);
    later.key = given.key;
    later.code = given.code;
    if (core_.measures) core_.measures->answered(later.what, later.why->code);
    settle(number, command_error(head_, where, std::move(later)));
    return;
  }
  // The address said what is asked of the subject; the code may ask for more.
  if (auto asked = access::question_of_command(given.subject, given.code);
      who_ && asked.what == access::action::operate) {
    if (auto verdict = core_.door.decide(*who_, asked); verdict != access::verdict::yes)
      return settle(number, answer_reply(command_not_allowed(given, *who_, verdict)));
  }
  if (who_) given.sender = access::sender_of(*who_, given.sender);
  auto shared = std::make_shared<const omnium::command>(std::move(given));
  line_.back().handed = core_.now();
  if (ask_first_) submit_inside(number, std::move(shared), !envelope.key_required);
  else submit(number, std::move(shared), !envelope.key_required);
}

void http_connection::submit(std::uint64_t number, command_ptr what, bool preview) {
  ++core_.in_flight;
  if (preview) core_.inside.preview(std::move(what), answer_to<encoded_answer>(number));
  else core_.inside.submit(std::move(what), answer_to<encoded_answer>(number));
}

// Once it is known that the match lies inside the token's limits.
void http_connection::submit_inside(std::uint64_t number, command_ptr what, bool preview) {
  core_.door.decide_later(who_, access::question_of_command(what->subject, what->code),
                          [weak = weak_from_this(), who = who_, number, what, preview](auto verdict) {
                            auto self = weak.lock();
                            if (!self) return;
                            if (verdict == access::verdict::yes) return self->submit(number, what, preview);
                            auto no = command_not_allowed(*what, *who, verdict);
                            if (self->core_.measures) self->core_.measures->answered(no.what, no.why->code);
                            self->settle(number, answer_reply(no));
                          });
}

void http_connection::read(const route& where) {
  auto number = owe();
  if (core_.stopping && where.path == "/readyz") return settle(number, ready_stopping());
  read_request what{where.path, where.query, std::string(head_.if_none_match), who_};
  if (ask_first_) read_inside(number, std::move(what), *question_of(where));
  else read_now(number, std::move(what));
}

void http_connection::read_now(std::uint64_t number, read_request what) {
  ++core_.in_flight;
  core_.inside.read(std::move(what), answer_to<read_reply>(number));
}

void http_connection::read_inside(std::uint64_t number, read_request what, access::question asked) {
  auto who = what.who;
  core_.door.decide_later(who, asked,
                          [weak = weak_from_this(), who, number, what = std::move(what), asked](auto verdict) {
                            auto self = weak.lock();
                            if (!self) return;
                            if (verdict == access::verdict::yes) return self->read_now(number, what);
                            if (!verdict)
                              return self->settle(number, problem(503, "The match could not be looked up."));
                            self->settle(number, problem(403, access::sentence_of(*verdict, *who, asked.what)));
                          });
}

// What an operator asks of the node itself.
void http_connection::act(const route& where) {
  auto number = owe();
  if (core_.stopping) return settle(number, ready_stopping());
  ++core_.in_flight;
  core_.inside.act({where.path, parser_->get().body(), who_}, answer_to<read_reply>(number));
}

http_reply http_connection::ready_stopping() const {
  auto reply = problem(503, "The server is going down.");
  reply.retry_after_s = 1;
  return reply;
}

// What the service calls from any thread. It holds the connection weakly: an answer for nobody is dropped, and no
// connection is ever destroyed on a foreign thread.
template<class Answer>
std::function<void(Answer)> http_connection::answer_to(std::uint64_t number) {
  return [gate = core_.gate, core = &core_, weak = weak_from_this(), number](Answer answer) {
    gate->post([core, weak, number, answer = std::move(answer)]() mutable {
      --core->in_flight;
      if (auto self = weak.lock()) self->arrived(number, std::move(answer));
    });
  };
}

void http_connection::arrived(std::uint64_t number, encoded_answer answer) {
  http_reply reply;
  reply.status = answer.status;
  reply.retry_after_s = answer.retry_after_s;
  reply.body = std::move(answer.body);
  settle(number, std::move(reply), answer.in_database);
}

void http_connection::arrived(std::uint64_t number, read_reply answer) {
  http_reply reply;
  reply.status = answer.status;
  reply.content_type = std::move(answer.content_type);
  reply.etag = std::move(answer.etag);
  if (!reply.etag.empty()) reply.cache_control = "no-cache"; // may be kept, must be asked for again
  reply.body = std::move(answer.body);
  if (reply.status == 503) reply.retry_after_s = 1;
  settle(number, std::move(reply));
}

} // namespace omnium::wire
