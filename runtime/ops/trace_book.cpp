#include "runtime/ops/trace_book.hpp"

#include <algorithm>

namespace omnium::ops {
namespace {

using clock = std::chrono::system_clock;

// The wall clock when the command arrived, from the clock that never jumps.
clock::time_point arrival(const command& what) {
  auto ago = std::chrono::steady_clock::now() - what.arrived;
  return clock::now() - std::chrono::duration_cast<clock::duration>(ago);
}

} // namespace

// The next slot of the ring, which forgets what stood there. Strings keep their room: a full ring allocates no more.
std::size_t trace_book::add() {
  if (ring_.size() < records_max_) {
    ring_.emplace_back();
    owners_.push_back(nullptr);
    return ring_.size() - 1;
  }
  auto slot = next_;
  next_ = (next_ + 1) % records_max_;
  forget(slot);
  return slot;
}

void trace_book::forget(std::size_t slot) {
  if (owners_[slot] != nullptr) waiting_.erase(owners_[slot]);
  owners_[slot] = nullptr;
  set_seq(slot, 0);
  auto& record = ring_[slot];
  for (auto* text : {&record.trace, &record.key, &record.code, &record.outcome, &record.reason}) text->clear();
  record.received = record.decided = record.committed = record.answered = {};
}

// A record stands for one log row at most; a change seen under another number is not its own.
void trace_book::set_seq(std::size_t slot, std::int64_t seq) {
  auto& record = ring_[slot];
  if (record.seq != seq) {
    auto at = changes_.find({record.subject, record.seq});
    if (at != changes_.end() && at->second == slot) changes_.erase(at);
    record.read = record.sent = {};
    record.watchers = 0;
  }
  record.seq = seq;
  if (seq > 0) changes_[{record.subject, seq}] = slot;
}

trace_record& trace_book::of_command(const command& what) {
  if (auto known = waiting_.find(&what); known != waiting_.end()) return ring_[known->second];
  auto slot = add();
  waiting_[&what] = slot;
  owners_[slot] = &what;
  auto& record = ring_[slot];
  record.trace = what.trace;
  record.key = what.key;
  record.code = what.code;
  record.subject = what.subject;
  record.received = arrival(what);
  return record;
}

trace_record& trace_book::of_change_here(const subject_ref& subject, std::int64_t seq) {
  if (auto known = changes_.find({subject, seq}); known != changes_.end()) return ring_[known->second];
  auto slot = add();
  ring_[slot].subject = subject;
  set_seq(slot, seq);
  return ring_[slot];
}

void trace_book::decided(const command& what, std::int64_t seq) {
  auto now = clock::now();
  std::lock_guard lock(guard_);
  auto& record = of_command(what);
  record.decided = now;
  record.committed = {};
  set_seq(waiting_[&what], seq);
}

void trace_book::committed(const command& what) {
  auto now = clock::now();
  std::lock_guard lock(guard_);
  of_command(what).committed = now;
}

void trace_book::answered(const command& what, outcome how, std::string_view reason) {
  auto now = clock::now();
  std::lock_guard lock(guard_);
  auto& record = of_command(what);
  auto slot = waiting_[&what];
  record.answered = now;
  record.outcome = to_string(how);
  record.reason = reason;
  if (how != outcome::accepted) set_seq(slot, 0);
  waiting_.erase(&what);
  owners_[slot] = nullptr;
}

void trace_book::read(const subject_ref& subject, std::int64_t seq) {
  auto now = clock::now();
  std::lock_guard lock(guard_);
  of_change_here(subject, seq).read = now;
}

void trace_book::sent(const subject_ref& subject, std::int64_t seq, std::size_t watchers) {
  auto now = clock::now();
  std::lock_guard lock(guard_);
  auto& record = of_change_here(subject, seq);
  record.sent = now;
  record.watchers = watchers;
}

std::vector<trace_record> trace_book::find(std::string_view trace, std::string_view key) const {
  std::vector<trace_record> out;
  std::lock_guard lock(guard_);
  for (std::size_t i = 0; i < ring_.size(); ++i) {
    const auto& record = ring_[(next_ + i) % ring_.size()];
    if ((!trace.empty() && record.trace == trace) || (!key.empty() && record.key == key)) out.push_back(record);
  }
  return out;
}

std::vector<trace_record> trace_book::of_match(const subject_ref& match, std::size_t newest) const {
  std::vector<trace_record> out;
  std::lock_guard lock(guard_);
  for (std::size_t i = ring_.size(); i > 0 && out.size() < newest; --i) {
    const auto& record = ring_[(next_ + i - 1) % ring_.size()];
    if (record.subject == match && !record.key.empty()) out.push_back(record);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<trace_record> trace_book::of_change(const subject_ref& subject, std::int64_t seq) const {
  std::lock_guard lock(guard_);
  auto known = changes_.find({subject, seq});
  return known == changes_.end() ? std::vector<trace_record>{} : std::vector{ring_[known->second]};
}

} // namespace omnium::ops
