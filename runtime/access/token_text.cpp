#include "runtime/access/token_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace omnium::access {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string base64url(std::span<const std::uint8_t> bytes) {
  std::string out;
  std::uint32_t held = 0;
  int bits = 0;
  for (auto byte : bytes) {
    held = held << 8 | byte;
    for (bits += 8; bits >= 6; bits -= 6) out += alphabet[held >> (bits - 6) & 63];
  }
  if (bits > 0) out += alphabet[held << (6 - bits) & 63];
  return out;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

std::string make_token_text() {
  std::array<std::uint8_t, 32> secret{};
  random_bytes(secret);
  return std::string(token_start) + base64url(secret);
}

bool looks_like_token(std::string_view text) {
  return text.size() == token_chars && text.starts_with(token_start) &&
         text.find_first_not_of(alphabet, token_start.size()) == std::string_view::npos;
}

std::string shown_prefix(std::string_view text) { return std::string(text.substr(0, prefix_chars)); }

std::optional<std::string_view> bearer_of(std::string_view header) {
  constexpr std::string_view scheme = "bearer";
  if (header.size() <= scheme.size() || !same_word(header.substr(0, scheme.size()), scheme)) return std::nullopt;
  header.remove_prefix(scheme.size());
  if (header.front() != ' ') return std::nullopt;
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  if (header.empty()) return std::nullopt;
  return header;
}

// A token is known by the name it stands under, and under any other name by its own start.
bool query_holds_token(std::string_view query) {
  constexpr std::string_view names[] = {"token", "access_token", "auth_token", "bearer", "authorization"};
  while (!query.empty()) {
    auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    auto cut = std::min(part.find('='), part.size());
    auto name = part.substr(0, cut), value = part.substr(std::min(cut + 1, part.size()));
    if (value.find(token_start) != std::string_view::npos) return true;
    for (auto known : names)
      if (same_word(name, known)) return true;
  }
  return false;
}

} // namespace omnium::access
