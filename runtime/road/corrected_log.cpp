#include "runtime/road/corrected_log.hpp"

#include "runtime/core/json.hpp"
#include "runtime/road/rebuild.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace omnium::road {
namespace {

constexpr std::string_view amend_code = "match.amend", insert_code = "match.insert";
constexpr std::array<std::string_view, 4> correction_codes{"match.void", amend_code, insert_code, "match.cancel_range"};
constexpr std::array<std::string_view, 3> runtime_areas{"games.", "results.", "ops."};

// One pass over the log from its newest row to its oldest: whatever can void or amend a row stands after it, so that by
// the time a row is reached everything about it is decided.
class corrector {
public:
  explicit corrector(const std::vector<log_item>& log) : log_(log), rows_(log.size()) {
    by_seq_.reserve(log.size());
    for (std::size_t i = 0; i < log.size(); ++i) by_seq_.emplace(log[i].seq, i);
  }

  std::vector<sport_event> run() {
    for (std::size_t i = log_.size(); i-- > 0;) settle(i);
    for (std::size_t i = log_.size(); i-- > 0;) place_insert(i);
    std::vector<sport_event> out;
    out.reserve(log_.size());
    for (std::size_t i = 0; i < log_.size(); ++i)
      if (!rows_[i].placed) emit(i, out);
    return out;
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct row {
    bool is_void = false;
    bool placed = false;             // an insert that stands before another row
    std::size_t amended_by = none;   // the newest active amend
    std::vector<std::size_t> before; // inserts that stand directly before it, newest first
  };

  // The place of an earlier row; a row never points at itself or at what comes after it.
  std::size_t earlier(std::int64_t seq, std::size_t than) const {
    const auto found = by_seq_.find(seq);
    return found != by_seq_.end() && found->second < than ? found->second : none;
  }

  void settle(std::size_t i) {
    if (rows_[i].is_void) return;
    for (const auto seq : log_[i].voids)
      if (const auto target = earlier(seq, i); target != none) rows_[target].is_void = true;
    if (log_[i].code != amend_code) return;
    if (const auto target = amended_event(i); target != none && rows_[target].amended_by == none)
      rows_[target].amended_by = i;
  }

  // An amend of an amend speaks of the same event: the id of an event is the row that first brought it.
  std::size_t amended_event(std::size_t i) const {
    while (i != none && log_[i].code == amend_code) i = log_[i].replaces ? earlier(*log_[i].replaces, i) : none;
    return i;
  }

  void place_insert(std::size_t i) {
    if (log_[i].code != insert_code) return;
    const auto before = json::integer_member(log_[i].input, "before");
    const auto target = before ? earlier(*before, i) : none;
    if (target == none) return; // no such row: it stands where it was written
    rows_[target].before.push_back(i);
    rows_[i].placed = true;
  }

  // Writes the row's event after those inserted before it; inserts can stand before inserts, in chains of any length.
  void emit(std::size_t root, std::vector<sport_event>& out) {
    std::vector<std::size_t> waiting{root};
    while (!waiting.empty()) {
      const auto i = waiting.back();
      auto& before = rows_[i].before;
      if (before.empty()) {
        waiting.pop_back();
        append_event(i, out);
      } else {
        waiting.push_back(before.back());
        before.pop_back();
      }
    }
  }

  void append_event(std::size_t i, std::vector<sport_event>& out) const {
    const auto& item = log_[i];
    if (rows_[i].is_void) return;
    sport_event event{item.seq, item.code, item.input, item.at, item.play};
    if (item.code == insert_code) {
      event.code = json::string_member(item.input, "code").value_or("");
      event.input = json::raw_member(item.input, "input").value_or("{}");
    }
    if (event.code.empty() || is_runtime_row(event.code)) return;
    if (const auto amend = rows_[i].amended_by; amend != none)
      event.input = json::raw_member(log_[amend].input, "input").value_or(event.input);
    out.push_back(std::move(event));
  }

  const std::vector<log_item>& log_;
  std::vector<row> rows_;
  std::unordered_map<std::int64_t, std::size_t> by_seq_;
};

} // namespace

std::vector<sport_event> corrected_log(const std::vector<log_item>& log) { return corrector{log}.run(); }

bool is_correction(const std::string& code) {
  return std::find(correction_codes.begin(), correction_codes.end(), code) != correction_codes.end();
}

bool is_runtime_row(const std::string& code) {
  return is_correction(code) || is_rebuild(code) ||
         std::any_of(runtime_areas.begin(), runtime_areas.end(),
                     [&](std::string_view area) { return code.starts_with(area); });
}

} // namespace omnium::road
