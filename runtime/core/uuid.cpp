#include "runtime/core/uuid.hpp"

#include "runtime/core/hashing.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

namespace omnium {
namespace {

constexpr std::size_t text_length = 36;

constexpr bool dash_at(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void set_version(uuid& id, std::uint8_t version) {
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | (version << 4));
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
}

// The clock of this process's ids: milliseconds, and a 26-bit counter inside them (RFC 9562, 6.2, method 1). The
// counter starts at a random place in its lower half; when it runs over, or the system clock goes back, time is taken
// from here.
struct id_clock {
  static constexpr std::uint32_t counter_end = 1u << 26;
  std::mutex mutex;
  std::uint64_t ms = 0;
  std::uint32_t counter = 0;

  std::pair<std::uint64_t, std::uint32_t> next(std::uint64_t now_ms, std::uint32_t random) {
    const std::lock_guard lock{mutex};
    if (now_ms > ms) {
      ms = now_ms;
      counter = random % (counter_end / 2);
    } else if (++counter == counter_end) {
      ++ms;
      counter = 0;
    }
    return {ms, counter};
  }
};

} // namespace

std::optional<uuid> parse_uuid(std::string_view text) {
  if (text.size() != text_length) return std::nullopt;
  uuid id;
  std::size_t digit = 0;
  for (std::size_t i = 0; i < text_length; ++i) {
    if (dash_at(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int value = nibble(text[i]);
    if (value < 0) return std::nullopt;
    auto& byte = id.bytes[digit++ / 2];
    byte = static_cast<std::uint8_t>((byte << 4) | value);
  }
  return id;
}

std::string to_string(const uuid& id) {
  const std::string digits = hex(id.bytes);
  std::string out;
  out.reserve(text_length);
  for (std::size_t digit = 0; digit < digits.size(); ++digit) {
    if (dash_at(out.size())) out += '-';
    out += digits[digit];
  }
  return out;
}

uuid make_uuid7() {
  static id_clock clock;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto now_ms = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  std::array<std::uint8_t, 10> random{};
  random_bytes(random);
  std::uint32_t seed = 0;
  std::memcpy(&seed, random.data(), sizeof seed);
  const auto [ms, counter] = clock.next(now_ms, seed);

  uuid id;
  for (int i = 0; i < 6; ++i) id.bytes[i] = static_cast<std::uint8_t>(ms >> (8 * (5 - i)));
  id.bytes[6] = static_cast<std::uint8_t>((counter >> 22) & 0x0f); // 12 bits of the counter in rand_a
  id.bytes[7] = static_cast<std::uint8_t>(counter >> 14);
  id.bytes[8] = static_cast<std::uint8_t>((counter >> 8) & 0x3f); // and 14 at the start of rand_b
  id.bytes[9] = static_cast<std::uint8_t>(counter);
  std::copy(random.begin() + 4, random.end(), id.bytes.begin() + 10);
  set_version(id, 7);
  return id;
}

uuid make_uuid5(const uuid& space, std::string_view name) {
  std::string bytes(space.bytes.begin(), space.bytes.end());
  bytes += name;
  const auto digest = sha1(bytes);
  uuid id;
  std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
  set_version(id, 5);
  return id;
}

} // namespace omnium

std::size_t std::hash<omnium::uuid>::operator()(const omnium::uuid& id) const noexcept {
  // The last eight bytes of every version used here are random or a digest; the first are a time.
  std::uint64_t low = 0, high = 0;
  std::memcpy(&high, id.bytes.data(), 8);
  std::memcpy(&low, id.bytes.data() + 8, 8);
  return static_cast<std::size_t>(low ^ (high * 0x9e3779b97f4a7c15ull));
}
