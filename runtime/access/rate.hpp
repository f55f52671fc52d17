#pragma once
// Bounds on how much one caller (a token, an address) may ask of the server: buckets that fill with time. Pure; one
// owner.
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace omnium::access {

struct rate_bounds {                // 0: no bound
  double requests_per_s = 0;        // beyond, after the burst is used up: 429, and for a command try_again overloaded
  double requests_burst = 0;        // requests saved up while a caller was quiet
  double bytes_per_s = 0;           // of requests and answers, likewise; as many are saved up as two seconds give
  std::size_t connections_max = 0;  // open at once from one address; beyond: 429 and closed
  std::size_t live_sockets_max = 0; // open at once with one token; beyond: bye too_many_sockets
};

// Fills at `per_s` up to `room`. It may be overdrawn: what was used already is owed, and nothing is given until it is
// made good.
class bucket {
public:
  using time_point = std::chrono::steady_clock::time_point;

  // True: there is `need` left, or something at all where that is 0. `per_s` 0: always.
  bool open(double per_s, double room, double need, time_point now) {
    if (per_s <= 0) return true;
    if (filled_ == time_point{}) held_ = room;
    else held_ = std::min(room, held_ + per_s * std::chrono::duration<double>(now - filled_).count());
    filled_ = now;
    return need > 0 ? held_ >= need : held_ > 0;
  }
  void take(double how_much) { held_ -= how_much; }
  // Until there is as much again; call `open` first.
  std::chrono::milliseconds wait(double per_s, double need) const {
    if (per_s <= 0 || held_ > need) return std::chrono::milliseconds(0);
    return std::chrono::milliseconds(1 + static_cast<std::int64_t>((need - held_) / per_s * 1000));
  }

private:
  double held_ = 0;
  time_point filled_{};
};

// What one caller used. Asked once a request.
class allowance {
public:
  // Zero: go on. Else: refused, and how long to wait.
  std::chrono::milliseconds ask(const rate_bounds& bounds, bucket::time_point now) {
    bool requests = requests_.open(bounds.requests_per_s, std::max(1.0, bounds.requests_burst), 1, now);
    bool bytes = bytes_.open(bounds.bytes_per_s, 2 * bounds.bytes_per_s, 0, now);
    seen_ = now;
    if (requests && bytes) {
      requests_.take(1);
      return std::chrono::milliseconds(0);
    }
    return std::max(requests_.wait(bounds.requests_per_s, 1), bytes_.wait(bounds.bytes_per_s, 0));
  }
  void used(std::size_t bytes) { bytes_.take(static_cast<double>(bytes)); }
  bucket::time_point seen() const { return seen_; }
  std::size_t open = 0; // connections or live sockets

private:
  bucket requests_, bytes_;
  bucket::time_point seen_{};
};

} // namespace omnium::access
