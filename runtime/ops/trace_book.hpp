#pragma once
// The newest commands of this node with the times of their way: what `omnium ctl trace` shows beside what the rows
// keep. In memory only and bounded (limits::trace_records_max): the road writes no byte more for it. Any thread; one
// lock, held to fill in a few fields. Source: issue 5 item 3.
#include "runtime/core/command.hpp"
#include "runtime/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace omnium::ops {

// One sending of a command; or a change that another node committed, of which only subject, seq, read, sent and
// watchers are known here. A time that is not known is the epoch.
struct trace_record {
  using time = std::chrono::system_clock::time_point;
  std::string trace, key, code;
  subject_ref subject;
  std::int64_t seq = 0;        // 0: it made no log row
  std::string outcome, reason; // empty: not answered yet; no reason
  std::size_t watchers = 0;    // sockets the change was handed to
  time received{}, decided{}, committed{}, read{}, sent{}, answered{};
};

class trace_book {
public:
  explicit trace_book(std::size_t records_max = limits::trace_records_max) : records_max_(records_max) {}

  // The command's way, each step once; decided again (a batch that was overtaken), its later steps are forgotten. `seq`
  // 0: refused. The command must be alive until it is answered: it is known by its address.
  void decided(const command& what, std::int64_t seq);
  void committed(const command& what);
  void answered(const command& what, outcome how, std::string_view reason);
  // The change's way: read from the outbox, and handed to so many sockets.
  void read(const subject_ref& subject, std::int64_t seq);
  void sent(const subject_ref& subject, std::int64_t seq, std::size_t watchers);

  // Newest last. By trace id, by key (one of both may be empty), or the change a log row made.
  std::vector<trace_record> find(std::string_view trace, std::string_view key) const;
  std::vector<trace_record> of_match(const subject_ref& match, std::size_t newest) const; // at most so many
  std::vector<trace_record> of_change(const subject_ref& subject, std::int64_t seq) const;

private:
  using change = std::pair<subject_ref, std::int64_t>;
  struct change_hash {
    std::size_t operator()(const change& of) const {
      return std::hash<uuid>{}(of.first.ref) + 31 * static_cast<std::size_t>(of.second);
    }
  };
  std::size_t add();
  trace_record& of_command(const command& what);
  trace_record& of_change_here(const subject_ref& subject, std::int64_t seq);
  void set_seq(std::size_t slot, std::int64_t seq);
  void forget(std::size_t slot);

  const std::size_t records_max_;
  mutable std::mutex guard_;
  std::vector<trace_record> ring_;
  std::vector<const command*> owners_; // of each slot, while it waits for its answer
  std::size_t next_ = 0;
  std::unordered_map<const command*, std::size_t> waiting_;
  std::unordered_map<change, std::size_t, change_hash> changes_;
};

} // namespace omnium::ops
