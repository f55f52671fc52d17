// match.rebuild on its way: the whole log, a fold of it from nothing, and the commit that puts it in the damage's
// place.
#include "runtime/core/limits.hpp"
#include "runtime/road/rebuild.hpp"
#include "runtime/road/subject_parts.hpp"

#include <utility>

namespace omnium::road {

void subject::start_rebuild() {
  correction_ = std::make_shared<correction_run>();
  correction_->at = correction_run::pass::rebuild;
  ports_.load(open_op(phase::correcting), load_depth::whole_log);
}

void subject::fold_for_rebuild() {
  auto& w = batch_.front();
  auto order = read_rebuild(w.what->cmd().input);
  if (auto* why = std::get_if<reason>(&order)) {
    refuse_correction(std::move(*why));
    return;
  }
  auto seq = std::get<rebuild_order>(order).seq;
  if (seq && *seq != head_->last_seq) {
    overtaken_rebuild(w, *seq);
    return;
  }
  correction_->events = corrected_log(correction_->log);
  auto request = std::make_shared<run_request>();
  request->mode = run_mode::replay;
  request->settings = head_->settings;
  request->events = correction_->events;
  ports_.run(open_op(phase::correcting), head_->sport, head_->release, std::move(request));
}

// What was damaged then may have been written anew since: whoever checked looks again.
void subject::overtaken_rebuild(waiting& w, std::int64_t seq) {
  answer_conflict(w, rows_after(std::move(correction_->log), seq),
                  {"moved_on", "The match moved on since it was checked.", "/input/seq"});
  correction_.reset();
  put_back(false);
}

void subject::finish_rebuild(run_reply what) {
  const auto& asked = *batch_.front().what;
  if (!asked.preview()) // the stored snapshot is in doubt: another is due with this row
    head_->plays_since_snapshot = limits::snapshot_every_plays;
  accept_refolded(row_of(asked.cmd(), head_->last_seq + 1, false), std::move(what));
}

} // namespace omnium::road
