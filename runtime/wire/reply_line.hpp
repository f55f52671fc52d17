#pragma once
// Inside the HTTP translation units only: the line of answers one connection owes, in the order they were asked for.
// An answer may be ready long before its turn; several that are ready go out in one write. Lives on the io thread.
#include "runtime/wire/http_reply.hpp"
#include "runtime/wire/wire_core.hpp"

#include <boost/asio/buffer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace omnium::wire {

struct owed_reply { // one request's place in the line of answers
  http_reply reply;
  std::string head;
  steady_point asked{}, handed{}, answered{};
  std::chrono::nanoseconds in_database{0};
  allowance_ptr used; // the token's that asked, for the reply's bytes
  bool ready = false, head_only = false, http_1_0 = false, keep_alive = true, measured = false;
};

class reply_line {
public:
  // A place at the end; its number is counted up for the connection's life.
  std::uint64_t owe(owed_reply place);
  // The place with this number, if it still waits for its answer.
  owed_reply* open(std::uint64_t number);
  owed_reply& back() { return places_.back(); }
  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  // A reply that says Connection: close is on its way, or out: nothing after it is answered.
  bool closing() const { return closing_; }

  // Puts the heads of what is ready and next, and the buffers of one write, together. False: nothing is, or a write is
  // under way. The last place of all ends the connection if `last_ends`.
  bool gather(const std::string& date, bool last_ends);
  const std::vector<asio::const_buffer>& gathered() const { return gathered_; }
  // That write is done: each of its places is told and goes.
  void sent(const std::function<void(const owed_reply&)>& told);

private:
  std::deque<owed_reply> places_;
  std::uint64_t first_ = 0; // number of places_.front()
  std::size_t writing_ = 0; // places in the write under way
  std::vector<asio::const_buffer> gathered_;
  bool closing_ = false;
};

} // namespace omnium::wire
