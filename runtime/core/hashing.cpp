#include "runtime/core/hashing.hpp"

#include <openssl/evp.h>

#include <sys/random.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace omnium {
namespace {

// OpenSSL's digests fail only when memory or the library itself is broken; a wrong hash must never get out.
void must(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "omnium: %s failed\n", what);
  std::abort();
}

template<std::size_t N>
std::array<std::uint8_t, N> digest(std::string_view bytes, const EVP_MD* method) {
  std::array<std::uint8_t, N> out{};
  unsigned int length = 0;
  must(EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, method, nullptr) == 1 && length == N, "EVP_Digest");
  return out;
}

} // namespace

sha256_digest sha256(std::string_view bytes) { return digest<32>(bytes, EVP_sha256()); }

sha1_digest sha1(std::string_view bytes) { return digest<20>(bytes, EVP_sha1()); }

struct sha256_stream::context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
  ~context() { EVP_MD_CTX_free(evp); }
};

sha256_stream::sha256_stream() : context_(std::make_unique<context>()) {
  must(context_->evp != nullptr && EVP_DigestInit_ex(context_->evp, EVP_sha256(), nullptr) == 1, "EVP_DigestInit_ex");
}

sha256_stream::~sha256_stream() = default;

void sha256_stream::update(std::string_view bytes) {
  must(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1, "EVP_DigestUpdate");
}

sha256_digest sha256_stream::finish() {
  sha256_digest out{};
  unsigned int length = 0;
  must(EVP_DigestFinal_ex(context_->evp, out.data(), &length) == 1 && length == out.size(), "EVP_DigestFinal_ex");
  return out;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const auto byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

void random_bytes(std::span<std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got < 0 && errno == EINTR) continue;
    must(got > 0, "getrandom");
    done += static_cast<std::size_t>(got);
  }
}

} // namespace omnium
