// A connection's reader and writer. Beast's parser is included by this class's files alone.
#include "runtime/wire/http_connection.hpp"
#include "runtime/core/clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/write.hpp>

namespace omnium::wire {
namespace {

constexpr auto token = asio::as_tuple(asio::use_awaitable);
constexpr auto no_deadline = steady_point::max();
constexpr std::size_t read_bytes = 4 * 1024;
constexpr std::size_t unread_bytes_max = 64 * 1024;  // a chunk's header, a trailer: never so long
constexpr std::size_t linger_bytes_max = 512 * 1024; // thrown away while the peer reads its last answer
constexpr std::size_t write_bytes = 64 * 1024;       // at once, of a large reply
constexpr auto stop_request_deadline = std::chrono::seconds(1);
constexpr int empty_lines_max = 2; // before a request line (RFC 9112, 2.2)

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

} // namespace

// --- the reader ----------------------------------------------------------------------------------------------------

void http_connection::start() {
  asio::co_spawn(
      core_.io, [self = shared_from_this()] { return self->run(); }, asio::detached);
}

asio::awaitable<void> http_connection::run() {
  bool more = co_await shake_hands();
  while (more && !dead_) more = co_await one_request();
  over_ = true;
  parser_.reset();
  co_await drained();
  if (!dead_) co_await linger();
  cut();
}

// Within the time a header has. Who does not finish it, or speaks something else, is cut: there is nobody to answer.
asio::awaitable<bool> http_connection::shake_hands() {
  if (!stream_.secret()) co_return true;
  auto [ec] = co_await stream_.async_handshake(token);
  if (ec) dead_ = true;
  else deadline_ = core_.now() + core_.options.header_deadline;
  co_return !ec;
}

asio::awaitable<bool> http_connection::one_request() {
  head_ = {}; // its texts belong to the parser
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(core_.options.header_bytes_max));
  parser_->body_limit(boost::none); // looked at by refuse_head, so that the answer can say so
  if (co_await read_head() != got::all) co_return false;
  look_at_head();
  const auto where = find_route(head_.target, core_.options.read_roots);
  bool origin = core_.allowed_origin(head_.origin);
  auto refusal = refuse_head(head_, where, origin);
  if (!refusal) refusal = turn_away(where);
  if (refusal && (refusal->close || head_.expects_continue())) {
    refusal->close = true;
    co_await drained();
    answer_now(std::move(*refusal));
    co_return false;
  }
  if (head_.has_body() && co_await read_body(where) != got::all) co_return false;
  if (line_.closing()) co_return false; // the last reply is out: the peer is told to ask elsewhere
  mid_request_ = false;
  deadline_ = core_.now() + core_.options.idle_timeout;
  if (refusal) answer_now(std::move(*refusal));
  else co_await carry_out(where);
  co_return head_.keep_alive && !over_ && !dead_;
}

// Waits for more bytes. Between requests an end is a good end.
asio::awaitable<http_connection::got> http_connection::read_some() {
  if (buffer_.size() > unread_bytes_max) co_return got::failed;
  auto [ec, size] = co_await stream_.async_read_some(buffer_.prepare(read_bytes), token);
  // Under TLS an end without its farewell is an end all the same: a request says its length.
  if (ec && ec != asio::error::eof && ec != asio::ssl::error::stream_truncated) dead_ = true;
  if (ec) co_return got::ended;
  buffer_.commit(size);
  co_return got::all;
}

// True when there is something of a request to parse.
bool http_connection::skip_empty_lines() {
  while (!mid_request_ && empty_lines_ < empty_lines_max && buffer_.size() > 0) {
    auto data = static_cast<const char*>(buffer_.data().data());
    if (data[0] != '\r') break;
    if (buffer_.size() == 1) return false;
    if (data[1] != '\n') break;
    buffer_.consume(2);
    ++empty_lines_;
  }
  return buffer_.size() > 0;
}

asio::awaitable<http_connection::got> http_connection::read_head() {
  static const route nowhere;
  mid_request_ = false;
  empty_lines_ = 0;
  request_bytes_ = 0;
  std::size_t used = 0; // Beast bounds what is unparsed; a header may also grow line by line
  while (true) {
    if (skip_empty_lines()) {
      if (!mid_request_) {
        mid_request_ = true;
        asked_ = core_.now();
        deadline_ = asked_ + core_.options.header_deadline;
      }
      error_code ec;
      auto taken = parser_->put(buffer_.data(), ec);
      buffer_.consume(taken);
      used += taken;
      if (used > core_.options.header_bytes_max) co_return broken(http::error::header_limit, nowhere);
      request_bytes_ = used;
      if (parser_->is_header_done()) co_return got::all;
      if (ec && ec != http::error::need_more) co_return broken(ec, nowhere);
    }
    auto state = co_await read_some();
    if (state == got::ended) co_return ended_inside(nowhere);
    if (state == got::failed) co_return broken(http::error::header_limit, nowhere);
  }
}

