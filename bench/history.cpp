#include "bench/history.hpp"

#include "runtime/core/json.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

namespace omnium::bench {

std::string_view to_string(word what) {
  constexpr std::array<std::string_view, 6> names = {"accepted", "duplicate", "refused",
                                                     "conflict", "try_again", "unknown"};
  return names[static_cast<std::size_t>(what)];
}

std::string_view to_string(fault_kind kind) {
  constexpr std::array<std::string_view, 23> names = {"accepted_lost",
                                                      "accepted_elsewhere",
                                                      "logged_twice",
                                                      "row_without_sender",
                                                      "row_without_answer",
                                                      "row_of_a_refusal",
                                                      "hole",
                                                      "version_differs",
                                                      "answered_twice",
                                                      "answers_contradict",
                                                      "duplicate_differs",
                                                      "duplicate_unfounded",
                                                      "answer_not_saved",
                                                      "saved_answer_differs",
                                                      "refusal_wrote",
                                                      "unfinished_saved",
                                                      "event_missing",
                                                      "event_twice",
                                                      "event_without_row",
                                                      "watcher_gap",
                                                      "watcher_disorder",
                                                      "watcher_missed_end",
                                                      "watcher_other_item"};
  return names[static_cast<std::size_t>(kind)];
}

namespace {

// Refusals found before the rules ran: nothing is saved of them (contract section 2).
bool at_the_door(const std::string& reason) {
  static const std::set<std::string> codes = {"bad_shape",     "unknown_command", "unknown_subject", "key_reused",
                                              "not_signed_in", "not_allowed",     "too_large"};
  return codes.count(reason) > 0;
}
// A try_again after which the outcome is open: the server could not find out itself, stopped meanwhile, or lost the
// match's actor with the command in its hands (which says overloaded).
bool leaves_open(const attempt& a) {
  static const std::set<std::string> codes = {"database_unavailable", "shutting_down", "overloaded"};
  return a.what == word::unknown || (a.what == word::try_again && codes.count(a.reason) > 0);
}

// All attempts of one key, put together.
struct story {
  const sent_command* of = nullptr;
  const attempt *accepted = nullptr, *refused = nullptr, *duplicate = nullptr;
  std::size_t accepted_count = 0;
  bool open = false;         // an attempt's outcome is not known
  bool may_be_saved = false; // a refusal whose code is used on both sides of the door
};

story tell(const sent_command& what) {
  story out;
  out.of = &what;
  for (const auto& a : what.attempts) {
    out.open = out.open || leaves_open(a);
    if (a.what == word::accepted) {
      ++out.accepted_count;
      if (out.accepted == nullptr) out.accepted = &a;
    }
    if (a.what == word::refused && !at_the_door(a.reason)) out.refused = &a;
    if (a.what == word::refused && a.reason == "bad_shape") out.may_be_saved = true;
    if (a.what == word::duplicate) out.duplicate = &a;
  }
  if (what.attempts.empty()) out.open = true;
  return out;
}

class checker {
public:
  explicit checker(const history& what) : h_(what) {
    for (const auto& c : h_.sent) stories_.emplace(c.key, tell(c));
    for (const auto& row : h_.commands) saved_.emplace(row.key, &row);
    for (const auto& row : h_.log) {
      bool first = rows_.emplace(row.key, &row).second;
      if (!first) note(fault_kind::logged_twice, "{} stands twice in the log", row.key);
      logs_[row.subject].push_back(&row);
    }
  }
  verdict run() {
    for (auto& [subject, rows] : logs_) check_numbers(subject, rows);
    for (const auto& [subject, version] : h_.versions) check_version(subject, version);
    for (const auto& row : h_.log) check_row(row);
    for (const auto& [key, s] : stories_) check_story(s);
    if (h_.has_commands)
      for (const auto& row : h_.commands) check_saved(row);
    if (h_.has_events) check_events();
    for (const auto& w : h_.watchers) check_watcher(w);
    out_.rows = h_.log.size();
    return std::move(out_);
  }

private:
  template<class... Args>
  void note(fault_kind kind, fmt::format_string<Args...> text, Args&&... args) {
    ++out_.counts[kind];
    if (out_.faults.size() < faults_kept) out_.faults.push_back({kind, fmt::format(text, std::forward<Args>(args)...)});
  }

