#pragma once
// Hashes over bytes, on OpenSSL. Any thread; never fails for want of anything but memory.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace omnium {

using sha256_digest = std::array<std::uint8_t, 32>;
using sha1_digest = std::array<std::uint8_t, 20>;

sha256_digest sha256(std::string_view bytes);
sha1_digest sha1(std::string_view bytes); // for uuids of version 5 only: not safe against forgers

// SHA-256 of what comes in pieces (files, packages). One owner; `finish` ends it.
class sha256_stream {
public:
  sha256_stream();
  ~sha256_stream();
  sha256_stream(const sha256_stream&) = delete;
  sha256_stream& operator=(const sha256_stream&) = delete;
  void update(std::string_view bytes);
  sha256_digest finish();

private:
  struct context;
  std::unique_ptr<context> context_;
};

// Lower-case hex, two digits a byte.
std::string hex(std::span<const std::uint8_t> bytes);

// Fills `bytes` from the system's random source.
void random_bytes(std::span<std::uint8_t> bytes);

} // namespace omnium
