#include "omnium/sport/record.hpp"

#include <cmath>

namespace omnium::sdk {
namespace {

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

// Written in the order of the declaration, members are found at the first look.
const member_entry* find(member_list members, std::string_view name, std::size_t& next) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto& one = members[(next + i) % members.size()];
    if (one.name != name) continue;
    next = (next + i + 1) % members.size();
    return &one;
  }
  return nullptr;
}

bool fail_unknown(std::string_view name, member_list members, reader& in) {
  in.enter(name);
  std::string known;
  for (const auto& one : members) (known += known.empty() ? "" : ", ") += one.name;
  const auto what = known.empty() ? std::string("nothing") : known;
  return in.fail("There is no member " + std::string(name) + " here; what may stand here is: " + what + ".");
}

bool missing(std::string_view name, reader& in) {
  in.enter(name);
  return in.fail(std::string(name) + " is missing.");
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::string between(std::int64_t low, std::int64_t high) {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  if (low == lowest && high == whole) return "";
  if (high == whole) return " of at least " + std::to_string(low);
  if (low == lowest) return " of at most " + std::to_string(high);
  return " from " + std::to_string(low) + " to " + std::to_string(high);
}

std::string counted(std::size_t low, std::size_t high) {
  if (low == high) return std::to_string(low);
  return std::to_string(low) + " to " + std::to_string(high);
}

void append_pair(std::string& out, std::string_view name, std::int64_t number) {
  out += ',';
  append_string(out, name);
  out += ':';
  append_integer(out, number);
}

} // namespace