  void check_numbers(const std::string& subject, std::vector<const log_row*>& rows) {
    std::sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->seq < b->seq; });
    std::int64_t expected = 1;
    for (const auto* row : rows) {
      if (row->seq != expected)
        note(fault_kind::hole, "{}: seq {} stands where {} belongs", subject, row->seq, expected);
      expected = row->seq + 1;
    }
  }
  void check_version(const std::string& subject, std::int64_t version) {
    auto it = logs_.find(subject);
    auto newest = it == logs_.end() ? 0 : it->second.back()->seq;
    if (newest != version)
      note(fault_kind::version_differs, "{}: last_seq {}, newest row {}", subject, version, newest);
  }
  void check_row(const log_row& row) {
    auto it = stories_.find(row.key);
    if (it == stories_.end())
      return note(fault_kind::row_without_sender, "{} seq {}: {}", row.subject, row.seq, row.key);
    const auto& s = it->second;
    if (s.accepted != nullptr || s.duplicate != nullptr || s.open) return;
    bool refused = std::any_of(s.of->attempts.begin(), s.of->attempts.end(),
                               [](const attempt& a) { return a.what == word::refused || a.what == word::conflict; });
    note(refused ? fault_kind::row_of_a_refusal : fault_kind::row_without_answer, "{} seq {}: {} was answered {}",
         row.subject, row.seq, row.key, to_string(s.of->attempts.back().what));
  }
  void check_story(const story& s) {
    ++out_.commands;
    if (s.accepted != nullptr) check_accepted(s);
    else if (s.refused != nullptr) ++out_.refused;
    else if (s.duplicate == nullptr) count_unfinished(s);
    for (const auto& a : s.of->attempts)
      if (a.what == word::duplicate) check_duplicate(s, a);
    if (!h_.has_commands || saved_.count(s.of->key) > 0) return;
    if (s.accepted != nullptr || s.refused != nullptr || s.duplicate != nullptr)
      note(fault_kind::answer_not_saved, "{} was answered and has no command row", s.of->key);
  }
  void count_unfinished(const story& s) {
    bool conflict = !s.of->attempts.empty() && s.of->attempts.back().what == word::conflict;
    bool door = !s.of->attempts.empty() && s.of->attempts.back().what == word::refused;
    ++(conflict ? out_.conflicts : door ? out_.refused : out_.unfinished);
  }
  void check_accepted(const story& s) {
    ++out_.accepted;
    const auto& key = s.of->key;
    if (s.accepted_count > 1) note(fault_kind::answered_twice, "{} was accepted {} times", key, s.accepted_count);
    if (s.refused != nullptr) note(fault_kind::answers_contradict, "{} was accepted and refused", key);
    auto row = rows_.find(key);
    if (row == rows_.end()) return note(fault_kind::accepted_lost, "{} was accepted and is not in the log", key);
    if (row->second->seq != s.accepted->seq || row->second->subject != s.of->subject)
      note(fault_kind::accepted_elsewhere, "{}: accepted as {} of {}, logged as {} of {}", key, s.accepted->seq,
           s.of->subject, row->second->seq, row->second->subject);
  }
  void check_duplicate(const story& s, const attempt& a) {
    const auto& key = s.of->key;
    auto first = json::raw_member(a.body, "first").value_or("");
    const attempt* known = s.accepted != nullptr ? s.accepted : s.refused;
    auto saved = saved_.find(key);
    if (known == nullptr && !s.open)
      note(fault_kind::duplicate_unfounded, "{} was answered duplicate and never finished before", key);
    if (known != nullptr && first != known->body)
      note(fault_kind::duplicate_differs, "{}: first is not the first answer", key);
    if (known == nullptr && saved != saved_.end() && first != saved->second->answer)
      note(fault_kind::duplicate_differs, "{}: first is not the saved answer", key);
    if (known != nullptr || saved != saved_.end()) return;
    auto row = rows_.find(key); // nothing else is known of the first answer: its seq must be the log's
    if (a.seq != 0 && (row == rows_.end() || row->second->seq != a.seq))
      note(fault_kind::accepted_lost, "{}: duplicate of seq {}, which the log does not have", key, a.seq);
  }
  void check_saved(const command_row& row) {
    auto it = stories_.find(row.key);
    if (it == stories_.end())
      return note(fault_kind::row_without_sender, "command row {} of a key nobody sent", row.key);
    const auto& s = it->second;
    const attempt* known = s.accepted != nullptr ? s.accepted : s.refused;
    if (!row.accepted && row.seq != 0)
      note(fault_kind::refusal_wrote, "{}: the row of a refusal has seq {}", row.key, row.seq);
    if (!row.accepted && rows_.count(row.key) > 0)
      note(fault_kind::refusal_wrote, "{}: saved as refused, and in the log", row.key);
    if (row.accepted && s.accepted == nullptr && rows_.count(row.key) == 0)
      note(fault_kind::accepted_lost, "{}: saved as accepted, and not in the log", row.key);
    if (row.accepted && s.refused != nullptr && s.accepted == nullptr)
      note(fault_kind::refusal_wrote, "{}: answered refused, saved as accepted", row.key);
    if (known != nullptr && (row.answer != known->body || row.seq != known->seq || row.subject != s.of->subject))
      note(fault_kind::saved_answer_differs, "{}: the saved answer is not the one that was given", row.key);
    if (known == nullptr && s.duplicate == nullptr && !s.open && !s.may_be_saved)
      note(fault_kind::unfinished_saved, "{}: {} leaves no command row", row.key,
           to_string(s.of->attempts.back().what));
  }
  void check_events() {
    std::set<std::pair<std::string_view, std::int64_t>> found;
    for (const auto& e : h_.events) {
      if (!found.emplace(e.subject, e.seq).second)
        note(fault_kind::event_twice, "{} seq {}: two domain events", e.subject, e.seq);
      auto log = logs_.find(e.subject);
      if (log == logs_.end() || item_at(log->second, e.seq) == nullptr)
        note(fault_kind::event_without_row, "{} seq {}: a domain event of no log row", e.subject, e.seq);
    }
    for (const auto& row : h_.log)
      if (found.count({row.subject, row.seq}) == 0)
        note(fault_kind::event_missing, "{} seq {}: no domain event", row.subject, row.seq);
  }
  static const log_row* item_at(const std::vector<const log_row*>& rows, std::int64_t seq) {
    auto it = std::lower_bound(rows.begin(), rows.end(), seq, [](auto* row, std::int64_t n) { return row->seq < n; });
    return it != rows.end() && (*it)->seq == seq ? *it : nullptr;
  }
  void check_watcher(const watcher_history& w) {
    static const std::vector<const log_row*> none;
    auto log = logs_.find(w.subject);
    const auto& rows = log == logs_.end() ? none : log->second;
    auto at = w.from;
    auto skipped = w.skipped.begin();
    auto skip = [&] { // versions a snapshot told instead
      for (; skipped != w.skipped.end() && *skipped <= at + 1; ++skipped) at = std::max(at, *skipped);
    };
    for (const auto& c : w.changes) {
      ++out_.changes;
      if (c.version > at + 1) skip();
      if (c.version <= at) note(fault_kind::watcher_disorder, "{}: version {} came after {}", w.subject, c.version, at);
      else if (c.version > at + 1 || c.prev != at)
        note(fault_kind::watcher_gap, "{}: version {} (prev {}) came after {}", w.subject, c.version, c.prev, at);
      const auto* row = item_at(rows, c.version);
      if (row == nullptr || std::hash<std::string>{}(row->key) != c.key_hash)
        note(fault_kind::watcher_other_item, "{}: version {} carried another item than the log has", w.subject,
             c.version);
      at = std::max(at, c.version);
    }
    skip();
    auto newest = rows.empty() ? 0 : rows.back()->seq;
    if (w.to_the_end && at < newest)
      note(fault_kind::watcher_missed_end, "{}: a watcher saw {} of {}", w.subject, at, newest);
  }

  const history& h_;
  std::unordered_map<std::string, story> stories_;
  std::unordered_map<std::string, const command_row*> saved_;
  std::unordered_map<std::string, const log_row*> rows_;
  std::map<std::string, std::vector<const log_row*>, std::less<>> logs_;
  verdict out_;
};

} // namespace

verdict check(const history& what) { return checker(what).run(); }

} // namespace omnium::bench
