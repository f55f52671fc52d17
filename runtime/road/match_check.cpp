#include "runtime/road/match_check.hpp"

#include "runtime/road/rebuild.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace omnium::road {
namespace {

constexpr auto nowhere = static_cast<std::size_t>(-1);

// How many of the corrected log's events come before the snapshot: rows after it only add, so those are its first.
std::size_t place_of(const loaded_subject& match, const std::vector<sport_event>& events) {
  if (!snapshot_stands(match.snap, match.sport + "@" + match.release, match.fold_hash, match.log)) return nowhere;
  auto after = [&](const auto& event) { return event.seq > match.snap->seq; };
  return static_cast<std::size_t>(std::find_if(events.begin(), events.end(), after) - events.begin());
}

// Commands on the match's own rows do not make one; the first of any other kind does.
bool writes_scoreboard(const std::vector<log_item>& log) {
  return std::any_of(log.begin(), log.end(), [](const auto& row) {
    return !is_runtime_row(row.code) || is_correction(row.code) || is_rebuild(row.code);
  });
}

} // namespace

match_check::match_check(stored_match what, std::size_t chunk)
    : what_(std::move(what)), chunk_(chunk), events_(corrected_log(what_.match.log)),
      snapshot_at_(place_of(what_.match, events_)) {
  const auto& snap = what_.match.snap;
  if (snap && snap->seq > what_.match.last_seq) found("the snapshot is newer than the log");
  if (snapshot_at_ == 0) snapshot_at_ = nowhere; // before the first event: a load folds all of them
}

std::shared_ptr<const run_request> match_check::next() {
  if (over_) return nullptr;
  auto end = std::min(events_.size(), at_ + chunk_);
  if (at_ < snapshot_at_ && snapshot_at_ != nowhere) end = std::min(end, snapshot_at_);
  auto out = std::make_shared<run_request>();
  out->mode = run_mode::replay;
  out->settings = what_.match.settings;
  out->state = state_;
  out->events.assign(events_.begin() + static_cast<std::ptrdiff_t>(at_),
                     events_.begin() + static_cast<std::ptrdiff_t>(end));
  at_ = end;
  return out;
}

void match_check::take(run_reply reply) {
  if (reply.what != run_reply::kind::ok) {
    over_ = true;
    worker_failed_ = reply.what != run_reply::kind::cannot_fold;
    fault_ = std::move(reply.error);
    return;
  }
  state_ = std::move(reply.state);
  scoreboard_ = std::move(reply.scoreboard);
  if (at_ == snapshot_at_) compare_snapshot();
  if (at_ < events_.size()) return;
  over_ = true;
  compare_scoreboard();
}

void match_check::compare_snapshot() {
  if (state_ != what_.match.snap->state) found("the snapshot is not what the log folds to");
}

void match_check::compare_scoreboard() {
  if (!what_.scoreboard && !writes_scoreboard(what_.match.log)) return;
  if (what_.scoreboard.value_or("") != scoreboard_)
    found(what_.scoreboard ? "the stored scoreboard is not what the log folds to" : "the stored scoreboard is missing");
  else if (what_.scoreboard_seq != what_.match.last_seq)
    found("the stored scoreboard says that it stands at another version");
}

void match_check::found(std::string_view what) { damage_ += fmt::format("{}{}", damage_.empty() ? "" : ", ", what); }

std::size_t match_check::rebuilt_in_vain() const {
  const auto& log = what_.match.log;
  auto last = std::find_if(log.rbegin(), log.rend(), [](const auto& row) { return !is_rebuild(row.code); });
  return static_cast<std::size_t>(last - log.rbegin());
}

} // namespace omnium::road
