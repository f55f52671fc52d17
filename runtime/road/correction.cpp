#include "runtime/road/correction.hpp"

#include "runtime/core/json.hpp"
#include "runtime/road/corrected_log.hpp"
#include "runtime/road/input_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <simdjson.h>
#include <string_view>

namespace omnium::road {
namespace {

using plan = std::variant<correction, reason>;

struct seq_or_reason {
  std::int64_t seq = 0;
  std::optional<reason> why;
};

seq_or_reason read_seq(const object& in, std::string_view member) {
  std::int64_t seq = 0;
  double number = 0; // 3.0 is a whole number, too
  if (in[member].get(seq) && !in[member].get(number)) seq = json::whole(number).value_or(0);
  if (seq < 1) return {0, bad_input(member, "must be the seq of a log row, a whole number from 1")};
  return {seq, std::nullopt};
}

std::optional<reason> check_remark(const object& in, std::string_view name, bool required) {
  auto member = in[name];
  if (member.error()) {
    if (required) return bad_input(name, "is missing");
    return std::nullopt;
  }
  std::string_view text;
  if (member.get(text) || text.empty() || characters(text) > remark_chars_max)
    return bad_input(name, fmt::format("must be a text of 1 to {} characters", remark_chars_max));
  return std::nullopt;
}

// Why, and who ruled so.
std::optional<reason> check_remarks(const object& in, bool reason_required) {
  if (auto why = check_remark(in, "reason", reason_required)) return why;
  return check_remark(in, "umpire", false);
}

std::variant<bool, reason> read_cascade(const object& in) {
  auto member = in["cascade"];
  if (member.error()) return false;
  bool value = false;
  if (member.get(value)) return bad_input("cascade", "must be true or false");
  return value;
}

const log_item* find_row(const std::vector<log_item>& log, std::int64_t seq) {
  return seq >= 1 && seq <= static_cast<std::int64_t>(log.size()) ? &log[static_cast<std::size_t>(seq - 1)] : nullptr;
}

std::optional<reason> check_target(const std::vector<log_item>& log, std::int64_t seq, std::string_view member,
                                   bool event_only) {
  const auto* row = find_row(log, seq);
  auto at = fmt::format("/input/{}", member);
  if (row == nullptr) return reason{"unknown_target", fmt::format("The log of this match has no row {}.", seq), at};
  if (is_runtime_row(row->code) && !is_correction(row->code))
    return reason{"not_correctable", fmt::format("Row {} is {}, which a correction cannot change.", seq, row->code),
                  at};
  if (event_only && is_correction(row->code) && row->code != "match.insert")
    return reason{"not_correctable",
                  fmt::format("Row {} is itself a correction; void it, or correct its target again.", seq), at};
  auto voided = void_rows(log);
  if (std::binary_search(voided.begin(), voided.end(), seq))
    return reason{"already_void", fmt::format("Row {} is already void.", seq), at};
  return std::nullopt;
}

plan plan_void(const object& in, const std::vector<log_item>& log, correction out) {
  if (auto why = only_members(in, {}, {"seq", "reason", "cascade", "umpire"})) return *why;
  auto target = read_seq(in, "seq");
  if (target.why) return *target.why;
  if (auto why = check_remarks(in, false)) return *why;
  if (auto why = check_target(log, target.seq, "seq", false)) return *why;
  out.row.voids = {target.seq};
  return out;
}

plan plan_amend(const object& in, const std::vector<log_item>& log, correction out) {
  if (auto why = only_members(in, {}, {"seq", "input", "reason", "cascade", "umpire"})) return *why;
  auto target = read_seq(in, "seq");
  if (target.why) return *target.why;
  object input;
  if (in["input"].get(input)) return bad_input("input", "must be the object the row should read as");
  if (auto why = check_remarks(in, false)) return *why;
  if (auto why = check_target(log, target.seq, "seq", true)) return *why;
  if (const auto* row = find_row(log, target.seq); !is_correction(row->code) && !row->voids.empty())
    return reason{"not_correctable",
                  fmt::format("Row {} made row {} void. Undo it, which brings that one back, and enter it anew.",
                              target.seq, row->voids.front()),
                  "/input/seq"};
  out.row.replaces = target.seq;
  return out;
}

plan plan_insert(const object& in, const std::vector<log_item>& log, correction out) {
  if (auto why = only_members(in, {}, {"before", "code", "input", "reason", "cascade", "umpire"})) return *why;
  auto target = read_seq(in, "before");
  if (target.why) return *target.why;
  std::string_view code;
  if (in["code"].get(code) || code.empty()) return bad_input("code", "must be the code of the missed event");
  if (is_correction(std::string(code)) || is_runtime_row(std::string(code)))
    return bad_input("code", fmt::format("must be an event's: {} cannot be inserted", code));
  object input;
  if (in["input"].get(input)) return bad_input("input", "must be an object");
  if (auto why = check_remarks(in, false)) return *why;
  const auto* row = find_row(log, target.seq);
  if (row == nullptr)
    return reason{"unknown_target", fmt::format("The log of this match has no row {}.", target.seq), "/input/before"};
  if (is_runtime_row(row->code) && row->code != "match.insert")
    return reason{"not_correctable",
                  fmt::format("Row {} is no event of the match, so nothing stands before it.", target.seq),
                  "/input/before"};
  return out;
}

// The side an event belongs to, by the members that sports use for it; empty: it names none.
std::string_view side_of(const object& input) {
  std::string_view side;
  for (auto name : {"side", "winner", "batting", "to"})
    if (!input[name].get(side)) return side;
  if (input["lane"].get(side)) return {};
  return side == "a" || side == "A" ? "home" : "away";
}

struct range {
  std::int64_t from = 0, to = 0; // seqs
  std::string_view side;         // empty: both
};

// The plays of a range that stand, as the corrected log reads them: those with a seq in it, and those that were put in
// between its ends afterwards. What names no side belongs to the side that bats in its innings.
std::vector<std::int64_t> plays_in(const range& asked, const std::vector<log_item>& log) {
  const auto events = corrected_log(log);
  const auto place_of = [&](std::int64_t seq, std::size_t otherwise) {
    auto at = std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.seq == seq; });
    return at == events.end() ? otherwise : static_cast<std::size_t>(at - events.begin());
  };
  const auto first = place_of(asked.from, events.size()), last = place_of(asked.to, 0);
  std::vector<std::int64_t> out;
  simdjson::dom::parser parser;
  std::string batting;
  for (std::size_t place = 0; place < events.size(); ++place) {
    const auto& event = events[place];
    object input;
    if (parser.parse(event.input).get(input)) continue;
    if (std::string_view now; !input["batting"].get(now)) batting = now;
    const bool in_range = (event.seq >= asked.from && event.seq <= asked.to) || (place >= first && place <= last);
    if (!event.play || !in_range) continue;
    auto side = side_of(input);
    if (side.empty() && !event.code.starts_with("match.")) side = batting;
    if (asked.side.empty() || asked.side == side) out.push_back(event.seq);
  }
  return out;
}

