// A match and its release: whether it may start on it, and the move to another (P6, P7).
#include "runtime/road/games.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/road/subject_parts.hpp"

#include <fmt/format.h>
#include <utility>

namespace omnium::road {

// Why this node must not fold the match; empty: it may. A package that is not the installed one could fold the same log
// to another result, and nobody would know.
std::string subject::cannot_start(const head& on) const {
  auto here = ports_.rules().find(on.sport, on.release);
  if (!here) return fmt::format("Release {} of {} is not installed on this node.", on.release, on.sport);
  if (on.fold_hash.empty() || on.fold_hash == here->code_sha) return {};
  return fmt::format("Release {} of {} on this node's disk is not the one that was installed: its package has another "
                     "hash. Put the installed package back, or have an operator install this one in its place.",
                     on.release, on.sport);
}

// The whole log is checked on the other release as if it were corrected: what the match's own release refuses today
// because of later corrections is not held against the other one.
void subject::start_move() {
  auto& w = batch_.front();
  auto target = decide_move(w.what->cmd(), head_->sport, head_->release, ports_.rules());
  if (auto* why = std::get_if<reason>(&target)) {
    refuse_correction(std::move(*why));
    return;
  }
  correction_ = std::make_shared<correction_run>();
  correction_->move_to = std::get<release_facts>(target);
  ports_.load(open_op(phase::correcting), load_depth::whole_log);
}

void subject::finish_move(const correction_run& run, run_reply what) {
  auto to = *run.move_to;
  auto named = [&](std::size_t index, std::string_view why) {
    auto seq = index < run.events.size() ? run.events[index].seq : 0;
    auto code = index < run.events.size() ? run.events[index].code : std::string{};
    return fmt::format("The log does not fold on release {}: row {} ({}): {}", to.version, seq, code, why);
  };
  std::optional<reason> why;
  if (what.what == run_reply::kind::cannot_fold)
    why = reason{"cannot_fold", named(what.index, what.error), "/input/release"};
  else if (!run.refused.empty()) {
    const auto& first = run.refused.front();
    why = reason{"cannot_fold", named(first.index, first.why.message), "/input/release", first.why.law, {}};
  }
  if (why) {
    why->release = head_->sport + "@" + to.version;
    refuse_correction(std::move(*why));
    return;
  }
  auto& w = batch_.front();
  w.effect = row_effect{row_effect::kind::set_release,
                        move_data(head_->sport, to, what.scoreboard, read_scoreboard(what.scoreboard).status)};
  accept_refolded(row_of(w.what->cmd(), head_->last_seq + 1, true), std::move(what));
}

} // namespace omnium::road
