// The one WebSocket translation unit: everything that needs Beast's websocket.
#include "runtime/wire/live_session.hpp"
#include "runtime/core/uuid.hpp"
#include "runtime/wire/http_route.hpp"
#include "runtime/wire/sign_in_replies.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/field.hpp>
#include <random>
#include <sys/socket.h>

namespace omnium::wire {
namespace {

constexpr auto token = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kept_buffer_bytes = 4096; // of a socket's read buffer, between two messages
constexpr std::string_view subprotocol = "omnium.v1";

// When a server restarts, its sockets come back spread over this time: some 500 a second.
std::int64_t jittered_retry_ms(std::size_t sockets) {
  thread_local std::minstd_rand random(std::random_device{}());
  auto spread = std::clamp<std::int64_t>(static_cast<std::int64_t>(sockets) * 2, 1'000, 30'000);
  return 250 + std::uniform_int_distribution<std::int64_t>(0, spread)(random);
}

void set_send_buffer(tcp::socket& socket, int bytes) {
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

// A topic is watched by whom its subject may be read by; ops shows the whole node.
access::question question_of(const live_topic& topic) {
  using kind = live_topic::kind;
  if (topic.what == kind::ops) return {access::action::operate, std::nullopt};
  auto subject = topic.what == kind::fixture ? subject_kind::fixture : subject_kind::competition;
  return {access::action::read, subject_ref{subject, topic.id}};
}

} // namespace

live_session::live_session(wire_core& core, wire_stream stream, open_slot slot)
    : core_(core), ws_(std::move(stream)), slot_(std::move(slot)),
      deadline_(core.now() + core.options.live.hello_deadline) {
  core_.enter(*this, true);
}

void live_session::start(upgrade_request request) {
  sink_ = std::make_shared<socket_sink>(core_, std::weak_ptr<sink_target>(shared_from_this()));
  request_ = std::make_unique<upgrade_request>(std::move(request));
  set_up();
  asio::co_spawn(
      core_.io, [self = shared_from_this()] { return self->run(); }, asio::detached);
}

void live_session::set_up() {
  set_send_buffer(ws_.next_layer().socket(), limits::live_send_buffer_bytes);
  websocket::stream_base::timeout times{};
  times.handshake_timeout = limits::live_close_wall_clock; // Beast's own: the accept, and a closing it began
  times.idle_timeout = websocket::stream_base::none();     // beats and pings are ours
  times.keep_alive_pings = false;
  ws_.set_option(times);
  websocket::permessage_deflate deflate;
  deflate.server_enable = core_.options.live.compression;
  deflate.server_max_window_bits = 11; // some 16 KB a socket
  deflate.memLevel = 4;
  ws_.set_option(deflate);
  ws_.read_message_max(limits::live_message_bytes_max); // counted after inflation (X2)
  ws_.auto_fragment(false);
  ws_.text(true);
  ws_.control_callback([this](websocket::frame_type, beast::string_view) { heard_ = true; });
  auto offered = (*request_)[beast::http::field::sec_websocket_protocol];
  if (lists_token({offered.data(), offered.size()}, subprotocol)) {
    ws_.set_option(websocket::stream_base::decorator([](websocket::response_type& reply) {
      reply.set(beast::http::field::sec_websocket_protocol, beast::string_view(subprotocol.data(), subprotocol.size()));
    }));
  }
}

// --- the reader ----------------------------------------------------------------------------------------------------

asio::awaitable<void> live_session::run() {
  auto [accepted] = co_await ws_.async_accept(*request_, token);
  request_.reset();
  bool more = !accepted;
  while (more) {
    auto [ec, size] = co_await ws_.async_read(buffer_, token);
    more = !ec && !dead_;
    if (!more) break;
    heard_ = true;
    if (caller_.used) caller_.used->used(size);
    if (!closing_) {
      if (ws_.got_text()) handle({static_cast<const char*>(buffer_.data().data()), size});
      else bye("unsupported_data", websocket::close_code::unknown_data, limits::live_close_wall_clock);
    }
    buffer_.consume(size);
    if (buffer_.capacity() > kept_buffer_bytes) buffer_.shrink_to_fit();
  }
  ended();
}

void live_session::handle(std::string_view text) {
  auto message = parse_client_message(text);
  if (!welcomed_ && !std::holds_alternative<hello_message>(message)) {
    return bye("hello_first", websocket::close_code::policy_error, limits::live_close_wall_clock);
  }
  std::visit([this](const auto& known) { handle(known); }, message);
}

void live_session::handle(const hello_message& message) {
  if (welcomed_) return send(error_frame({}, "bad_shape", "There was a hello already."));
  if (!core_.door.asks()) return welcome();
  if (!core_.door.sign_in(caller_, message.token)) {
    core_.door.refused_sign_in.add();
    return bye("not_signed_in", websocket::close_code::policy_error, limits::live_close_wall_clock);
  }
  const auto most = core_.door.bounds().live_sockets_max;
  if (most > 0 && caller_.used->open >= most) {
    core_.door.limited.add();
    return bye("too_many_sockets", websocket::close_code::try_again_later, limits::live_close_wall_clock);
  }
  token_slot_ = open_slot(caller_.used);
  welcome();
}

void live_session::welcome() {
  welcomed_ = true;
  deadline_ = steady_point::max();
  next_beat_ = core_.now() + core_.options.live.beat;
  auto history = core_.hub->history();
  auto session = to_string(make_uuid7());
  if (!history.empty()) session = history + "." + session; // docs/decisions: another database
  send(welcome_frame(session, core_.options.live.node, core_.options.live.beat.count()));
}

void live_session::handle(const bad_message& message) { send(error_frame(message.id, message.code, message.message)); }

void live_session::handle(const pong_message&) { ponged_ = true; }

void live_session::handle(const watch_message& message) {
  if (topics_.size() >= limits::live_topics_max && !topics_.contains(message.topic)) {
    return send(error_frame(message.id, "too_many_topics", "A socket may watch no more topics than these."));
  }
  if (asked_too_much().count() > 0)
    return send(error_frame(message.id, "overloaded", "This token asks for more than the server gives to one."));
  const auto asked = question_of(message.topic);
  topics_.insert(message.topic);
  if (!caller_.who) return start_watching(message, access::verdict::yes, asked.what);
  core_.door.decide_later(caller_.who, asked, [weak = weak_from_this(), message, asked](auto verdict) {
    if (auto self = weak.lock()) self->start_watching(message, verdict, asked.what);
  });
}

void live_session::start_watching(const watch_message& message, std::optional<access::verdict> verdict,
                                  access::action asked) {
  if (dead_ || closing_ || !topics_.contains(message.topic)) return; // unwatched meanwhile
  if (verdict == access::verdict::yes) return core_.hub->subscribe(message.topic, message.have, message.id, sink_);
  topics_.erase(message.topic);
  if (!verdict) return send(error_frame(message.id, "database_unavailable", "The match could not be looked up."));
  core_.door.refused_role.add();
  send(error_frame(message.id, "not_allowed", access::sentence_of(*verdict, *caller_.who, asked)));
}

// How long until this token may ask again; zero: now.
std::chrono::milliseconds live_session::asked_too_much() {
  if (!caller_.used) return std::chrono::milliseconds(0);
  auto wait = caller_.used->ask(core_.door.bounds(), core_.now());
  if (wait.count() > 0) core_.door.limited.add();
  return wait;
}

void live_session::handle(const unwatch_message& message) {
  if (topics_.erase(message.topic) > 0) core_.hub->unsubscribe(message.topic, sink_.get());
}

void live_session::handle(const command_message& message) {
  auto lane = message.kind + "/" + message.ref;
  auto place = lanes_.open(lane);
  auto parsed = parse_command({message.workflow, message.kind, message.ref, {}, {}, true}, message.body);
  if (auto* refusal = std::get_if<answer>(&parsed)) {
    return refuse_at_door(message.id, lane, place, *refusal);
  }
  auto& given = std::get<omnium::command>(parsed);
  auto later = [&](const char* code, const char* sentence, int wait_ms = 200) {
    auto what = try_again(code, sentence, wait_ms);
    what.key = given.key;
    what.code = given.code;
    what.subject = given.subject;
    what.trace = given.trace;
    refuse_at_door(message.id, lane, place, what);
  };
  if (core_.stopping) return later("shutting_down", "The server is going down; send it again in a moment.");
  if (lanes_.waiting() > limits::live_in_flight_max) {
    return later("overloaded", "This socket has too many commands without an answer.");
  }
  if (auto wait = asked_too_much(); wait.count() > 0) {
    return later("overloaded", "This token asks for more than the server gives to one; slow down.",
                 static_cast<int>(std::min<std::int64_t>(wait.count(), 60'000)));
  }
  if (caller_.who) given.sender = access::sender_of(*caller_.who, given.sender);
  auto shared = std::make_shared<const omnium::command>(std::move(given));
  if (caller_.who) submit_inside(message.id, lane, place, std::move(shared));
  else submit(message.id, lane, place, std::move(shared));
}

// Once it is known that the token may.
void live_session::submit_inside(const std::string& id, const std::string& lane, std::uint64_t place,
                                 command_ptr what) {
  const auto asked = access::question_of_command(what->subject, what->code);
  auto decided = [weak = weak_from_this(), who = caller_.who, id, lane, place, what](auto verdict) {
    auto self = weak.lock();
    if (!self) return;
    if (verdict == access::verdict::yes) return self->submit(id, lane, place, what);
    self->core_.door.refused_role.add();
    self->refuse_at_door(id, lane, place, command_not_allowed(*what, *who, verdict));
  };
  core_.door.decide_later(caller_.who, asked, std::move(decided));
}

void live_session::submit(const std::string& id, const std::string& lane, std::uint64_t place, command_ptr what) {
  ++core_.in_flight;
  auto asked = what->arrived;
  auto done = [gate = core_.gate, core = &core_, weak = weak_from_this(), lane, place, id,
               asked](encoded_answer answer) {
    gate->post([core, weak, lane, place, frame = answer_frame(id, answer.body), asked] {
      --core->in_flight;
      if (core->measures) core->measures->command_seconds.seconds(core->now() - asked);
      if (auto self = weak.lock()) self->answered(lane, place, frame);
    });
  };
  core_.inside.submit(std::move(what), std::move(done));
}

void live_session::refuse_at_door(const std::string& id, const std::string& lane, std::uint64_t place,
                                  const answer& what) {
  if (core_.measures) core_.measures->answered(what.what, what.why ? what.why->code : std::string());
  answered(lane, place, answer_frame(id, encode(what)));
}

void live_session::answered(const std::string& lane, std::uint64_t place, bytes_ptr frame) {
  for (auto& ready : lanes_.settle(lane, place, std::move(frame))) send(std::move(ready));
  restart_when_idle();
}

// --- beats and deadlines -------------------------------------------------------------------------------------------

void live_session::look_at_clock(steady_point now) {
  if (dead_) return;
  if (now >= deadline_) {
    if (closing_ || !ws_.is_open()) return cut();
    return bye("no_hello", websocket::close_code::policy_error, limits::live_close_wall_clock);
  }
  if (!closing_ && !still_signed_in())
    return bye("not_signed_in", websocket::close_code::policy_error, limits::live_close_wall_clock);
  if (now >= next_beat_ && !closing_) beat();
}

// A token that was revoked or has expired takes its open sockets along.
bool live_session::still_signed_in() { return !welcomed_ || !core_.door.asks() || core_.door.still_valid(caller_); }

void live_session::beat() {
  next_beat_ = core_.now() + core_.options.live.beat;
  missed_beats_ = heard_ ? 0 : missed_beats_ + 1;
  if (missed_beats_ >= limits::live_missed_beats_max) return cut(); // a dead peer would not finish a handshake either
  // A page that answers beats by itself shows that it is alive, not only its browser (O17): no ping on top.
  if (!ponged_ && !pinging_) {
    pinging_ = true;
    ws_.async_ping({}, [self = shared_from_this()](error_code) { self->pinging_ = false; });
  }
  heard_ = ponged_ = false;
  std::vector<std::pair<live_topic, std::int64_t>> versions;
  for (const auto& topic : topics_) {
    if (auto version = core_.hub->version(topic)) versions.emplace_back(topic, *version);
  }
  // Posted, not sent at once: changes up to these versions were posted here before, and a beat that overtook them would
  // make the screen ask for what is on its way.
  core_.gate->post([weak = weak_from_this(), frame = beat_frame(versions)] {
    if (auto self = weak.lock()) self->send(frame);
  });
}

// --- ends ----------------------------------------------------------------------------------------------------------

// What is in flight is answered first.
void live_session::begin_stop() { restart_when_idle(); }

void live_session::restart_when_idle() {
  if (!core_.stopping || lanes_.waiting() > 0 || closing_) return;
  bye("restart", websocket::close_code::service_restart, limits::live_close_wall_clock,
      jittered_retry_ms(core_.live_count));
}

void live_session::overrun() {
  if (core_.measures) core_.measures->slow_consumers.add();
  while (out_.size() > (writing_ ? 1 : 0)) { // the frame being written must end whole
    sink_->gone(out_.back()->size());
    out_.pop_back();
  }
  // Room for the rest of that frame and the farewell, so that they lie in the kernel whenever the peer reads on.
  set_send_buffer(ws_.next_layer().socket(), 4 * limits::live_send_buffer_bytes);
  bye("slow_consumer", websocket::close_code::try_again_later, core_.options.live.slow_wall_clock);
}

// The last frame, then the closing handshake, then the end.
void live_session::bye(std::string_view reason, websocket::close_code code, std::chrono::milliseconds bound,
                       std::optional<std::int64_t> retry_ms) {
  if (closing_ || dead_) return;
  if (!ws_.is_open()) return cut();
  closing_ = true;
  close_code_ = code;
  close_reason_ = reason;
  deadline_ = core_.now() + bound;
  core_.hub->leave(sink_.get());
  out_.push_back(bye_frame(reason, retry_ms));
  sink_->owed(out_.back()->size());
  write();
}

void live_session::close_when_written() {
  if (close_sent_) return;
  close_sent_ = true;
  websocket::close_reason why(close_code_, beast::string_view(close_reason_.data(), close_reason_.size()));
  ws_.async_close(why, [self = shared_from_this()](error_code) { self->cut(); });
}

void live_session::cut() {
  if (dead_) return;
  dead_ = true;
  core_.hub->leave(sink_.get());
  error_code ignored;
  ws_.next_layer().socket().close(ignored);
}

// The reader is done: the peer closed, broke the protocol, or is gone.
void live_session::ended() {
  if (!closing_ || !close_sent_) cut();
}

// --- the writer ----------------------------------------------------------------------------------------------------

void live_session::push(bytes_ptr frame) {
  if (dead_ || closing_) return;
  if (core_.measures) core_.measures->live_frames.add();
  if (caller_.used) caller_.used->used(frame->size());
  out_.push_back(std::move(frame));
  write();
}

void live_session::write() {
  if (writing_ || dead_) return;
  if (out_.empty()) {
    if (closing_) close_when_written();
    return;
  }
  writing_ = true;
  ws_.async_write(asio::buffer(*out_.front()),
                  [self = shared_from_this()](error_code ec, std::size_t) { self->written(ec); });
}

void live_session::written(error_code ec) {
  writing_ = false;
  if (ec) return cut();
  sink_->gone(out_.front()->size());
  out_.pop_front();
  write();
}

void open_live_session(wire_core& core, wire_stream stream, open_slot slot, live_session::upgrade_request request) {
  std::make_shared<live_session>(core, std::move(stream), std::move(slot))->start(std::move(request));
}

} // namespace omnium::wire