bool read_record(const value& from, void* record, member_list members, reader& in, const sdk_member* more) {
  if (from.type() != value::kind::object) return in.fail(in.place() + " must be an object.");
  std::uint64_t seen = 0;
  std::size_t next = 0;
  value member;
  std::string_view name;
  for (member_cursor all(from); all.next(name, member);) {
    const auto* known = find(members, name, next);
    const bool sdk = known == nullptr && more != nullptr && name == more->entry.name;
    if (known == nullptr && !sdk) return fail_unknown(name, members, in);
    in.enter(known ? known->name : more->entry.name);
    const auto bit = std::uint64_t{1} << (sdk ? 63 : known - members.data());
    if (seen & bit) return in.fail(std::string(name) + " is given twice.");
    seen |= bit;
    if (sdk ? !more->entry.read(more->record, member, in) : !known->read(record, member, in)) return false;
    in.leave();
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (members[i].required && !(seen >> i & 1)) return missing(members[i].name, in);
  return more == nullptr || !more->entry.required || (seen >> 63) || missing(more->entry.name, in);
}

void write_record(const void* record, member_list members, std::string& out, bool open) {
  bool first = !open;
  if (!open) out += '{';
  for (const auto& one : members) {
    if (one.absent(record)) continue;
    if (!std::exchange(first, false)) out += ',';
    out += '"';
    out += one.name;
    out += "\":";
    one.write(record, out);
  }
  if (!open) out += '}';
}

void schema_of_record(member_list members, std::string& out, const member_entry* more) {
  out += R"("type":"object","properties":{)";
  std::string required;
  const auto add = [&](const member_entry& one) {
    append_string(out, one.name);
    out += ":{";
    one.schema(out);
    if (!one.rule->note.empty()) append_string(out += R"(,"description":)", one.rule->note);
    out += "},";
    if (one.required) append_string(required, one.name), required += ',';
  };
  for (const auto& one : members) add(one);
  if (more != nullptr) add(*more);
  if (out.back() == ',') out.pop_back();
  out += '}';
  if (!required.empty()) {
    required.pop_back();
    (out += R"(,"required":[)") += required + "]";
  }
  out += R"(,"additionalProperties":false)";
}

bool read_integer(const value& from, std::int64_t& out, std::int64_t low, std::int64_t high, reader& in) {
  if (from.get(out) && out >= low && out <= high) return true;
  return in.fail(in.place() + " must be a whole number" + between(low, high) + ".");
}

bool read_decimal(const value& from, std::int64_t& units, int decimals, const rules& rule, reader& in) {
  std::int64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const auto factor = static_cast<double>(scale);
  const auto limit = 9007199254740992.0; // 2^53: beyond it a float has no room for the decimals
  double number = 0;
  bool fits = from.get(number) && std::fabs(number * factor) < limit;
  if (fits) {
    units = std::llround(number * factor);
    // units / scale is rounded as the parser rounds the decimal text, so equality means: no further decimals.
    fits = static_cast<double>(units) / factor == number;
  }
  if (fits && in.constrained())
    fits = (rule.min < -whole / scale || units >= rule.min * scale) &&
           (rule.max > whole / scale || units <= rule.max * scale);
  if (fits) return true;
  return in.fail(in.place() + " must be a number" + between(rule.min, rule.max) + " with at most " +
                 std::to_string(decimals) + " decimals.");
}

bool read_string(const value& from, std::string& out, const rules& rule, reader& in) {
  std::string_view text;
  if (!from.get(text)) return in.fail(in.place() + " must be text.");
  if (in.constrained()) {
    const auto length = code_points(text);
    if (length < rule.length_min || length > rule.length_max)
      return in.fail(in.place() + " must be text of " + counted(rule.length_min, rule.length_max) + " characters.");
    if (rule.accepts != nullptr && !rule.accepts(text))
      return in.fail(in.place() + " must look like " + std::string(rule.pattern) + ".");
  }
  out = text;
  return true;
}

bool read_container(const value& from, value::kind kind, const rules& rule, reader& in) {
  const auto* what = kind == value::kind::array ? "a list" : "an object";
  if (from.type() != kind) return in.fail(in.place() + " must be " + what + ".");
  const auto count = from.size();
  if (!in.constrained() || (count >= rule.items_min && count <= rule.items_max)) return true;
  return in.fail(in.place() + " must be " + what + " of " + counted(rule.items_min, rule.items_max) + " entries.");
}

bool read_sides(const value& from, void* home, void* away, bool required,
                bool (*read)(void* to, const value& member, const rules& rule, reader& in), const rules& rule,
                reader& in) {
  if (from.type() != value::kind::object) return in.fail(in.place() + " must be an object with home and away.");
  bool seen[2] = {false, false};
  value member;
  std::string_view name;
  for (member_cursor all(from); all.next(name, member);) {
    in.enter(name);
    const bool is_away = name == "away";
    if (!is_away && name != "home")
      return in.fail("What may stand here is home and away, not " + std::string(name) + ".");
    if (std::exchange(seen[is_away], true)) return in.fail(std::string(name) + " is given twice.");
    if (!read(is_away ? away : home, member, rule, in)) return false;
    in.leave();
  }
  if (required && !seen[0]) return missing("home", in);
  return !required || seen[1] || missing("away", in);
}

bool fail_enum(std::span<const std::string_view> names, reader& in) {
  return in.fail(in.place() + " must be " + listed(names) + ".");
}

void schema_of_number(std::string& out, std::string_view type, const rules& rule, int decimals) {
  append_string(out += R"("type":)", type);
  if (rule.min != std::numeric_limits<std::int64_t>::min()) append_pair(out, "minimum", rule.min);
  if (rule.max != whole) append_pair(out, "maximum", rule.max);
  if (decimals > 0) append_pair(out, "x-decimals", decimals);
}

void schema_of_string(std::string& out, const rules& rule) {
  out += R"("type":"string")";
  append_pair(out, "minLength", static_cast<std::int64_t>(rule.length_min));
  append_pair(out, "maxLength", static_cast<std::int64_t>(rule.length_max));
  if (!rule.pattern.empty()) append_string(out += R"(,"pattern":)", rule.pattern);
}

void schema_of_items(std::string& out, const rules& rule, bool object) {
  out += object ? R"("type":"object")" : R"("type":"array")";
  if (rule.items_min > 0)
    append_pair(out, object ? "minProperties" : "minItems", static_cast<std::int64_t>(rule.items_min));
  append_pair(out, object ? "maxProperties" : "maxItems", static_cast<std::int64_t>(rule.items_max));
  out += object ? R"(,"additionalProperties":{)" : R"(,"items":{)";
}

} // namespace omnium::sdk
