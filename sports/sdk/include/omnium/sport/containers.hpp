#pragma once
// JSON of what holds other values: optional, nullable, list, map, both sides.
#include "omnium/sport/codec.hpp"

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace omnium::sdk {

template<class T>
struct codec<std::optional<T>> { // as a field: absent when empty; elsewhere (in a list) null when empty
  static bool read(const value& from, std::optional<T>& out, const rules& rule, reader& in) {
    if (from.type() == value::kind::null && !in.constrained()) return out.reset(), true;
    return codec<T>::read(from, out.emplace(), rule, in);
  }
  static void write(const std::optional<T>& what, std::string& out) {
    if (what) codec<T>::write(*what, out);
    else out += "null";
  }
  static void schema(const rules& rule, std::string& out) { codec<T>::schema(rule, out); }
};

// Always written, null when empty: for a scoreboard whose viewers expect the member to be there.
template<class T>
struct nullable : std::optional<T> {
  using std::optional<T>::optional;
  nullable() = default;
  nullable(std::optional<T> from) : std::optional<T>(std::move(from)) {}
  template<class U>
  requires std::constructible_from<T, U> &&(!std::derived_from<std::remove_cvref_t<U>, std::optional<T>>)nullable&
  operator=(U&& made) {
    this->emplace(std::forward<U>(made));
    return *this;
  }
  friend bool operator==(const nullable& a, const nullable& b) {
    return static_cast<const std::optional<T>&>(a) == static_cast<const std::optional<T>&>(b);
  }
  // With a plain value or std::nullopt; without it the conversions of both sides would be equally good.
  template<class U>
  requires(!std::derived_from<U, std::optional<T>>) friend bool operator==(const nullable& a, const U& b) {
    return static_cast<const std::optional<T>&>(a) == b;
  }
};

template<class T>
struct codec<nullable<T>> {
  static bool read(const value& from, nullable<T>& out, const rules& rule, reader& in) {
    if (from.type() == value::kind::null) return out.reset(), true;
    return codec<T>::read(from, out.emplace(), rule, in);
  }
  static void write(const nullable<T>& what, std::string& out) { codec<std::optional<T>>::write(what, out); }
  static void schema(const rules& rule, std::string& out) {
    out += R"("anyOf":[{"type":"null"},{)";
    codec<T>::schema(rule, out);
    out += "}]";
  }
};

template<class T>
struct codec<std::vector<T>> {
  static bool read(const value& from, std::vector<T>& out, const rules& rule, reader& in) {
    if (!read_container(from, value::kind::array, rule, in)) return false;
    out.clear();
    value item;
    for (item_cursor all(from); all.next(item);) {
      in.enter(out.size());
      T made{};
      if (!codec<T>::read(item, made, rule, in)) return false;
      out.push_back(std::move(made));
      in.leave();
    }
    return true;
  }
  static void write(const std::vector<T>& what, std::string& out) {
    out += '[';
    bool first = true;
    for (const T& item : what) {
      if (!std::exchange(first, false)) out += ',';
      codec<T>::write(item, out);
    }
    out += ']';
  }
  static void schema(const rules& rule, std::string& out) {
    schema_of_items(out, rule, false);
    codec<T>::schema(rule, out);
    out += '}';
  }
};

template<class T>
struct codec<std::map<std::string, T>> {
  static bool read(const value& from, std::map<std::string, T>& out, const rules& rule, reader& in) {
    if (!read_container(from, value::kind::object, rule, in)) return false;
    out.clear();
    value member;
    std::string_view name;
    for (member_cursor all(from); all.next(name, member);) {
      in.enter(name);
      if (!codec<T>::read(member, out[std::string(name)], rule, in)) return false;
      in.leave();
    }
    return true;
  }
  static void write(const std::map<std::string, T>& what, std::string& out) {
    out += '{';
    bool first = true;
    for (const auto& [name, member] : what) {
      if (!std::exchange(first, false)) out += ',';
      append_string(out, name);
      out += ':';
      codec<T>::write(member, out);
    }
    out += '}';
  }
  static void schema(const rules& rule, std::string& out) {
    schema_of_items(out, rule, true);
    codec<T>::schema(rule, out);
    out += '}';
  }
};

template<class T>
inline constexpr bool is_optional = false;
template<class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// The field's rules hold of either side's value.
template<class T>
struct codec<both<T>> {
  static bool read(const value& from, both<T>& out, const rules& rule, reader& in) {
    out = {};
    return read_sides(
        from, &out.home, &out.away, !is_optional<T>,
        [](void* to, const value& member, const rules& r, reader& reading) {
          return codec<T>::read(member, *static_cast<T*>(to), r, reading);
        },
        rule, in);
  }
  static void write(const both<T>& what, std::string& out) {
    out += '{';
    if (present(what.home)) codec<T>::write(what.home, out += R"("home":)");
    if (present(what.home) && present(what.away)) out += ',';
    if (present(what.away)) codec<T>::write(what.away, out += R"("away":)");
    out += '}';
  }
  static void schema(const rules& rule, std::string& out) {
    codec<T>::schema(rule, out += R"("type":"object","properties":{"home":{)");
    codec<T>::schema(rule, out += R"(},"away":{)");
    out += is_optional<T> ? "}}" : R"(}},"required":["home","away"])";
    out += R"(,"additionalProperties":false)";
  }

private:
  static bool present(const T& one) {
    if constexpr (is_optional<T>) return one.has_value();
    else return true;
  }
};

} // namespace omnium::sdk
