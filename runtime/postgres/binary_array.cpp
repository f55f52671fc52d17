#include "runtime/postgres/binary_array.hpp"

#include <boost/endian/conversion.hpp>
#include <cstring>

namespace omnium::pg {
namespace {

// Dimensions (0 or 1), whether there is a null, the elements' type; of the one dimension: its size and its first index.
constexpr std::size_t nulls_at = 4, type_at = 8, size_at = 12, first_at = 16, header_bytes = 20,
                      empty_header_bytes = 12;

void store(char* at, std::uint32_t value) {
  boost::endian::native_to_big_inplace(value);
  std::memcpy(at, &value, sizeof value);
}

} // namespace

array_bytes::array_bytes(element of) : out_(header_bytes, '\0') {
  store(out_.data() + type_at, static_cast<std::uint32_t>(of));
  store(out_.data() + first_at, 1);
}

void array_bytes::add_null() {
  store(out_.data() + nulls_at, 1);
  ++size_;
  out_.append(4, '\xff'); // the length -1
}

std::string_view array_bytes::done() {
  store(out_.data(), size_ == 0 ? 0 : 1);
  store(out_.data() + size_at, size_);
  return size_ == 0 ? std::string_view(out_).substr(0, empty_header_bytes) : std::string_view(out_);
}

void array_bytes::put(std::string_view element) {
  char length[4];
  store(length, static_cast<std::uint32_t>(element.size()));
  ++size_;
  out_.append(length, sizeof length).append(element);
}

template<class Integer>
void array_bytes::put_integer(Integer value) {
  boost::endian::native_to_big_inplace(value);
  put({reinterpret_cast<const char*>(&value), sizeof value});
}
template void array_bytes::put_integer(std::int32_t);
template void array_bytes::put_integer(std::int64_t);

} // namespace omnium::pg
