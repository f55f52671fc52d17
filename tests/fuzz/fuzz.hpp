#pragma once
// What the fuzz targets share: a fault is an abort, which libFuzzer reports with the input that made it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace omnium::fuzz {

inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

} // namespace omnium::fuzz
