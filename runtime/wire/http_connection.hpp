#pragma once
// Inside the HTTP translation unit only: one connection. It is read by one coroutine and written by a chain of gathered
// writes. Commands for one subject may be in flight together, anything else waits its turn, so that pipelined requests
// are carried out and answered in the order they were sent (RFC 9112, 9.3.2). Lives on the io thread.
#include "runtime/wire/http_rules.hpp"
#include "runtime/wire/reply_line.hpp"
#include "runtime/wire/wire_core.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>

namespace omnium::wire {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

class http_connection final : public wire_session, public std::enable_shared_from_this<http_connection> {
public:
  http_connection(wire_core& core, wire_stream stream, open_slot slot)
      : core_(core), stream_(std::move(stream)), slot_(std::move(slot)), address_(slot_.of()), wake_(core.io),
        deadline_(core.now() + core.options.header_deadline) {
    core_.enter(*this, false);
  }
  ~http_connection() override { core_.leave(*this, false); }

  void start();

  void look_at_clock(steady_point now) override;
  bool owes_an_answer() const override { return !line_.empty() || (mid_request_ && !over_); }
  void begin_stop() override;
  void cut() override;

private:
  using parser = http::request_parser<http::string_body>;
  enum class got : std::uint8_t { all, ended, failed };

  asio::awaitable<void> run();
  asio::awaitable<bool> shake_hands();
  asio::awaitable<bool> one_request();
  asio::awaitable<got> read_head();
  asio::awaitable<got> read_body(const route& where);
  asio::awaitable<got> read_some();
  asio::awaitable<void> carry_out(const route& where);
  asio::awaitable<void> send_continue();
  asio::awaitable<void> drained();
  asio::awaitable<void> woken();
  asio::awaitable<void> linger();

  void look_at_head();
  void fail(int status, const char* code, std::string message, const route& where);
  got broken(error_code ec, const route& where);
  got ended_inside(const route& where);
  bool skip_empty_lines();

  std::optional<http_reply> turn_away(const route& where);
  std::optional<http_reply> turn_away_stranger(const route& where);
  std::optional<http_reply> ask_too_much(const route& where);
  allowance_ptr forwarded_address();
  http_reply counted(const route& where, http_reply reply) const;

  std::optional<http_reply> refuse_live() const;
  http_reply file(const route& where);
  void hand_over();
  void command(const route& where);
  void submit(std::uint64_t number, command_ptr what, bool preview);
  void submit_inside(std::uint64_t number, command_ptr what, bool preview);
  void read(const route& where);
  void read_inside(std::uint64_t number, read_request what, access::question asked);
  void read_now(std::uint64_t number, read_request what);
  void act(const route& where);
  template<class Answer>
  std::function<void(Answer)> answer_to(std::uint64_t number);
  void arrived(std::uint64_t number, encoded_answer answer);
  void arrived(std::uint64_t number, read_reply reply);
  http_reply ready_stopping() const;

  std::uint64_t owe();
  void settle(std::uint64_t number, http_reply reply, std::chrono::nanoseconds in_database = {});
  void answer_now(http_reply reply) { settle(owe(), std::move(reply)); }
  void write();
  void written(error_code ec);

  wire_core& core_;
  wire_stream stream_;
  open_slot slot_;
  allowance_ptr address_;  // of the peer, or of whom a proxy says it speaks for
  std::string forwarded_;  // the address it said last
  caller caller_;          // whose token the connection showed last
  access::token_ptr who_;  // of this request; null: none was asked for
  bool ask_first_ = false; // this request hangs on its match's competition, which is not known yet
  std::size_t request_bytes_ = 0;
  beast::flat_buffer buffer_;
  std::optional<parser> parser_;
  request_head head_;
  asio::steady_timer wake_; // the reader waits here for answers to go out
  reply_line line_;
  std::string flight_target_; // of the commands in flight
  steady_point deadline_, write_deadline_ = steady_point::max(), asked_{};
  int empty_lines_ = 0;
  bool expired_ = false;     // the deadline passed; reading was ended
  bool mid_request_ = false; // some of a request was read, not all
  bool over_ = false;        // the reader takes no further request
  bool dead_ = false;        // the socket is gone
};

} // namespace omnium::wire
