#pragma once
// Inside runtime/wire only: who a caller is, whether it may, and how much it has used. Every decision is
// access::decide's; this class finds what that needs and keeps the order of those who wait for it. Io thread only.
#include "runtime/access/directory.hpp"
#include "runtime/access/rate.hpp"
#include "runtime/ops/metrics.hpp"

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace omnium::wire {

class io_gate;
using allowance_ptr = std::shared_ptr<access::allowance>;

// An open socket's place among those of its address or token.
class open_slot {
public:
  open_slot() = default;
  explicit open_slot(allowance_ptr of) : of_(std::move(of)) {
    if (of_) ++of_->open;
  }
  open_slot(open_slot&& other) noexcept = default;
  open_slot& operator=(open_slot&& other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~open_slot() {
    if (of_) --of_->open;
  }
  const allowance_ptr& of() const { return of_; }

private:
  allowance_ptr of_;
};

// A caller that showed a token, kept for as long as its connection: the next request with the same text costs no hash.
struct caller {
  std::string text; // the token as sent; never leaves this struct
  sha256_digest hash{};
  access::token_ptr who; // null: not signed in
  std::uint64_t generation = 0;
  allowance_ptr used; // the token's, shared by all its connections
};

class doorman {
public:
  // `gate` null: nobody is asked for a token (auth.required = false, and tests of the wire).
  // `wall` says when a token has expired.
  using wall_fn = std::function<std::chrono::system_clock::time_point()>;
  doorman(access::gate* gate, access::rate_bounds bounds, std::shared_ptr<io_gate> io, ops::metrics* measures,
          wall_fn wall);

  bool asks() const { return gate_ != nullptr; }

  // Makes `known` the caller with this token; false: nobody's.
  bool sign_in(caller& known, std::string_view text);
  // Is the token still valid? Looks into the directory only after it changed.
  bool still_valid(caller& known) const;

  // Calls `then` with the verdict: at once when memory knows enough, else when the match's competition was looked up,
  // in the order of the calls about one match. nullopt: it could not be looked up.
  using then_fn = std::function<void(std::optional<access::verdict>)>;
  access::verdict decide(const access::token& who,
                         const access::question& asked) const; // ask_competition: use the next
  void decide_later(access::token_ptr who, access::question asked, then_fn then);

  // --- limits ---
  const access::rate_bounds& bounds() const { return bounds_; }
  void set_bounds(const access::rate_bounds& bounds) { bounds_ = bounds; }
  allowance_ptr of_address(const boost::asio::ip::address& address);
  allowance_ptr of_address(std::string_view text); // as a proxy wrote it
  void sweep(access::bucket::time_point now);      // forgets who has been quiet

  ops::counter refused_sign_in, refused_role, limited; // told no: for want of a valid token, of a right, for too much

private:
  allowance_ptr of(std::unordered_map<std::string, allowance_ptr>& all, std::string key);
  void looked_up(const uuid& fixture, std::optional<uuid> competition, bool known);

  struct waiting {
    access::token_ptr who;
    access::question asked;
    then_fn then;
  };
  access::gate* gate_;
  access::rate_bounds bounds_;
  wall_fn wall_;
  std::shared_ptr<io_gate> io_;
  std::unordered_map<uuid, uuid> competitions_; // match -> competition, which never changes
  std::unordered_map<uuid, std::vector<waiting>> asking_;
  std::unordered_map<std::string, allowance_ptr> addresses_, tokens_;
  access::bucket::time_point swept_{};
};

} // namespace omnium::wire
