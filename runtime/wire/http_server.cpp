#include "runtime/wire/http_server.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/wire/tls.hpp"
#include "runtime/wire/wire_core.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <future>
#include <sys/resource.h>
#include <thread>

namespace omnium::wire {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;

constexpr auto accept_pause = 50ms; // after the system had no descriptor left
constexpr auto stop_linger = 250ms; // a stopping server still answers who comes on an open connection

// One descriptor a connection: the usual soft limit of 1,024 would be met long before connections_max.
void raise_descriptor_limit() {
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur < now.rlim_max) {
    now.rlim_cur = now.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
}

// What a connection too many is told, in one write, before it is closed.
std::string too_many_text(int status, std::string_view sentence) {
  auto reply = problem(status, sentence);
  reply.retry_after_s = 1;
  return format_head(reply, {}, false, false) + reply.body;
}
const std::string& too_many_in_all() {
  static const std::string text = too_many_text(503, "There are too many connections; try again.");
  return text;
}
const std::string& too_many_of_one() {
  static const std::string text = too_many_text(429, "There are too many connections from this address.");
  return text;
}

} // namespace

// --- what the connections share ------------------------------------------------------------------------------------

wire_core::wire_core(http_server_options given, service& in, ops::metrics* measured, live_hub* watched,
                     access::gate* asked)
    : options(std::move(given)), inside(in), measures(measured), hub(watched), gate(std::make_shared<io_gate>(io)),
      door(asked, options.bounds, gate, measured, options.clock.wall), files(options.static_dir) {}

const std::string& wire_core::date() {
  auto now = std::chrono::system_clock::now();
  if (auto second = std::chrono::system_clock::to_time_t(now); second != date_second_) {
    date_second_ = second;
    date_ = http_date(now);
  }
  return date_;
}

bool wire_core::allowed_origin(std::string_view origin) const {
  return std::find(origins.begin(), origins.end(), origin) != origins.end();
}

void wire_core::enter(wire_session& session, bool live) {
  sessions.insert(&session);
  live_count += live;
  count();
}

void wire_core::leave(wire_session& session, bool live) {
  sessions.erase(&session);
  live_count -= live;
  count();
}

void wire_core::count() {
  {
    std::lock_guard hold(count_guard_);
    session_count = sessions.size();
  }
  counted_.notify_all();
  if (!measures) return;
  measures->http_sockets.set(static_cast<double>(sessions.size() - live_count));
  measures->live_sockets.set(static_cast<double>(live_count));
}

bool wire_core::await_sessions(std::size_t at_most, std::chrono::milliseconds wall_clock) {
  std::unique_lock hold(count_guard_);
  return counted_.wait_for(hold, wall_clock, [&] { return session_count <= at_most; });
}

// --- the server ----------------------------------------------------------------------------------------------------

struct http_server::impl {
  impl(http_server_options options, service& inside, ops::metrics* measures, live_hub* hub, access::gate* gate)
      : core(std::move(options), inside, measures, hub, gate), acceptor(core.io), clock(core.io), pause(core.io) {}

  wire_core core;
  tcp::acceptor acceptor;
  asio::steady_timer clock, pause;
  std::thread thread;
  tcp::endpoint bound;
  steady_point stop_began{}, stop_bound = steady_point::max();

  std::string listen();
  void default_origins();
  void accept();
  void take(tcp::socket socket);
  void turn_away(tcp::socket socket, const std::string& why);
  void tick();
  std::chrono::milliseconds tick_period() const;
  bool may_end(steady_point now) const;
  void begin_stop();
};

