#include "sports/corpus/recorder.hpp"

namespace omnium::corpus {

std::string content_name(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  std::string out(16, '0');
  for (std::size_t i = out.size(); i-- > 0; hash >>= 4) out[i] = "0123456789abcdef"[hash & 15];
  return out;
}

} // namespace omnium::corpus