asio::awaitable<http_connection::got> http_connection::read_body(const route& where) {
  deadline_ = core_.now() + core_.options.body_deadline;
  parser_->body_limit(limits::body_bytes_max);
  parser_->eager(true);
  if (head_.expects_continue() && buffer_.size() == 0) co_await send_continue();
  while (!parser_->is_done()) {
    error_code ec;
    std::size_t used = buffer_.size() > 0 ? parser_->put(buffer_.data(), ec) : 0;
    buffer_.consume(used);
    if (ec && ec != http::error::need_more) co_return broken(ec, where);
    if (used > 0) continue;
    auto state = co_await read_some();
    if (state == got::ended) co_return ended_inside(where);
    if (state == got::failed) co_return broken(http::error::bad_chunk, where);
  }
  co_return got::all;
}

// The request ended, or ran out of time, before it was whole. Nothing of it was carried out.
http_connection::got http_connection::ended_inside(const route& where) {
  if (!dead_ && mid_request_ && !line_.closing()) {
    if (expired_) fail(408, "bad_shape", "The request did not arrive in time; nothing of it was used.", where);
    else fail(400, "bad_shape", "The request ended before it was whole.", where);
  }
  return got::ended;
}

http_connection::got http_connection::broken(error_code ec, const route& where) {
  if (ec == http::error::body_limit) {
    fail(413, "too_large", "The body is larger than " + std::to_string(limits::body_bytes_max / 1024) + " KiB.", where);
  } else if (ec == http::error::header_limit) {
    fail(431, "bad_shape",
         "The header is larger than " + std::to_string(core_.options.header_bytes_max / 1024) + " KiB.", where);
  } else if (ec == http::error::bad_version) {
    fail(505, "bad_shape", "Only HTTP/1.0 and HTTP/1.1 are spoken here.", where);
  } else {
    fail(400, "bad_shape", "This is not well-formed HTTP: " + ec.message() + ".", where);
  }
  return got::failed;
}

// The last answer of this connection: where the next request would begin is not known.
void http_connection::fail(int status, const char* code, std::string message, const route& where) {
  auto reply = route_error(head_, where, status, code, std::move(message));
  reply.close = true;
  answer_now(std::move(reply));
}

void http_connection::look_at_head() {
  const auto& message = parser_->get();
  head_ = {};
  head_.method = view(message.method_string());
  head_.target = view(message.target());
  head_.http_1_0 = message.version() == 10;
  head_.keep_alive = parser_->keep_alive();
  head_.chunked = parser_->chunked();
  head_.content_length = parser_->content_length().value_or(0);
  for (const auto& line : message) {
    auto value = view(line.value());
    switch (line.name()) {
    case http::field::host:
      ++head_.hosts;
      break;
    case http::field::content_type:
      head_.content_type = value, ++head_.content_types;
      break;
    case http::field::content_encoding:
      head_.content_encoding = value;
      break;
    case http::field::transfer_encoding:
      head_.transfer_encoding = value;
      break;
    case http::field::accept:
      head_.accept = value;
      break;
    case http::field::accept_encoding:
      head_.accept_encoding = value;
      break;
    case http::field::expect:
      head_.expect = value;
      break;
    case http::field::origin:
      head_.origin = value;
      break;
    case http::field::authorization:
      head_.authorization = value, ++head_.authorizations;
      break;
    case http::field::if_none_match:
      head_.if_none_match = value;
      break;
    case http::field::upgrade:
      head_.upgrade = value;
      break;
    case http::field::connection:
      head_.connection = value;
      break;
    case http::field::access_control_request_method:
      head_.requested_method = value;
      break;
    case http::field::unknown: {
      auto name = view(line.name_string());
      if (equal_no_case(name, "x-forwarded-for")) head_.forwarded_for = value;
      if (equal_no_case(name, "traceparent")) head_.traceparent = value;
      if (equal_no_case(name, "idempotency-key")) {
        head_.unequal_keys = head_.unequal_keys || (head_.idempotency_key && *head_.idempotency_key != value);
        head_.idempotency_key = value;
      }
      break;
    }
    default:
      break;
    }
  }
}

