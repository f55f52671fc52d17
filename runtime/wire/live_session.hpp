#pragma once
// Inside the WebSocket translation unit only: one live socket. Read by one coroutine, written by a chain of single
// writes. Lives on the io thread.
#include "runtime/wire/live_protocol.hpp"
#include "runtime/wire/live_sink.hpp"
#include "runtime/wire/live_upgrade.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <memory>
#include <set>

namespace omnium::wire {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

class live_session final : public wire_session, public sink_target, public std::enable_shared_from_this<live_session> {
public:
  using upgrade_request = beast::http::request<beast::http::string_body>;

  live_session(wire_core& core, wire_stream stream, open_slot slot);
  ~live_session() override { core_.leave(*this, true); }
  void start(upgrade_request request);

  void look_at_clock(steady_point now) override;
  bool owes_an_answer() const override { return !dead_; } // a stop closes the socket in order
  void begin_stop() override;
  void cut() override;

  void push(bytes_ptr frame) override;
  void overrun() override;

private:
  asio::awaitable<void> run();
  void set_up();
  void handle(std::string_view text);
  void handle(const hello_message& message);
  void handle(const command_message& message);
  void handle(const watch_message& message);
  void handle(const unwatch_message& message);
  void handle(const pong_message& message);
  void handle(const bad_message& message);
  void welcome();
  bool still_signed_in();
  std::chrono::milliseconds asked_too_much();
  void submit(const std::string& id, const std::string& lane, std::uint64_t place, command_ptr what);
  void submit_inside(const std::string& id, const std::string& lane, std::uint64_t place, command_ptr what);
  void start_watching(const watch_message& message, std::optional<access::verdict> verdict, access::action asked);

  void answered(const std::string& lane, std::uint64_t place, bytes_ptr frame);
  void refuse_at_door(const std::string& id, const std::string& lane, std::uint64_t place, const answer& what);
  void send(bytes_ptr frame) { sink_->send(std::move(frame)); }
  void beat();
  void restart_when_idle();
  void bye(std::string_view reason, websocket::close_code code, std::chrono::milliseconds bound,
           std::optional<std::int64_t> retry_ms = std::nullopt);
  void write();
  void written(error_code ec);
  void close_when_written();
  void ended();

  wire_core& core_;
  websocket::stream<wire_stream> ws_;
  open_slot slot_, token_slot_; // among the sockets of its address, and of its token
  caller caller_;               // from the hello on
  std::unique_ptr<upgrade_request> request_;
  beast::flat_buffer buffer_;
  std::shared_ptr<socket_sink> sink_;
  std::deque<bytes_ptr> out_; // front: being written, when writing_
  answer_lanes lanes_;
  std::set<live_topic> topics_;
  steady_point deadline_, next_beat_ = steady_point::max(); // deadline_: for the hello, then for the closing
  websocket::close_code close_code_ = websocket::close_code::normal;
  std::string close_reason_;
  int missed_beats_ = 0;
  bool welcomed_ = false, closing_ = false, close_sent_ = false, writing_ = false, pinging_ = false, dead_ = false;
  bool heard_ = false, ponged_ = false; // since the last beat
};

} // namespace omnium::wire
