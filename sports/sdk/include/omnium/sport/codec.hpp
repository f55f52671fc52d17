#pragma once
// JSON in, out and JSON Schema for each type a field may have: bool, integers, decimal<N>, std::string, named enums,
// optional, vector, map<string, T>, both<T> and any struct with `fields`. A type of your own: specialise codec<T>.
#include "omnium/sport/fields.hpp"
#include "omnium/sport/value.hpp"

#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace omnium::sdk {

// A number with exactly N decimals, kept whole: decimal<3>{5123} is 5.123. An input with more decimals is refused.
template<int N>
struct decimal {
  std::int64_t units = 0;
  friend auto operator<=>(const decimal&, const decimal&) = default;
};

enum class side : std::uint8_t { home, away };
OMNIUM_ENUM(side, home, away)
constexpr side other(side of) { return of == side::home ? side::away : side::home; }

// One of a thing for each side: {"home":…,"away":…}.
template<class T>
struct both {
  T home{}, away{};
  T& operator[](side of) { return of == side::home ? home : away; }
  const T& operator[](side of) const { return of == side::home ? home : away; }
  friend bool operator==(const both&, const both&) = default;
};

// The shape the library reads, writes and describes any struct by; made from T::fields.
struct member_entry {
  std::string_view name;
  const rules* rule;
  bool required;
  bool (*read)(void* record, const value& from, reader& in);
  void (*write)(const void* record, std::string& out);
  bool (*absent)(const void* record); // nothing to write: optional and empty, or sparse and at its default
  void (*schema)(std::string& out);
};
using member_list = std::span<const member_entry>;

// One more member that the SDK itself takes out of an object: "umpire" of an input, "match" of a state.
struct sdk_member {
  member_entry entry;
  void* record;
};
bool read_record(const value& from, void* record, member_list members, reader& in, const sdk_member* more = nullptr);
// With `open` the object is already begun: members are appended after a comma, and the brace is left to the caller.
void write_record(const void* record, member_list members, std::string& out, bool open = false);
void schema_of_record(member_list members, std::string& out, const member_entry* more = nullptr);

bool read_integer(const value& from, std::int64_t& out, std::int64_t low, std::int64_t high, reader& in);
bool read_decimal(const value& from, std::int64_t& units, int decimals, const rules& rule, reader& in);
bool read_string(const value& from, std::string& out, const rules& rule, reader& in);
bool read_container(const value& from, value::kind kind, const rules& rule, reader& in);
// {"home":…,"away":…}, each read by `read` under the same rules.
bool read_sides(const value& from, void* home, void* away, bool required,
                bool (*read)(void* to, const value& member, const rules& rule, reader& in), const rules& rule,
                reader& in);
bool fail_enum(std::span<const std::string_view> names, reader& in);
void schema_of_number(std::string& out, std::string_view type, const rules& rule, int decimals);
void schema_of_string(std::string& out, const rules& rule);
void schema_of_items(std::string& out, const rules& rule, bool object);

template<class T>
struct codec;

template<class T>
constexpr member_list members_of();

template<>
struct codec<bool> {
  static bool read(const value& from, bool& out, const rules&, reader& in) {
    return from.get(out) || in.fail(in.place() + " must be true or false.");
  }
  static void write(bool what, std::string& out) { out += what ? "true" : "false"; }
  static void schema(const rules&, std::string& out) { out += R"("type":"boolean")"; }
};

template<std::integral T>
struct codec<T> {
  using bounds = std::numeric_limits<T>;
  static constexpr std::int64_t low(const rules& rule) {
    return std::cmp_less(rule.min, bounds::min()) ? static_cast<std::int64_t>(bounds::min()) : rule.min;
  }
  static constexpr std::int64_t high(const rules& rule) {
    return std::cmp_greater(rule.max, bounds::max()) ? static_cast<std::int64_t>(bounds::max()) : rule.max;
  }
  static bool read(const value& from, T& out, const rules& rule, reader& in) {
    std::int64_t number = 0;
    const bool open = !in.constrained();
    if (!read_integer(from, number, open ? low({}) : low(rule), open ? high({}) : high(rule), in)) return false;
    out = static_cast<T>(number);
    return true;
  }
  static void write(T what, std::string& out) { append_integer(out, static_cast<std::int64_t>(what)); }
  static void schema(const rules& rule, std::string& out) {
    auto shown = rule;
    if (sizeof(T) < 8 || std::is_unsigned_v<T>) shown.min = low(rule);
    if (sizeof(T) < 8) shown.max = high(rule);
    schema_of_number(out, "integer", shown, 0);
  }
};

template<int N>
struct codec<decimal<N>> {
  static_assert(N >= 1 && N <= 9);
  static bool read(const value& from, decimal<N>& out, const rules& rule, reader& in) {
    return read_decimal(from, out.units, N, rule, in);
  }
  static void write(decimal<N> what, std::string& out) { append_fixed(out, what.units, N); }
  static void schema(const rules& rule, std::string& out) { schema_of_number(out, "number", rule, N); }
};

template<>
struct codec<std::string> {
  static bool read(const value& from, std::string& out, const rules& rule, reader& in) {
    return read_string(from, out, rule, in);
  }
  static void write(const std::string& what, std::string& out) { append_string(out, what); }
  static void schema(const rules& rule, std::string& out) { schema_of_string(out, rule); }
};

template<named_enum T>
struct codec<T> {
  static bool read(const value& from, T& out, const rules&, reader& in) {
    std::string_view text;
    if (from.get(text)) {
      for (const auto& one : omnium_enum(T{}))
        if (one.name == text) return out = one.value, true;
    }
    constexpr auto all = omnium_enum(T{});
    std::array<std::string_view, all.size()> known;
    for (std::size_t i = 0; i < all.size(); ++i) known[i] = all[i].name;
    return fail_enum(known, in);
  }
  static void write(T what, std::string& out) { append_string(out, name_of(what)); }
  static void schema(const rules&, std::string& out) {
    out += R"("enum":[)";
    for (const auto& one : omnium_enum(T{})) append_string(out, one.name), out += ',';
    out.back() = ']';
  }
};

} // namespace omnium::sdk