// Throws away what still comes, so that the peer reads its last answer instead of a reset.
asio::awaitable<void> http_connection::linger() {
  error_code ec;
  stream_.socket().shutdown(tcp::socket::shutdown_send, ec);
  deadline_ = core_.now() + limits::http_linger;
  for (std::size_t thrown = 0; !ec && thrown < linger_bytes_max;) {
    buffer_.clear();
    auto [read_ec, size] = co_await stream_.async_read_some(buffer_.prepare(read_bytes), token);
    ec = read_ec;
    thrown += size;
  }
}

asio::awaitable<void> http_connection::woken() {
  wake_.expires_at(no_deadline);
  co_await wake_.async_wait(token);
}

asio::awaitable<void> http_connection::drained() {
  while (!line_.empty() && !dead_) co_await woken();
}

asio::awaitable<void> http_connection::send_continue() {
  static const std::string text = "HTTP/1.1 100 Continue\r\n\r\n";
  co_await drained();
  if (dead_) co_return;
  write_deadline_ = core_.now() + core_.options.write_deadline;
  auto [ec, size] = co_await asio::async_write(stream_, asio::buffer(text), token);
  write_deadline_ = no_deadline;
  if (ec) dead_ = true;
}

// --- the writer ----------------------------------------------------------------------------------------------------

std::uint64_t http_connection::owe() {
  owed_reply place;
  place.asked = asked_;
  place.head_only = head_.method == "HEAD";
  place.http_1_0 = head_.http_1_0;
  place.keep_alive = head_.keep_alive;
  if (who_) place.used = caller_.used;
  if (!head_.origin.empty() && core_.allowed_origin(head_.origin)) place.reply.extra = cross_origin_lines(head_.origin);
  return line_.owe(std::move(place));
}

void http_connection::settle(std::uint64_t number, http_reply reply, std::chrono::nanoseconds in_database) {
  auto* place = dead_ ? nullptr : line_.open(number);
  if (place == nullptr) return; // nobody waits for it, or it was answered: the first answer stands
  reply.extra += place->reply.extra;
  place->keep_alive = place->keep_alive && !reply.close;
  place->reply = std::move(reply);
  place->answered = core_.now();
  place->in_database = in_database;
  place->ready = true;
  address_->used(place->reply.content().size());
  if (place->used) place->used->used(place->reply.content().size());
  if (core_.measures) core_.measures->http_answered(place->reply.status);
  write();
}

// A stopping server ends the connection once nothing more is owed.
void http_connection::write() {
  if (dead_ || !line_.gather(core_.date(), core_.stopping && !mid_request_)) return;
  // Each part the peer takes gives it more time: a large reply on a slow line is not a stuck peer.
  auto going_on = [self = shared_from_this()](error_code ec, std::size_t) -> std::size_t {
    self->write_deadline_ = self->core_.now() + self->core_.options.write_deadline;
    return ec ? 0 : write_bytes;
  };
  asio::async_write(stream_, line_.gathered(), going_on,
                    [self = shared_from_this()](error_code ec, std::size_t) { self->written(ec); });
}

void http_connection::written(error_code ec) {
  write_deadline_ = no_deadline;
  if (ec) return cut();
  auto now = core_.now();
  line_.sent([&](const owed_reply& place) {
    if (!core_.measures || !place.measured) return;
    auto before = place.handed == steady_point{} ? place.answered : place.handed;
    core_.measures->took(ops::stage::wire, (before - place.asked) + (now - place.answered));
    core_.measures->command_seconds.seconds(place.answered - place.asked);
    core_.measures->outside_seconds.seconds(now - place.asked - place.in_database);
  });
  if (line_.empty() && !mid_request_) deadline_ = now + (over_ ? limits::http_linger : core_.options.idle_timeout);
  if (line_.empty() || line_.size() + 1 >= core_.options.pipeline_len_max) wake_.cancel();
  if (line_.closing() && !over_) stream_.socket().shutdown(tcp::socket::shutdown_receive, ec); // ends the reader's wait
  write();
}

// A request of which a part is here may still come whole, but not for long.
void http_connection::begin_stop() {
  if (mid_request_) deadline_ = std::min(deadline_, core_.now() + stop_request_deadline);
}

void http_connection::look_at_clock(steady_point now) {
  if (now >= write_deadline_) return cut();
  if (now < deadline_ || expired_ || dead_) return;
  if (!line_.empty() && !mid_request_) return; // it is we who are slow
  expired_ = true;
  error_code ignored;
  stream_.socket().shutdown(tcp::socket::shutdown_receive, ignored); // the reader sees an end and answers
}

void http_connection::cut() {
  dead_ = true;
  error_code ignored;
  stream_.socket().close(ignored);
  wake_.cancel();
}

void open_http_connection(wire_core& core, wire_stream stream, open_slot slot) {
  std::make_shared<http_connection>(core, std::move(stream), std::move(slot))->start();
}

} // namespace omnium::wire
