#pragma once
// Keeps the node's valid tokens in memory: read at the start, then every second, and at once after this node changed
// one. While the database is away the last ones read stay valid: nobody can revoke one then. One thread and one
// connection of its own, so that sign-in never waits behind reads.
#include "apps/omnium/first_token.hpp"
#include "runtime/access/directory.hpp"
#include "runtime/postgres/executor.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace omnium::apps {

class token_keeper final : public access::gate {
public:
  static constexpr std::chrono::milliseconds period{1'000}; // between two readings

  token_keeper(pg::target where, pg::executor& reads) : session_(std::move(where)), reads_(reads) {}
  ~token_keeper() override;

  // Makes or finds the first token (see first_token.hpp), reads all tokens and goes on doing so. A sentence, or empty.
  std::string start(const first_token_wish& wish);
  // The text of this folder's first token while it is valid, else empty.
  const std::string& first_token() const { return first_token_; }

  // Reads them now, on the caller's session. For who has just made or revoked one.
  void read(pg::session::door& door);

  access::token_ptr find(const sha256_digest& hash) const override;
  std::uint64_t generation() const override { return directory_.generation(); }
  void competition_of(const uuid& fixture, std::function<void(std::optional<uuid>, bool)> done) override;

private:
  void loop();
  pg::session session_; // the loop's, and start's before it
  pg::executor& reads_;
  access::directory directory_;
  std::mutex reading_; // held from a read to its use: an older one must not come after a newer one
  std::string first_token_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace omnium::apps
