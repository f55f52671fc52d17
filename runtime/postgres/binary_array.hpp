#pragma once
// Arrays of one dimension as Postgres takes them in binary (array_recv): nothing is escaped here and parsed again
// there (docs/performance.md has what that took).
#include "runtime/core/uuid.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace omnium::pg {

// The object ids of pg_type, which never change.
enum class element : std::uint32_t { boolean = 16, bytea = 17, int8 = 20, int4 = 23, text = 25, uuid = 2950 };

// What all arrays have: a header and the elements, each behind its length. Integers are big-endian.
class array_bytes {
public:
  explicit array_bytes(element of);
  void add_null();
  // The array, valid until the next add. Without an element it has no dimension, as Postgres sends it.
  std::string_view done();

protected:
  void put(std::string_view element);
  template<class Integer>
  void put_integer(Integer value);

private:
  std::string out_;
  std::uint32_t size_ = 0;
};

template<element Type>
class binary_array : public array_bytes {
public:
  binary_array() : array_bytes(Type) {}

  void add(bool value) requires(Type == element::boolean) { put({value ? "\1" : "\0", 1}); }
  void add(std::int64_t value) requires(Type == element::int8) { put_integer(value); }
  void add(std::int32_t value) requires(Type == element::int4) { put_integer(value); }
  void add(const std::optional<std::int64_t>& value) requires(Type == element::int8) {
    value ? put_integer(*value) : add_null();
  }
  void add(std::string_view text) requires(Type == element::text) { put(text); }
  void add(std::span<const std::uint8_t> bytes) requires(Type == element::bytea) {
    put({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  void add(const omnium::uuid& id) requires(Type == element::uuid) {
    put({reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()});
  }
};

} // namespace omnium::pg