// With those that only stand again because what had voided them goes, too: nothing of the range is left.
std::vector<std::int64_t> all_plays_in(const range& asked, std::vector<log_item> log) {
  log_item cancelling;
  cancelling.seq = static_cast<std::int64_t>(log.size()) + 1;
  cancelling.code = "match.cancel_range";
  log.push_back(cancelling);
  auto& out = log.back().voids;
  for (auto more = plays_in(asked, log); !more.empty(); more = plays_in(asked, log))
    out.insert(out.end(), more.begin(), more.end());
  std::sort(out.begin(), out.end());
  return std::move(out);
}

plan plan_cancel_range(const object& in, const std::vector<log_item>& log, correction out) {
  if (auto why = only_members(in, {}, {"from", "to", "side", "reason", "cascade", "umpire"})) return *why;
  auto from = read_seq(in, "from"), to = read_seq(in, "to");
  if (from.why) return *from.why;
  if (to.why) return *to.why;
  if (to.seq < from.seq) return bad_input("to", "must not come before \"from\"");
  if (auto why = check_remarks(in, true)) return *why;
  std::string_view side;
  if (!in["side"].error() && (in["side"].get(side) || (side != "home" && side != "away")))
    return bad_input("side", "must be home or away");
  if (find_row(log, to.seq) == nullptr)
    return reason{"unknown_target", fmt::format("The log of this match has no row {}.", to.seq), "/input/to"};
  out.row.voids = all_plays_in({from.seq, to.seq, side}, log);
  if (out.row.voids.empty())
    return reason{"unknown_target", "There is no play left to cancel in this range.", "/input/from"};
  return out;
}

} // namespace

std::optional<reason> check_overturn(const std::vector<std::int64_t>& voids, const std::vector<log_item>& log) {
  for (auto seq : voids) {
    const auto* row = find_row(log, seq);
    const bool event = row != nullptr &&
                       (row->code == "match.insert" || !(row->code.starts_with("match.") || is_runtime_row(row->code)));
    if (!event)
      return reason{"unknown_target", fmt::format("Row {} is no event of play, so it cannot be overturned.", seq),
                    "/input"};
    if (auto why = check_target(log, seq, "about", false)) return why;
  }
  return std::nullopt;
}

std::vector<std::int64_t> void_rows(const std::vector<log_item>& log) {
  // A row can only void earlier ones, so from the newest back each row's own fate is known before its effect counts.
  std::vector<bool> dead(log.size() + 1, false);
  for (auto row = log.rbegin(); row != log.rend(); ++row) {
    if (dead[static_cast<std::size_t>(row->seq)]) continue;
    for (auto seq : row->voids)
      if (seq >= 1 && seq < row->seq) dead[static_cast<std::size_t>(seq)] = true;
  }
  std::vector<std::int64_t> out;
  for (std::size_t seq = 1; seq < dead.size(); ++seq)
    if (dead[seq]) out.push_back(static_cast<std::int64_t>(seq));
  return out;
}

std::variant<correction, reason> plan_correction(const std::string& code, const std::string& input,
                                                 const std::vector<log_item>& log) {
  simdjson::dom::parser parser;
  object in;
  if (parser.parse(input).get(in)) return reason{"bad_input", "The input holds a number that is too large.", "/input"};
  correction out;
  out.row.code = code;
  out.row.input = input;
  out.row.play = true;
  auto cascade = read_cascade(in);
  if (auto* why = std::get_if<reason>(&cascade)) return *why;
  out.cascade = std::get<bool>(cascade);
  if (code == "match.void") return plan_void(in, log, std::move(out));
  if (code == "match.amend") return plan_amend(in, log, std::move(out));
  if (code == "match.insert") return plan_insert(in, log, std::move(out));
  return plan_cancel_range(in, log, std::move(out));
}

} // namespace omnium::road
