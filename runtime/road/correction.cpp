#include "runtime/road/correction.hpp"

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
  if (in[member].get(seq) || seq < 1)
    return {0, bad_input(member, "must be the seq of a log row, a whole number from 1")};
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
    return reason{"unknown_command", fmt::format("{} cannot be inserted: only a sport's events can.", code),
                  "/input/code"};
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

// The side an event belongs to, by the members that sports use for it.
std::string_view side_of(const object& input) {
  for (auto name : {"side", "winner", "batting", "to"}) {
    std::string_view side;
    if (!input[name].get(side)) return side;
  }
  return {};
}

bool of_side(const log_item& row, std::string_view side) {
  simdjson::dom::parser parser;
  object input;
  if (parser.parse(row.input).get(input)) return false;
  object inner;
  if (row.code == "match.insert" && !input["input"].get(inner)) input = inner;
  return side_of(input) == side;
}

bool in_range(const log_item& row, std::int64_t from, std::int64_t to) {
  if (row.seq < from || row.seq > to || !row.play) return false;
  if (row.code == "match.insert") return true;
  return !row.code.starts_with("match.") && !is_runtime_row(row.code);
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
  auto voided = void_rows(log);
  for (const auto& row : log)
    if (in_range(row, from.seq, to.seq) && !std::binary_search(voided.begin(), voided.end(), row.seq) &&
        (side.empty() || of_side(row, side)))
      out.row.voids.push_back(row.seq);
  if (out.row.voids.empty())
    return reason{"unknown_target", "There is no play left to cancel in this range.", "/input/from"};
  return out;
}

} // namespace

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
  if (parser.parse(input).get(in)) return reason{"bad_input", "The input must be an object.", "/input"};
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
