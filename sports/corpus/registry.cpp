#include "sports/corpus/recording.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace omnium::corpus {

#define FORMAT(name, sport, function, reads) read_result function(const std::vector<std::string>& paths);
#include "sports/corpus/formats.def"
#undef FORMAT

namespace {

std::vector<format> sorted_formats() {
  std::vector<format> all{
#define FORMAT(name, sport, function, reads) format{name, sport, reads, function},
#include "sports/corpus/formats.def"
#undef FORMAT
  };
  std::sort(all.begin(), all.end(), [](const format& a, const format& b) { return a.name < b.name; });
  return all;
}

constexpr std::size_t key_chars_max = 200; // contract section 2

void append_key_part(std::string& out, std::string_view part) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  for (const unsigned char c : part) {
    if (c > 0x20 && c < 0x7f && c != '%') {
      out += static_cast<char>(c);
      continue;
    }
    out += '%';
    out += digits[c >> 4];
    out += digits[c & 15];
  }
}

// FNV-1a, 64 bits: stable on every machine and in every release, which is all that is asked of it here.
std::string hash_hex(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) out[i] = "0123456789abcdef"[hash & 15];
  return out;
}

} // namespace

const std::vector<format>& formats() {
  static const std::vector<format> all = sorted_formats();
  return all;
}

const format* find_format(std::string_view name) {
  for (const format& one : formats())
    if (one.name == name) return &one;
  return nullptr;
}

std::string make_key(std::string_view source, std::string_view match, std::string_view place) {
  std::string out;
  append_key_part(out, source);
  out += ':';
  append_key_part(out, match);
  out += ':';
  append_key_part(out, place);
  if (out.size() <= key_chars_max) return out;
  const std::string hash = hash_hex(out);
  out.resize(key_chars_max - hash.size() - 1);
  return out + '~' + hash;
}

} // namespace omnium::corpus
