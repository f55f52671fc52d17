#pragma once
// Inside runtime/wire only: what the connections share. All of it lives on the io thread, except where it says
// otherwise.
#include "runtime/wire/doorman.hpp"
#include "runtime/wire/http_server.hpp"
#include "runtime/wire/static_files.hpp"
#include "runtime/wire/wire_stream.hpp"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace omnium::wire {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using steady_point = std::chrono::steady_clock::time_point;

// The door through which other threads reach the io thread for as long as it runs. Answers may come later than that:
// then they are dropped, with what they carry.
class io_gate {
public:
  explicit io_gate(asio::io_context& io) : io_(&io) {}

  template<class Work>
  void post(Work work) {
    std::lock_guard hold(lock_);
    if (io_) asio::post(*io_, std::move(work));
  }
  void shut() {
    std::lock_guard hold(lock_);
    io_ = nullptr;
  }

private:
  std::mutex lock_;
  asio::io_context* io_;
};

// One open socket. Lives as long as its coroutines and operations; only ever destroyed on the io thread.
class wire_session {
public:
  virtual ~wire_session() = default;
  virtual void look_at_clock(steady_point now) = 0; // ends what is past its deadline
  virtual bool owes_an_answer() const = 0;          // a request is half read, in flight, or its answer not yet sent
  virtual void begin_stop() = 0;                    // the server is going down
  virtual void cut() = 0;                           // closes the socket now
};

struct wire_core {
  wire_core(http_server_options given, service& in, ops::metrics* measured, live_hub* watched, access::gate* asked);

  http_server_options options;
  service& inside;
  ops::metrics* measures; // may be null
  live_hub* hub;          // may be null
  asio::io_context io{1};
  std::shared_ptr<io_gate> gate;
  doorman door;
  std::shared_ptr<asio::ssl::context> tls; // for connections from now on; null: in the clear
  static_files files;
  std::unordered_set<wire_session*> sessions;
  std::size_t live_count = 0;
  std::vector<std::string> origins; // exact; set when the port is known
  std::size_t in_flight = 0;        // handed to the service, not yet answered
  bool stopping = false;
  std::thread::id io_thread;
  std::atomic<std::size_t> session_count{0};

  steady_point now() const { return options.clock.steady(); }
  bool await_sessions(std::size_t at_most, std::chrono::milliseconds wall_clock); // any thread but the io thread
  const std::string& date();                                                      // for the Date header
  bool allowed_origin(std::string_view origin) const;
  void enter(wire_session& session, bool live);
  void leave(wire_session& session, bool live);

private:
  void count();
  std::mutex count_guard_;
  std::condition_variable counted_;
  std::time_t date_second_ = 0;
  std::string date_;
};

// Takes over an accepted socket. Implemented in the one HTTP translation unit.
void open_http_connection(wire_core& core, wire_stream stream, open_slot slot);

} // namespace omnium::wire
