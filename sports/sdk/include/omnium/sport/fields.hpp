#pragma once
// Fields declared once: a name, a pointer to the member, and what must hold. From the declaration come JSON in, JSON
// out and JSON Schema out (omnium/sport/record.hpp).
//
//   struct goal {
//     sdk::side side{};
//     std::int64_t minute = 0;
//     std::optional<std::string> scorer;
//     static constexpr auto fields = sdk::fields(sdk::field("side", &goal::side),
//                                                sdk::field("minute", &goal::minute, sdk::range(0, 150)),
//                                                sdk::field("scorer", &goal::scorer));
//   };
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace omnium::sdk {

inline constexpr std::size_t text_chars_max = 200; // of a string that names no length of its own
inline constexpr std::size_t items_max = 1000;     // of a list or map that names no size of its own
inline constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

// What must hold of a field. Bounds reach through optional, vector, map and both to the scalar inside; `items` is the
// container's own. They bind what comes from outside; the state may hold what the rules put there.
struct rules {
  std::int64_t min = std::numeric_limits<std::int64_t>::min(); // of a number, in its own unit (a decimal: whole units)
  std::int64_t max = whole;
  std::size_t length_min = 1, length_max = text_chars_max; // of a string, in code points
  std::size_t items_min = 0, items_max = sdk::items_max;
  bool (*accepts)(std::string_view) = nullptr; // of a string: the form, with its regular expression
  std::string_view pattern;
  std::string_view note;      // a sentence for whoever fills the field in
  bool may_be_absent = false; // absent: the member keeps its C++ default
  bool sparse = false;        // and is not written while it equals that default
};

// Each of these is one more argument of `field`.
struct range {
  std::int64_t min, max;
  constexpr range(std::int64_t low, std::int64_t high) : min(low), max(high) {}
  constexpr void apply(rules& to) const { to.min = min, to.max = max; }
};
struct at_least {
  std::int64_t min;
  constexpr explicit at_least(std::int64_t low) : min(low) {}
  constexpr void apply(rules& to) const { to.min = min; }
};
// Of a member that names a row of the log: up to the largest whole number that every reader of JSON keeps.
inline constexpr range any_seq{1, 9'007'199'254'740'991};
struct length {
  std::size_t min, max;
  constexpr length(std::size_t low, std::size_t high) : min(low), max(high) {}
  constexpr void apply(rules& to) const { to.length_min = min, to.length_max = max; }
};
struct items {
  std::size_t min, max;
  constexpr items(std::size_t low, std::size_t high) : min(low), max(high) {}
  constexpr void apply(rules& to) const { to.items_min = min, to.items_max = max; }
};
// A form of text: the regular expression is what the schema shows, `accepts` what decides.
struct form {
  bool (*accepts)(std::string_view);
  std::string_view pattern;
  constexpr void apply(rules& to) const { to.accepts = accepts, to.pattern = pattern; }
};
struct note {
  std::string_view text;
  constexpr explicit note(std::string_view sentence) : text(sentence) {}
  constexpr void apply(rules& to) const { to.note = text; }
};
struct may_be_absent_t {
  constexpr void apply(rules& to) const { to.may_be_absent = true; }
};
struct sparse_t {
  constexpr void apply(rules& to) const { to.may_be_absent = to.sparse = true; }
};
inline constexpr may_be_absent_t may_be_absent; // an input or setting with a default
inline constexpr sparse_t sparse;               // a state or scoreboard member that is mostly at its default

template<class Record, class Member>
struct field_of {
  std::string_view name;
  Member Record::*member;
  rules rule;
};

template<class Record, class Member, class... Rules>
constexpr field_of<Record, Member> field(std::string_view name, Member Record::*member, Rules... rule) {
  field_of<Record, Member> made{name, member, {}};
  (rule.apply(made.rule), ...);
  return made;
}

template<class... Fields>
constexpr std::tuple<Fields...> fields(Fields... all) {
  return {all...};
}

template<class T>
concept record = requires {
  std::tuple_size<std::remove_cvref_t<decltype(T::fields)>>::value;
};

// --- enums --------------------------------------------------------------------------------------------------------
// OMNIUM_ENUM(card, yellow, second_yellow, red) beside the enum, in its namespace, gives its values the names they
// have in C++. Where a name is no C++ name, write the function yourself:
//   constexpr auto omnium_enum(method) { return sdk::names({{method::dl, "D/L"}, {method::vjd, "VJD"}}); }
template<class Enum>
struct named {
  Enum value;
  std::string_view name;
};
template<class Enum, std::size_t N>
constexpr std::array<named<Enum>, N> names(const named<Enum> (&all)[N]) {
  return std::to_array(all);
}
template<class T>
concept named_enum = requires(T what) {
  omnium_enum(what).size();
};

template<named_enum Enum>
constexpr std::string_view name_of(Enum what) {
  for (const auto& one : omnium_enum(what))
    if (one.value == what) return one.name;
  return "?";
}

} // namespace omnium::sdk

#define OMNIUM_PARENS ()
#define OMNIUM_EXPAND(...) OMNIUM_EXPAND3(OMNIUM_EXPAND3(OMNIUM_EXPAND3(OMNIUM_EXPAND3(__VA_ARGS__))))
#define OMNIUM_EXPAND3(...) OMNIUM_EXPAND2(OMNIUM_EXPAND2(OMNIUM_EXPAND2(OMNIUM_EXPAND2(__VA_ARGS__))))
#define OMNIUM_EXPAND2(...) OMNIUM_EXPAND1(OMNIUM_EXPAND1(OMNIUM_EXPAND1(OMNIUM_EXPAND1(__VA_ARGS__))))
#define OMNIUM_EXPAND1(...) __VA_ARGS__
#define OMNIUM_NAMES(type, first, ...)                                                                                 \
  {type::first, #first}, __VA_OPT__(OMNIUM_NAMES_NEXT OMNIUM_PARENS(type, __VA_ARGS__))
#define OMNIUM_NAMES_NEXT() OMNIUM_NAMES
#define OMNIUM_ENUM(type, ...)                                                                                         \
  [[maybe_unused]] constexpr auto omnium_enum(type) {                                                                  \
    return ::omnium::sdk::names<type>({OMNIUM_EXPAND(OMNIUM_NAMES(type, __VA_ARGS__))});                               \
  }
