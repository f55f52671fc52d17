#pragma once
// The tokens that are valid, in memory, and the door through which the wire asks for them. The directory is filled from
// the database by its keeper every second or so; no command ever waits for that. Thread-safe.
#include "runtime/access/access.hpp"
#include "runtime/core/hashing.hpp"

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace omnium::access {

// What the wire needs of sign-in. Any thread; `find` returns at once and only looks into memory.
class gate {
public:
  virtual ~gate() = default;
  // By the sha256 of a token's text; null: unknown or revoked. Whether it has expired, the asker's clock says.
  virtual token_ptr find(const sha256_digest& hash) const = 0;
  // Goes up whenever the set of valid tokens changed: who holds one finds it again.
  virtual std::uint64_t generation() const = 0;
  // Which competition a match belongs to; `done` is called once, from any thread: the id (nullopt: no such match), and
  // whether it could be asked at all.
  virtual void competition_of(const uuid& fixture, std::function<void(std::optional<uuid>, bool known)> done) = 0;
};

struct known_token {
  sha256_digest hash{};
  token what;
};

class directory {
public:
  // All valid tokens; what is not among them is not valid any more. True when that changed anything.
  bool replace(std::vector<known_token> all);
  token_ptr find(const sha256_digest& hash) const;
  std::uint64_t generation() const { return generation_; }
  std::size_t size() const;

private:
  struct first_bytes { // of a hash that is uniformly spread already
    std::size_t operator()(const sha256_digest& hash) const noexcept {
      std::size_t out = 0;
      std::memcpy(&out, hash.data(), sizeof out);
      return out;
    }
  };
  using table = std::unordered_map<sha256_digest, token_ptr, first_bytes>;

  mutable std::mutex guard_;
  std::shared_ptr<const table> table_ = std::make_shared<const table>();
  std::atomic<std::uint64_t> generation_{0};
};

} // namespace omnium::access
