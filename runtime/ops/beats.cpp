#include "runtime/ops/beats.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace omnium::ops {

using steady = beat_board::clock;

namespace detail {

struct part_of_board {
  std::string name;
  beat_board::kind kind = beat_board::kind::turning;
  std::atomic<std::int64_t> limit_ms{0};
  std::atomic<std::uint64_t> beats{0}, progress{0}, waiting{0};
  std::atomic<std::int64_t> last{0}, moved{0}; // steady clock: newest turn; newest progress, or since when work waits
  std::atomic<const char*> trouble{nullptr};
  // Of who looks:
  beat_state state = beat_state::ok;
  std::chrono::system_clock::time_point since = std::chrono::system_clock::now();
};

} // namespace detail

namespace {

std::int64_t ticks(steady::time_point at) { return at.time_since_epoch().count(); }
std::int64_t now_ticks() { return ticks(steady::now()); }

double seconds_since(std::int64_t then, steady::time_point now) {
  return std::chrono::duration<double>(now - steady::time_point(steady::duration(then))).count();
}

void judge(const detail::part_of_board& part, steady::time_point now, beat_view& out) {
  double limit = static_cast<double>(part.limit_ms) / 1000;
  double quiet = seconds_since(part.last, now), still = seconds_since(part.moved, now);
  if (const char* own = part.trouble) {
    out.state = beat_state::trouble;
    out.reason = own;
  } else if (out.waiting > 0 && still > limit) {
    out.state = beat_state::stuck;
    out.reason = fmt::format("{} wait and nothing was done for {:.0f} s", out.waiting, still);
  } else if (part.kind == beat_board::kind::turning && quiet > limit) {
    out.state = beat_state::silent;
    out.reason = fmt::format("it has not turned for {:.0f} s", quiet);
  }
}

} // namespace

std::string_view to_string(beat_state what) {
  constexpr std::string_view names[] = {"ok", "silent", "stuck", "trouble"};
  return names[static_cast<std::size_t>(what)];
}

void beat::turn() const {
  if (!part_) return;
  part_->beats.fetch_add(1, std::memory_order_relaxed);
  part_->last = now_ticks();
}

void beat::progress(std::uint64_t n) const {
  if (!part_) return;
  turn();
  part_->progress.fetch_add(n, std::memory_order_relaxed);
  part_->moved = now_ticks();
}

// From nothing waiting to something: only from here on is a lack of progress one.
void beat::waiting(std::uint64_t n) const {
  if (!part_) return;
  if (part_->waiting.exchange(n) == 0) part_->moved = now_ticks();
}

void beat::trouble(const char* sentence) const {
  if (part_) part_->trouble = sentence;
}

void beat::silent_after(std::chrono::milliseconds limit) const {
  if (part_) part_->limit_ms = limit.count();
}

beat beat_board::add(const std::string& part, kind what, std::chrono::milliseconds limit) {
  std::lock_guard lock(guard_);
  beat out;
  auto known = std::find_if(parts_.begin(), parts_.end(), [&](const auto& p) { return p->name == part; });
  if (known != parts_.end()) out.part_ = *known;
  else {
    out.part_ = std::make_shared<detail::part_of_board>();
    out.part_->name = part;
    out.part_->kind = what;
    parts_.push_back(out.part_);
  }
  out.part_->limit_ms = limit.count();
  out.part_->last = out.part_->moved = now_ticks();
  return out;
}

void beat_board::forget(const std::string& part) {
  std::lock_guard lock(guard_);
  std::erase_if(parts_, [&](const auto& p) { return p->name == part; });
}

std::vector<beat_view> beat_board::look(steady::time_point now) {
  std::lock_guard lock(guard_);
  std::vector<beat_view> out;
  for (auto& part : parts_) {
    beat_view view;
    view.part = part->name;
    view.beats = part->beats;
    view.progress = part->progress;
    view.waiting = part->waiting;
    judge(*part, now, view);
    if (view.state != part->state) {
      part->state = view.state;
      part->since = std::chrono::system_clock::now();
    }
    view.since = part->since;
    auto ago = std::chrono::duration_cast<std::chrono::system_clock::duration>(
        now - steady::time_point(steady::duration(part->last.load())));
    view.last = std::chrono::system_clock::now() - ago;
    out.push_back(std::move(view));
  }
  return out;
}

} // namespace omnium::ops
