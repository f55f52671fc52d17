#pragma once
// JSON of a struct with `fields`: the declaration becomes a table that the library reads, writes and describes it by.
#include "omnium/sport/codec.hpp"
#include "omnium/sport/containers.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace omnium::sdk {

template<record T>
struct codec<T> {
  static bool read(const value& from, T& out, const rules&, reader& in) {
    return read_record(from, &out, members_of<T>(), in);
  }
  static void write(const T& what, std::string& out) { write_record(&what, members_of<T>(), out); }
  static void schema(const rules&, std::string& out) { schema_of_record(members_of<T>(), out); }
};

// --- from T::fields to the table the library works with ------------------------------------------------------------
template<record T, std::size_t I>
struct member_access {
  static constexpr const auto& it = std::get<I>(T::fields);
  using type = std::remove_cvref_t<decltype(std::declval<T>().*it.member)>;

  static bool read(void* record, const value& from, reader& in) {
    return codec<type>::read(from, static_cast<T*>(record)->*it.member, it.rule, in);
  }
  static void write(const void* record, std::string& out) {
    codec<type>::write(static_cast<const T*>(record)->*it.member, out);
  }
  static bool absent(const void* record) {
    [[maybe_unused]] const auto& member = static_cast<const T*>(record)->*it.member;
    if constexpr (it.rule.sparse) {
      static const T fresh{};
      return member == fresh.*it.member;
    } else if constexpr (is_optional<type>) {
      return !member.has_value();
    } else {
      return false;
    }
  }
  static void schema(std::string& out) { codec<type>::schema(it.rule, out); }
  static constexpr member_entry entry{it.name, &it.rule, !is_optional<type> && !it.rule.may_be_absent, &read, &write,
                                      &absent, &schema};
};

template<record T, std::size_t... I>
constexpr auto member_table(std::index_sequence<I...>) {
  return std::array<member_entry, sizeof...(I)>{member_access<T, I>::entry...};
}

template<class T>
constexpr auto make_member_table() {
  constexpr auto size = std::tuple_size_v<std::remove_cvref_t<decltype(T::fields)>>;
  static_assert(size <= 63, "a struct has at most 63 fields");
  return member_table<T>(std::make_index_sequence<size>{});
}
template<class T>
inline constexpr auto member_table_of = make_member_table<T>();

template<class T>
constexpr member_list members_of() {
  return member_table_of<T>;
}

template<class T>
std::string to_json(const T& what) {
  std::string out;
  codec<T>::write(what, out);
  return out;
}

} // namespace omnium::sdk