std::string http_server::impl::listen() {
  error_code ec;
  auto address = asio::ip::make_address(core.options.listen, ec);
  if (ec) return "http.listen is not an address: " + core.options.listen;
  tcp::endpoint where(address, core.options.port);
  acceptor.open(where.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(where, ec);
  if (!ec) acceptor.listen(4096, ec);
  if (!ec) bound = acceptor.local_endpoint(ec);
  if (ec)
    return "cannot listen on " + core.options.listen + ":" + std::to_string(core.options.port) + ": " + ec.message();
  return {};
}

void http_server::impl::default_origins() {
  core.origins = core.options.allowed_origins;
  if (!core.origins.empty()) return;
  const std::string scheme = core.tls ? "https://" : "http://";
  auto port = bound.port() == (core.tls ? 443 : 80) ? std::string() : ":" + std::to_string(bound.port());
  for (const char* host : {"127.0.0.1", "localhost", "[::1]"}) core.origins.push_back(scheme + (host + port));
  if (!bound.address().is_unspecified() && !bound.address().is_loopback()) {
    auto text = bound.address().to_string();
    core.origins.push_back(scheme + (bound.address().is_v6() ? "[" + text + "]" : text) + port);
  }
}

void http_server::impl::accept() {
  acceptor.async_accept([this](error_code ec, tcp::socket socket) {
    if (ec == asio::error::operation_aborted || core.stopping) return;
    if (ec == asio::error::no_descriptors || ec == boost::system::errc::too_many_files_open_in_system ||
        ec == asio::error::no_buffer_space || ec == asio::error::no_memory) {
      static ops::log_limit limit(10s);
      if (limit.due()) ops::log_error("No connection can be accepted: " + ec.message() + ".");
      pause.expires_after(accept_pause);
      pause.async_wait([this](error_code stopped) {
        if (!stopped) accept();
      });
      return;
    }
    if (!ec) take(std::move(socket));
    accept();
  });
}

void http_server::impl::take(tcp::socket socket) {
  error_code ec;
  socket.set_option(tcp::no_delay(true), ec);
  auto peer = socket.remote_endpoint(ec);
  if (ec) return; // gone again
  auto of = core.door.of_address(peer.address());
  const auto most = core.door.bounds().connections_max;
  if (core.sessions.size() >= core.options.connections_max) turn_away(std::move(socket), too_many_in_all());
  else if (!core.options.behind_proxy && most > 0 && of->open >= most) turn_away(std::move(socket), too_many_of_one());
  else open_http_connection(core, wire_stream(std::move(socket), core.tls), open_slot(std::move(of)));
}

// Nothing is read and nothing is waited for: the connection is one too many already.
void http_server::impl::turn_away(tcp::socket socket, const std::string& why) {
  if (core.measures) core.measures->connections_refused.add();
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(why), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  socket.close(ignored);
}

std::chrono::milliseconds http_server::impl::tick_period() const {
  const auto& o = core.options;
  auto shortest = std::min({o.header_deadline, o.body_deadline, o.idle_timeout, o.write_deadline, o.live.beat,
                            o.live.hello_deadline, o.live.slow_wall_clock});
  return core.stopping ? 5ms : std::clamp<std::chrono::milliseconds>(shortest / 8, 5ms, 250ms);
}

bool http_server::impl::may_end(steady_point now) const {
  if (now >= stop_bound) return true;
  if (stop_bound == steady_point::max() || now < stop_began + stop_linger || core.in_flight > 0) return false;
  return std::none_of(core.sessions.begin(), core.sessions.end(), [](auto* s) { return s->owes_an_answer(); });
}

// One timer for all deadlines: a deadline costs its connection one store, and this walk a few microseconds.
void http_server::impl::tick() {
  auto now = core.now();
  for (auto* session : core.sessions) session->look_at_clock(now);
  core.door.sweep(now);
  if (core.stopping && may_end(now)) {
    for (auto* session : core.sessions) session->cut();
    return; // with no timer and no socket left the io thread ends
  }
  clock.expires_after(tick_period());
  clock.async_wait([this](error_code ec) {
    if (!ec || core.stopping) tick();
  });
}

void http_server::impl::begin_stop() {
  if (core.stopping) return;
  core.stopping = true;
  stop_began = core.now();
  error_code ignored;
  acceptor.close(ignored);
  pause.cancel();
  clock.cancel(); // the next tick comes at once, and then often
  for (auto* session : core.sessions) session->begin_stop();
}

http_server::http_server(http_server_options options, service& inside, ops::metrics* measures, live_hub* hub,
                         access::gate* gate)
    : impl_(std::make_unique<impl>(std::move(options), inside, measures, hub, gate)) {}

http_server::~http_server() { stop(0ms); }

std::string http_server::start() {
  raise_descriptor_limit();
  if (auto error = reload_tls(); !error.empty()) return error;
  if (auto error = impl_->listen(); !error.empty()) return error;
  impl_->default_origins();
  impl_->accept();
  impl_->tick();
  impl_->thread = std::thread([this] {
    sigset_t all; // signals are for the main thread
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    name_thread("wire");
    impl_->core.io_thread = std::this_thread::get_id();
    impl_->core.io.run();
  });
  return {};
}

std::uint16_t http_server::port() const { return impl_->bound.port(); }

std::string http_server::url() const {
  auto address = impl_->bound.address();
  auto host = address.is_unspecified() ? "127.0.0.1"
              : address.is_v6()        ? "[" + address.to_string() + "]"
                                       : address.to_string();
  return (impl_->core.options.tls_certificate.empty() ? "http://" : "https://") + host + ":" + std::to_string(port());
}

std::size_t http_server::connections() const { return impl_->core.session_count; }

bool http_server::await_connections(std::size_t at_most, std::chrono::milliseconds wall_clock) const {
  return impl_->core.await_sessions(at_most, wall_clock);
}

std::function<void(std::function<void()>)> http_server::io_door() const {
  return [gate = impl_->core.gate](std::function<void()> work) { gate->post(std::move(work)); };
}

std::string http_server::reload_tls() {
  const auto& options = impl_->core.options;
  if (options.tls_certificate.empty()) return {};
  auto read = read_tls(options.tls_certificate, options.tls_key);
  if (!read.context) return read.error;
  if (impl_->thread.joinable()) impl_->core.gate->post([this, read] { impl_->core.tls = read.context; });
  else impl_->core.tls = read.context;
  return {};
}

void http_server::set_bounds(const access::rate_bounds& bounds) {
  impl_->core.gate->post([this, bounds] { impl_->core.door.set_bounds(bounds); });
}

void http_server::begin_stop() {
  impl_->core.gate->post([this] { impl_->begin_stop(); });
}

void http_server::stop(std::chrono::milliseconds bound) {
  if (!impl_->thread.joinable()) return;
  auto until = impl_->core.now() + bound;
  impl_->core.gate->post([this, until] {
    impl_->begin_stop();
    impl_->stop_bound = until;
    impl_->clock.cancel();
  });
  impl_->thread.join();
  impl_->core.gate->shut();
}

} // namespace omnium::wire
